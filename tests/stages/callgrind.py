# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Instructions per unit of work, counted exactly by callgrind, against the limits of tests/gate/limits.json.

An entry: {"name": "xfer.scatter", "program": "gate_transfer", "function": "measured_scatter", "units": 4096,
"limit": 21.0}. `limit` may be {"g++": 60.0, "clang++-14": 60.0, "clang++-19": 62.0}. The function is counted with everything it calls but
functions named like it with `_uncounted` behind, which may be called only from it. Where it ends too late, it calls
until_first_store at the point up to which it is counted; the program is told in GATE_FUNCTION which function that is,
and ends there.
"""
import json
import re

import common

gate = common.root / "tests/gate"
compilers = ["g++", "clang++-14", "clang++-19"]
flags = ["-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", f"-I{common.include}", f"-I{common.root / 'examples'}",
         f"-I{common.root / 'tests'}"]


def build(job):
    program, compiler, folder = job
    return common.run([common.tool(compiler), *flags, gate / f"{program}.cpp", "-o", folder / f"{program}.{compiler}"])


def count(job):
    """(instructions, complaint) of one function in one program."""
    program, compiler, function, folder = job
    result = folder / f"{program}.{compiler}.{function}.callgrind"
    # A C++ function's name goes on with its parameters.
    code, output = common.run(["env", f"GATE_FUNCTION={function}", common.tool("valgrind"), "--tool=callgrind",
                               f"--toggle-collect={function}", "--toggle-collect=until_first_store",
                               f"--toggle-collect={function}(*", f"--toggle-collect={function}_uncounted*",
                               f"--callgrind-out-file={result}",
                               folder / f"{program}.{compiler}"])
    total = re.search(r"Collected : (\d+)", output)
    if code or not total:
        return 0, f"{program} ({compiler}) ends with {code} under callgrind:\n{output[-2000:]}"
    if int(total[1]) == 0:
        return 0, f"{program} ({compiler}): {function} was never called"
    return int(total[1]), None


def main():
    report = common.report()
    folder = common.output_folder("callgrind")
    limits = gate / "limits.json"
    entries = json.loads(limits.read_text(encoding="utf-8")) if limits.exists() else []

    programs = sorted({entry["program"] for entry in entries})
    for source in gate.glob("*.cpp"):
        if source.stem not in programs:
            report.fail(f"{source.name} has no entry in limits.json")
    builds = [(program, compiler, folder) for program in programs for compiler in compilers]
    built = set()
    for (program, compiler, _), (code, output) in zip(builds, common.in_parallel(build, builds)):
        if code:
            report.fail(f"{program} ({compiler}) does not build:\n{output}")
        else:
            built.add((program, compiler))

    runs = sorted({(entry["program"], compiler, entry["function"], folder) for entry in entries
                   for compiler in compilers if (entry["program"], compiler) in built})
    counts = {}
    for run, (instructions, wrong) in zip(runs, common.in_parallel(count, runs)):
        if wrong:
            report.fail(wrong)
        else:
            counts[run[:3]] = instructions

    print(f"{'instructions per unit':<32}" + "".join(f"{compiler:>12}" for compiler in compilers) + f"{'limit':>14}")
    checked = 0
    for entry in entries:
        cells = ""
        for compiler in compilers:
            limit = entry["limit"][compiler] if isinstance(entry["limit"], dict) else entry["limit"]
            instructions = counts.get((entry["program"], compiler, entry["function"]))
            if instructions is None:
                cells += f"{'-':>12}"
                continue
            each = instructions / entry["units"]
            cells += f"{each:>11.2f}{'!' if each > limit else ' '}"
            checked += 1
            if each > limit:
                report.fail(f"{entry['name']} ({compiler}): {each:.2f} instructions, limit {limit}")
        shown = entry["limit"] if not isinstance(entry["limit"], dict) else "/".join(map(str, entry["limit"].values()))
        print(f"{entry['name']:<32}{cells}{shown:>14}")
    report.checked(checked, "counts against their limits")
    report.finish()


main()
