# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Every ```cpp block of README.md compiles with g++ and clang++-14; one with a main function is run as well.

A block may be a program, declarations, or statements as they stand in a function. A block after the line
`<!-- continues -->` may use what the blocks before it declare. A block without an #include gets wddmcore.hpp and mirror.hpp.
The table of operations has each row of `paging_operations` in ddi/operation.hpp, with its number.
"""
import re

import common

readme = common.root / "README.md"


class block:
    def __init__(self, line, text, earlier):
        self.line, self.text, self.earlier = line, text, earlier
        self.program = re.search(r"^int main\(", text, re.M) is not None


def blocks_of(text):
    found, lines, earlier = [], text.splitlines(), []
    for number, line in enumerate(lines):
        if re.match(r"\s*```cpp\s*$", line):
            end = next(i for i in range(number + 1, len(lines)) if lines[i].strip() == "```")
            before = [previous for previous in lines[:number] if previous.strip()][-1:]
            continues = before == ["<!-- continues -->"]
            found.append(block(number + 1, "\n".join(lines[number + 1:end]), list(earlier) if continues else []))
            earlier = (earlier if continues else []) + [found[-1].text]
    return found


def sources_of(one):
    """The ways to read a block, the plainest first."""
    def split(text):
        includes = re.findall(r"^#include.*$", text, re.M)
        return includes, re.sub(r"^#include.*$", "", text, flags=re.M)

    parts = [split(text) for text in (*one.earlier, one.text)]
    includes = [line for lines, _ in parts for line in lines] or ["#include <wddmcore/wddmcore.hpp>", "#include <wddmcore/mirror.hpp>"]
    head, body, before = "\n".join(includes), parts[-1][1], "\n".join(text for _, text in parts[:-1])
    yield f"{head}\n{before}\n{body}\n"
    if not one.program:
        yield f"{head}\n{before}\nvoid snippet() {{\n{body}\n}}\n"
        yield f"{head}\nvoid snippet() {{\n{before}\n{body}\n}}\n"


def check(job):
    one, compiler, folder = job
    at = f"README.md:{one.line} ({compiler})"
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Wno-unused", f"-I{common.include}", f"-I{common.root / 'examples'}",
             f"-I{common.root / 'tests'}"]
    complaints = []
    for number, text in enumerate(sources_of(one)):
        source = folder / f"block_{one.line}_{number}.cpp"
        source.write_text(text, encoding="utf-8")
        program = folder / f"block_{one.line}_{compiler}"
        what = ["-o", program] if one.program else ["-fsyntax-only"]
        code, output = common.run([common.tool(compiler), *flags, source, *what])
        if code == 0:
            if one.program:
                code, output = common.run([program], cwd=folder)
                return [f"{at} ends with {code}:\n{output}"] if code else []
            return []
        complaints.append(output)
    return [f"{at} does not compile:\n{complaints[0]}"]


def check_operations(text, report):
    source = (common.library / "ddi/operation.hpp").read_text(encoding="utf-8")
    rows = re.search(r"paging_operations\[.*?\] = \{(.*?)\n\};", source, re.S)[1]
    names = [name.upper() for name in re.findall(r'\{"(\w+)", wddm::', rows)]
    table = re.findall(r"\| (\d+) ([A-Z][A-Z0-9_]+)(?= \|)", text)
    for code, name in sorted({(str(code), name) for code, name in enumerate(names)} ^ set(table)):
        report.fail(f"operation {code} {name} is not both in README.md and in ddi/operation.hpp")
    report.checked(len(names), "operations in the table of README.md")


def main():
    report = common.report()
    folder = common.output_folder("readme")
    found = blocks_of(readme.read_text(encoding="utf-8")) if readme.exists() else []
    for wrong in common.in_parallel(check, [(one, c, folder) for one in found for c in ("g++", "clang++-14")]):
        for text in wrong:
            report.fail(text)
    check_operations(readme.read_text(encoding="utf-8"), report)
    report.checked(len(found), f"blocks of README.md x 2 compilers, {sum(one.program for one in found)} of them run")
    report.finish()


main()
