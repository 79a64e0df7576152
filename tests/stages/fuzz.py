# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Every source of tests/fuzz as a libFuzzer program with the sanitizers, a fixed number of executions from seed 1. What a source
is linked with beside the library it says itself (`// with: examples/some/*.cpp`).

FUZZ_RUNS says how many (50000; a source whose executions are whole runs of a simulator says `// runs: N` for as many in
their place). The usual number takes seconds, so that the programs are not optimised, which takes minutes; for more they are.
tests/fuzz/corpus/<name>/ holds inputs to begin with, where there are any. A finding is kept beside the program and named; it
is shown with the lines of the sources, which take a fifth of the time to compile, by a program that is built then.
"""
import os
import re

import common

sources = common.root / "tests/fuzz"
usual_runs = 50000
asked_runs = int(os.environ.get("FUZZ_RUNS", usual_runs))


def said(source, word, otherwise):
    """What the source's head says."""
    found = re.search(rf"^// {word}: (\S+)$", source.read_text(encoding="utf-8"), re.M)
    return type(otherwise)(found[1]) if found else otherwise


def compile_one(job):
    """(exit code, output) of one object."""
    source, result, more = job
    level = "-O1" if asked_runs > usual_runs else "-O0"
    return common.run([common.tool("clang++-14"), "-std=c++20", level, *more, *common.strict,
                       "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all", f"-I{common.include}", f"-I{common.root / 'examples'}",
                       f"-I{common.root / 'tests'}", "-c", source, "-o", result])


def build(programs, folder, *more):
    """{program: what is wrong with it}. All objects together, so that no processor waits for the longest program's."""
    parts = {source: [source, *(sorted(common.root.glob(said(source, "with", ""))) if said(source, "with", "") else [])]
             for source in programs}
    jobs = [(part, folder / f"{source.stem}_{part.stem}.o", more) for source in programs for part in parts[source]]
    wrong = {}
    for (part, *_), (code, output) in zip(jobs, common.in_parallel(compile_one, jobs)):
        if code:
            wrong[part] = f"{part.name} does not build:\n{output}"
    for source in programs:
        code, output = common.run([common.tool("clang++-14"), "-fsanitize=fuzzer,address,undefined",
                                   *(folder / f"{source.stem}_{part.stem}.o" for part in parts[source]),
                                   "-o", folder / source.stem])
        if code:
            wrong.setdefault(source, f"{source.stem} does not link:\n{output}")
    return wrong


def seen_again(source, folder):
    """What a program says of its findings that knows the lines of its sources."""
    findings = sorted(folder.glob(f"{source.stem}_finding_*"))
    wrong = build([source], folder, "-gline-tables-only")
    said_again = [common.run([folder / source.stem, "-timeout=20", one])[1][-6000:] for one in findings] if not wrong else []
    return "".join([*wrong.values(), *said_again])


def fuzz(job):
    """(what is wrong or None, executions, one line about the run)."""
    source, folder = job
    program = folder / source.stem
    corpus = folder / f"{source.stem}_corpus"
    corpus.mkdir()
    begin = sources / "corpus" / source.stem
    runs = asked_runs * said(source, "runs", usual_runs) // usual_runs
    # The folder that is written comes first; requests are short, and smaller ones say nothing new.
    code, output = common.run([program, f"-runs={runs}", "-seed=1", "-timeout=20", "-print_final_stats=1",
                               "-entropic=0", "-reduce_inputs=0", "-len_control=0" if runs < asked_runs else "-len_control=100",
                               f"-max_len={said(source, 'length', 320)}",
                               f"-artifact_prefix={folder / source.stem}_finding_", corpus,
                               *([begin] if begin.is_dir() else [])])
    done = re.search(r"number_of_executed_units: *(\d+)", output)
    executed = int(done[1]) if done else 0
    coverage = re.findall(r"cov: (\d+)", output)
    if code:
        return f"{source.name} found something:\n{output[-3000:]}\n{seen_again(source, folder)}", executed, ""
    if executed < runs:
        return f"{source.name} stopped after {executed} executions", executed, ""
    return None, executed, f"{source.stem}: {executed} executions, {coverage[-1] if coverage else '?'} edges"


def main():
    report = common.report()
    folder = common.output_folder("fuzz")
    programs = sorted(sources.glob("*.cpp"))
    for wrong in build(programs, folder).values():
        report.fail(wrong)
    total = 0
    built = [(source, folder) for source in programs if (folder / source.stem).exists()]
    for wrong, executed, line in common.in_parallel(fuzz, built):
        total += executed
        if wrong:
            report.fail(wrong)
        else:
            print(line)
    report.checked(len(programs), "fuzz programs")
    report.checked(total, "executions")
    report.finish()


main()
