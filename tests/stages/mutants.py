# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Broken variants of the preemption machine, each of which the explorer has to catch.

tests/preemption/mutants/mutants.json: {"name", "file", "from", "to"} replaces a text of a header that must be there
exactly once; {"name", "driver"} is a mistake of the explorer's driver instead. {"equivalent": "why"} says that a variant
behaves like the original: then it must pass. A variant that does not compile or does not fit the header is an error. The
original passes in the library's checked mode, too.
"""
import json
import os
import re
import shutil

import common

source = common.root / "tests/preemption/mutants"
headers = common.library / "preemption"
program = """#include <preemption/mutants/small_run.hpp>
int main(int count, char** words) { return preemption_mutants::run(count == 2 ? words[1] : "none"); }
"""
compiler = common.tool("clang++-19")  # half the time that g++ takes, for a compilation and for a run
flags = ["-std=c++20", "-O1", "-w", f"-I{common.root / 'tests'}"]
checked = "-DWDDMCORE_ASSERT(condition)=((condition)?void():__builtin_trap())"  # as WDDMCORE_CHECKED in tests/cmake
seconds = 60


def build(folder, include, *more):
    return common.run([compiler, *flags, *more, "-include-pch", folder.parent / "standard.pch", f"-I{include}", "-fuse-ld=lld",
                       folder.parent / "main.cpp", "-o", folder / "run"])


def prepare(folder):
    """The program, and the standard headers of its sources, which are compiled once for all variants."""
    (folder / "main.cpp").write_text(program, encoding="utf-8")
    standard = {name for path in source.glob("*.hpp") for name in re.findall(r"#include <(\w+)>", path.read_text(encoding="utf-8"))}
    header = folder / "standard.hpp"
    header.write_text("".join(f"#include <{name}>\n" for name in sorted(standard)), encoding="utf-8")
    return common.run([compiler, *flags, "-x", "c++-header", header, "-o", folder / "standard.pch"])


def ends(command):
    """(exit code, first line of output); one that does not end has the code None."""
    code, output = common.run(["timeout", str(seconds), *command])
    return (None if code == 124 else code), output.split("\n")[0]


def copied(folder):
    """The whole library, its files by reference: only the changed one is another."""
    include = folder / "include"
    shutil.copytree(common.include, include, copy_function=os.symlink)
    return include


def try_mutant(job):
    """A complaint, or None, and what caught the variant."""
    index, mutant, folder, original = job
    name = f"{mutant['name']}"
    if "driver" in mutant:
        code, line = ends([original, mutant["driver"]])
    else:
        text = (headers / mutant["file"]).read_text(encoding="utf-8")
        if text.count(mutant["from"]) != 1:
            return f"{name}: its text is {text.count(mutant['from'])} times in {mutant['file']}, not once", ""
        place = folder / f"{index:02}"
        place.mkdir()
        include = copied(place)
        changed = include / "wddmcore/preemption" / mutant["file"]
        changed.unlink()
        changed.write_text(text.replace(mutant["from"], mutant["to"]), encoding="utf-8")
        code, output = build(place, include)
        if code:
            return f"{name}: does not compile:\n{output[-1500:]}", ""
        code, line = ends([place / "run"])
    if "equivalent" in mutant:
        return (None if code == 0 else f"{name}: is said to be equivalent, but: {line}"), "equivalent"
    if code == 0:
        return f"{name}: not caught", ""
    if code is None:
        return None, f"does not end within {seconds} s"
    if code != 1:
        return None, f"ends with {code}"
    return None, line


def main():
    report = common.report()
    folder = common.output_folder("mutants")
    code, output = prepare(folder)
    if code:
        report.fail(f"the standard headers do not compile:\n{output}")
    mutants = json.loads((source / "mutants.json").read_text(encoding="utf-8"))
    original = folder / "original"
    for place, more in ((folder / "checked", [checked]), (original, [])):
        place.mkdir()
        code, output = build(place, common.include, *more)
        if code == 0:
            code, output = ends([place / "run"])
        if code:
            report.fail(f"the machine as it is does not pass ({place.name}, {code}):\n{output}")
            report.checked(0, "broken variants")
            report.finish()
    jobs = [(index, mutant, folder, original / "run") for index, mutant in enumerate(mutants)]
    for mutant, (wrong, caught) in zip(mutants, common.in_parallel(try_mutant, jobs)):
        if wrong:
            report.fail(wrong)
        print(f"{mutant['name']:<72} {caught or 'FAILED'}")
    report.checked(sum("equivalent" not in mutant for mutant in mutants), "broken variants")
    report.checked(sum("equivalent" in mutant for mutant in mutants), "equivalent variants")
    report.finish()


main()
