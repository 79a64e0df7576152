# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""README.md is true: its program, its command and the numbers that it says.

Its ```cpp blocks are programs; each compiles with g++ and clang++-14 and ends with 0. The ```sh block after
`<!-- run -->` is run as it stands, in an empty folder beside a link to this repository, with the first ```cpp block as the file
that it names, and prints what README says. A script that README calls exists and knows the options that stand there. How
many lines a hardware type takes is counted. Of what is verified, each stage exists and each number is taken from where it is
used; one that comes from nowhere is a failure. Each stage that another page calls exists. Each relative link, of the map in
include/wddmcore as well, leads somewhere.
README fits a screen: it has at most 80 lines.
"""
import re
import sys

import common
import documents

sys.path.insert(0, str(common.root / "tests/strict"))
sys.dont_write_bytecode = True

from kit_numbers import NEWEST, Numbers  # noqa: E402

most_lines = 80
readme = common.root / "README.md"
# The types of which README says how long they are: what a driver of that kind writes.
hardware_types = ["guide/hardware_type/kestrel.hpp", "own_hardware/my_gpu.hpp", "hardware/cpu.hpp", "hardware/amd_gfx10.hpp",
                  "hardware/nvidia_ampere.hpp", "hardware/intel_xe.hpp"]


def check_program(job):
    one, compiler, folder = job
    source, program = folder / f"block_{one.line}.cpp", folder / f"block_{one.line}_{compiler}"
    source.write_text(one.text + "\n", encoding="utf-8")
    code, output = documents.compile_program(source, program, compiler)
    if code:
        return [f"{one.at} ({compiler}) does not compile:\n{output}"]
    code, output = common.run([program], cwd=folder)
    return [f"{one.at} ({compiler}) ends with {code}:\n{output}"] if code else []


def printed_by(one, folder):
    """What check_program's program prints, built by g++."""
    program = folder / f"block_{one.line}_g++"
    return common.run([program], cwd=folder)[1] if program.exists() else ""


def check_command(one, program, folder, report):
    """Runs a block of commands where a reader would: in a folder that holds the clone."""
    place = folder / "reader"
    place.mkdir()
    (place / common.root.name).symlink_to(common.root)
    (place / "wddmcore").exists() or (place / "wddmcore").symlink_to(common.root)
    for name in re.findall(r"\b(\w+\.cpp)\b", one.text):
        (place / name).write_text(program.text + "\n", encoding="utf-8")
    code, output = common.run(["sh", "-e", "-c", one.text], cwd=place)
    if code:
        report.fail(f"{one.at}: the commands end with {code}:\n{output}")


def check_scripts(text, report):
    """The scripts that README calls are there, with the options that it gives them."""
    calls = re.findall(r"\bsh ((?:examples|tests)/[\w./]+)((?: +--[\w-]+)*)", text)
    for name, options in calls:
        path = common.root / name
        script = path.read_text(encoding="utf-8") if path.exists() else ""
        for wanted in options.split() if script else [f"{name} itself"]:
            if wanted not in script:
                report.fail(f"README.md: {name}: there is no {wanted}")
    report.checked(len(calls), "calls of scripts")


def number_in(path, pattern):
    """The number that a source has there."""
    found = re.search(pattern, (common.root / path).read_text(encoding="utf-8"), re.M)
    return found[1] if found else f"no number in {path}"


def check_verified(text, report):
    """The part about what is verified: its stages are there, as all that other pages call, and each number is its source's."""
    part = text.split("\n## Verified")[1].split("\n## ")[0]
    known = number_in("tests/run.sh", r"^all_stages='(.*)'$").split()
    named = [("README.md", name) for row in re.findall(r"^\| (`.*?`) \|", part, re.M) for name in re.findall(r"\w+", row)]
    pages = [page for folder in ("examples", "include", "tests") for page in sorted((common.root / folder).rglob("*.md"))]
    for page in pages:
        for names in re.findall(r"--stage ((?:[a-z]\w+ ?)+)", page.read_text(encoding="utf-8")):
            named += [(common.shown(page), name) for name in names.split()]
    for page, name in named:
        if name not in known:
            report.fail(f"{page}: there is no stage {name}")
    least = float(number_in("tests/stages/mutation.py", r"^least = (0\.\d+)$"))
    numbers = {r"clang\+\+-(\d+), or with g\+\+ where": number_in("tests/run.sh", r"has clang\+\+-(\d+) && compiler=clang\+\+-\1$"),
               r"by clang (\d+)": number_in("tests/stages/clang.sh", r"^tools .*\bclang\+\+-(\d+)$"),
               r"at least (\d+) % are noticed": f"{100 * least:.0f}", r"headers of (\d+) kits": str(len(NEWEST)),
               r"for (\d+) interface versions": str(len(Numbers().order))}
    for claim, number in numbers.items():
        said = re.findall(claim, part)
        if said != [number]:
            report.fail(f"README.md says {said or 'nothing'} where '{claim}' has {number}")
        part = re.sub(claim, "", part)
    for number in re.findall(r"(?<![\w-])\d[\d.]*", part):
        report.fail(f"README.md: {number}: a number of what is verified that nothing checks")
    report.checked(len(named), "stages that README and other pages name")
    report.checked(len(numbers), "numbers of what is verified, each from its source")


def check_lengths(text, report):
    said = re.search(r"(\d+) to (\d+)\s+lines", text)
    counted = [documents.code_lines(common.root / "examples" / name) for name in hardware_types]
    if not said or (int(said[1]), int(said[2])) != (min(counted), max(counted)):
        report.fail(f"README.md: a hardware type of the examples takes {min(counted)} to {max(counted)} lines of code")
    report.checked(len(counted), "hardware types counted")


def main():
    report = common.report()
    folder = common.output_folder("readme")
    blocks = documents.blocks_of(readme)
    programs = [one for one in blocks if one.language == "cpp"]
    for wrong in common.in_parallel(check_program, [(one, c, folder) for one in programs for c in ("g++", "clang++-14")]):
        for text in wrong:
            report.fail(text)
    commands = [one for one in blocks if one.language == "sh" and one.says == "run"]
    for one in commands:
        check_command(one, programs[0], folder, report)
    text = readme.read_text(encoding="utf-8")
    prints = re.findall(r"It prints `([^`]+)`", text)
    if [printed_by(one, folder) for one in programs] != [f"{words}\n" for words in prints]:
        report.fail(f"README.md: its program does not print {prints}")
    for one in blocks:
        if (one.language, one.says == "run") not in (("cpp", False), ("sh", True), ("sh", False)):
            report.fail(f"{one.at}: a block that nothing checks: language '{one.language}'")
    if len(text.splitlines()) > most_lines:
        report.fail(f"README.md has {len(text.splitlines())} lines; {most_lines} at most")
    check_scripts(text, report)
    check_verified(text, report)
    check_lengths(text, report)
    report.checked(len(programs), "programs of README.md x 2 compilers, compiled and run")
    report.checked(len(commands), "blocks of commands run as they stand")
    report.checked(len(prints), "lines that a program of README prints")
    report.checked(sum(documents.check_links(path, report) for path in (readme, common.library / "README.md")), "relative links")
    report.finish()


main()
