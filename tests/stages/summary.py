# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""summary.py PASSED FAILED LOG: prints `N passed, N failed` over the stages and the cases in ctest's log, and names what failed.

A doctest executable counts with its cases, every other ctest test as one.
"""
import re
import sys


# CTest's last word on a test; the second is of those that pass by what they print.
good_word = re.compile(r"^(Test Passed\.|Test Pass Reason:)$", re.M)


def count(log):
    passed = failed = 0
    for test in re.split(r"^\d+/\d+ Testing: ", log, flags=re.M)[1:]:
        good = good_word.search(test) is not None
        cases = re.findall(r"test cases: +\d+ \| +(\d+) passed \| +(\d+) failed", test)
        passed += sum(int(p) for p, _ in cases) if cases else int(good)
        wrong = sum(int(f) for _, f in cases)
        # A crash after the last case, a time-out or an empty executable fails without a failed case.
        failed += wrong if wrong or good else 1
        if wrong or not good:
            print(f"Failed: {test.split(chr(10), 1)[0]}")
    return passed, failed


def main():
    stages_passed, stages_failed, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    passed = failed = 0
    if path:
        with open(path, encoding="utf-8", errors="replace") as file:
            passed, failed = count(file.read())
    print(f"{stages_passed + passed} passed, {stages_failed + failed} failed")
    return 0 if stages_failed + failed == 0 and passed > 0 else 1


sys.exit(main())
