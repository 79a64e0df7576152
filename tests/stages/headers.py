# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Every header on its own: alone, twice, after hostile macros, leaving no macro behind, including nothing foreign,
and as C++17 ending in one sentence."""
import re

import common

tests = common.root / "tests"
compilers = ["g++", "clang++-14"]
allowed_macros = set(re.findall(r"#\s*define (WDDMCORE_\w+)", (common.library / "config.hpp").read_text()))


def command(compiler, header, prelude=None):
    hosted = common.folder_of(header) == "testing"
    flags = ["-std=c++20"] if hosted else common.freestanding
    before = ["-include", prelude] if prelude else []
    return [common.tool(compiler), *flags, *common.strict, f"-I{common.include}", *before, "-x", "c++"]


def older_standard(parts):
    return ["-std=c++17" if str(part) == "-std=c++20" else part for part in parts]


def compiled_twice(compiler, header, prelude=None):
    text = f'#include "{header}"\n' * 2
    return common.run([*command(compiler, header, prelude), "-fsyntax-only", "-"], input=text)


def macros(compiler, header, prelude, with_header):
    text = f'#include "{header}"\n' if with_header else ""
    code, output = common.run([*command(compiler, header, prelude), "-E", "-dM", "-"], input=text)
    return code, set(output.splitlines())


def check_text(header, report):
    text = header.read_text(encoding="utf-8")
    name = common.shown(header)
    if is_fragment(header):
        other = header.with_name(header.name.replace("_begin.", "_end."))
        if not other.exists():
            report.fail(f"{name}: its other half {other.name} is missing")
    elif not re.search(r"^#pragma once$", text, re.M):
        report.fail(f"{name}: no #pragma once")
    if common.folder_of(header) == "testing":
        # What stands in a chain before a header stands for its includes only if these come first, and always.
        if re.search(r'^\s*namespace\b(?:.*\n)+?\s*#\s*include\s*"', text, re.M):
            report.fail(f"{name}: an include stands behind declarations")
        return
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*#\s*include\s*[^\s\"]", line) or "__has_include" in line:
            report.fail(f"{name}:{number}: only siblings may be included: {line.strip()}")


def is_fragment(header):
    """Halves of a pair that are meant to be included many times and have no meaning alone."""
    return header.stem.endswith(("_begin", "_end"))


def check_core(job):
    """What is wrong with one header under one compiler, as sentences."""
    compiler, header, prelude, bare, hostile = job
    wrong = []
    at = f"{compiler}: {common.shown(header)}"
    # The prelude gives nothing that a header could lean on, so this is the header alone as well.
    code, output = compiled_twice(compiler, header, prelude)
    if code:
        wrong.append(f"{at} does not compile alone, twice and after hostile macros:\n{output}")
    code, output = common.run([*older_standard(command(compiler, header)), "-fsyntax-only", "-"], input=f'#include "{header}"\n')
    errors = re.findall(r"error: .*", output)
    if len(errors) != 1 or "C++20" not in errors[0]:
        wrong.append(f"{at} as C++17: {len(errors)} errors instead of one that says C++20: {errors[:2]}")
    # What a header defines only where it is not defined yet shows without the prelude, what it undefines with it.
    for before, start in ((bare, None), (hostile, prelude)):
        code, after = macros(compiler, header, start, True)
        left = sorted(line for line in after - before if line.split()[1].split("(")[0] not in allowed_macros)
        lost = sorted(before - after)
        if code or left or lost:
            wrong.append(f"{at} leaves macros behind: {left[:3]}, or takes some away: {lost[:3]}")
    return wrong


def chains(headers):
    """The headers in as few chains as can be, of which each one includes the one before it, by itself or through others.

    What stands before a header in its chain the header includes anyhow, and includes stand at its top, so whatever it
    lacks it lacks there too; two hundred compilations become seventy.
    """
    among = {header.resolve() for header in headers}
    reached = {}

    def reach(header):
        if header not in reached:
            names = re.findall(r'^\s*#\s*include\s*"([^"]+)"', header.read_text(encoding="utf-8"), re.M)
            direct = {(header.parent / name).resolve() for name in names} & among
            reached[header] = direct.union(*(reach(other) for other in direct))
        return reached[header]

    follower = {}

    def follows_one(header, tried):
        """Puts `header` behind one that it includes, whose follower so far finds another (a matching, by Kuhn)."""
        for first in sorted(reach(header) - tried):
            tried.add(first)
            if first not in follower or follows_one(follower[first], tried):
                follower[first] = header
                return True
        return False

    found = []
    for header in [header for header in sorted(among) if not follows_one(header, set())]:
        chain = [header]
        while chain[-1] in follower:
            chain.append(follower[chain[-1]])
        found.append(chain)
    return found


def check_testing(chain):
    """Under one compiler: both have the same standard library, and the tests compile these headers with g++."""
    code, output = common.run([*command("clang++-14", chain[0]), "-fsyntax-only", "-"],
                              input="".join(f'#include "{header}"\n' * 2 for header in chain))
    wrong = [f"{common.shown(chain[-1])}, or a header before it in its chain, does not compile twice behind what it "
             f"includes:\n{output}"] if code else []
    for header in chain:
        if header.suffix == ".h":
            as_c = [common.tool("gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-x", "c", "-fsyntax-only", "-"]
            code, output = common.run(as_c, input=f'#include "{header}"\n' * 2)
            wrong += [f"{common.shown(header)} is not C:\n{output}"] if code else []
    return wrong


def check_bites(prelude, report):
    """The hostile macros must be seen: a file that uses three of them may not compile."""
    bad = tests / "stages/bad/hostile.hpp"
    for compiler in compilers:
        if compiled_twice(compiler, bad, prelude)[0] == 0:
            report.fail(f"{compiler}: the hostile macros are not seen")
        if compiled_twice(compiler, bad)[0] != 0:
            report.fail(f"{compiler}: {bad.name} is wrong without hostile macros too")


def main():
    report = common.report()
    folder = common.output_folder("headers")
    prelude, names = common.hostile_prelude(folder)
    check_bites(prelude, report)

    alone = [header for header in common.headers() if not is_fragment(header)]
    for header in common.headers():
        check_text(header, report)
    core = [header for header in alone if header in set(common.core_headers())]
    testing = [header for header in alone if common.folder_of(header) == "testing"]

    jobs = []
    for compiler in compilers:
        bare = macros(compiler, core[0], None, False)[1]
        hostile = macros(compiler, core[0], prelude, False)[1]
        jobs += [(compiler, header, prelude, bare, hostile) for header in core]
    for wrong in common.in_parallel(check_core, jobs):
        for text in wrong:
            report.fail(text)
    for wrong in common.in_parallel(check_testing, sorted(chains(testing), key=len, reverse=True)):
        for text in wrong:
            report.fail(text)

    report.checked(len(core), f"core headers (alone, twice, after hostile macros, macros left, as C++17) x {len(compilers)} compilers")
    report.checked(len(testing), f"headers of testing/ (alone, twice)")
    report.checked(names, "hostile names besides the hand-written ones")
    report.finish()


main()
