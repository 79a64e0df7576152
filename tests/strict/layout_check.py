# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""wdk/layout_check.hpp against the twins: silent for each of them, and one sentence for a header that is wrong."""
import re
import shutil

import common
from kit_numbers import NEWEST

here = common.root / "tests/strict"
target_of_width = {8: "x86_64-pc-windows-msvc", 4: "i686-pc-windows-msvc"}

most_stack = 700  # the documentation of moved_bit says some 650

# What is wrong, the header's text, its replacement, and what has to be said.
MISTAKES = (
    ("a member narrowed", "    SIZE_T CommitLimit;\n    SIZE_T SystemMemoryEndAddress;\n    union",
     "    SIZE_T CommitLimit;\n    UINT SystemMemoryEndAddress;\n    union",
     "_DXGK_SEGMENTDESCRIPTOR4.SystemMemoryEndAddress elsewhere"),
    ("two members exchanged", "    PHYSICAL_ADDRESS BaseAddress;\n    SIZE_T Size;\n    SIZE_T CommitLimit;\n    SIZE_T S",
     "    SIZE_T Size;\n    PHYSICAL_ADDRESS BaseAddress;\n    SIZE_T CommitLimit;\n    SIZE_T S",
     "_DXGK_SEGMENTDESCRIPTOR4.BaseAddress elsewhere"),
    ("an operation's number", "DXGK_OPERATION_FLUSH_TLB = 12", "DXGK_OPERATION_FLUSH_TLB = 13",
     "another value of DXGK_OPERATION_FLUSH_TLB"),
    ("two bits exchanged", "            UINT Eviction: 1;\n            UINT IoMmuUnmap: 1;\n",
     "            UINT IoMmuUnmap: 1;\n            UINT Eviction: 1;\n", "_DXGK_NOTIFYALLOCFLAGS.Eviction"),
)


def compiles(command, source, folder, width):
    """The errors of a source that only includes the header and the check."""
    _, text = common.run([*command(target_of_width[width], folder), "-fsyntax-only", "--", source])
    return re.findall(r"error: (.*)", text)


def said_by_program(command, folder, out, label):
    """What the program over the bits prints; its code is made for Windows and interpreted here."""
    code_file = out / f"moved_bit_{label}.ll"
    code, text = common.run([*command(target_of_width[8], folder), "/GS-", "/Zl", "/Od", "/c", "/clang:-emit-llvm", "/clang:-S",
                             f"/clang:-o{code_file}", "--", here / "moved_bit.cpp"])
    if code:
        return text[:2000]
    lines = [line for line in code_file.read_text(encoding="utf-8").splitlines() if not line.startswith("!llvm.linker.options")]
    host = "x86_64-pc-linux-gnu"
    lines = [f'target triple = "{host}"' if line.startswith("target triple") else line for line in lines]
    code_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return common.run([common.tool("lli-19"), code_file])[1].strip()


def largest_frame(command, folder, out):
    """Bytes of stack of the largest function in an unoptimised build of the program, which keeps every one of them."""
    common.run([*command(target_of_width[8], folder), "/Od", "/c", "/clang:-fstack-usage", f"/Fo{out / 'moved_bit.obj'}", "--",
                here / "moved_bit.cpp"], cwd=out)
    usage = (out / "moved_bit.su").read_text(encoding="utf-8")
    return max(int(line.split("\t")[1]) for line in usage.splitlines())


def check(kits, command, folder_of, out, report):
    source = out / "layout_check.cpp"
    source.write_text("#include <d3dkmddi.h>\n\n#include <wddmcore/wdk/layout_check.hpp>\n", encoding="utf-8")
    # It looks at each structure for itself, and at the enumerators of each build.
    jobs = [(8, *pair) for pair in kits.every_shape_at_every_version()] + [(4, *pair) for pair in kits.every_shape()]
    found = common.in_parallel(lambda job: compiles(command, source, folder_of(job[1], job[2], job[0]), job[0]), jobs)
    for (width, version, build), errors in zip(jobs, found):
        if errors:
            report.fail(f"layout_check, header {build} at {version}, {width * 8} bits: {errors[0]}")
    report.checked(len(jobs), "headers with every form of a structure, in which the layout check finds no difference")

    newest = [(version, build) for build, version in NEWEST.items()]
    said = common.in_parallel(lambda job: said_by_program(command, folder_of(*job, 8), out, job[1]), newest)
    for (version, build), text in zip(newest, said):
        if text != "every bit is where it was measured":
            report.fail(f"moved_bit, header {build} at {version}: {text}")
    report.checked(len(newest), "headers whose bits a program compares")

    right = folder_of("WDDM3_2", "26100", 8)
    frame = largest_frame(command, right, out)
    if frame > most_stack:
        report.fail(f"moved_bit: a frame of {frame} bytes; {most_stack} at most, as its documentation says")
    for number, (what, old, new, sentence) in enumerate(MISTAKES):
        folder = out / f"mistake_{number}"
        shutil.copytree(right, folder)
        text = (folder / "d3dkmddi.h").read_text(encoding="utf-8")
        if text.count(old) != 1:
            report.fail(f"layout_check: the header does not have '{old}' once")
            continue
        (folder / "d3dkmddi.h").write_text(text.replace(old, new), encoding="utf-8")
        errors = compiles(command, source, folder, 8)
        answer = " ".join(errors) if errors else said_by_program(command, folder, out, f"mistake_{number}")
        if sentence not in answer:
            report.fail(f"layout_check: {what} is not noticed as '{sentence}' but: {answer[:500]}")
    report.checked(len(MISTAKES), "mistakes in a header, each named")
