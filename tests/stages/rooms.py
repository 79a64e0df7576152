# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""No folder of include/wddmcore holds more than 16 files, and no header of the core has more than 400 lines.

A folder that outgrows this is two; a prefix that repeats in a folder is a folder.
"""
from collections import Counter

import common

most_files = 16
most_lines = 400


def main():
    report = common.report()
    # The umbrellas beside the folders are the table of contents, not a room.
    rooms = Counter(path.parent for path in common.library.rglob("*") if path.is_file() and path.parent != common.library)
    for room, files in sorted(rooms.items()):
        if files > most_files:
            report.fail(f"{common.shown(room)} holds {files} files; {most_files} at most")
    headers = common.core_headers()
    for path in headers:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > most_lines:
            report.fail(f"{common.shown(path)} has {lines} lines; {most_lines} at most")
    report.checked(len(rooms), "folders")
    report.checked(len(headers), "headers of the core")
    report.finish()


main()
