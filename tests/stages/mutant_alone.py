# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What notices a mutant that only the compiler sees: it is written into a copy of the headers of its own.

Asked are, in this order: of a constant that stands for one of the DDI's, the table of these (tests/abi/); the test that
names it or its header most; the cases of tests/compile_fail whose sentence stands nearest in its header; other tests; and
the other cases that are about its folder, with the library compiled once for all of them.
"""
import importlib.util
import os
import re
import shutil
import sys
import threading

import common
import in_process
from mutant_text import alone

sys.path.insert(0, str(common.root / "tests/abi"))
from abi_model import Numbers  # noqa: E402
from abi_tables import constants_table  # noqa: E402
from abi_tied import tied_table  # noqa: E402

most_tests_asked = 16  # of other folders' tests
at_a_time = 12
long_tests = ("explore", "interleave")  # folders that nobody is asked of here: minutes, where nothing is optimised
cases_asked_first = 4
longest_run = 100  # seconds of a processor: several times what any twelve tests take
constant_errors = re.compile(r"static assertion failed|static_assert|constant expression|must be initialized by a constant|"
                             r"constraints? not satisfied|is not a constant")
# A narrowed constant is no C++, but what a mutant changes is the value, and that is for tests to notice.
compiler = [common.tool("clang++-19"), "-std=c++20", "-O0", "-w", "-Wno-c++11-narrowing", "-DWDDMCORE_SLOW_BUILD",
            "-DDOCTEST_CONFIG_SUPER_FAST_ASSERTS"]
test_includes = [f"-I{common.root / 'examples'}", f"-I{common.root / 'tests'}"]
other_value = common.root / "tests/mutation/other.hpp"
# Whose cases say something of a folder beside its own.
also_of = {"hw": ("paging",), "paging": ("hw",), "base": ("hw", "paging"), "ddi": ("paging",), "gpuva": ("segment",)}


class refused_cases:
    """The cases of tests/compile_fail, each with the sentences that it has to be refused with."""

    def __init__(self, out):
        folder = common.root / "tests/compile_fail"
        sys.path.insert(0, str(folder))
        found = importlib.util.spec_from_file_location("compile_fail", folder / "run.py")
        self.run = importlib.util.module_from_spec(found)
        found.loader.exec_module(self.run)
        self.all = [one for one in self.run.all_cases(out, common.report()) if "clang-19" in one.compilers]
        self.options = [*self.run.plain, *self.run.clang, "-w", "-Wno-c++11-narrowing"]

    def about(self, one, text, only_own):
        """The cases that may notice a mutant: the few whose sentence stands nearest in its file, and the others of that
        file and its folder; `only_own`: of a file that has sentences, no others, and of no other folder's."""
        literals = [(at.start(), "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', at[0])))
                    for at in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text)]
        folder = one.file.split("/")[0]
        rated = []
        for number, case in enumerate(self.all):
            places = [abs(begin - one.begin) for begin, literal in literals
                      for wanted in case.expected + case.expected_of["clang-19"] if wanted in literal]
            if places:
                rated.append((min(places), number))
            elif case.home.name == folder or not only_own and case.home.name in also_of.get(folder, ()):
                rated.append((10 ** 9, number))
        near = sum(distance < 10 ** 9 for distance, _ in rated)
        ordered = [self.all[number] for _, number in sorted(rated)]
        first = min(near, cases_asked_first)
        return ordered[:first], ordered[first:near] if only_own and near else ordered[first:]

    def command(self, case, include, ready):
        options = [part for part in self.options if part != f"-I{common.include}"] + [f"-I{include}", f"-I{case.home}"]
        options += ["-include-pch", ready] if ready and case.headers else ["-include", other_value]
        return [compiler[0], *options, "-fsyntax-only"]

    def is_kept(self, case, include, ready):
        """Whether a case still says its sentence with its bad line."""
        code, output = in_process.check([*self.command(case, include, ready), "-DBAD"], case.path)
        errors = [line for line in output.splitlines() if self.run.error.search(line)]
        return code != 0 and len(errors) == case.errors.get("clang-19", 1) and all(
            any(sentence in line for line in errors) for sentence in case.expected + case.expected_of["clang-19"])

    def still_compiles(self, case, include, ready):
        return in_process.check(self.command(case, include, ready), case.path)[0] == 0


class alone_enquiry:
    """Asks about mutants that have a build of their own, any number at a time."""

    def __init__(self, here, texts, programs, about, only_own=False):
        """`programs` are the folders of tests that are asked, `about` what each is about, where it is about some headers;
        `only_own`: those alone that are about a mutant's header."""
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir(parents=True)
        self.here = here
        self.texts = texts
        self.about = about
        self.only_own = only_own
        self.tests = {path: path.read_text(encoding="utf-8") for path in sorted((common.root / "tests").rglob("*.cpp"))
                      if path.name != "main.cpp" and path.parent.name not in long_tests and
                      path.relative_to(common.root / "tests").parts[0] in (*programs, "abi")}
        self.cases = refused_cases(here)
        self.tied = here / "abi" / "layout_tied.cpp"
        self.tied.parent.mkdir()
        self.tied.write_text(tied_table("", Numbers()) + constants_table("", Numbers()))
        self.first = here / "first.hpp"
        self.first.write_text(f'#include "{other_value}"\n#include <doctest/doctest.h>\n')
        for command in ([*compiler, "-x", "c++-header", self.first, "-o", here / "first.pch"],
                        [*compiler, "-c", common.root / "tests/main.cpp", "-o", here / "main.o"]):
            code, output = common.run(command)
            if code:
                sys.exit(f"FAILED: {output[-2000:]}")

    def tests_for(self, one):
        """Lists of test sources: first the one that names the mutant or its header most, then those of its own folder, then
        others that name it; some of a folder together, since most of their time is the headers, which are the same."""
        text = self.texts[one.file]
        before = text[:one.begin]
        word = re.findall(r"\b(\w+)\s*(?:\([^()]*\)\s*(?:const)?\s*(?:noexcept)?\s*\{|=|\{)",
                          before[before.rfind("\n\n"):] or before)
        stem = os.path.splitext(os.path.basename(one.file))[0]
        own = {one.file.split("/")[0]: 0}  # and how much of a header's path says so
        own |= {name: max(map(len, filter(one.file.startswith, files)))
                for name, files in self.about.items() if one.file.startswith(files)}
        rated = []
        for path, source in self.tests.items():
            place = path.relative_to(common.root / "tests").parts[0]
            named = any(re.search(rf"\b{re.escape(w)}\b", source) for w in word[:1])
            points = (4 * (one.file in source) + 3 * (place in own and stem in path.name) + 2 * (place in own) +
                      4 * named + bool(re.search(rf"\b{re.escape(stem)}\b", source)))
            rated.append((-points, len(source), path))
        nearest, *others = [path for _, _, path in sorted(rated)]
        near = sorted((path for path in others if path.relative_to(common.root / "tests").parts[0] in own),
                      key=lambda path: -own[path.relative_to(common.root / "tests").parts[0]])
        far = [] if self.only_own else [path for path in others[:most_tests_asked] if path not in near]
        constant = re.search(r"(\w+) = [^;{}\n]*$", before)
        tied = self.tied.read_text()
        is_tied = (constant and f"::{constant[1]}) ==" in tied or
                   any(f"::{w}(wddm::" in tied or f"::{w} ==" in tied for w in word[:1]))
        by_folder = {}
        for path in near + far:
            by_folder.setdefault(path.parent, []).append(path)
        return [*([[self.tied]] if is_tied else []), [nearest],
                *(folder[begin:begin + at_a_time] for folder in by_folder.values() for begin in range(0, len(folder), at_a_time))]

    def ask(self, one):
        """(mutant, [verdict, by whom, who was asked])"""
        folder = self.here / f"of{threading.get_ident()}"
        shutil.rmtree(folder, ignore_errors=True)
        include = folder / "include"
        shutil.copytree(common.include, include, copy_function=os.symlink)
        changed = include / "wddmcore" / one.file
        changed.unlink()
        text = self.texts[one.file]
        changed.write_text(text[:one.begin] + alone(one, text) + text[one.end:], encoding="latin-1")
        nearest, *others = self.tests_for(one)
        asked = []
        near_cases, other_cases = self.cases.about(one, self.texts[one.file], self.only_own)
        verdict = self.by_tests(folder, include, nearest, asked) or self.by_cases(folder, include, near_cases, asked)
        for group in others:
            verdict = verdict or self.by_tests(folder, include, group, asked)
        verdict = verdict or self.by_cases(folder, include, other_cases, asked)
        shutil.rmtree(folder, ignore_errors=True)
        return one, [*(verdict or ("survived", "")), asked]

    def judged(self, output, by):
        """What a compilation that failed says of the mutant."""
        errors = re.findall(r"error: .*", output)
        if errors and constant_errors.search(errors[0]):
            return "killed", f"{by}: {errors[0][:100]}"
        return "not counted", f"does not compile: {errors[0] if errors else output[-300:]}"

    def by_tests(self, folder, include, sources, asked):
        """The verdict of test sources that are built together, or None."""
        names = ", ".join(source.name for source in sources)
        asked.append(names)
        source, program = folder / "tests.cpp", folder / "program"
        source.write_text("".join(f'#include "{each}"\n' for each in sources))
        links = "abi" not in sources[0].parts
        made = [self.here / "main.o", "-o", program] if links else ["-fsyntax-only"]
        code, output = common.run([*compiler, "-include-pch", self.here / "first.pch", f"-I{include}", *test_includes,
                                   source, *made])
        if code:
            return self.judged(output, names)
        if links and common.run(["prlimit", f"--cpu={longest_run}", program, "--abort-after=1"], cwd=common.root)[0]:
            return "killed", names
        return None

    def by_cases(self, folder, include, cases, asked):
        """The verdict of cases that must not compile, and of what is left of them without the bad line; or None."""
        if not cases:
            return None
        header, ready = folder / "library.hpp", folder / "library.pch"
        if not ready.is_file():
            header.write_text("#include <wddmcore/wddmcore.hpp>\n#include <wddmcore/mirror.hpp>\n")
            code, output = common.run([*self.cases.command(cases[0], include, None)[:-1], "-x", "c++-header", header, "-o", ready])
            if code:
                return self.judged(output, "the library")
        asked.append(f"{len(cases)} cases of compile_fail")
        for case in cases:
            if not self.cases.is_kept(case, include, ready):
                return "killed", case.name
        for case in {case.good_side: case for case in cases}.values():
            if not self.cases.still_compiles(case, include, ready):
                return "killed", f"{case.name} without its bad line"
        return None
