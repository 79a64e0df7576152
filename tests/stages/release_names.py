# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The public names against those of the last release, as semantic versions say.

  python3 tests/stages/release_names.py             compares
  python3 tests/stages/release_names.py --release   writes tests/released_names.txt: this state is the release that
                                                    config.hpp names, which has to be allowed

Before 1.0 a minor version may take a name away, and a patch may only add. From 1.0 on only a major version may take one
away, and a patch may not add either. A name that went stands in the changes of the version, so that its user finds what to
write. The version itself is the same in config.hpp, the changes and the packages.
"""
import json
import re
import sys

import common

listed = common.root / "tests/public_names.txt"
released = common.root / "tests/released_names.txt"
changes = common.library / "CHANGELOG.md"
config = (common.library / "config.hpp").read_text(encoding="utf-8")


def names_in(path):
    return {line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}


def this_version():
    return tuple(int(re.search(rf"^#define WDDMCORE_VERSION_{part} (\d+)$", config, re.M)[1])
                 for part in ("MAJOR", "MINOR", "PATCH"))


def last_release():
    found = re.search(r"^# Release: (none|(\d+)\.(\d+)\.(\d+))$", released.read_text(encoding="utf-8"), re.M)
    return None if found[1] == "none" else tuple(int(part) for part in found.groups()[1:])


def not_allowed(before, now, gone, added, words):
    """Why `now` may not follow the release `before` with names that went and names that came; `words`: those of its
    changes. None if it may."""
    if before is None:
        return None
    if now < before:
        return "the version is older than the release"
    major, minor = now[0] > before[0], now[:2] > before[:2]
    if gone and not (major or (minor and before[0] == 0)):
        return f"{'a major' if before[0] else 'a minor'} version may take names away: {', '.join(sorted(gone)[:5])}"
    if added and before[0] and not minor:
        return f"a minor version may add names: {', '.join(sorted(added)[:5])}"
    if (gone or added) and now == before:
        return f"the release has that version, and other names: {', '.join(sorted(gone | added)[:5])}"
    silent = sorted(name for name in gone if name.rsplit("::", 1)[-1].split(" ")[-1] not in words)
    return f"the changes do not name what went: {', '.join(silent[:5])}" if silent else None


def check_rules(report):
    """Steps of every kind, each with its answer."""
    old, new = {"type a::old"}, {"type a::new"}
    steps = [((0, 1, 0), (0, 1, 1), old, set(), "a minor"), ((0, 1, 0), (0, 2, 0), old, set(), None),
             ((0, 1, 0), (0, 1, 1), set(), new, None), ((0, 1, 0), (0, 1, 0), set(), new, "the release has"),
             ((0, 1, 0), (0, 1, 0), set(), set(), None), ((0, 9, 0), (1, 0, 0), old, new, None),
             ((1, 2, 0), (1, 3, 0), old, set(), "a major"), ((1, 2, 0), (2, 0, 0), old, set(), None),
             ((1, 2, 0), (1, 2, 1), set(), new, "a minor"), ((1, 2, 0), (1, 3, 0), set(), new, None),
             ((1, 2, 0), (1, 1, 9), set(), set(), "the version is older"), (None, (0, 1, 0), set(), new, None)]
    for before, now, gone, added, answer in steps:
        said = not_allowed(before, now, gone, added, {"old"})
        if (said is None) != (answer is None) or not (said or "").startswith(answer or ""):
            report.fail(f"self-test: from {before} to {now} without {gone}, with {added}: {said}")
    if not (not_allowed((0, 1, 0), (0, 2, 0), old, set(), set()) or "").startswith("the changes"):
        report.fail("self-test: a name that went in silence")
    report.checked(len(steps) + 1, "steps between versions, each allowed or refused as it should be")


def check_versions(report, now, last):
    """The version wherever it is written, but in the changes as far as they say it."""
    text = ".".join(map(str, now))
    heads = re.findall(r"^## (\d+)\.(\d+)(?:\.(\d+))?(.*)$", changes.read_text(encoding="utf-8"), re.M)
    head = tuple(int(part or 0) for part in heads[0][:3])
    consume = common.root / "examples/consume"
    port = json.loads((consume / "vcpkg/ports/wddmcore/vcpkg.json").read_text(encoding="utf-8"))
    packages = (consume / "nuget/packages.config").read_text(encoding="utf-8")
    said = {"CHANGELOG.md": head == now, "the mode's text in config.hpp": config.count(f'"{now[0]}.{now[1]}') == 2,
            "the inline namespace in config.hpp": config.count(f"WDDMCORE_ABI v{now[0]}") == 2,
            "the vcpkg port": port["version"] == text, "packages.config": f'version="{text}"' in packages}
    for where, right in said.items():
        if not right:
            report.fail(f"{where} has another version than {text}")
    if ("not released yet" in heads[0][3]) == (now == last):
        report.fail(f"CHANGELOG.md {'still says' if now == last else 'does not say'} of {text}: not released yet")
    report.checked(len(said), "places with the version")


def main():
    report = common.report()
    now, last = this_version(), last_release()
    names, before = names_in(listed), names_in(released)
    section = re.split(r"^## (?=\d)", changes.read_text(encoding="utf-8"), flags=re.M)[1]
    wrong = not_allowed(last, now, before - names, names - before if last else set(), set(re.findall(r"\w+", section)))
    if wrong:
        report.fail(f"{'.'.join(map(str, now))} after {'.'.join(map(str, last))}: {wrong}")
    if last is None and before:
        report.fail(f"{common.shown(released)} has names and no release")
    if "--release" in sys.argv[1:] and not report.failures:
        head = [released.read_text(encoding="utf-8").splitlines()[0], f"# Release: {'.'.join(map(str, now))}"]
        rows = listed.read_text(encoding="utf-8").splitlines()[1:]
        released.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
        last, before = now, names
    check_rules(report)
    check_versions(report, now, last)
    other = "no release: none went" if last is None else f"{len(before)} of the last release"
    report.checked(len(names), f"public names, against {other}")
    report.finish()


main()
