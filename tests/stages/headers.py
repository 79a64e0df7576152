# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Every header of the core on its own: alone, twice, after hostile macros, leaving no macro behind, including nothing foreign,
and as C++17 ending in one sentence. Those of testing/ include what they use."""
import re

import common
import in_process
import names_in_reach

tests = common.root / "tests"
compilers = ["g++", "clang++-14"]
in_this_process = "clang++-19"  # for what takes less time than to start the other clang
hosted = ["-std=c++20", *common.strict, f"-I{common.include}", "-x", "c++"]
allowed_macros = set(re.findall(r"#\s*define (WDDMCORE_\w+)", (common.library / "config.hpp").read_text()))


def command(compiler, prelude=None):
    before = ["-include", prelude] if prelude else []
    return [common.tool(compiler), *common.freestanding, *common.strict, f"-I{common.include}", *before, "-x", "c++"]


def older_standard(parts):
    return ["-std=c++17" if str(part) == "-std=c++20" else part for part in parts]


def twice(headers):
    return "".join(f'#include "{header}"\n' * 2 for header in headers)


def compiled(compiler, headers, prelude=None):
    """The headers, each twice, in this order."""
    return common.run([*command(compiler, prelude), "-fsyntax-only", "-"], input=twice(headers))


def check_text(header, report):
    text = header.read_text(encoding="utf-8")
    name = common.shown(header)
    if is_fragment(header):
        other = header.with_name(header.name.replace("_begin.", "_end."))
        if not other.exists():
            report.fail(f"{name}: its other half {other.name} is missing")
    elif not re.search(r"^#pragma once$", text, re.M):
        report.fail(f"{name}: no #pragma once")
    # What stands in a chain before a header stands for its includes only if these come first, and always. Halves of a pair
    # give no names.
    if re.search(r'^\s*(?:inline )?namespace\b(?:.*\n)+?\s*#\s*include\s*"(?![^"]*_(?:begin|end)\.)', text, re.M):
        report.fail(f"{name}: an include stands behind declarations")
    if common.folder_of(header) == "testing":
        return
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*#\s*include\s*[^\s\"]", line) or "__has_include" in line:
            report.fail(f"{name}:{number}: only siblings may be included: {line.strip()}")


def is_fragment(header):
    """Halves of a pair that are meant to be included many times and have no meaning alone."""
    return header.stem.endswith(("_begin", "_end"))


def reach_of(headers):
    """Of each header the others that it includes, by itself or through others."""
    among = {header.resolve() for header in headers}
    reached = {}

    def reach(header):
        if header not in reached:
            names = re.findall(r'^\s*#\s*include\s*"([^"]+)"', header.read_text(encoding="utf-8"), re.M)
            direct = {(header.parent / name).resolve() for name in names} & among
            reached[header] = direct.union(*(reach(other) for other in direct))
        return reached[header]

    for header in sorted(among):
        reach(header)
    return reached


def chains(headers):
    """The headers in as few chains as can be, of which each one includes the one before it, by itself or through others.

    What stands before a header in its chain the header includes anyhow, and includes stand at its top, so whatever it
    lacks it lacks there too; less than a third of the compilations are left.
    """
    reached = reach_of(headers)
    follower = {}

    def follows_one(header, tried):
        """Puts `header` behind one that it includes, whose follower so far finds another (a matching, by Kuhn)."""
        for first in sorted(reached[header] - tried):
            tried.add(first)
            if first not in follower or follows_one(follower[first], tried):
                follower[first] = header
                return True
        return False

    found = []
    for header in [header for header in sorted(reached) if not follows_one(header, set())]:
        chain = [header]
        while chain[-1] in follower:
            chain.append(follower[chain[-1]])
        found.append(chain)
    return found


def check_chain(job):
    """What is wrong with the headers of one chain under one compiler, as sentences."""
    compiler, chain, prelude = job
    # The prelude gives nothing that a header could lean on, so this is the header alone as well.
    code, output = compiled(compiler, chain, prelude)
    return [f"{compiler}: {common.shown(chain[-1])}, or a header before it in its chain, does not compile twice behind what "
            f"it includes{' and hostile macros' if prelude else ''}:\n{output}"] if code else []


def check_as_older(job):
    """The sentence that a header ends in as C++17."""
    compiler, header = job
    parts = older_standard(command(compiler))
    if compiler == in_this_process:
        _, output = in_process.check([*parts, "-Wno-pragma-once-outside-header"], header)
    else:
        _, output = common.run([*parts, "-fsyntax-only", "-"], input=twice([header]))
    errors = re.findall(r"error: .*", output)
    return [] if len(errors) == 1 and "C++20" in errors[0] else \
        [f"{compiler}: {common.shown(header)} as C++17: {len(errors)} errors instead of one that says C++20: {errors[:2]}"]


def changes(text, known):
    """By header number, the macros that are other ones at its end than at its beginning; `known` stand before the first.

    `text` is preprocessed with its definitions kept (-dD), and a definition of END_number stands behind each header.
    """
    macros, before, found = dict(known), dict(known), {}
    for line in text.splitlines():
        directive = re.match(r"#(define|undef) (\w+)(.*)", line)
        if not directive:
            continue
        what, name, body = directive.groups()
        if what == "define" and name.startswith("END_"):
            found[int(name[4:])] = sorted(one for one in macros.keys() | before.keys() if macros.get(one) != before.get(one))
            before = dict(macros)
        elif what == "define":
            macros[name] = body
        else:
            macros.pop(name, None)
    return found


def check_macros(job):
    """What the headers, in this order, change in the macros.

    Each stands behind all that it includes, so what changes is its own doing. What it defines only where it is not
    defined yet shows without the prelude, what it undefines with it.
    """
    compiler, headers, prelude = job
    before = command(compiler, prelude)
    text = "".join(f'#include "{header}"\n#define END_{number}\n' for number, header in enumerate(headers))
    empty, known = common.run([*before, "-E", "-dM", "-"], input="")
    code, output = common.run([*before, "-E", "-dD", "-"], input=text)
    found = changes(output, {name: body for name, body in re.findall(r"^#define (\w+)(.*)$", known, re.M)})
    wrong = [f"{compiler}: the headers cannot be preprocessed:\n{output[-2000:]}"] * bool(code or empty or len(found) != len(headers))
    for number, names in found.items():
        other = [name for name in names if name not in allowed_macros]
        if other:
            wrong.append(f"{compiler}: {common.shown(headers[number])} leaves macros behind, or takes some away: {other[:3]}")
    return wrong


def check_c(header):
    as_c = [common.tool("gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-x", "c", "-fsyntax-only", "-"]
    code, output = common.run(as_c, input=twice([header]))
    return [f"{common.shown(header)} is not C:\n{output}"] if code else []


def names_of(headers, folder):
    """The names in headers of testing/, and in those that they include, as one translation unit."""
    source = folder / f"{headers[0].stem}_together.cpp"
    source.write_text("".join(f'#include "{header}"\n' for header in headers), encoding="utf-8")
    _, resources = common.run([common.tool(in_this_process), "-print-resource-dir"])
    return names_in_reach.Names([in_this_process, *hosted, "-resource-dir", resources.strip()], source, headers)


def check_testing(headers, folder, report):
    """What a header of testing/ uses it has to include, and both compilers of the tests read it."""
    # Backwards: many a header comes before what it would have to include.
    code, output = common.run([common.tool("clang++-14"), *hosted, "-fsyntax-only", "-"],
                              input=twice(sorted(headers, reverse=True)))
    if code:
        report.fail(f"clang++-14: the headers of testing/ do not compile together:\n{output[:3000]}")
    planted = ["vector", "member", "overloaded", "std::uint32_t", "std::memcpy", "BAD_LENT", "alias", "whole", "<new>"]
    bad = [tests / "stages/bad" / name for name in ("lends.hpp", "borrows.hpp")]
    try:
        for header, line, name, place in names_of(headers, folder).out_of_reach():
            report.fail(f"{common.shown(header)}:{line}: {name} is declared in {place}, which it does not include")
        found = [name for _, _, name, _ in names_of(bad, folder).out_of_reach()]
    except RuntimeError as wrong:
        report.fail(f"{in_this_process}: the headers of testing/ cannot be read: {wrong}")
        return
    if sorted(found) != sorted(planted):
        report.fail(f"of names that are not included these are seen: {found}")


def check_bites(prelude, report):
    """The hostile macros must be seen: a file that uses three of them may not compile. So must a macro that stays."""
    bad = tests / "stages/bad"
    for compiler in compilers:
        if compiled(compiler, [bad / "hostile.hpp"], prelude)[0] == 0:
            report.fail(f"{compiler}: the hostile macros are not seen")
        if compiled(compiler, [bad / "hostile.hpp"])[0] != 0:
            report.fail(f"{compiler}: hostile.hpp is wrong without hostile macros too")
        for name, start, said in (("defines.hpp", None, "left_by_defines"), ("undefines.hpp", prelude, "near")):
            # Behind it stands one that leaves none, and would hide it at the end of all.
            wrong = check_macros((compiler, [bad / name, bad / "hides.hpp"], start))
            if len(wrong) != 2 or not all(said in text for text in wrong):
                report.fail(f"{compiler}: what {name} leaves behind is not seen: {wrong}")


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
    reached = reach_of(core)
    in_order = sorted(reached, key=lambda header: (len(reached[header]), header))

    check_testing(testing, folder, report)
    work = []
    for compiler in compilers:
        work += [(check_chain, (compiler, chain, prelude)) for chain in chains(core)]
        work += [(check_macros, (compiler, in_order, start)) for start in (None, prelude)]
    work += [(check_as_older, (compiler, header)) for compiler in ("g++", in_this_process) for header in core]
    work += [(check_c, header) for header in testing if header.suffix == ".h"]
    for wrong in common.in_parallel(lambda job: job[0](job[1]), work):
        for text in wrong:
            report.fail(text)

    report.checked(len(core), f"core headers (alone, twice, after hostile macros, macros left; as C++17) x {len(compilers)} compilers")
    report.checked(len(testing), "headers of testing/ (together by clang++-14; that each includes what it uses)")
    report.checked(names, "hostile names besides the hand-written ones")
    report.finish()


main()
