# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Makes one table, one picture and one file of numbers of what the benchmarks of a compiler printed: bench/run.sh calls it.

  python3 bench/table.py FOLDER COMPILER       of FOLDER/*.json; writes rows.json, table.txt and picture.svg beside them
  python3 bench/table.py --compare OLD NEW     two rows.json: each row that both have, and how its time changed

A figure is the least of all repetitions, in nanoseconds for a page, an entry, a request or an event; a ratio is of two such
figures of one run. What a row is held to stands in bench/goals.json, and why it may miss that;
bench/listing.py shows the instructions that a reason speaks of.
"""
import json
import math
import platform
import re
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
columns = ("library", "obvious", "hand", "limit")


def figures(folder):
    """{row: {kind: {"ns": least, "bytes": command bytes a page}}}, sorted as a person would."""
    rows = {}
    for path in sorted(folder.glob("*.json")):
        if path.name == "rows.json":
            continue
        text = path.read_text(encoding="utf-8")
        for one in json.loads(text)["benchmarks"] if text.strip() else []:
            if one.get("run_type") != "iteration" or "error_occurred" in one:
                continue
            row, _, kind = re.sub(r"/real_time|/manual_time|/threads:\d+|/iterations:\d+", "", one["run_name"]).rpartition("/")
            seconds = next((value for name, value in one.items() if name.startswith("seconds_per_")
                            and name != "seconds_per_packet"), None)
            # A rate counts the time of all threads; their wall time is what a packet takes.
            ns = seconds * 1e9 if seconds else 1e9 / one["items_per_second"] / one.get("threads", 1)
            seen = rows.setdefault(row, {}).setdefault(kind, {"ns": ns})
            seen["ns"] = min(seen["ns"], ns)
            if "bytes_per_page" in one:
                seen["bytes"] = one["bytes_per_page"]
    # The programs mix their rows, so that no row has the quiet minute for itself.
    return {row: rows[row] for row in sorted(rows, key=lambda row: [int(part) if part.isdigit() else part for part in
                                                                    re.split(r"(\d+)", row)])}


def held_to(row, rows, held):
    """Each goal of a row: {"library", "against", "ratio", "goal", "met", "why", "listings"}. `of` is the row whose loop it is
    held to, this one where a goal names none; `why` tells how it can be missed."""
    for goal in held["goals"]:
        kind = goal.get("kind", "wddmcore")
        if not re.fullmatch(goal["rows"], row) or kind not in rows[row]:
            continue
        beside = rows.get(goal.get("of", row), {})
        against = goal["against"]
        if against == "better form":  # of the two, the one with fewer bytes, as the library chooses
            against = min(("packets", "window"), key=lambda form: beside[form]["bytes"])
        if against in beside:
            own, other = rows[row][kind]["ns"], beside[against]["ns"]
            yield {"library": own, "against": against + (f" in {goal['of']}" if "of" in goal else ""), "ratio": own / other,
                   "goal": goal["ratio"], "met": own <= other * goal["ratio"], "why": held["reasons"].get(goal.get("why")),
                   "listings": next(([shown] if isinstance(shown, str) else shown for rows_of, shown in held["listings"].items()
                                 if re.fullmatch(rows_of, row)), [])}


def judged(rows):
    """Each row's figures, with its first goal; what else it is held to follows it as a line of its own."""
    held = json.loads((here / "goals.json").read_text(encoding="utf-8"))
    table = []
    for row, kinds in rows.items():
        ns = {kind: one["ns"] for kind, one in kinds.items()}
        own = next((kind for kind in ns if kind.startswith(("wddmcore", "library"))), None)
        line = {"row": row, "library": ns.get(own)} | {name: ns.get(name) for name in columns[1:]}
        first, *others = list(held_to(row, rows, held)) or [{}]
        table.append(line | first)
        table += [{"row": row, "again": True} | dict.fromkeys(columns[1:]) | other for other in others]
    return table


def cell(value):
    return f"{value:10.3f}" if value is not None and value < 1000 else f"{value:10.0f}" if value is not None else " " * 10


def text_of(table, machine, listings):
    lines = [machine, f"{'row (ns)':<40}" + "".join(f"{name:>10}" for name in columns) + "  ratio  goal  verdict"]
    for one in table:
        end = f"  {one['ratio']:5.2f} {one['goal']:5.2f}  {'met' if one['met'] else 'missed'} (of {one['against']})" if "goal" in one else ""
        lines.append(f"{one['row']:<40}" + "".join(cell(one[name]) for name in columns) + end)
    goals = [one for one in table if "goal" in one]
    lines.append(f"{sum(one['met'] for one in goals)} of {len(goals)} goals met")
    missed = {}
    for one in goals:
        if not one["met"]:
            missed.setdefault(one["why"] or "no reason is known", []).append(one)
    for why, rows in missed.items():
        lines.append("missed: " + ", ".join(f"{one['row']} ({one['ratio']:.2f} for {one['goal']:.2f})" for one in rows))
        lines.append(f"  {why}")
        shown = sorted({name for one in rows for name in one["listings"]})
        if shown:
            lines.append(f"  instructions: {', '.join(f'{name}.txt' for name in shown)} in {listings}")
    return "\n".join(lines) + "\n"


class chart:
    """Lines over a logarithmic axis, in SVG that needs nothing else."""
    width, height, left, bottom = 420, 260, 52, 40
    colours = {"library": "#0b6bcb", "obvious": "#c2410c", "hand": "#15803d", "limit": "#6b7280", "packets": "#a16207",
               "window": "#7c3aed"}

    def __init__(self, title, across, up):
        self.title, self.across, self.up = title, across, up
        self.lines = {}

    def add(self, name, x, y):
        self.lines.setdefault(name, []).append((x, y))

    def svg(self, x0, y0):
        points = [point for line in self.lines.values() for point in line]
        if not points:
            return ""
        xs, ys = [math.log10(x) for x, _ in points], [math.log10(y) for _, y in points]
        low_x, high_x = min(xs), max(max(xs), min(xs) + 0.1)
        low_y, high_y = math.floor(min(ys)), max(math.ceil(max(ys)), math.floor(min(ys)) + 1)
        wide, high = self.width - self.left - 90, self.height - self.bottom - 28

        def place(x, y):
            return (x0 + self.left + (math.log10(x) - low_x) / (high_x - low_x) * wide,
                    y0 + 28 + (high_y - math.log10(y)) / (high_y - low_y) * high)

        out = [f'<text x="{x0 + self.left}" y="{y0 + 16}" class="title">{self.title}, {self.up}</text>']
        for power in range(low_y, high_y + 1):
            _, y = place(points[0][0], 10.0 ** power)
            mark = f"{10 ** power:g}" if -2 < power < 4 else f'10<tspan dy="-4" font-size="8">{power}</tspan>'
            out.append(f'<path d="M{x0 + self.left} {y:.1f}h{wide}" class="grid"/><text x="{x0 + self.left - 6}" '
                       f'y="{y + 4:.1f}" text-anchor="end">{mark}</text>')
        last = -math.inf
        for x in sorted({x for x, _ in points}):
            px, py = place(x, 10.0 ** low_y)
            if px - last >= 18:
                out.append(f'<text x="{px:.1f}" y="{py + 15:.1f}" text-anchor="middle">{short(x)}</text>')
                last = px
        out.append(f'<text x="{x0 + self.left + wide / 2}" y="{y0 + self.height - 8}" text-anchor="middle">{self.across}</text>')
        # Each line's name at its end, from the highest to the lowest, none over another.
        ends = sorted((place(*max(line))[1], name) for name, line in self.lines.items())
        free = -math.inf
        for py, name in ends:
            line = self.lines[name]
            path = " ".join(f"{px:.1f},{y:.1f}" for px, y in (place(x, y) for x, y in sorted(line)))
            free = max(py, free + 12)
            out.append(f'<polyline points="{path}" fill="none" stroke="{self.colours[name]}" stroke-width="2"/>'
                       f'<text x="{x0 + self.left + wide + 6:.1f}" y="{free + 4:.1f}" style="fill:{self.colours[name]}">{name}</text>')
        return "\n".join(out)


def short(x):
    for unit, size in (("T", 2 ** 40), ("G", 2 ** 30), ("M", 2 ** 20), ("K", 2 ** 10)):
        if x >= size:
            return f"{x / size:g}{unit}"
    return f"{x:g}"


def picture_of(rows, machine):
    runs = chart("A page of an eviction, lists that nobody can learn", "mean run, pages", "ns")
    means = {"scattered": 1.0, "mean_1_6": 1.6, "mean_2_5": 2.5, "mean_4_5": 4.5, "mean_8": 8.0, "runs_of_16": 16.0,
             "mean_64": 64.0}
    for name, mean in means.items():
        for kind, one in rows.get(f"xfer.{name}.4096.unlearned", {}).items():
            runs.add("library" if kind == "wddmcore" else kind, mean, one["ns"])
    few = chart("One eviction, mean run 1.6, by its size", "pages a request", "ns")
    for pages in (1, 2, 16, 512, 4096):
        for kind, one in rows.get(f"xfer.mean_1_6.{pages}.unlearned", {}).items():
            few.add("library" if kind == "wddmcore" else kind, pages, one["ns"] * pages)
    growth = chart("One contiguous copy, by its size", "bytes", "ns")
    for row, kinds in rows.items():
        if found := re.fullmatch(r"grow\.copy\.(\d+)", row):
            for kind, one in kinds.items():
                growth.add("library" if kind == "wddmcore" else kind, int(found[1]), one["ns"])
    stream = chart("Commands for a MiB, with a page window", "mean run, pages", "bytes")
    for row, kinds in rows.items():
        if found := re.fullmatch(r"xfer\.auto\.1G/mean_(\d+)_(\d)", row):
            for kind in ("wddmcore", "packets", "window"):
                if "bytes" in kinds.get(kind, {}):
                    stream.add("library" if kind == "wddmcore" else kind, float(f"{found[1]}.{found[2]}"),
                               kinds[kind]["bytes"] * 256)
    drawn = "\n".join(one.svg(x, y) for one, x, y in ((runs, 0, 20), (few, 440, 20), (growth, 0, 300), (stream, 440, 300)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 570" font-family="sans-serif" font-size="11">\n'
            f'<style>text{{fill:#374151}}.title{{font-size:13px;font-weight:bold}}.grid{{stroke:#d1d5db}}</style>\n'
            f'<rect width="880" height="570" fill="#ffffff"/>\n<text x="10" y="14">{machine}: sh bench/run.sh draws this</text>\n{drawn}\n</svg>\n')


def compare(old, new):
    before, after = (json.loads(Path(path).read_text(encoding="utf-8")) for path in (old, new))
    print(f"before: {before['machine']}\nafter:  {after['machine']}")
    first = {one["row"]: one for one in before["table"] if "again" not in one}
    print(f"{'row (ns)':<40}{'before':>10}{'after':>10}{'':>8}   of a loop of the same run: before  after")
    for one in after["table"]:
        was = first.get(one["row"])
        if was and "again" not in one and one["library"] and was["library"]:
            ratios = f"{was['ratio']:>28.2f} {one['ratio']:>6.2f}" if "ratio" in one and "ratio" in was else ""
            print(f"{one['row']:<40}{cell(was['library'])}{cell(one['library'])}{one['library'] / was['library'] - 1:>+8.1%}{ratios}")


def main():
    if sys.argv[1:2] == ["--compare"]:
        compare(*sys.argv[2:4])
        return
    folder, compiler = Path(sys.argv[1]), sys.argv[2]
    rows = figures(folder)
    if not rows:
        sys.exit("no benchmark ran")
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8")) \
        if Path("/proc/cpuinfo").exists() else None
    machine = f"{processor[1] if processor else platform.processor()}, {platform.system()}, {compiler}"
    table = judged(rows)
    (folder / "rows.json").write_text(json.dumps({"machine": machine, "table": table, "rows": rows}, indent=1), encoding="utf-8")
    text = text_of(table, machine, folder / "listings")
    (folder / "table.txt").write_text(text, encoding="utf-8")
    (folder / "picture.svg").write_text(picture_of(rows, machine), encoding="utf-8")
    print(text, end="")
    print(f"written: {folder / 'rows.json'}, table.txt, picture.svg")


main()
