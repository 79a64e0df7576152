# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Instructions per unit of work, counted exactly, against the limits of tests/gate/limits.json: for x86-64 by callgrind,
for AArch64 by QEMU, which names each instruction that a program executes.

An entry: {"name": "xfer.scatter", "program": "gate_transfer", "function": "measured_scatter", "units": 4096,
"limit": 21.0, "aarch64": 19.0}. `limit` may be {"g++": 60.0, "clang++-14": 60.0, "clang++-19": 62.0}. The function is counted with everything it calls but
functions named like it with `_uncounted` behind, which may be called only from it. Where it ends too late, it calls
until_first_store at the point up to which it is counted; the program is told in GATE_FUNCTION which function that is,
and ends there.
"""
import json
import re
import subprocess

import common

gate = common.root / "tests/gate"
compilers = ["g++", "clang++-14", "clang++-19"]
aarch64 = "aarch64-linux-gnu-g++"
ends_early = "until_first_store"
flags = ["-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", f"-I{common.include}", f"-I{common.root / 'examples'}",
         f"-I{common.root / 'tests'}"]


def build(job):
    program, compiler, folder = job
    # Identical functions stay apart: they are told from one another by their addresses, or by their names.
    apart = ["-fno-ipa-icf"] if compiler in ("g++", aarch64) else []
    static = ["-static"] if compiler == aarch64 else []
    return common.run([common.tool(compiler), *flags, *apart, *static, gate / f"{program}.cpp", "-o", folder / f"{program}.{compiler}"])


def counting(function, result):
    """The command before a program's: it counts this function, as the head of this file says, and writes to `result`."""
    # A C++ function's name goes on with its parameters.
    return ["env", f"GATE_FUNCTION={function}", common.tool("valgrind"), "--tool=callgrind", f"--toggle-collect={function}",
            f"--toggle-collect={ends_early}", f"--toggle-collect={function}(*", f"--toggle-collect={function}_uncounted*",
            f"--callgrind-out-file={result}"]


def count(job):
    """({function: instructions}, complaint) of one function in one program."""
    program, compiler, function, folder = job
    result = folder / f"{program}.{compiler}.{function}.callgrind"
    code, output = common.run([*counting(function, result), folder / f"{program}.{compiler}"])
    total = re.search(r"Collected : (\d+)", output)
    if code or not total:
        return {}, f"{program} ({compiler}) ends with {code} under callgrind:\n{output[-2000:]}"
    if int(total[1]) == 0:
        return {}, f"{program} ({compiler}): {function} was never called"
    return {function: int(total[1])}, None


def count_together(job):
    """({function: instructions}, complaint) of all functions of one program, in one run: it says after each what it cost.
    One of them must not call another, whose name would end the counting: there may be no other function named so."""
    program, compiler, functions, folder = job
    _, symbols = common.run([common.tool("nm"), "-C", "--defined-only", folder / f"{program}.{compiler}"])
    named = set(re.findall(r"^[0-9a-f]+ [tTwW] (measured_.*?)(?:\(\S*\))?$", symbols, re.M))
    others = [name for name in named - set(functions) if not re.sub("_uncounted.*", "", name) in functions]
    if others:
        return {}, f"{program} ({compiler}): {', '.join(others)} would end the counting of what calls it"
    result = folder / f"{program}.{compiler}.callgrind"
    ends = [f"--dump-after={function}{parameters}" for function in functions for parameters in ("", "(*")]
    # This counts a part that is called from a function, `_uncounted`, as counting() does: not at all.
    code, output = common.run([common.tool("valgrind"), "--tool=callgrind", "--toggle-collect=measured_*", *ends,
                               f"--callgrind-out-file={result}", folder / f"{program}.{compiler}"])
    if code:
        return {}, f"{program} ({compiler}) ends with {code} under callgrind:\n{output[-2000:]}"
    counts = dict.fromkeys(functions, 0)
    for part in folder.glob(f"{result.name}.*"):
        text = part.read_text(encoding="utf-8")
        ended = re.search(r"^desc: Trigger: --dump-after=(\w+)", text, re.M)
        if ended:
            counts[ended[1]] += int(re.search(r"^totals: (\d+)", text, re.M)[1])
    never = [function for function, instructions in counts.items() if instructions == 0]
    return (counts, None) if not never else ({}, f"{program} ({compiler}): {', '.join(never)} was never called")


def ends_in_the_middle(program):
    """Whether it is told which function is measured, and ends there."""
    return "GATE_FUNCTION" in (gate / f"{program}.cpp").read_text(encoding="utf-8")


class executed:
    """What QEMU says of a program: the address of each instruction, one after another. Each function of `functions` is
    counted from its first instruction until its caller goes on."""

    def __init__(self, program, functions):
        _, text = common.run([common.tool("aarch64-linux-gnu-nm"), "-S", "--defined-only", program])
        symbols = re.findall(r"^([0-9a-f]{16}) ([0-9a-f]{16}) \w (\S+)$", text, re.M)
        ranges = {name: (int(at, 16), int(at, 16) + int(size, 16)) for at, size, name in symbols}
        self.functions = {f"{ranges[name][0]:016x}": name for name in functions if name in ranges}
        self.ends = f"{ranges[ends_early][0]:016x}" if ends_early in ranges else None
        self.apart = {f"{at:016x}" for name, (at, _) in ranges.items() if "_uncounted" in name}
        self.ranges = ranges
        self.counts = dict.fromkeys(self.functions.values(), 0)

    def count(self, lines):
        running, inside, body, before, back = None, True, (0, 0), 0, 0
        for line in lines:
            if not line.startswith("Trace"):
                continue
            place = line.split("/", 2)[1]
            if running is None:
                running = self.functions.get(place)
                if running is None:
                    before = place
                    continue
                body, inside, back = self.ranges[running], True, int(before, 16) + 4
            else:
                at = int(place, 16)
                if at == back or place == self.ends:
                    running, before = None, place
                    continue
                inside = place not in self.apart and (inside or body[0] <= at < body[1])
            self.counts[running] += inside


def count_aarch64(job):
    """({function: instructions}, complaint) of one program; `function` is the one that alone is counted, or None."""
    program, functions, alone, folder = job
    path = folder / f"{program}.{aarch64}"
    found = executed(path, functions)
    environment = {**common.os.environ, "GATE_COUNTED_ONLY": "1", **({"GATE_FUNCTION": alone} if alone else {})}
    qemu = common.shutil.which("qemu-aarch64") or common.tool("qemu-aarch64-static")
    with subprocess.Popen([qemu, "-singlestep", "-d", "exec,nochain", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", env=environment) as process:
        found.count(process.stderr)
    if process.returncode:
        return {}, f"{program} ({aarch64}) ends with {process.returncode} under QEMU"
    return {name: n for name, n in found.counts.items() if n}, None


def counts_of_aarch64(entries, folder, report):
    """{(program, function): instructions}"""
    jobs = []
    for program in sorted({entry["program"] for entry in entries}):
        code, output = build((program, aarch64, folder))
        if code:
            report.fail(f"{program} ({aarch64}) does not build:\n{output}")
            continue
        functions = [entry["function"] for entry in entries if entry["program"] == program]
        jobs += [(program, [f], f, folder) for f in functions] if ends_in_the_middle(program) else \
            [(program, functions, None, folder)]
    counts = {}
    for (program, functions, _, _), (found, wrong) in zip(jobs, common.in_parallel(count_aarch64, jobs)):
        if wrong:
            report.fail(wrong)
        for function in functions:
            if function not in found:
                report.fail(f"{program} ({aarch64}): {function} was never called")
            else:
                counts[program, function] = found[function]
    return counts


def main():
    report = common.report()
    folder = common.output_folder("callgrind")
    limits = gate / "limits.json"
    entries = json.loads(limits.read_text(encoding="utf-8")) if limits.exists() else []

    programs = sorted({entry["program"] for entry in entries})
    for source in gate.glob("*.cpp"):
        if source.stem not in programs:
            report.fail(f"{source.name} has no entry in limits.json")
    builds = [(program, compiler, folder) for program in programs for compiler in compilers]
    built = set()
    for (program, compiler, _), (code, output) in zip(builds, common.in_parallel(build, builds)):
        if code:
            report.fail(f"{program} ({compiler}) does not build:\n{output}")
        else:
            built.add((program, compiler))

    functions = {program: sorted({entry["function"] for entry in entries if entry["program"] == program}) for program in programs}
    jobs = []
    for program, compiler in sorted(built):
        if ends_in_the_middle(program):
            jobs += [(count, (program, compiler, function, folder)) for function in functions[program]]
        else:
            jobs.append((count_together, (program, compiler, functions[program], folder)))
    counts = {}
    for (_, (program, compiler, *_)), (found, wrong) in zip(jobs, common.in_parallel(lambda job: job[0](job[1]), jobs)):
        if wrong:
            report.fail(wrong)
        counts.update({(program, compiler, function): instructions for function, instructions in found.items()})

    of_aarch64 = counts_of_aarch64(entries, folder, report)
    print(f"{'instructions per unit':<36}" + "".join(f"{compiler:>12}" for compiler in compilers) + f"{'limit':>16}"
          f"{'aarch64 g++':>14}{'limit':>10}")
    checked = 0
    for entry in entries:
        cells = ""
        for compiler in compilers:
            limit = entry["limit"][compiler] if isinstance(entry["limit"], dict) else entry["limit"]
            instructions = counts.get((entry["program"], compiler, entry["function"]))
            if instructions is None:
                cells += f"{'-':>12}"
                continue
            each = instructions / entry["units"]
            cells += f"{each:>11.2f}{'!' if each > limit else ' '}"
            checked += 1
            if each > limit:
                report.fail(f"{entry['name']} ({compiler}): {each:.2f} instructions, limit {limit}")
        shown = entry["limit"] if not isinstance(entry["limit"], dict) else "/".join(map(str, entry["limit"].values()))
        there = of_aarch64.get((entry["program"], entry["function"]), 0) / entry["units"]
        if there:
            checked += 1
            if there > entry["aarch64"]:
                report.fail(f"{entry['name']} ({aarch64}): {there:.2f} instructions, limit {entry['aarch64']}")
        print(f"{entry['name']:<36}{cells}{shown:>16}{there:>13.2f}{'!' if there > entry['aarch64'] else ' '}"
              f"{entry['aarch64']:>10}")
    report.checked(checked, "counts against their limits")
    report.finish()


if __name__ == "__main__":
    main()
