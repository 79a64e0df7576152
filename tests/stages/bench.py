# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""bench/run.sh as a person starts it, with few repetitions: every program runs, every goal has rows and each of them what it is
held to, the picture is well-formed and has its lines, instructions are listed, two files of numbers can be compared. No time is
judged here.
"""
import json
import re
from pathlib import Path

import common

report = common.report()
code, text = common.run(["sh", common.root / "bench/run.sh", "--soon", "--compiler", common.tool("g++").split("/")[-1]])
if code:
    report.fail(f"bench/run.sh --soon ends with {code}:\n{text[-2000:]}")
    report.finish()
written = re.search(r"^written: (\S+)/rows\.json", text, re.M)
folder = Path(written[1])
numbers = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
held_to = json.loads((common.root / "bench/goals.json").read_text(encoding="utf-8"))
unknown = {goal["why"] for goal in held_to["goals"] if "why" in goal} ^ set(held_to["reasons"])
if unknown:
    report.fail(f"bench/goals.json: reasons that are not there, or not used: {unknown}")

counted = {entry["name"] for entry in json.loads((common.root / "tests/gate/limits.json").read_text(encoding="utf-8"))}
named = {name for shown in held_to["listings"].values() for name in ([shown] if isinstance(shown, str) else shown)}
if named - counted:
    report.fail(f"bench/goals.json: tests/gate/limits.json counts no {named - counted}")

held = 0
for goal in held_to["goals"]:
    rows = [row for row in numbers["rows"] if re.fullmatch(goal["rows"], row)]
    # This machine's own pages are only there for who may see them.
    if not rows:
        report.fail(f"no row is held to {goal}")
    for row in rows:
        held += 1
        beside = f" in {goal['of']}" if "of" in goal else ""
        lines = [one for one in numbers["table"] if one["row"] == row and one.get("goal") == goal["ratio"]
                 and (goal["against"] == "better form" or one["against"] == goal["against"] + beside)]
        if not lines:
            report.fail(f"{row} has nothing to be held to by {goal}: {numbers['rows'][row]}")
        if row not in text:
            report.fail(f"the table does not show {row}")
report.checked(len(numbers["table"]), "rows of the table")
report.checked(held, "rows that are held to a goal")

picture = folder / "picture.svg"
code, wrong = common.run([common.tool("xmllint"), "--noout", picture])
if code:
    report.fail(f"picture.svg: {wrong}")
lines = picture.read_text(encoding="utf-8").count("<polyline")
if lines < 4 * 3:
    report.fail(f"the picture has {lines} lines for four drawings")
report.checked(lines, "lines in the picture")

listings = sorted((folder / "listings").glob("*.txt"))
for path in listings:
    text = path.read_text(encoding="utf-8")
    total = re.match(r".*: ([\d.]+) instructions a unit", text)
    by_function = sum(float(n) for n in re.findall(r"^ +([\d.]+)  \S+$", text, re.M))
    if not total or abs(by_function - float(total[1])) > 0.02 * float(total[1]) + 0.5 or "outside the program" in text:
        report.fail(f"{path.name}: {by_function} instructions by function:\n{text[:600]}")
report.checked(len(listings), "listings of instructions, whose sums by function are the whole")

code, text = common.run(["sh", common.root / "bench/run.sh", "--compare", folder / "rows.json", folder / "rows.json"])
same = len(re.findall(r" \+0\.0%", text))
if code or same != sum(one["library"] is not None and "again" not in one for one in numbers["table"]):
    report.fail(f"--compare of a file with itself shows {same} rows without a change:\n{text[:1000]}")
report.checked(same, "rows compared with themselves")
report.finish()
