# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Each test case shows what it asserts: an assertion of doctest's, or a function called expect…, or check_…, that asserts.

That a case asserts when it runs, tests/main.cpp looks at.
"""
import re

import code_lines
import common

tests = common.root / "tests"
head = re.compile(r"^TEST_CASE\w*\(", re.M)
asserts = re.compile(r"\b(?:(?:DOCTEST_)?(?:\w+_)?(?:CHECK|REQUIRE|FAIL)\w*|expect\w*|check_\w+)\s*[(<]")


def past(text, at, opening, closing):
    """Where the bracket that opens at `at` is closed."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if depth == 0:
            return place
    return len(text)


def main():
    report = common.report()
    cases = 0
    for path in sorted(tests.rglob("*.cpp")):
        text = code_lines.without_comments(path.read_text(encoding="utf-8"))
        for match in head.finditer(text):
            cases += 1
            begin = text.find("{", past(text, match.end() - 1, "(", ")"))
            if not asserts.search(text[begin:past(text, begin, "{", "}")]):
                line = text.count("\n", 0, match.start()) + 1
                report.fail(f"{common.shown(path)}:{line}: a case in which nothing is seen to assert")
    report.checked(cases, "test cases")
    report.finish()


main()
