# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What llvm-cov shows of one program, as tables that can be joined over programs and instantiations.

The text is read and not the JSON: only the text names conditions by their place and says which ones are constants.
"""
import re
from dataclasses import dataclass, field


@dataclass
class side_counts:
    true: bool = False
    false: bool = False
    folded: bool = True    # a constant in every instantiation


@dataclass
class condition_state:
    covered: bool = False
    folded: bool = True


@dataclass
class file_coverage:
    lines: dict = field(default_factory=dict)         # line -> executed
    branches: dict = field(default_factory=dict)      # (line, column) -> side_counts
    conditions: dict = field(default_factory=dict)    # (decision, (line, column)) -> condition_state

    def join(self, other):
        for line, executed in other.lines.items():
            self.lines[line] = self.lines.get(line, False) or executed
        for place, sides in other.branches.items():
            mine = self.branches.setdefault(place, side_counts())
            mine.true |= sides.true
            mine.false |= sides.false
            mine.folded &= sides.folded
        for place, state in other.conditions.items():
            mine = self.conditions.setdefault(place, condition_state())
            mine.covered |= state.covered
            mine.folded &= state.folded


file_head = re.compile(r"^(\S.*):$")
source_line = re.compile(r"^ *(\d+)\| *([\d.]*[kMGTPEZY]?)\|")
branch = re.compile(r"^  \|  Branch \((\d+):(\d+)\): \[(?:True: ([^,]*), False: ([^\]]*)|(Folded) - Ignored)\]")
decision = re.compile(r"^  \|---> MC/DC Decision Region \((\d+):(\d+)\) to \((\d+):(\d+)\)")
condition = re.compile(r"^  \| +Condition C(\d+) --> \((\d+):(\d+)\)")
pair = re.compile(r"^  \|  C(\d+)-Pair: (covered|not covered|constant folded)")


def read(lines):
    """{path after include/wddmcore/: file_coverage} of the lines of `llvm-cov show`."""
    files = {}
    now = None
    region, places = None, {}
    for text in lines:
        if text.startswith("  |"):
            if now is None:
                continue
            if found := branch.match(text):
                sides = now.branches.setdefault((int(found[1]), int(found[2])), side_counts())
                if not found[5]:
                    sides.folded = False
                    sides.true |= found[3] != "0"
                    sides.false |= found[4] != "0"
            elif found := decision.match(text):
                region, places = tuple(int(part) for part in found.groups()), {}
            elif found := condition.match(text):
                places[found[1]] = (int(found[2]), int(found[3]))
            elif found := pair.match(text):
                state = now.conditions.setdefault((region, places[found[1]]), condition_state())
                state.covered |= found[2] == "covered"
                state.folded &= found[2] == "constant folded"
            continue
        if found := source_line.match(text):
            if now is not None and found[2]:
                number = int(found[1])
                now.lines[number] = now.lines.get(number, False) or found[2] != "0"
        elif found := file_head.match(text):
            name = found[1].replace("\\", "/")
            at = name.rfind("include/wddmcore/")
            now = files.setdefault(name[at + len("include/wddmcore/"):], file_coverage()) if at >= 0 else None
    return files
