# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Each folder of include/wddmcore may include only those below it, no file may include itself in a circle, and the
umbrella of a folder reaches every header in it; mirrors have one of their own, and a driver gets none of them.
The map has the folders in this order, and the rooms inside each."""
import re

import common

# The umbrella of everything stands above what a driver includes and below what sees the driver's headers.
rank = {name: place for place, name in enumerate(common.folders)}
rank_of_umbrella = rank["wdk"] - 0.5


def level(path):
    folder = common.folder_of(path)
    if folder in rank:
        return rank[folder]
    umbrellas = {"wddmcore.hpp": rank_of_umbrella, "mirror.hpp": rank["ddi"]}
    return umbrellas.get(path.name, -1) if folder == "" else None


def target_of(path, name):
    for base in (path.parent, common.include):
        candidate = (base / name).resolve()
        if candidate.is_file():
            return candidate
    return None


def arrows_of(path, report):
    arrows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if not match or " " in match[1]:  # the sentence that config.hpp says to an older standard is no file
            continue
        target = target_of(path, match[1])
        at = f"{common.shown(path)}:{number}"
        if target is None:
            report.fail(f"{at}: {match[1]} does not exist")
        elif not target.is_relative_to(common.library):
            report.fail(f"{at}: {match[1]} lies outside include/wddmcore")
        else:
            arrows.append((target, at))
    return arrows


def check_arrow(path, target, at, report):
    low, high = level(target), level(path)
    if low is None or high is None:
        return
    if low > high:
        what = common.folder_of(target) or target.name
        report.fail(f"{at}: {common.folder_of(path) or path.name} may not include {what}")


def find_cycles(graph, report):
    done, reported = set(), set()
    for start in graph:
        trail, stack = [], [(start, iter(graph[start]))]
        trail.append(start)
        while stack:
            node, rest = stack[-1]
            following = next((n for n in rest if n not in done), None)
            if following is None:
                done.add(node)
                stack.pop()
                trail.pop()
            elif following in trail:
                circle = trail[trail.index(following):] + [following]
                if frozenset(circle) not in reported:
                    reported.add(frozenset(circle))
                    report.fail("a circle: " + " -> ".join(common.shown(n) for n in circle))
                done.add(following)
            else:
                trail.append(following)
                stack.append((following, iter(graph.get(following, []))))


def reached_from(path, graph):
    reached, waiting = set(), [path]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += graph.get(path, [])
    return reached


def check_umbrellas(graph, report):
    """What a driver gets with a folder's umbrella is the folder but its mirrors; testing/ has none."""
    count = 0
    mirrors = {path for path in graph if path.is_relative_to(common.library / "ddi/mirror") or path.name == "mirror_binding.hpp"}
    report.checked(len(mirrors), "mirrors, reached by their umbrella and not by the driver's")
    for path in mirrors - reached_from(common.library / "mirror.hpp", graph):
        report.fail(f"mirror.hpp does not reach {common.shown(path)}")
    for path in mirrors & reached_from(common.library / "wddmcore.hpp", graph):
        report.fail(f"wddmcore.hpp reaches {common.shown(path)}: a driver has the real structures")
    for folder in common.folders:
        umbrella = common.library / f"{folder}.hpp"
        if folder == "testing":
            continue
        if umbrella not in graph:
            report.fail(f"{folder}/ has no umbrella {common.shown(umbrella)}")
            continue
        reached = reached_from(umbrella, graph)
        for path in graph:
            for_c = path.suffix == ".h" and path not in reached  # a header for drivers in C, which no C++ one includes
            if common.folder_of(path) == folder and path not in mirrors and not for_c:
                count += 1
                if path not in reached:
                    report.fail(f"{common.shown(umbrella)} does not reach {common.shown(path)}")
    report.checked(count, "headers, reached by their folder's umbrella")


def print_levels(graph):
    uses = {}
    for path, targets in graph.items():
        folder = common.folder_of(path)
        uses.setdefault(folder, set()).update(common.folder_of(t) for t in targets)
    for folder in reversed(common.folders):
        if folder in uses:
            count = sum(common.folder_of(path) == folder for path in graph)
            below = [name for name in common.folders if name in uses[folder] and name != folder]
            print(f"{folder:>10} ({count:3} files) -> {' '.join(below) or '(nothing)'}")


def check_rooms(text, report):
    """The map names the folders inside each folder, in backquotes and with a slash, and no other."""
    for name, holds in re.findall(r"^\| `(\w+)/` \| (.*?) \|", text, re.M):
        named = set(re.findall(r"`(\w+)/`", holds))
        there = {path.name for path in (common.library / name).iterdir() if path.is_dir()}
        for room in sorted(named ^ there):
            report.fail(f"the map, at {name}/: the room {room}/ is not both there and named")


def check_table(report):
    """The folders stand in this order in the map."""
    path = common.library / "README.md"
    text = path.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \|", text, re.M)
    if rows != common.folders:
        report.fail(f"{common.shown(path)} has the folders as {', '.join(rows)}; in order: {', '.join(common.folders)}")
    check_rooms(text, report)
    report.checked(len(rows), f"folders in the table of {common.shown(path)}")


def main():
    report = common.report()
    sources = sorted(p for p in common.library.rglob("*") if p.suffix in (".hpp", ".h", ".cpp"))
    graph, arrows = {}, 0
    for path in sources:
        if level(path) is None:
            report.fail(f"{common.shown(path)}: {common.folder_of(path)}/ is not a folder of the design")
        found = arrows_of(path, report)
        for target, at in found:
            check_arrow(path, target, at, report)
        graph[path] = [target for target, _ in found]
        arrows += len(found)
    find_cycles(graph, report)
    check_umbrellas(graph, report)
    check_table(report)
    print_levels(graph)
    report.checked(len(sources), "files")
    report.checked(arrows, "includes")
    report.finish()


if __name__ == "__main__":
    main()
