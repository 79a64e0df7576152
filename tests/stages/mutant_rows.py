# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What full runs of mutation.py have found, header by header, in tests/mutation/asked.txt."""
import re
import sys
from collections import Counter
from dataclasses import dataclass

import common

asked_file = common.root / "tests/mutation/asked.txt"


@dataclass(frozen=True)
class row:
    """What a full run found of one header: nothing is alive in it that is not listed."""
    print: str
    noticed: int
    equivalent: int
    not_counted: int


class asked_headers:
    """The rows of tests/mutation/asked.txt, by header and kind of mutant. A full run takes longer than most people's
    machines are left alone, so what it finds is kept with the headers that it was found of."""

    kinds = ("at run time", "alone")

    def __init__(self, prints):
        self.prints = prints
        self.rows = {}
        self.first = []
        for line in asked_file.read_text(encoding="utf-8").split("\n"):
            if line.startswith("#"):
                self.first.append(line)
            elif line:
                words = re.fullmatch(r"(\S+) +(at run time|alone) +(\w+) +(\d+) +(\d+) +(\d+)", line)
                if not words:
                    sys.exit(f"FAILED: {common.shown(asked_file)}: not a row: {line}")
                name, kind, print_, *counts = words.groups()
                self.rows[(name, kind)] = row(print_, *map(int, counts))

    def kind_of(self, one):
        return self.kinds[not one.switched]

    def has(self, one):
        found = self.rows.get((one.file, self.kind_of(one)))
        return found is not None and found.print == self.prints[one.file]

    def current(self):
        return {key: found for key, found in self.rows.items() if self.prints.get(key[0]) == found.print}

    def add(self, mutants, results, listed, texts):
        """Adds a row for each header all of whose mutants have a verdict, none of them alive unless it is listed."""
        of = {}
        for one in mutants:
            of.setdefault((one.file, self.kind_of(one)), []).append(one)
        for key, ones in of.items():
            counts = Counter()
            for one in ones:
                verdict = results.get(one, ("open",))[0]
                is_listed = verdict in ("survived", "unreached") and one.key(texts) in listed
                counts["equivalent" if is_listed else verdict] += 1
            if not counts["open"] + counts["survived"] + counts["unreached"]:
                self.rows[key] = row(self.prints[key[0]], counts["killed"], counts["equivalent"], counts["not counted"])

    def write(self):
        lines = [f"{name:<56} {kind:<11}  {at.print}  {at.noticed:>4} {at.equivalent:>4} {at.not_counted:>4}"
                 for (name, kind), at in sorted(self.rows.items()) if name in self.prints]
        asked_file.write_text("\n".join(self.first + lines) + "\n", encoding="utf-8")
