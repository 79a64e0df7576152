# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Mutants of the core, each of which a test has to notice; those that nobody can notice are listed with the reason.

  python3 tests/stages/mutation.py                          some hundred, drawn from the printed seed: what run.sh --all runs
  python3 tests/stages/mutation.py --count 1000 --seed 7    another draw
  python3 tests/stages/mutation.py --folder paging/copy     only of these headers
  python3 tests/stages/mutation.py --at adl/runs.hpp:104    only those of a line, or of several with commas between them
  python3 tests/stages/mutation.py --all                    every mutant of the core, which takes a machine hours; begun
                                                            again, it goes on with what is left, and with headers that
                                                            have changed since (build/mutation/results.json, and of
                                                            headers that are done tests/mutation/asked.txt; --fresh
                                                            forgets both); with --alone 0 only those that are chosen at
                                                            run time, with --count 0 only the others, and with --quick
                                                            by the tests of their own folder, which find nearly all

Operators: relations, arithmetic, bits, shifts, && and || (exchanged, or one operand only), deleted ! - ~, ++ for --,
compound assignments, integers one more and one less, booleans, negated conditions, deleted statements, another value
returned, neighbouring arguments of one type exchanged. Default values of members are left as they are, and so is what
stands in a promise or behind a compile error.

A draw takes the mutants with the lowest hash of seed, line and change, so that a change of the core changes it only there.

Most mutants are written into one copy of the headers, all changes of a place together, and chosen at run time
(tests/mutation/mutant.hpp, mutant_text.py), so that one build serves thousands. A draw writes its mutants once, builds the
test programs in turn, those of a mutant's own folder first, and only while a mutant is left that none noticed; it asks the
tests of the core's folders, without the explorations of the preemption machine and cases of more than a second. --all
writes for each program only what it is asked about: first the mutants of its own folder, then, of the whole core, those
that are still alive, which are few; the simulated systems come last.
What only the compiler evaluates is changed in the source itself and built alone (mutant_alone.py); a static assertion or
a constant expression that fails notices it too, any other compile error does not count. So is what survived, since many
tests are evaluated by the compiler.

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
from mutant_alone import alone_enquiry, long_tests
from mutant_rows import asked_file, asked_headers
from mutant_text import compatible, rendered

here = common.root / "build/mutation"
tree = here / "tree"
equivalent_file = common.root / "tests/mutation/equivalent.txt"
least = 0.98
drawn = 100
drawn_alone = 4
default_seed = 20
# The programs in the order in which they are asked: quickly built and quickly run ones first. Those of `about` are asked
# first, each for mutants of its own folder of the core and without its long cases; then all for whatever is left.
programs = ["base", "ddi", "gpuva", "iommu", "segment", "adapter_info", "adl", "cpu_executor", "page_tables", "paging",
            "paging_sweeps", "preemption", "hw", "paging_scale", "hardware", "scheduler", "laws", "sequences", "vidmm"]
about = {name: (name + "/",) for name in ("base", "ddi", "iommu", "adapter_info", "adl")}
about |= {"hw": ("hw/", "paging/operations.hpp"), "gpuva": ("gpuva/", "hw/page_tables.hpp"), "paging": ("paging/", "base/"),
          "paging_sweeps": ("paging/",), "preemption": ("preemption/", "hw/promises/preemption_model.hpp"),
          "segment": ("segment/", "gpuva/placement/"), "page_tables": ("paging/page_table/",),
          "cpu_executor": ("paging/cpu/", "hw/promises/cpu_paging.hpp")}
# A draw asks no others: what only an example driver or a simulated system notices, lacks a test of its own.
asked_in_a_draw = programs[:programs.index("paging_scale")]
long_case = 1  # seconds
at_once = 400
worth_a_build = 8
explorations = "*/explore_test.cpp,*/interleave_test.cpp"  # minutes, where nothing is optimised
jobs = os.environ.get("WDDMCORE_JOBS", str(os.cpu_count() or 1))


def new_tree():
    """A copy of what a build of the tests needs, with a main function that knows mutants."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in ("CMakeLists.txt", "CMakePresets.json"):
        shutil.copy2(common.root / name, tree / name)
    for name in ("include", "examples", "tests"):
        shutil.copytree(common.root / name, tree / name)
    shutil.copy2(common.root / "tests/mutation/main.cpp", tree / "tests/main.cpp")


class copy_of_headers:
    """The copy of the headers with numbered mutants written in, and the programs that are built from it."""

    def __init__(self, texts):
        self.texts = texts
        self.numbered = {}
        self.removed = set()  # what is no C++

    def write(self, numbered):
        """Writes these mutants in, and no others; those that only overlap others of them are left out."""
        kept = set(compatible(numbered.values()))
        self.numbered = {number: one for number, one in numbered.items() if one in kept and number not in self.removed}
        self._write()

    def _write(self):
        by_file = {}
        for number, one in self.numbered.items():
            by_file.setdefault(one.file, []).append((number, one))
        for name, text in self.texts.items():
            new = rendered(text, by_file.get(name, []))
            path = tree / "include/wddmcore" / name
            if path.read_text(encoding="latin-1") != new:
                path.write_text(new, encoding="latin-1")

    def take_out(self, output):
        """Takes out the mutants that the compiler complains of; whether there were any."""
        bad = set()
        for one in re.split(r"^(?=\S+: (?:fatal )?error: |\S+:\d+:\d+: error: )", output, flags=re.M)[1:]:
            named = {int(n) for n in re.findall(r"wddmcore_mutant::(?:change<|\w+<)(\d+)", one.split("\n")[0])}
            path, line, column = re.match(r"(\S+?):(?:(\d+):(\d+):)?", one).groups()
            if not named & set(self.numbered) and line and "include/wddmcore/" in path:
                text = tree / "include/wddmcore" / path.split("include/wddmcore/")[-1]
                source = text.read_text(encoding="latin-1").split("\n")[int(line) - 1]
                places = [(match.start(), int(n)) for match in re.finditer(r"wddmcore_mutant::(?:is\(\d+|[^;(]*)", source)
                          for n in re.findall(r"(?:is\(|[<, ])(\d+)", match[0]) if int(n) in self.numbered]
                # The nearest place that begins before the error; a line without one before it loses all.
                before = [place for place, _ in places if place < int(column) + 20]
                named = {n for place, n in places if not before or place == before[-1]}
            bad |= named & set(self.numbered)
        self.removed |= bad
        for number in bad:
            del self.numbered[number]
        if bad:
            self._write()
        return bool(bad)

    def first_look(self):
        """Takes out what is no C++, as far as the headers alone show it."""
        for _ in range(12):
            _, output = common.run([common.tool("clang++-19"), "-std=c++20", "-fsyntax-only", "-ferror-limit=0",
                                    *flags.split(), f"-I{tree}/include", here / "everything.cpp"])
            if not self.take_out(output):
                break

    def build(self, name):
        """Builds one test program. What is wrong, or None."""
        for _ in range(12):
            code, output = common.run([common.tool("cmake"), "--build", tree / "build", "--target", f"test_{name}", "-j",
                                       jobs, "--", "-k", "0"])
            if code == 0:
                return None
            if not self.take_out(output):
                return f"test_{name} does not build:\n{output[-3000:]}"
        return f"test_{name} does not build"


flags = f"-w -fconstexpr-steps=1000000000 -fconstexpr-depth=4096 -Wno-c++11-narrowing -ferror-limit=0 -include {tree}/tests/mutation/mutant.hpp"


def configure():
    return common.run([common.tool("cmake"), "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                       "-DCMAKE_CXX_COMPILER=" + common.tool("clang++-19"), "-DCMAKE_CXX_FLAGS_RELEASE=-O0",
                       f"-DCMAKE_CXX_FLAGS={flags}", "-DWDDMCORE_SLOW_BUILD=ON", "-DWDDMCORE_BUILD_BENCH=OFF",
                       "-DWDDMCORE_BUILD_EXAMPLES=OFF", "-DWDDMCORE_INSTALL=OFF", "--log-level=WARNING"])


class enquiry:
    """Mutants that are chosen at run time, and what is known of each: who was asked, who noticed it."""

    def __init__(self, mutants, texts, known, report, save):
        self.everyone = dict(enumerate(mutants, 1))
        self.texts = texts
        self.known = known  # {name: [verdict, by whom, [who was asked]]}; `open` is the verdict of who is alive
        self.report = report
        self.save = save
        self.copy = copy_of_headers(texts)
        for one in mutants:
            known.setdefault(name_of(one), ["open", "", [], False])

    def of(self, number):
        return self.known[name_of(self.everyone[number])]

    def open_for(self, turn, left_out=frozenset()):
        """The mutants that a turn (program, files, longest case) has to be asked about."""
        name, files, longest = turn
        asked = f"{name} {longest:g}"
        return sorted(number for number, one in self.everyone.items()
                      if self.of(number)[0] == "open" and asked not in self.of(number)[2] and number not in left_out
                      and (files is None or one.file.startswith(files)))

    def note_removed(self):
        for number in self.copy.removed:
            if self.of(number)[0] == "open":
                self.of(number)[:2] = ["not counted", "does not compile"]

    def ask(self, turn, numbers, sources):
        """Asks a program that was built about these, some hundred at a time, so that little is lost if that ends."""
        name, _, longest = turn
        began, processor = time.monotonic(), os.times()
        counts = Counter()
        asked, answers = here / "asked", here / "answers"
        for begin in range(0, len(numbers), at_once):
            part = numbers[begin:begin + at_once]
            asked.write_text("\n".join(str(number) for number in part))
            code, output = common.run([tree / f"build/tests/test_{name}", asked, answers, jobs, longest, *sources], cwd=tree)
            if code:
                print(output[-2000:], flush=True)
                self.report.fail(f"test_{name} could not be asked")
                return
            for line in answers.read_text(errors="replace").split("\n"):
                if not line:
                    continue
                number, verdict, by = line.split("\t")
                counts[verdict] += 1
                one = self.of(int(number))
                one[2].append(f"{name} {longest:g}")
                one[3] = one[3] or verdict != "unreached"
                if verdict in ("killed", "cannot"):
                    one[:2] = ["killed" if verdict == "killed" else "not counted", f"{name}: {by}"]
            self.save()
        left = sum(self.of(number)[0] == "open" for number in self.everyone)
        now = os.times()
        used = now.children_user + now.children_system - processor.children_user - processor.children_system
        print(f"{name:<14} asked {sum(counts.values()):>5}, killed {counts['killed']:>5}, left {left:>5}   "
              f"({time.monotonic() - began:.0f} s, {used:.0f} s of a processor)", flush=True)

    def alive(self, listed):
        """Who survived and is not listed: tests that the compiler evaluates never saw it."""
        return [one for number, one in self.everyone.items()
                if self.of(number)[0] in ("survived", "unreached") and one.key(self.texts) not in listed]

    def finish(self):
        """Who is still alive after every turn has survived."""
        for number in self.everyone:
            if self.of(number)[0] == "open":
                self.of(number)[0] = "survived" if self.of(number)[3] else "unreached"
        self.save()


def turns_of(asked_for, whole, quick):
    turns = [(name, about[name], long_case) for name in asked_for if name in about]
    if quick:
        return turns
    if not whole:
        return turns + [(name, None, long_case) for name in asked_for]
    for name in asked_for:
        # The explorations take minutes each, and say little of other folders.
        turns += [(name, None, long_case), (name, about[name], 1e6)] if name == "preemption" else [(name, None, 1e6)]
    return turns


def ask_drawn(all_of, listed, turns):
    """A draw: one copy has all mutants, and each program is built once, the next one while one is asked. The listed
    mutants are asked about only together with others."""
    copy = all_of.copy
    copy.write(all_of.everyone)
    all_of.everyone = dict(copy.numbered)  # without those that only overlap others
    copy.first_look()
    hopeless = {number for number, one in all_of.everyone.items() if one.key(all_of.texts) in listed}
    built = {}
    with ThreadPoolExecutor(1) as builder:
        def begin(index):
            name = turns[index][0]
            if name not in built:
                built[name] = builder.submit(copy.build, name)
            return built[name]

        for index, turn in enumerate(turns):
            if not all_of.open_for(turn, hopeless):
                continue
            wrong = begin(index).result()
            following = next((later for later in range(index + 1, len(turns)) if all_of.open_for(turns[later], hopeless)), None)
            if following is not None:
                begin(following)
            all_of.note_removed()
            if wrong:
                print(wrong, flush=True)
                all_of.report.fail(f"test_{turn[0]} could not be asked")
                continue
            all_of.ask(turn, all_of.open_for(turn, hopeless), [explorations])
    all_of.note_removed()


def ask_everyone(all_of, turns, out_of_time):
    """Each program is built with those mutants alone that it is asked about: first those of its own folder, then, when few
    are left, all that live. Whether all was asked."""
    copy = all_of.copy
    for turn in turns:
        for again in range(6):  # for those that only overlap others; the last few are cheaper with builds of their own
            numbers = all_of.open_for(turn)
            if len(numbers) <= again * worth_a_build:
                break
            if out_of_time():
                return False
            began = time.monotonic()
            copy.write({number: all_of.everyone[number] for number in numbers})
            copy.first_look()
            wrong = copy.build(turn[0])
            all_of.note_removed()
            all_of.save()
            print(f"{turn[0]:<14} built with {len(copy.numbered)} of {len(numbers)} mutants, {len(copy.removed)} are no C++ "
                  f"({time.monotonic() - began:.0f} s)", flush=True)
            if wrong:
                print(wrong, flush=True)
                all_of.report.fail(f"test_{turn[0]} could not be asked")
                break
            all_of.ask(turn, sorted(copy.numbered), [] if turn[2] > long_case else [explorations])
    return True


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


def is_exploration(by):
    """Whether it is a test of explorations that noticed a mutant: `program: case`."""
    case = by.partition(": ")[2]
    return bool(case) and any(f'"{case}"' in path.read_text(encoding="utf-8") for folder in long_tests
                              for path in (common.root / "tests/preemption" / folder).glob("*.cpp"))


def fingerprints(texts):
    """What the results of a full run are forgotten with: the mutant's own header. Other headers and the tests may change
    meanwhile; --fresh asks everything again."""
    return {name: hashlib.sha256(text.encode("latin-1")).hexdigest()[:16] for name, text in texts.items()}


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
    words.add_argument("--count", type=int, default=drawn, help="of mutants that are chosen at run time; 0 with --all: none of them")
    words.add_argument("--alone", type=int, default=drawn_alone, help="of mutants with a build of their own; 0 with --all: none of them")
    words.add_argument("--folder", default="", help="only headers whose path begins so")
    words.add_argument("--at", default="", help="only these lines: paging/transfer/plan.hpp:99,adl/runs.hpp:104")
    words.add_argument("--tests", default="", help="only these test programs, for example segment,adapter_info")
    words.add_argument("--all", action="store_true", help="every mutant; the result file is gone on with")
    words.add_argument("--survivors", action="store_true", help="with --all: try those again that survived")
    words.add_argument("--fresh", action="store_true", help="forget earlier results")
    words.add_argument("--quick", action="store_true", help="ask only the tests of a mutant's own folder, long cases left out; of one with a build of its own only these, too")
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
    everyone = {(one.file, one.switched) for one in mutants}
    mutants = [one for one in mutants if one.file.startswith(options.folder)]
    if options.at:
        places = set(options.at.split(","))
        mutants = [one for one in mutants if f"{one.file}:{one.line(texts)}" in places]
    print(f"{len(mutants)} mutants: {sum(one.switched for one in mutants)} chosen at run time, "
          f"{sum(not one.switched for one in mutants)} with a build of their own; seed {options.seed}", flush=True)
    prints = fingerprints(texts)
    asked = asked_headers(prints)
    before = Counter()
    if options.all and not options.fresh and not options.at:
        mutants = [one for one in mutants if not asked.has(one)]
        for (name, _), found in asked.current().items():
            if name.startswith(options.folder):
                before += Counter({"killed": found.noticed, "equivalent": found.equivalent, "not counted": found.not_counted})
    mutants = drawn_order(mutants, texts, options.seed)
    switched = [one for one in mutants if one.switched and options.count]
    by_themselves = [one for one in mutants if not one.switched]
    file = here / "results.json"
    known = json.loads(file.read_text()) if options.all and file.is_file() and not options.fresh else {}
    of = {name: verdict for name, verdict in known.get("of", {}).items()
          if known["files"].get(name.split(":")[0]) == prints.get(name.split(":")[0])}
    known = {"files": prints, "of": of}
    if options.survivors:
        for one in mutants:
            if of.get(name_of(one), [""])[0] in ("survived", "unreached"):
                del of[name_of(one)]

    def save():
        if options.all:
            file.with_suffix(".new").write_text(json.dumps(known))
            file.with_suffix(".new").replace(file)

    def out_of_time():
        return time.monotonic() - started > options.minutes * 60

    new_tree()
    code, output = configure()
    if code:
        sys.exit(f"FAILED: cmake: {output[-2000:]}")
    turns = turns_of(asked_for, options.all, options.quick)
    if options.all:
        asking = enquiry(switched, texts, of, report, save)
        if ask_everyone(asking, turns, out_of_time):
            asking.finish()
        left = [one for one in asking.alive(listed) if "alone" not in of[name_of(one)][2]]
        # Header by header, so that a run that ends early has whole ones.
        left += sorted((one for one in by_themselves if name_of(one) not in of), key=name_of) if options.alone else []
        by_itself = alone_enquiry(here / "alone", texts, programs, about, options.quick) if left else None
        while left and not out_of_time():
            part, left = left[:20], left[20:]
            for one, (verdict, by, tests) in common.in_parallel(by_itself.ask, part):
                if not one.switched:
                    of[name_of(one)] = [verdict, by, tests]
                    continue
                of[name_of(one)][2].append("alone")
                if verdict == "killed":
                    of[name_of(one)][:2] = [verdict, by]
            save()
        results = {one: tuple(of[name_of(one)][:2]) for one in mutants if of.get(name_of(one), ["open"])[0] != "open"}
        print(f"not tried yet: {len(mutants) - len(results)}")
    else:
        asking = enquiry(switched[:options.count], texts, {}, report, save)
        ask_drawn(asking, listed, turns)
        asking.finish()
        results = {one: tuple(asking.of(number)[:2]) for number, one in asking.everyone.items()}
        part = by_themselves[:options.alone] + asking.alive(listed)
        if part:
            by_itself = alone_enquiry(here / "alone", texts, programs, about)
            results.update((one, tuple(verdict[:2])) for one, verdict in common.in_parallel(by_itself.ask, part)
                           if not one.switched or verdict[0] == "killed")
    if options.all and not options.at:  # who asked fewer tests has more survivors, and those make no row
        asked.add(mutants, results, listed, texts)
        asked.write()
    counts = before
    # An entry may stand for two places of one line, of which one is noticed.
    alive = {one.key(texts) for one, (verdict, _) in results.items() if verdict in ("survived", "unreached")}
    for one, (verdict, by) in sorted(results.items(), key=lambda pair: name_of(pair[0])):
        key = one.key(texts)
        if key in listed:
            verdict = "equivalent" if verdict in ("survived", "unreached") else verdict
            if verdict == "killed" and key not in alive and not is_exploration(by):
                report.fail(f"{common.shown(equivalent_file)}:{listed[key]}: is said to be equivalent, but {by}")
        counts[verdict] += 1
        if verdict in ("survived", "unreached"):
            word = "survived" if verdict == "survived" else "reached by no test"
            report.fail(f"{word}: {one.file}:{one.line(texts)}: {one.change} of `{key[2]}`\n      {key[1]}")
    for key, number in listed.items():
        if key not in possible:
            report.fail(f"{common.shown(equivalent_file)}:{number}: no such mutant: {key[0]}: {key[3]} of `{key[2]}`")
    current = asked.current().values()
    print(f"asked whole, as they are now: {len(current)} of {len(everyone)} headers by kind of mutant "
          f"({sum(each.noticed for each in current)} noticed)")
    for name, _ in asked.rows:
        if name not in texts:
            report.fail(f"{common.shown(asked_file)}: no such header: {name}")
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
