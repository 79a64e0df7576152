# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""python3 tests/strict/write_header.py BUILD VERSION FOLDER: writes the twin of one header, for 64 bits, into a folder."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from kit_numbers import Numbers  # noqa: E402
from strict_twin import Twin  # noqa: E402


def write(numbers, build, version, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "d3dkmddi.h").write_text(Twin(numbers, version, build, 8).header(), encoding="utf-8")


if __name__ == "__main__":
    write(Numbers(), sys.argv[1], sys.argv[2], Path(sys.argv[3]))
