# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Mutants of the core, each of which a test has to notice; those that nobody can notice are listed with the reason.

  python3 tests/stages/mutation.py                          some hundred, drawn from the printed seed: what run.sh --all runs
  python3 tests/stages/mutation.py --count 1000 --seed 7    another draw
  python3 tests/stages/mutation.py --folder paging/copy     only of these headers
  python3 tests/stages/mutation.py --all                    every mutant of the core, for hours; begun again, it goes on
                                                            (build/mutation/results.json; --fresh forgets it)

Operators: relations, arithmetic, bits, shifts, && and || (exchanged, or one operand only), deleted ! - ~, ++ for --,
compound assignments, integers one more and one less, booleans, negated conditions, deleted statements, another value
returned, neighbouring arguments of one type exchanged. Default values of members are left as they are, and so is what
stands in a promise or behind a compile error.

A draw takes the mutants with the lowest hash of seed, line and change, so that a change of the core changes it only there.

Most mutants are written into one copy of the headers and chosen at run time (tests/mutation/mutant.hpp), so that one build
serves hundreds; test programs are built in turn, those of a mutant's own folder first, and only while a mutant is left that
none noticed. A draw asks the tests of the core's folders, without the explorations of the preemption machine and cases of
more than a second; --all asks those and the simulated systems, too.
What only the compiler evaluates is changed in the source itself and built alone, with the tests that name it first; a
static assertion or a constant expression that fails notices it too, any other compile error does not count.

At least 98 % have to be noticed, and every other one has to stand in tests/mutation/equivalent.txt. An entry there whose
mutant does not exist any more is a failure, and so is one that a test notices.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import common
import mutant_sites

here = common.root / "build/mutation"
tree = here / "tree"
equivalent_file = common.root / "tests/mutation/equivalent.txt"
least = 0.98
drawn = 160
drawn_alone = 4
default_seed = 20
# The programs in the order in which they are asked: quickly built and quickly run ones first. Those of `about` are asked
# first, each for mutants of its own folder of the core and without its long cases; then all for whatever is left.
programs = ["base", "ddi", "gpuva", "iommu", "segment", "adapter_info", "adl", "cpu_executor", "page_tables", "paging",
            "preemption", "hw", "paging_scale", "hardware", "scheduler", "laws", "sequences", "vidmm"]
about = {name: (name + "/",) for name in ("base", "ddi", "iommu", "adapter_info", "preemption", "adl")}
about |= {"hw": ("hw/", "paging/operations.hpp"), "gpuva": ("gpuva/", "hw/page_tables.hpp"), "paging": ("paging/", "base/"),
          "segment": ("segment/", "gpuva/placement/"), "page_tables": ("paging/page_table/",),
          "cpu_executor": ("paging/cpu/", "hw/promises/cpu_paging.hpp")}
# A draw asks no others: what only an example driver or a simulated system notices, lacks a test of its own.
asked_in_a_draw = programs[:programs.index("paging_scale")]
long_case = 1  # seconds
explorations = "*/explore_test.cpp,*/interleave_test.cpp"  # minutes, where nothing is optimised
jobs = os.environ.get("WDDMCORE_JOBS", str(os.cpu_count() or 1))


def switch(number, one, parts):
    """The changed text of a place; `parts` are the texts of its parts."""
    ask = f"::wddmcore_mutant::is({number})"
    change = one.change
    if change.endswith("negated"):
        return f"({ask} ? !({parts[0]}) : static_cast<bool>({parts[0]}))"
    if change == "left operand only" or change == "right operand only":
        kept = parts[0 if change.startswith("left") else 1]
        return f"({ask} ? static_cast<bool>({kept}) : static_cast<bool>({parts[0]} @@ {parts[1]}))"
    if change == "another value returned":
        return f"::wddmcore_mutant::returned<{number}>({parts[0]})"
    if change == "arguments exchanged":
        return f"({ask} ? ({parts[1]}) : ({parts[0]})), ({ask} ? ({parts[0]}) : ({parts[1]}))"
    if change == "statement deleted":
        return f"{{ if (!{ask}) {{ @@; }} }}"
    if change in ("+1", "-1"):
        return f"::wddmcore_mutant::constant<{number}>(@@, {change})"
    if change == "flipped":
        return f"::wddmcore_mutant::flipped<{number}>(@@)"
    if change == "~ deleted":
        return f"::wddmcore_mutant::without_complement<{number}>({parts[0]})"
    if change == "- deleted":
        return f"::wddmcore_mutant::without_minus<{number}>({parts[0]})"
    if change == "! deleted":
        return f"({ask} ? static_cast<bool>({parts[0]}) : !({parts[0]}))"
    if change == "++ to --" or change == "-- to ++":
        first, other = change.split(" to ")
        return f"({ask} ? {other}({parts[0]}) : {first}({parts[0]}))"
    first, other = change.split(" to ")
    if first in ("x++", "x--"):
        return f"({ask} ? ({parts[0]}){other[1:]} : ({parts[0]}){first[1:]})"
    if first in mutant_sites.binary:
        names = mutant_sites.names
        return (f"::wddmcore_mutant::operation<{number}, ::wddmcore_mutant::{names[first]}, "
                f"::wddmcore_mutant::{names[other]}>({parts[0]}, {parts[1]})")
    return f"({ask} ? ({parts[0]} {other} {parts[1]}) : ({parts[0]} {first} {parts[1]}))"


def alone(one, text):
    """The changed text of a place, written as a person would."""
    parts = [text[begin:end] for begin, end in one.parts]
    whole = text[one.begin:one.end]
    change = one.change
    if change.endswith("negated"):
        return f"!({whole})"
    if change == "left operand only":
        return parts[0]
    if change == "right operand only":
        return parts[1]
    if change == "another value returned":
        return f"::wddmcore_mutant::other({whole})"
    if change == "arguments exchanged":
        return f"{parts[1]}, {parts[0]}"
    if change == "statement deleted":
        return "static_cast<void>(0)"
    if change in ("+1", "-1"):
        return f"({whole} {change[0]} 1)"
    if change == "flipped":
        return "false" if whole == "true" else "true"
    if change.endswith(" deleted"):
        return f"({parts[0]})"
    first, other = change.split(" to ")
    if first in ("++", "--"):
        return f"{other}{parts[0]}"
    if first in ("x++", "x--"):
        return f"({parts[0]}){other[1:]}"
    return f"({parts[0]} {other} {parts[1]})"


def rendered(text, chosen):
    """`text` with the numbered mutants [(number, mutant)] of its file written in, the inner ones inside the outer."""
    chosen = sorted(chosen, key=lambda pair: (pair[1].begin, -pair[1].end))

    def piece(begin, end, inside):
        out, at, index = [], begin, 0
        while index < len(inside):
            number, one = inside[index]
            last = index + 1
            while last < len(inside) and inside[last][1].end <= one.end:
                last += 1
            within = inside[index + 1:last]
            parts = [piece(b, e, [pair for pair in within if b <= pair[1].begin and pair[1].end <= e])
                     for b, e in one.parts]
            new = switch(number, one, parts)
            if "@@" in new and one.change.endswith("operand only"):
                between = text[one.parts[0][1]:one.parts[1][0]].strip()
                new = new.replace("@@", between)
            elif "@@" in new:
                new = new.replace("@@", piece(one.begin, one.end, within))
            out.append(text[at:one.begin])
            out.append(new)
            at = one.end
            if one.change == "statement deleted":
                at = text.index(";", at) + 1
            index = last
        out.append(text[at:end])
        return "".join(out)

    return piece(0, len(text), chosen)


def compatible(mutants):
    """Those that can stand in one copy: never two at one place, never one that only overlaps another."""
    taken = {}
    kept = []
    for one in mutants:
        others = taken.setdefault(one.file, [])
        if all(one.end <= b or e <= one.begin or
               ((b, e) != (one.begin, one.end) and (b <= one.begin and one.end <= e or one.begin <= b and e <= one.end) and
                fits_parts(one, b, e) and fits_parts(other, one.begin, one.end)) for b, e, other in others):
            others.append((one.begin, one.end, one))
            kept.append(one)
    return kept


def fits_parts(one, begin, end):
    """Whether a place inside `one` lies in one of its parts, as the text of a switched mutant needs it."""
    return not (one.begin <= begin and end <= one.end) or not one.parts or any(b <= begin and end <= e for b, e in one.parts)


def new_tree():
    """A copy of what a build of the tests needs, with a main function that knows mutants."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in ("CMakeLists.txt", "CMakePresets.json"):
        shutil.copy2(common.root / name, tree / name)
    for name in ("include", "examples", "tests"):
        shutil.copytree(common.root / name, tree / name)
    shutil.copy2(common.root / "tests/mutation/main.cpp", tree / "tests/main.cpp")


def write_headers(texts, numbered):
    by_file = {}
    for number, one in numbered.items():
        by_file.setdefault(one.file, []).append((number, one))
    for name, text in texts.items():
        new = rendered(text, by_file.get(name, []))
        path = tree / "include/wddmcore" / name
        if path.read_text(encoding="latin-1") != new:
            path.write_text(new, encoding="latin-1")


def numbers_in_errors(output, numbered):
    """The mutants on the lines that the compiler complains of, and those that it names."""
    bad = {int(n) for n in re.findall(r"wddmcore_mutant::\w+<(\d+)", output)}
    for path, line in set(re.findall(r"^(\S*include/wddmcore/\S+?):(\d+):\d+: error", output, re.M)):
        text = (tree / "include/wddmcore" / path.split("include/wddmcore/")[-1])
        if text.is_file():
            source = text.read_text(encoding="latin-1").split("\n")[int(line) - 1]
            bad |= {int(n) for n in re.findall(r"wddmcore_mutant::(?:is\(|\w+<)(\d+)", source)}
    return bad & set(numbered)


flags = f"-w -Wno-c++11-narrowing -include {tree}/tests/mutation/mutant.hpp"


def first_look(numbered, texts):
    """Takes out the mutants that are no C++, as far as the headers and a driver's instantiations show it."""
    removed = set()
    everything = here / "everything.cpp"
    # The program's own numbers are undefined here; nothing is linked.
    sources = [everything, *sorted((tree / "tests/kernel").glob("*.cpp"))]
    for _ in range(6):
        write_headers(texts, numbered)

        def look(source):
            return common.run([common.tool("clang++-19"), "-std=c++20", "-fsyntax-only", "-ferror-limit=0", *flags.split(),
                               f"-I{tree}/include", f"-I{tree}/examples", f"-I{tree}/tests", source])[1]

        bad = set()
        for output in common.in_parallel(look, sources):
            bad |= numbers_in_errors(output, numbered)
        if not bad:
            break
        removed |= bad
        for number in bad:
            del numbered[number]
    return removed


def configure():
    return common.run([common.tool("cmake"), "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                       "-DCMAKE_CXX_COMPILER=" + common.tool("clang++-19"), "-DCMAKE_CXX_FLAGS_RELEASE=-O0",
                       f"-DCMAKE_CXX_FLAGS={flags}", "-DWDDMCORE_SLOW_BUILD=ON", "-DWDDMCORE_BUILD_BENCH=OFF",
                       "-DWDDMCORE_BUILD_EXAMPLES=OFF", "-DWDDMCORE_INSTALL=OFF", "--log-level=WARNING"])


def build_program(name, numbered, texts, removed):
    """Builds one test program; mutants that are no C++ here are taken out. What is wrong, or None."""
    for _ in range(8):
        code, output = common.run([common.tool("cmake"), "--build", tree / "build", "--target", f"test_{name}", "-j", jobs,
                                   "--", "-k", "0"])
        if code == 0:
            return None
        bad = numbers_in_errors(output, numbered)
        if not bad:
            return f"test_{name} does not build:\n{output[-3000:]}"
        removed |= bad
        for number in bad:
            del numbered[number]
        write_headers(texts, numbered)
    return f"test_{name} does not build"


def run_switched(mutants, texts, report, listed, asked_for, whole, quick):
    """{mutant: (verdict, by whom)} of mutants that are chosen at run time; in a draw, the listed ones are not tried."""
    numbered = dict(enumerate(compatible(mutants), 1))
    everyone = dict(numbered)
    removed = first_look(numbered, texts)
    code, output = configure()
    if code:
        report.fail(f"cmake: {output[-2000:]}")
        return {}
    alive = set(numbered)
    hopeless = {number for number, one in numbered.items() if one.key(texts) in listed}
    reached = set()
    results = {}
    turns = [(name, about[name], long_case) for name in asked_for if name in about]
    turns += [(name, None, 1e6 if whole else long_case) for name in asked_for] if not quick else []
    built = {}
    asked_of = {}

    def of_turn(index):
        """The mutants that a turn asks about, as things stand: none that the same cases of the program let live."""
        name, files, longest = turns[index]
        left = alive - (set() if whole else hopeless) - asked_of.get((name, longest), set())
        return sorted(number for number in left
                      if files is None or everyone[number].file.startswith(files)) if alive - hopeless else []

    with ThreadPoolExecutor(1) as builder:
        def begin(index):
            name = turns[index][0]
            if name not in built:
                built[name] = builder.submit(build_program, name, numbered, texts, removed)
            return built[name]

        for index, (name, _, longest) in enumerate(turns):
            if not of_turn(index):
                continue
            first_time = name not in built or not built[name].done()
            wrong = begin(index).result()
            # The next program is built while this one runs.
            following = next((later for later in range(index + 1, len(turns)) if of_turn(later)), None)
            if following is not None:
                begin(following)
            alive &= set(everyone) - removed
            if wrong:
                if first_time:
                    print(wrong, flush=True)
                    report.fail(f"test_{name} could not be asked")
                continue
            began = time.monotonic()
            asked, answers = here / "asked", here / "answers"
            numbers = of_turn(index)
            asked.write_text("\n".join(str(number) for number in numbers))
            asked_of.setdefault((name, longest), set()).update(numbers)
            left_out = [] if whole and longest > long_case else [explorations]
            code, output = common.run([tree / f"build/tests/test_{name}", asked, answers, jobs, longest, *left_out], cwd=tree)
            if code:
                print(output[-2000:], flush=True)
                report.fail(f"test_{name} could not be asked")
                continue
            counts = Counter()
            for line in answers.read_text(errors="replace").split("\n"):
                if not line:
                    continue
                number, verdict, by = line.split("\t")
                counts[verdict] += 1
                if verdict != "unreached":
                    reached.add(int(number))
                if verdict in ("killed", "cannot"):
                    results[everyone[int(number)]] = ("killed" if verdict == "killed" else "not counted", f"{name}: {by}")
                    alive.discard(int(number))
            print(f"{name:<14} asked {sum(counts.values()):>5}, killed {counts['killed']:>5}, left {len(alive):>5}   "
                  f"({time.monotonic() - began:.0f} s)", flush=True)
    for number, one in everyone.items():
        if number in removed:
            results[one] = ("not counted", "does not compile")
        elif one not in results:
            results[one] = ("survived", "") if number in reached else ("unreached", "")
    return results


constant_errors = re.compile(r"static assertion failed|static_assert|constant expression|must be initialized by a constant|"
                             r"constraints? not satisfied|is not a constant")


def tests_for(one, texts):
    """The test sources that are built for a mutant that only the compiler sees, those first that name it or its header."""
    text = texts[one.file]
    before = text[:one.begin]
    word = re.findall(r"\b(\w+)\s*(?:\([^()]*\)\s*(?:const)?\s*(?:noexcept)?\s*\{|=|\{)", before[before.rfind("\n\n"):] or before)
    stem = os.path.splitext(os.path.basename(one.file))[0]
    folder = one.file.split("/")[0]
    rated = []
    for path in sorted((common.root / "tests").rglob("*.cpp")):
        place = path.relative_to(common.root / "tests").parts[0]
        if place not in programs and place != "abi" or path.name == "main.cpp":
            continue
        source = path.read_text(encoding="utf-8")
        points = 4 * (one.file in source) + 3 * (stem in path.name) + 2 * (place == folder) + 2 * any(
            re.search(rf"\b{re.escape(w)}\b", source) for w in word[:1]) + (stem in source)
        rated.append((-points, len(source), path))
    return [path for _, _, path in sorted(rated)[:6]]


def run_alone(job):
    """(verdict, by whom) of one mutant that is written into the source."""
    index, one, texts = job
    text = texts[one.file]
    folder = here / f"alone{index}"
    shutil.rmtree(folder, ignore_errors=True)
    include = folder / "include"
    shutil.copytree(common.include, include, copy_function=os.symlink)
    changed = include / "wddmcore" / one.file
    changed.unlink()
    changed.write_text(text[:one.begin] + alone(one, text) + text[one.end:], encoding="latin-1")
    verdict = ("survived", "")
    for number, source in enumerate(tests_for(one, texts)):
        program = folder / f"program{number}"
        own_main = [] if "abi" in source.parts else [common.root / "tests/main.cpp"]
        output_flags = ["-o", program] if own_main else ["-fsyntax-only"]
        code, output = common.run([common.tool("clang++-19"), "-std=c++20", "-O0", "-w", "-DWDDMCORE_SLOW_BUILD", "-include",
                                   common.root / "tests/mutation/other.hpp", f"-I{include}", f"-I{common.root / 'examples'}",
                                   f"-I{common.root / 'tests'}", source, *own_main, *output_flags])
        if code:
            errors = re.findall(r"error: .*", output)
            if errors and all(constant_errors.search(line) for line in errors[:1]):
                verdict = ("killed", f"{source.name}: {errors[0][:100]}")
            else:
                verdict = ("not counted", f"does not compile: {errors[0] if errors else ''}")
            break
        if own_main:
            code, output = common.run(["timeout", "120", program, "--abort-after=1"], cwd=common.root)
            if code:
                verdict = ("killed", source.name)
                break
    shutil.rmtree(folder, ignore_errors=True)
    return one, verdict


def equivalents():
    """{(file, line, place, change)} with their line numbers; blocks as in tests/coverage/unreachable.txt."""
    listed = {}
    block = []
    text = equivalent_file.read_text(encoding="utf-8") if equivalent_file.is_file() else ""
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append(line.strip())
            continue
        if block:
            parts = re.fullmatch(r"((?:.+? of `[^`]*`(?:, )?)+): (.+)", " ".join(block[2:]))
            if not parts:
                sys.exit(f"FAILED: {common.shown(equivalent_file)}: the entry that ends at line {number} is not a file, a "
                         f"line's text, and `change of `place`: reason`")
            for change, place in re.findall(r"(.+?) of `([^`]*)`(?:, )?", parts[1]):
                listed[(block[0], block[1], place, change)] = number
            block = []
    return listed


def fingerprint(texts):
    """What the results of a full run depend on: the core, not the tests, which may get better meanwhile."""
    return hashlib.sha256("".join(f"{name}\0{texts[name]}\0" for name in sorted(texts)).encode("latin-1")).hexdigest()


def drawn_order(mutants, texts, seed):
    """In an order by seed and text, so that a change of the core changes the draw only where it is."""
    seen = Counter()
    rated = []
    for one in mutants:
        key = one.key(texts)
        seen[key] += 1
        rated.append((hashlib.sha256(repr((seed, key, seen[key])).encode()).hexdigest(), one))
    return [one for _, one in sorted(rated, key=lambda pair: pair[0])]


def name_of(one):
    return f"{one.file}:{one.begin}:{one.end}:{one.change}"


def main():
    words = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, epilog=__doc__)
    words.add_argument("--seed", type=int, default=int(os.environ.get("WDDMCORE_SEED", default_seed)))
    words.add_argument("--count", type=int, default=drawn, help="of mutants that are chosen at run time")
    words.add_argument("--alone", type=int, default=drawn_alone, help="of mutants with a build of their own; 0 with --all: none of them")
    words.add_argument("--folder", default="", help="only headers whose path begins so")
    words.add_argument("--tests", default="", help="only these test programs, for example segment,adapter_info")
    words.add_argument("--all", action="store_true", help="every mutant; the result file is gone on with")
    words.add_argument("--survivors", action="store_true", help="with --all: try those again that survived")
    words.add_argument("--fresh", action="store_true", help="forget earlier results")
    words.add_argument("--quick", action="store_true", help="ask only the tests of a mutant's own folder, long cases left out")
    words.add_argument("--minutes", type=float, default=1e9, help="begin no further batch after this time")
    options = words.parse_args()
    asked_for = ([name for name in programs if name in options.tests.split(",")] if options.tests else
                 programs if options.all else asked_in_a_draw)
    listed = equivalents()
    report = common.report()
    started = time.monotonic()
    here.mkdir(parents=True, exist_ok=True)
    mutants, texts = mutant_sites.find(here)
    possible = {one.key(texts) for one in mutants}
    mutants = [one for one in mutants if one.file.startswith(options.folder)]
    print(f"{len(mutants)} mutants: {sum(one.switched for one in mutants)} chosen at run time, "
          f"{sum(not one.switched for one in mutants)} with a build of their own; seed {options.seed}", flush=True)
    mutants = drawn_order(mutants, texts, options.seed)
    switched = [one for one in mutants if one.switched]
    by_themselves = [one for one in mutants if not one.switched]
    new_tree()
    results = {}
    if options.all:
        file = here / "results.json"
        known = json.loads(file.read_text()) if file.is_file() and not options.fresh else {}
        if known.get("core") != fingerprint(texts):
            known = {"core": fingerprint(texts), "of": {}}
        of = known["of"]

        def wanted(one):
            verdict = of.get(name_of(one))
            return verdict is None or options.survivors and verdict[0] in ("survived", "unreached")

        left = [one for one in switched if wanted(one)]
        while left and time.monotonic() - started < options.minutes * 60:
            batch = compatible(left[:1500])
            found = run_switched(batch, texts, report, listed, asked_for, True, options.quick)
            of.update({name_of(one): verdict for one, verdict in found.items()})
            file.write_text(json.dumps(known))
            done = set(batch)
            left = [one for one in left if one not in done]
            print(f"{len(left)} left", flush=True)
        alone_left = [one for one in by_themselves if wanted(one) and options.alone]
        while alone_left and not left and time.monotonic() - started < options.minutes * 60:
            part, alone_left = alone_left[:20], alone_left[20:]
            found = common.in_parallel(run_alone, [(index, one, texts) for index, one in enumerate(part)])
            of.update({name_of(one): verdict for one, verdict in found})
            file.write_text(json.dumps(known))
        results = {one: tuple(of[name_of(one)]) for one in mutants if name_of(one) in of}
        print(f"not tried yet: {len(mutants) - len(results)}")
    else:
        results = run_switched(switched[:options.count], texts, report, listed, asked_for, False, options.quick)
        part = by_themselves[:options.alone]
        results.update(common.in_parallel(run_alone, [(index, one, texts) for index, one in enumerate(part)]))
    counts = Counter()
    # An entry may stand for two places of one line, of which one is noticed.
    alive = {one.key(texts) for one, (verdict, _) in results.items() if verdict in ("survived", "unreached")}
    for one, (verdict, by) in sorted(results.items(), key=lambda pair: name_of(pair[0])):
        key = one.key(texts)
        if key in listed:
            verdict = "equivalent" if verdict in ("survived", "unreached") else verdict
            if verdict == "killed" and key not in alive:
                report.fail(f"{common.shown(equivalent_file)}:{listed[key]}: is said to be equivalent, but {by}")
        counts[verdict] += 1
        if verdict in ("survived", "unreached"):
            word = "survived" if verdict == "survived" else "reached by no test"
            report.fail(f"{word}: {one.file}:{one.line(texts)}: {one.change} of `{key[2]}`\n      {key[1]}")
    for key, number in listed.items():
        if key not in possible:
            report.fail(f"{common.shown(equivalent_file)}:{number}: no such mutant: {key[0]}: {key[3]} of `{key[2]}`")
    judged = counts["killed"] + counts["survived"] + counts["unreached"]
    if judged:
        print(f"killed: {counts['killed']} of {judged} ({100 * counts['killed'] / judged:.1f} %), equivalent: "
              f"{counts['equivalent']}, not counted: {counts['not counted']}")
        if counts["killed"] < least * judged:
            report.fail(f"fewer than {100 * least:.0f} % are killed")
    report.checked(counts["killed"], "mutants that a test noticed")
    report.finish(10 ** 6 if options.all or options.folder else 60)


if __name__ == "__main__":
    main()
