# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Compiles every case twice with every compiler: without its bad line it must compile, with it fail as it says.

run.py [WORD...]   only the cases whose path holds one of the words. README.md says how a case is written.
                   Without words clang-cl has every case, g++ every second one and those of which it says something else,
                   and clang for Linux, which says what clang-cl does, every eighth; the good sides take turns with the
                   compilers: where the bad one has its one error, the rest compiles.
run.py --list      prints each case, what it expects and its source, and compiles nothing
"""
import re
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
folder = Path(__file__).resolve().parent
sys.path[:0] = [str(folder), str(folder.parent / "stages")]
import common  # noqa: E402
import in_process  # noqa: E402
import listed  # noqa: E402

include = [common.include, common.root / "examples", common.root / "tests"]
# No source lines in the messages: the sentence would be found there, even if no message said it.
plain = ["-std=c++20", "-Wall", "-Wextra", *(f"-I{path}" for path in include)]
gcc = ["-fno-diagnostics-show-caret", "-fmax-errors=0"]
clang = ["-fno-caret-diagnostics", "-ferror-limit=0"]
compilers = {
    "gcc": [common.tool("g++"), *plain, *gcc],
    "clang-14": [common.tool("clang++-14"), *plain, *clang],
    "clang-19": [common.tool("clang++-19"), *plain, *clang],
    # What clang-cl makes of /kernel /W3 /GR-: libclang reads no precompiled header in cl mode.
    "clang-cl": [common.tool("clang++-19"), "--target=x86_64-pc-windows-msvc", "-fms-compatibility-version=19.33",
                 "-Xclang", "-fms-kernel", "-fno-rtti", "-fno-exceptions", "-nostdinc", "-std=c++20", "-Wall",
                 *(f"-I{path}" for path in include), *clang],
}
# Library headers that so many cases begin with are compiled once and read back by all of them.
worth_compiling = 8
error = re.compile(r"(?:^|\s)(?:fatal )?error:")


def good_side(text):
    """What is left of a case without its comments and its bad lines, so that equal ones are compiled once."""
    text = re.sub(r"^//.*\n", "", text, flags=re.M)
    return re.sub(r"^#ifdef BAD\n(?:(?!#).*\n|#    .*\n)*?(?:#else\n((?:(?!#).*\n|#    .*\n)*?))?#endif\n",
                  lambda found: found[1] or "", text, flags=re.M)


def first_headers(text, home):
    """The library headers that a case includes before anything else; none where its own macros could change them."""
    if re.search(r"define WDDMCORE_", text):
        return ()
    found = []
    for line in re.sub(r"\\\n", "", text).split("\n"):
        quoted, angled = re.fullmatch(r'(?:#include (?:"(.+)"|<(.+)>))?.*', line).groups()
        name = angled or quoted or ""
        if name.startswith("wddmcore/"):
            found.append(name)
        elif quoted and (home / quoted).is_file():
            found += first_headers((home / quoted).read_text(encoding="utf-8"), (home / quoted).parent)
            break  # what it declares may be there for a header behind it
        elif name or not re.match(r"#|//|\s*$", line):
            break
    return tuple(dict.fromkeys(found))


class case:
    def __init__(self, path, home, text):
        self.path, self.home, self.text = path, home, text
        self.good_side = (home, good_side(text))
        self.headers = first_headers(text, home)
        self.name = f"{home.relative_to(folder).as_posix()}/{path.name}"
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


def all_cases(out, report):
    """The cases of files and of lists; the sources of the listed ones are written below `out`."""
    found = [case(path, path.parent, path.read_text(encoding="utf-8")) for path in folder.rglob("*.cpp")]
    for home in (path for path in folder.iterdir() if path.is_dir()):
        try:
            rows = listed.of_folder(home)
        except listed.wrong_list as what:
            report.fail(str(what))
            continue
        for one in rows:
            path = out / home.name / f"{one.name}.cpp"
            path.parent.mkdir(exist_ok=True)
            path.write_text(one.source(), encoding="utf-8")
            found.append(case(path, home, one.source()))
    for name, count in Counter(one.name for one in found).items():
        if count > 1:
            report.fail(f"{name} is written {count} times")
    return sorted(found, key=lambda one: one.name)


class headers:
    """Library headers compiled once for each compiler; a case then begins with what it would include anyway."""

    def __init__(self, out, beginnings):
        self.places = {names: out / str(number) for number, names in enumerate(beginnings)}
        for names, place in self.places.items():
            place.mkdir(parents=True)
            (place / "first.hpp").write_text("".join(f"#include <{name}>\n" for name in names), encoding="utf-8")

    def compile(self, job):
        """What went wrong, or None."""
        names, compiler = job
        place = self.places[names]
        target = place / ("first.hpp.gch" if compiler == "gcc" else f"{compiler}.pch")
        options = ["-x", "c++-header", place / "first.hpp", "-o", target]
        code, output = common.run([*compilers[compiler], *options])
        return f"{', '.join(names)} ({compiler}): does not compile:\n{output}" if code else None

    def options(self, names, compiler):
        if names not in self.places:
            return []
        place = self.places[names]
        if compiler == "gcc":
            return ["-include", place / "first.hpp"]
        return ["-include-pch", place / f"{compiler}.pch"]


def compile(one, compiler, bad, ready):
    command = [*compilers[compiler], *ready.options(one.headers, compiler), "-fsyntax-only", f"-I{one.home}",
               *["-DBAD"] * bad]
    if compiler in ("clang-19", "clang-cl"):
        return in_process.check(command, one.path)
    return common.run([*command, one.path])


def check_good(job):
    """What is wrong with the good side of one case, which stands for all that are equal to it."""
    one, compiler, ready = job
    code, output = compile(one, compiler, False, ready)
    return [f"{one.name} ({compiler}) does not compile without its bad line:\n{output}"] if code else []


def check_bad(job):
    """What is wrong with the bad side of one case under one compiler."""
    one, compiler, ready = job
    at = f"{one.name} ({compiler})"
    code, output = compile(one, compiler, True, ready)
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
    out = common.output_folder("compile_fail")
    everything = all_cases(out, report)
    if words == ["--list"]:
        for one in everything:
            print(f"== {one.name}\n{one.text}")
        return
    cases = [one for one in everything if not words or any(word in one.name for word in words)]
    if not words:
        for number, one in enumerate(cases):
            if "clang-cl" in one.compilers:
                differs = "gcc" in one.errors or one.expected_of["gcc"]
                left_out = {"clang-14", "clang-19"} if number % 8 else set()
                left_out |= {"gcc"} if number % 2 and not differs else set()
                one.compilers = [name for name in one.compilers if name not in left_out]
    for one in cases:
        for text in one.wrong:
            report.fail(f"{one.name}: {text}")
    used = Counter(one.headers for one in cases if one.headers)
    ready = headers(out / "headers", [names for names, count in used.items() if count >= worth_compiling])
    first = [(names, compiler) for names in ready.places for compiler in compilers]
    for text in filter(None, common.in_parallel(ready.compile, first)):
        report.fail(text)
    jobs = [(one, compiler, ready) for one in cases if not one.wrong for compiler in one.compilers]
    good = {(one.good_side, compiler): (one, compiler, ready) for one, compiler, _ in jobs}
    if not words:
        of_side = {}
        for side, compiler in good:
            of_side.setdefault(side, []).append(compiler)
        good = {(side, name): good[side, name] for number, (side, names) in enumerate(of_side.items())
                for name in [names[number % len(names)]]}
    for wrong in [*common.in_parallel(check_good, good.values()), *common.in_parallel(check_bad, jobs)]:
        for text in wrong:
            report.fail(text)
    for compiler in compilers:
        count = sum(compiler in one.compilers for one in cases)
        if not words or count:
            sides = sum(compiler == name for _, name in good)
            report.checked(count, f"cases with {compiler}, and their {sides} different good sides")
    report.finish()


if __name__ == "__main__":
    main()
