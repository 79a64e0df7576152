# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Every line, branch and MC/DC condition of the core is executed by a test, or listed with the reason why none can.

The core is include/wddmcore without testing/, ddi/mirror/ and wdk/layout_check, whose checks the stage strict sees fail.
Each folder's own tests are built with clang 19 and its sanitizers (preset `coverage`); that a simulator, a law or an
example passes through a line excuses no missing test. A line, a side of a branch or a condition counts where any
instantiation in any program has it. What no test can reach stands in tests/coverage/unreachable.txt; an entry there that
excuses nothing fails the stage.

  python3 tests/stages/coverage.py                              everything
  python3 tests/stages/coverage.py --tests paging,page_tables   only these programs (then unused entries are no failure)
  python3 tests/stages/coverage.py --folder paging              only the gaps of one folder, or of one file: --folder base/bits

A gap is one of: line (not executed), instance (no test instantiates it), true or false (a branch that never went that
way), condition (no two tests show that it decides), measure (clang cannot measure the decision: take it apart).
"""
import argparse
import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import code_lines
import common
import in_process
import llvm_cov

excuses_file = common.root / "tests/coverage/unreachable.txt"
build = common.root / "build/coverage"
not_measured = ("testing/", "ddi/mirror/", "wdk/layout_check")


@dataclass
class gap:
    file: str
    line: int
    column: int
    kind: str
    source: str     # the line's text
    operand: str = ""
    body: object = None    # the function around it

    def text(self):
        place = f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")
        said = {"line": "not executed", "instance": "not instantiated", "true": f"never true: {self.operand}",
                "false": f"never false: {self.operand}", "condition": f"never decides alone: {self.operand}",
                "measure": f"cannot be measured, take it apart: {self.operand}"}[self.kind]
        return f"{place}: {said}\n      {self.source}"


@dataclass
class excuse:
    file: str
    source: str
    kinds: list    # (kind, operand or '')
    number: int
    used: bool = False

    def fits(self, one, lines):
        if one.file != self.file:
            return False
        for kind, operand in self.kinds:
            if kind == "function":
                if one.body and any(lines[n - 1].strip() == self.source for n in range(one.body.first, one.body.last + 1)):
                    return True
            elif kind in (one.kind, "line" if one.kind == "instance" else one.kind) and one.source == self.source and \
                    operand in ("", one.operand):
                return True
        return False


def excuses():
    """Blocks of: the file; the line's text; kinds, a colon and the reason. `kind of `operand`` names one condition."""
    found = []
    number = 0
    block = []
    text = excuses_file.read_text(encoding="utf-8") if excuses_file.is_file() else ""
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append(line)
            continue
        if not block:
            continue
        kinds, colon, reason = " ".join(part.strip() for part in block[2:]).partition(": ")
        parsed = [re.fullmatch(r"(line|instance|true|false|condition|measure|function)(?: of `(.*)`)?", part.strip())
                  for part in re.split(r",\s*(?=\w+\b(?: of `|,|$))", kinds)]
        if not colon or not reason.strip() or not all(parsed):
            sys.exit(f"FAILED: {common.shown(excuses_file)}: the entry that ends at line {number} is not a file, a line's "
                     f"text, and `kind, kind: reason`")
        found.append(excuse(block[0].strip(), block[1].strip(), [(p[1], p[2] or "") for p in parsed], number))
        block = []
    return found


def built(names):
    """What CTest says of each test program, or None where they do not build."""
    code, output = common.run([common.tool("cmake"), "-S", common.root, "-B", build, "--preset", "coverage",
                               "-DCMAKE_CXX_COMPILER=" + common.tool("clang++-19"), "--log-level=WARNING"], cwd=common.root)
    jobs = os.environ.get("WDDMCORE_JOBS", str(os.cpu_count() or 1))
    if code == 0:
        targets = [f"test_{name}" for name in names] or ["all"]
        code, output = common.run([common.tool("cmake"), "--build", build, "--target", *targets, "-j", jobs, "--", "-k", "0"])
    if code:
        print("\n".join(line for line in output.split("\n") if "MC/DC" not in line)[-6000:])
        return None
    code, output = common.run([common.tool("ctest"), "--test-dir", build, "--show-only=json-v1"])
    if code:
        print(output)
        return None
    tests = json.loads(output)["tests"]
    return [test for test in tests if test["name"] in (names or [test["name"]])]


def measured(test):
    """(what is wrong or None, {file: file_coverage}) of one test program."""
    command = test["command"]
    program = Path(command[0])
    settings = next((one["value"] for one in test["properties"] if one["name"] == "ENVIRONMENT"), [])
    folder = build / "profiles"
    shown, raw, data = (folder / f"{program.name}{end}" for end in (".txt", ".profraw", ".profdata"))
    if not shown.is_file() or shown.stat().st_mtime < program.stat().st_mtime:
        shown.unlink(missing_ok=True)
        raw.unlink(missing_ok=True)
        code, output = common.run(["env", *settings, f"LLVM_PROFILE_FILE={raw}", *command, "--no-intro"], cwd=build)
        if code:
            return f"{program.name} fails:\n{output[-3000:]}", {}
        code, output = common.run([common.tool("llvm-profdata-19"), "merge", "-sparse", raw, "-o", data])
        if code == 0:
            code, output = common.run(
                ["sh", "-c", '"$0" show "$1" -instr-profile "$2" -show-branches=count -show-mcdc -show-instantiations=false '
                 '-ignore-filename-regex="/usr/|tests/|/testing/|ddi/mirror/" >"$3.new" && mv "$3.new" "$3"',
                 common.tool("llvm-cov-19"), program, data, shown], cwd=build)
        raw.unlink(missing_ok=True)
        if code:
            return f"{program.name}: llvm-cov: {output[-2000:]}", {}
    with open(shown, encoding="utf-8", errors="replace") as lines:
        return None, llvm_cov.read(lines)


def gaps_of(name, coverage, text):
    """The gaps of one file, those first that hide others."""
    lines = text.split("\n")
    plain = code_lines.without_comments(text).split("\n")
    bodies, statements = code_lines.bodies_and_statements(text)

    def around(line):
        return min((b for b in bodies if b.first <= line <= b.last), key=lambda b: b.last - b.first, default=None)

    def constant(line):
        # A lambda of a consteval function has code, but nobody can call it.
        return any(b.constant and b.first <= line <= b.last for b in bodies)

    def one(line, column, kind):
        operand = code_lines.operand_at(plain, line, column) if column else ""
        return gap(name, line, column, kind, lines[line - 1].strip(), operand, around(line))

    found = []
    dark = set()
    for line, executed in sorted(coverage.lines.items()):
        if not executed:
            dark.add(line)
            # At the head of a class stands what the compiler gives it.
            if not constant(line) and re.search(r"\w", plain[line - 1]) and not re.fullmatch(r"struct \w+ \{", lines[line - 1]):
                found.append(one(line, 0, "line"))
    for line in sorted(statements - set(coverage.lines)):
        found.append(one(line, 0, "instance"))
    judged = {place for region, place in coverage.conditions}
    reported = set()
    for (line, column), sides in sorted(coverage.branches.items()):
        before = "\n".join(plain[:line - 1] + [plain[line - 1][:column - 1]])
        # A label has no false side; the place of a switch's value stands for a default that is not written.
        label = re.match(r"(case|default)\b", lines[line - 1][column - 1:]) or before.endswith("switch (")
        if sides.folded or line in dark or constant(line) or label or "= default" in lines[line - 1]:
            continue
        for side in ("true", "false"):
            if not getattr(sides, side):
                found.append(one(line, column, side))
                reported.add((line, column))
        is_ternary = re.match(r"[^?:;]*? \? ", plain[line - 1][column - 1:])
        if re.search(r"(&&|\|\|)[\s(!]*$", before) and (line, column) not in judged and not is_ternary:
            found.append(one(line, column, "measure"))
    for (_, (line, column)), state in sorted(coverage.conditions.items()):
        if not (state.covered or state.folded or (line, column) in reported or line in dark or constant(line)):
            found.append(one(line, column, "condition"))
    return found


def merged(found):
    """Lines that follow each other are one gap."""
    result = []
    for one in found:
        last = result[-1] if result else None
        if last and one.kind == last.kind and one.kind in ("line", "instance") and one.body == last.body and \
                one.line <= last.until + 2:
            last.until = one.line
            continue
        one.until = one.line
        result.append(one)
    return result


def main():
    words = argparse.ArgumentParser(description="stage coverage", formatter_class=argparse.RawDescriptionHelpFormatter,
                                    epilog=__doc__)
    words.add_argument("--tests", default="", help="the test programs, for example paging,page_tables")
    words.add_argument("--folder", default="", help="print the gaps of this folder or file only")
    options = words.parse_args()
    names = [name for name in options.tests.split(",") if name]
    report = common.report()
    programs = built(names)
    if not programs:
        report.fail("the test programs do not build")
        report.checked(0, "test programs")
        report.finish()
    (build / "profiles").mkdir(exist_ok=True)
    total = {}
    for wrong, files in common.in_parallel(measured, programs):
        if wrong:
            report.fail(wrong)
        for name, coverage in files.items():
            total.setdefault(name, llvm_cov.file_coverage()).join(coverage)
    # Of what was precompiled clang has lost which lines the preprocessor leaves out, and counts them like those around them.
    all_mirrored = ["-include", common.library / "mirror.hpp", "-xc++"]
    left_out = in_process.skipped(["clang++-19", *common.freestanding, *all_mirrored], common.library / "wddmcore.hpp")
    listed = excuses()
    counts = {"lines": 0, "branch sides": 0, "conditions": 0}
    missing = []
    for path in common.headers():
        name = str(path.relative_to(common.library))
        if name.startswith(not_measured):
            continue
        text = path.read_text(encoding="utf-8")
        coverage = total.get(name, llvm_cov.file_coverage())
        for line in left_out.get(path.resolve(), ()):
            coverage.lines.pop(line, None)
        counts["lines"] += sum(coverage.lines.values())
        counts["branch sides"] += sum(s.true + s.false for s in coverage.branches.values())
        counts["conditions"] += sum(s.covered for s in coverage.conditions.values())
        lines = text.split("\n")
        for one in gaps_of(name, coverage, text):
            fitting = [each for each in listed if each.fits(one, lines)]
            for each in fitting:
                each.used = True
            if not fitting:
                missing.append(one)
    missing = merged([one for one in missing if one.file.startswith(options.folder)])
    for one in missing:
        report.fail(one.text() + (f"\n      ... to line {one.until}" if one.until > one.line else ""))
    if not names:
        for each in listed:
            if not each.used:
                report.fail(f"{common.shown(excuses_file)}:{each.number}: excuses nothing: {each.file}: {each.source}")
    report.checked(len(programs), "test programs")
    for what, count in counts.items():
        report.checked(count, f"{what} covered")
    report.checked(len(listed), "entries of what no test can reach") if listed else None
    report.finish(10 ** 6)


if __name__ == "__main__":
    main()
