# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Loads wddmcore_check.sys once under Driver Verifier and says what it found. Written, not run: see README.md.
#
#   powershell tests\wdk\run_check.ps1            after the project was built; on a machine for tests, as administrator,
#                                                 with test signing on (bcdedit /set testsigning on, and a restart)
param([string]$Platform = 'x64', [string]$Configuration = 'Release')
$ErrorActionPreference = 'Stop'

$root = Resolve-Path (Join-Path $PSScriptRoot '..\..')
$image = Join-Path $root "build\wdk\$Platform\$Configuration\wddmcore_check.sys"
if (-not (Test-Path $image)) { throw "$image does not exist: build the project first" }

$service = 'wddmcore_check'
$loaded = Join-Path $env:SystemRoot "System32\drivers\$service.sys"
Copy-Item $image $loaded -Force

# Volatile settings hold until the next start, and need none.
verifier /volatile /adddriver "$service.sys"
if ($LASTEXITCODE -gt 1) { throw 'Driver Verifier does not take the driver' }

sc.exe create $service type= kernel start= demand binPath= $loaded | Out-Null
try {
    sc.exe start $service
    $answer = $LASTEXITCODE
    if ($answer -eq 0) { sc.exe stop $service | Out-Null }
} finally {
    sc.exe delete $service | Out-Null
    verifier /volatile /removedriver "$service.sys" | Out-Null
    Remove-Item $loaded -Force -ErrorAction SilentlyContinue
}

if ($answer -ne 0) {
    throw "DriverEntry failed with $answer; a kernel debugger shows which bit lies elsewhere (component IHVVIDEO)"
}
'each bit is in its place'
