# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Shows which instructions a processor executes for the work of a row, each with the function of the source that it comes from.

  python3 bench/listing.py FOLDER COMPILER [NAME...]     writes FOLDER/listings/NAME.txt, NAME as tests/gate/limits.json has it
  python3 bench/listing.py FOLDER COMPILER --soon        of each program one, to see whether everything runs

Without a name: what FOLDER/rows.json names for rows that miss a goal. Callgrind counts how often each instruction is executed;
what a call costs stands with the function that is called. First come sums by function of the source, as the compiler's
debugging information says of inlined ones, then the instructions themselves.
"""
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

root = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(root / "tests/stages"))
sys.dont_write_bytecode = True

import callgrind  # noqa: E402


def output_of(command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **options)
    if done.returncode:
        sys.exit(f"{command[0]} ends with {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def built(program, compiler, folder):
    """The gate's program as its counts are made, but at the addresses that its file says, and with debugging information."""
    path = folder / program
    output_of([compiler, *callgrind.flags, "-g", "-no-pie", callgrind.gate / f"{program}.cpp", "-o", path])
    return path


def executed(path, function):
    """Counter of {address: times} within one call of the function."""
    counts = path.with_suffix(".callgrind")
    command = callgrind.counting(function, counts)
    output_of([*command, "--dump-instr=yes", "--compress-pos=no", path])
    times, of_a_call, whole = Counter(), False, 0
    for line in counts.read_text(encoding="utf-8").splitlines():
        if line.startswith("calls="):
            of_a_call = True  # the next line is what the called function took
        elif line.startswith("0x"):
            at, _, *n = line.split()
            times[int(at, 16)] += 0 if of_a_call or not n else int(n[0])
            of_a_call = False
        elif line.startswith(("summary:", "totals:")):
            whole = int(line.split()[1])
    if sum(times.values()) != whole:
        sys.exit(f"{function}: {whole} instructions, of which {sum(times.values())} have a place")
    return +times


def short(name):
    """A function's name without its result, its parameters and the arguments of templates."""
    name = re.sub(r"\(anonymous namespace\)::|wddmcore::(v\d+::)?", "", name).replace("operator<", "operator_lt")
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name.split("(")[0].split(" ")[-1]


def places(path, addresses):
    """{address: (function, file:line)} of the innermost function that was inlined there."""
    text = output_of(["addr2line", "-e", path, "-a", "-i", "-f", "-C", "-s"], input="\n".join(f"{at:x}" for at in addresses))
    found, lines, at = {}, text.splitlines(), 0
    while at < len(lines):
        found[int(lines[at], 16)] = (short(lines[at + 1]), lines[at + 2].split(" ")[0])
        at += 1
        while at < len(lines) and not lines[at].startswith("0x"):
            at += 1
    return found


def listing(entry, path):
    times = executed(path, entry["function"])
    text = dict(re.findall(r"^ +([0-9a-f]+):\t(.*)$", output_of(["objdump", "-d", "-C", "--no-show-raw-insn", path]), re.M))
    at = places(path, sorted(times))
    units = entry["units"]
    by_function = Counter()
    for address, n in times.items():
        by_function[at.get(address, ("?", ""))[0]] += n / units
    lines = [f"{entry['name']}: {sum(times.values()) / units:.2f} instructions a unit, {units} units", ""]
    lines += [f"{n:9.2f}  {name}" for name, n in by_function.most_common()]
    before = 0
    for address in sorted(times):
        if address > before + 16:
            lines.append("")
        before = address
        name, where = at.get(address, ("?", ""))
        instruction = " ".join(text.get(f"{address:x}", "outside the program").split())
        lines.append(f"{times[address] / units:9.2f}  {address:8x}  {instruction:<56.56} {name}, {where}")
    return "\n".join(lines) + "\n"


def wanted(folder, entries, names):
    """The entries with these names; without one, those that rows name which miss a goal."""
    if names == ["--soon"]:
        return list({entry["program"]: entry for entry in entries}.values())
    if not names:
        table = json.loads((folder / "rows.json").read_text(encoding="utf-8"))["table"]
        names = {name for one in table if not one.get("met", True) for name in one["listings"]}
    if missing := set(names) - {entry["name"] for entry in entries}:
        sys.exit(f"tests/gate/limits.json has no {', '.join(missing)}")
    return [entry for entry in entries if entry["name"] in names]


def main():
    folder, compiler = Path(sys.argv[1]), sys.argv[2]
    entries = json.loads((root / "tests/gate/limits.json").read_text(encoding="utf-8"))
    chosen = wanted(folder, entries, sys.argv[3:])
    listings = folder / "listings"
    listings.mkdir(parents=True, exist_ok=True)
    for old in listings.glob("*.txt"):
        old.unlink()
    programs = {program: built(program, compiler, listings) for program in sorted({entry["program"] for entry in chosen})}
    for entry in chosen:
        (listings / f"{entry['name']}.txt").write_text(listing(entry, programs[entry["program"]]), encoding="utf-8")
    print(f"written: {len(chosen)} listings of instructions in {listings}")


if __name__ == "__main__":
    main()
