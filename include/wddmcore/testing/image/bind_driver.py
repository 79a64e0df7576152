# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Makes a library of a driver's own object files, for `certify driver.so`: they are linked with bind_driver.cpp.

    clang --target=x86_64-pc-windows-msvc-elf -fno-autolink -g -O1 -c driver.c
    python3 bind_driver.py driver.so driver.o...

The linker is called through $CC, or the first of clang-19, clang and cc that there is. What the driver calls and nobody
has is an undefined symbol, and the command fails.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

binding = Path(__file__).resolve().with_name("bind_driver.cpp")
flags = ["-shared", "-nostdlib", "-Wl,-z,defs,-Bsymbolic"]
string_table = 3  # SHT_STRTAB


def without_versions(text):
    """An object in whose names each @ is a $: linkers of ELF take what follows an @ for a version, and the Windows ABI has
    it in the names of string literals and of functions of C++."""
    if text[:6] != b"\x7fELF\x02\x01":
        sys.exit("an object file is not one of 64-bit ELF; clang has to compile it for x86_64-pc-windows-msvc-elf")
    text = bytearray(text)
    table, = struct.unpack_from("<Q", text, 0x28)
    size, count = struct.unpack_from("<HH", text, 0x3A)
    for at in range(table, table + size * count, size):
        kind, = struct.unpack_from("<I", text, at + 4)
        begin, length = struct.unpack_from("<QQ", text, at + 24)
        if kind == string_table:
            text[begin:begin + length] = text[begin:begin + length].replace(b"@", b"$")
    return bytes(text)


def linked(library, inputs, options=tuple(flags)):
    """The linker's exit code and what it says."""
    found = os.environ.get("CC") or next((name for name in ("clang-19", "clang", "cc") if shutil.which(name)), "cc")
    with tempfile.TemporaryDirectory() as folder:
        command = [*found.split(), *options]
        for number, path in enumerate(map(Path, inputs)):
            if path.suffix != ".cpp":
                copy = Path(folder) / f"{number}_{path.name}"
                copy.write_bytes(without_versions(path.read_bytes()))
                path = copy
            command.append(str(path))
        done = subprocess.run([*command, "-o", str(library)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False)
    return done.returncode, done.stdout


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    # bind_driver.cpp comes last: it fills the last pages of PAGE and INIT.
    code, said = linked(sys.argv[1], [*sys.argv[2:], binding])
    sys.stdout.write(said)
    sys.exit(code)
