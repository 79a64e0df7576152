# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What ran and what it found.

  summary.py cases LOG WHAT    prints `checked: N cases of M tests, WHAT` from ctest's log, and names what failed
  summary.py table FOLDER SECONDS
                               prints a table (stage, target, result, seconds, what was checked) and `N passed, N failed` over the
                               stages and the cases of ctest; FOLDER has results, with a line
                               `stage ok|FAILED seconds processor-seconds` for each, what each stage printed in STAGE.log,
                               and ctest's own log in LastTest.log

A doctest executable counts with its cases, every other ctest test as one.
"""
import re
import sys
from pathlib import Path

# What the code of a stage runs on, or is compiled for; the text of the tree for those that compile nothing.
objects = "Windows objects: x64, ARM64, i686"
host = "x64 Linux"
targets = {
    host: "readme debugger sanitize tests gcc clang compile_fail fuzz amalgamated mutation coverage guide first_touch "
          "certify compile_time callgrind bench mutants",
    "text": "include_graph rooms public_names release_names citations assertions format reference tidy",
    objects: "windows sections wdk strict headers kernel code_size",
    "layouts of four targets": "abi",
    "ARM64 Linux, QEMU": "arm64",
    "Wine, UEFI, bare": "images",
    "x64 Linux, MSBuild": "packages",
}
target_of = {stage: target for target, stages in targets.items() for stage in stages.split()}

# CTest's last word on a test; the second is of those that pass by what they print.
good_word = re.compile(r"^(Test Passed\.|Test Pass Reason:)$", re.M)


def count(log):
    """How many cases passed, how many failed, the tests, and the names of those that failed."""
    passed = failed = 0
    tests = re.split(r"^\d+/\d+ Testing: ", log, flags=re.M)[1:]
    names = []
    for test in tests:
        good = good_word.search(test) is not None
        cases = re.findall(r"test cases: +\d+ \| +(\d+) passed \| +(\d+) failed", test)
        passed += sum(int(p) for p, _ in cases) if cases else int(good)
        wrong = sum(int(f) for _, f in cases)
        # A crash after the last case, a time-out or an empty executable fails without a failed case.
        failed += wrong if wrong or good else 1
        if wrong or not good:
            names.append(test.split("\n", 1)[0])
    return passed, failed, len(tests), names


def read(path):
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def cases(log, what):
    passed, _, tests, names = count(read(Path(log)))
    for name in names:
        print(f"FAILED: {name}")
    print(f"checked: {passed} cases of {tests} tests, {what}")
    return 0 if passed and not names else 1


def table(folder, seconds_of_all):
    stages = [line.split() for line in read(folder / "results").split("\n") if line]
    wide = max(map(len, targets))
    print(f"\n{'stage':<14} {'target':<{wide}} {'result':<7} {'seconds':>7} {'processor':>9}  checked")
    for name, word, seconds, of_processors in stages:
        lines = re.findall(r"^checked: (.+)$", read(folder / f"{name}.log"), re.M) or [""]
        print(f"{name:<14} {target_of.get(name, '?'):<{wide}} {word:<7} {seconds:>7} {of_processors:>9}  {lines[0]}".rstrip())
        for line in lines[1:]:
            print(f"{'':<{wide + 43}}{line}")
    print(f"{'all':<14} {'':<{wide}} {'':<7} {seconds_of_all:>7} {sum(int(stage[3]) for stage in stages):>9}\n")
    wrong = [name for name, word, *_ in stages if word != "ok"]
    passed, failed, _, _ = count(read(folder / "LastTest.log"))
    if wrong:
        print(f"Failed: {' '.join(wrong)}\n")
    print(f"{len(stages) - len(wrong) + passed} passed, {len(wrong) + failed} failed")
    return 0 if not wrong and not failed and passed else 1


def main():
    what = sys.argv[1:]
    if what[:1] == ["cases"] and len(what) == 3:
        return cases(*what[1:])
    if what[:1] == ["table"] and len(what) == 3:
        return table(Path(what[1]), what[2])
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main())
