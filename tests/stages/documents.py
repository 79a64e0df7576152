# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What the stages of documents share: fenced blocks and the comment before them, regions of sources, output, links."""
import os
import re
from dataclasses import dataclass
from pathlib import Path

import common

guide = common.root / "examples" / "guide"


@dataclass
class block:
    path: Path
    line: int       # of the opening fence, from 1
    language: str   # all that stands behind the fence
    text: str
    says: str       # of the HTML comment in the line before: "from x.cpp: region", "output of x", "run", ...; or empty

    @property
    def at(self):
        return f"{common.shown(self.path)}:{self.line}"


_fence = re.compile(r"\s*(```+|~~~+)\s*([^`]*?)\s*$")


def _end_of_block(lines, first, fence):
    return next((i for i in range(first, len(lines)) if re.fullmatch(rf"\s*{fence[0]}{{{len(fence)},}}\s*", lines[i])), len(lines))


def blocks_of(path):
    """The fenced blocks of a document; a fence may be indented. One that is not closed reaches to the end."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found, number = [], 0
    while number < len(lines):
        opening = _fence.match(lines[number])
        if opening:
            end = _end_of_block(lines, number + 1, opening[1])
            comment = re.fullmatch(r"<!-- (.*) -->", lines[number - 1].strip()) if number else None
            found.append(block(path, number + 1, opening[2], "\n".join(lines[number + 1:end]), comment[1] if comment else ""))
            number = end
        number += 1
    return found


def other_code(path):
    """Lines that a page shows as code and that are in no fenced block: [number of the line, from 1]."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for one in blocks_of(path):
        for number in range(one.line - 1, min(one.line + len(one.text.splitlines()) + 1, len(lines))):
            lines[number] = "fenced"
    return [number + 1 for number, line in enumerate(lines)
            if re.search(r"<(pre|code|samp)\b", line) or
            (re.match(r" {4,}\S|\s*\t", line) and number and not lines[number - 1].strip())]


def replace(one, text):
    """Writes another text into a block."""
    lines = one.path.read_text(encoding="utf-8").splitlines()
    end = _end_of_block(lines, one.line, _fence.match(lines[one.line - 1])[1])
    lines[one.line:end] = text.splitlines()
    one.path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def region_of(path, name=None):
    """A source without its licence, or what stands between `// region: name` and `// end: name`, moved to the left; in C the
    marks may be /* */ comments.

    None: there is no such region, or more than one. Marks of other regions are left out.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    if name is None:
        while lines and re.match(r"// (SPDX-License-Identifier|Copyright)", lines[0]):
            lines.pop(0)
    else:
        first = [i for i, line in enumerate(lines) if line.strip() in (f"// region: {name}", f"/* region: {name} */")]
        last = [i for i, line in enumerate(lines) if line.strip() in (f"// end: {name}", f"/* end: {name} */")]
        if len(first) != 1 or len(last) != 1 or last[0] < first[0]:
            return None
        lines = lines[first[0] + 1:last[0]]
    lines = [line for line in lines if not re.match(r"\s*(//|/\*) (region|end): ", line)]
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return "\n".join(line[min(indents, default=0):] for line in lines).strip("\n")


def _names_of_headings(path):
    """The anchors that GitHub makes of headings."""
    return {re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower().replace("`", "")).replace(" ", "-")
            for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"#{1,6} ", line)}


def check_links(path, report):
    """Each relative link and picture leads to a file, and to a heading where it names one. Returns how many there are."""
    text = re.sub(r"^\s*```.*?^\s*```", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"(?:src|srcset|href)=\"([^\"]+)\"", text)
    links = [link for link in links if not re.match(r"\w+:", link)]
    for link in links:
        file, _, heading = link.partition("#")
        target = path.parent / file if file else path
        if not target.exists():
            report.fail(f"{common.shown(path)}: {link} leads nowhere")
        elif heading and heading not in _names_of_headings(target):
            report.fail(f"{common.shown(path)}: {link}: there is no such heading")
    return len(links)


def code_lines(path):
    """Lines that are not blank and no comment."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))


def check_operations(path, report):
    """A table of operations has each row of `paging_operations` in ddi/operation.hpp, with its number."""
    source = (common.library / "ddi/operation.hpp").read_text(encoding="utf-8")
    rows = re.search(r"paging_operations\[.*?\] = \{(.*?)\n\};", source, re.S)[1]
    names = [name.upper() for name in re.findall(r'\{"(\w+)", wddm::', rows)]
    table = re.findall(r"\| (\d+) ([A-Z][A-Z0-9_]+)(?= \|)", path.read_text(encoding="utf-8"))
    for code, name in sorted({(str(code), name) for code, name in enumerate(names)} ^ set(table)):
        report.fail(f"operation {code} {name} is not both in {common.shown(path)} and in ddi/operation.hpp")
    report.checked(len(names), f"operations in the table of {common.shown(path)}")


def compile_program(source, program, compiler="g++", more=()):
    """(exit code, output) of the compiler, with the launcher that CMake would take."""
    launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")
    objects = f"{program}.o"
    code, output = common.run([*([launcher] if launcher else []), common.tool(compiler), "-std=c++20", *more, "-Wall", "-Wextra",
                               f"-I{common.include}", f"-I{common.root / 'examples'}", "-c", source, "-o", objects])
    return (code, output) if code else common.run([common.tool(compiler), objects, "-o", program])
