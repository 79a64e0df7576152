# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What it costs to include the library: one table, an umbrella or a driver's source file a row.

Lines and template instantiations are the same on every machine and are limited by tests/compile_time/limits.json.
Milliseconds are processor time over an empty file, the least of several runs, and are only shown: they are this
machine's, and other work on it shows in them.
"""
import json
import resource
import subprocess

import common

here = common.root / "tests/compile_time"
compilers = ["g++", "clang++-14", "clang++-19"]
flags = ["-std=c++20", f"-I{common.include}", f"-I{common.root / 'examples'}"]
rounds = 5


def umbrella(name, folder):
    source = folder / f"{name}.cpp"
    source.write_text(f"#include <wddmcore/{name}.hpp>\n" if name else "", encoding="utf-8")
    return source


def milliseconds(compiler, source):
    """Processor time of the least of some runs."""
    least = float("inf")
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([common.tool(compiler), *flags, "-fsyntax-only", source], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least * 1000


def lines_of(source):
    """Lines that are not empty after preprocessing."""
    code, text = common.run([common.tool("clang++-19"), *flags, "-E", "-P", source])
    return len(text.splitlines()) if code == 0 else 0


def instantiations_of(source, folder):
    """Classes and functions that clang instantiates, from its own trace."""
    trace = folder / f"{source.stem}.json"
    code, text = common.run([common.tool("clang++-19"), *flags, "-c", "-O0", f"-ftime-trace={trace}",
                             "-ftime-trace-granularity=0", source, "-o", folder / f"{source.stem}.o"])
    if code:
        return None, text
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    return sum(event.get("ph") == "X" and event["name"] in ("InstantiateClass", "InstantiateFunction") for event in events), ""


def measure(source, limits, folder, report, empty):
    name = source.stem
    count, complaint = instantiations_of(source, folder)
    if count is None:
        report.fail(f"{name}: does not compile:\n{complaint[:2000]}")
        return 0
    found = {"lines": lines_of(source), "instantiations": count}
    for what, value in found.items():
        limit = limits.get(name, {}).get(what)
        if limit is None:
            report.fail(f"{name}: tests/compile_time/limits.json has no limit of {what}; measured: {value}")
        elif value > limit:
            report.fail(f"{name}: {value} {what}, more than the limit of {limit}")
    times = [milliseconds(compiler, source) - empty[compiler] for compiler in compilers]
    print(f"{name:<18}{found['lines']:>8}{found['instantiations']:>16}" + "".join(f"{time:>12.0f}" for time in times))
    return len(found)


def main():
    report = common.report()
    folder = common.output_folder("compile_time")
    limits = json.loads((here / "limits.json").read_text(encoding="utf-8"))
    empty = {compiler: milliseconds(compiler, umbrella("", folder)) for compiler in compilers}
    print(f"{'included':<18}{'lines':>8}{'instantiations':>16}" + "".join(f"{head:>12}" for head in compilers) + "   (ms)")
    names = [name for name in common.folders if name not in ("wdk", "testing")]
    sources = [umbrella(name, folder) for name in [*names, "wddmcore", "mirror"]] + sorted(here.glob("*.cpp"))
    report.checked(sum(measure(source, limits, folder, report, empty) for source in sources), "counts, for their limits")
    for name in sorted(set(limits) - {source.stem for source in sources}):
        report.fail(f"tests/compile_time/limits.json: nothing is called {name}")
    report.finish()


main()
