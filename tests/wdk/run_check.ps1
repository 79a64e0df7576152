# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Loads wddmcore_check.sys once under Driver Verifier, reads the report that it writes and says what it found. Written,
# not run: see README.md.
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

# What the driver writes; one of an earlier run must not be taken for this one's.
$report = 'C:\wddmcore_check.txt'
Remove-Item $report -Force -ErrorAction SilentlyContinue

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

$lines = @()
if (Test-Path $report) { $lines = @(Get-Content $report) }
$lines
if ($answer -ne 0) {
    throw "DriverEntry failed with $answer; the lines above, if any, say why (in a kernel debugger: component IHVVIDEO)"
}
if ($lines.Count -lt 2 -or $lines[0] -ne 'each bit is in its place') { throw "$report does not say that each bit is in its place" }
if ($lines[-1] -notmatch '^self-check: [1-9][0-9]* checks, 0 failed, hash [0-9a-f]{16}$') {
    throw "$report does not end with a self-check that passed"
}
'passed'
