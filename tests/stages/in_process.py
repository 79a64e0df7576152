# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What clang 19 says of a source, asked in this process: starting the program takes longer than reading a small source.

libclang is the same front end, and reads the precompiled headers of the program.
"""
import ctypes
import sys
import threading
from pathlib import Path

sys.path.append("/usr/lib/python3/dist-packages")
from clang.cindex import Diagnostic, Index, SourceRange, TranslationUnit, TranslationUnitLoadError, conf  # noqa: E402

per_thread = threading.local()


def check(command, source):
    """(exit code, errors in the compiler's own form) of a command line for clang++-19 that makes no output."""
    if not hasattr(per_thread, "index"):
        per_thread.index = Index.create()
    try:
        unit = per_thread.index.parse(str(source), ["-fspell-checking", *map(str, command[1:])])
    except TranslationUnitLoadError as what:
        return 1, f"{source}: {what}"
    lines = [f"{one.location.file}:{one.location.line}: error: {one.spelling}"
             for one in unit.diagnostics if one.severity >= Diagnostic.Error]
    return int(bool(lines)), "\n".join(lines)


class source_ranges(ctypes.Structure):
    """CXSourceRangeList, which the package of Python has not."""
    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(SourceRange))]


def read(command, source, options):
    """The translation unit of a source that has no error; a RuntimeError says which it has."""
    try:
        unit = Index.create().parse(str(source), [*map(str, command[1:])], options=options)
    except TranslationUnitLoadError as what:
        raise RuntimeError(f"{source}: {what}") from what
    wrong = [str(one) for one in unit.diagnostics if one.severity >= Diagnostic.Error]
    if wrong:
        raise RuntimeError(f"{source}: {wrong[0]}")
    return unit


def skipped(command, source):
    """{file: lines} of what the preprocessor leaves out, with the directives around it."""
    unit = read(command, source, TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    ask = conf.lib.clang_getAllSkippedRanges
    ask.restype = ctypes.POINTER(source_ranges)
    left_out = ask(unit).contents
    lines = {}
    for one in (left_out.ranges[number] for number in range(left_out.count)):
        lines.setdefault(Path(str(one.start.file)).resolve(), set()).update(range(one.start.line, one.end.line + 1))
    return lines
