# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Compiles every case twice with every compiler: without its bad line it must compile, with it fail as it says.

run.py [WORD...]   only the cases whose path holds one of the words. README.md says how a case is written.
"""
import re
import sys
from pathlib import Path

folder = Path(__file__).resolve().parent
sys.path.insert(0, str(folder.parent / "stages"))
import common  # noqa: E402

# No source lines in the messages: the sentence would be found there, even if no message said it.
plain = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{common.include}", f"-I{common.root / 'examples'}",
         f"-I{common.root / 'tests'}"]
compilers = {
    "gcc": [common.tool("g++"), *plain, "-fno-diagnostics-show-caret", "-fmax-errors=0"],
    "clang-14": [common.tool("clang++-14"), *plain, "-fno-caret-diagnostics", "-ferror-limit=0"],
    "clang-19": [common.tool("clang++-19"), *plain, "-fno-caret-diagnostics", "-ferror-limit=0"],
    "clang-cl": [*(part for part in common.clang_cl("x86_64-pc-windows-msvc") if part not in ("/WX", "/W4")), "/W3",
                 "/Zs", f"/I{common.include}", f"/I{common.root / 'examples'}", f"/I{common.root / 'tests'}",
                 "/clang:-fno-caret-diagnostics", "/clang:-ferror-limit=0", "/clang:-fdiagnostics-format=clang"],
}
error = re.compile(r"(?:^|\s)(?:fatal )?error:")


def good_side(text):
    """What is left of a case without its comments and its bad lines, so that equal ones are compiled once."""
    text = re.sub(r"^//.*\n", "", text, flags=re.M)
    return re.sub(r"^#ifdef BAD\n(?:(?!#).*\n|#    .*\n)*?(?:#else\n((?:(?!#).*\n|#    .*\n)*?))?#endif\n",
                  lambda found: found[1] or "", text, flags=re.M)


class case:
    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.path = path
        self.good_side = (path.parent, good_side(text))
        self.name = path.relative_to(folder).as_posix()
        self.expected = re.findall(r"^// expect: (.+?)\s*$", text, re.M)
        self.expected_of = {name: re.findall(rf"^// expect\[{name}\]: (.+?)\s*$", text, re.M) for name in compilers}
        chosen = re.search(r"^// compilers: (.+)$", text, re.M)
        self.compilers = chosen[1].split() if chosen else list(compilers)
        self.errors = {name: int(count) for name, count in
                       re.findall(r"^// errors\[([\w-]+)\]: (\d+) because \S", text, re.M)}
        self.wrong = []
        if not self.expected and not any(self.expected_of.values()):
            self.wrong.append("no line `// expect: sentence`")
        if not re.search(r"\bBAD\b", text):
            self.wrong.append("no bad line: BAD is never asked for")
        for name in (*self.compilers, *self.errors):
            if name not in compilers:
                self.wrong.append(f"there is no compiler {name}")
        if len(re.findall(r"^// errors\b", text, re.M)) != len(self.errors):
            self.wrong.append("a line `// errors[compiler]: N because ...` has another form")


def compile(path, compiler, bad):
    command = list(compilers[compiler])
    if bad:
        command.append("/DBAD" if compiler == "clang-cl" else "-DBAD")
    return common.run([*command, *(["--"] if compiler == "clang-cl" else []), path])


def check_good(job):
    """What is wrong with the good side of one case, which stands for all that are equal to it."""
    one, compiler = job
    code, output = compile(one.path, compiler, False)
    return [f"{one.name} ({compiler}) does not compile without its bad line:\n{output}"] if code else []


def check_bad(job):
    """What is wrong with the bad side of one case under one compiler."""
    one, compiler = job
    at = f"{one.name} ({compiler})"
    code, output = compile(one.path, compiler, True)
    if code == 0:
        return [f"{at} compiles with its bad line"]
    errors = [line for line in output.splitlines() if error.search(line)]
    wanted = one.errors.get(compiler, 1)
    wrong = []
    if len(errors) != wanted:
        wrong.append(f"{at} has {len(errors)} errors instead of {wanted}:\n" + "\n".join(errors[:8]))
    for sentence in one.expected + one.expected_of[compiler]:
        if not any(sentence in line for line in errors):
            wrong.append(f"{at} does not say: {sentence}\nbut:\n" + "\n".join(errors[:8] or [output]))
    return wrong


def main():
    report = common.report()
    words = sys.argv[1:]
    cases = [case(path) for path in sorted(folder.rglob("*.cpp")) if not words or any(w in str(path) for w in words)]
    for one in cases:
        for text in one.wrong:
            report.fail(f"{one.name}: {text}")
    jobs = [(one, compiler) for one in cases if not one.wrong for compiler in one.compilers]
    good = {(one.good_side, compiler): (one, compiler) for one, compiler in jobs}
    for wrong in [*common.in_parallel(check_good, good.values()), *common.in_parallel(check_bad, jobs)]:
        for text in wrong:
            report.fail(text)
    for compiler in compilers:
        count = sum(compiler in one.compilers for one in cases)
        if not words or count:
            sides = sum(compiler == name for _, name in good)
            report.checked(count, f"cases with {compiler}, and their {sides} different good sides")
    report.finish()


main()
