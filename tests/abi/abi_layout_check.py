# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Writes wdk/layout_check/: the included d3dkmddi.h, member by member, against the mirrors, whose layouts were measured."""

import re

import abi_tables
from kits import NEWEST
from mirrored import GROUPS

# What an older header had under the same name: where this member is missing, the structure is the older one.
TELLS = {
    "DXGK_PTE": "PageTableAddress",
    "DXGK_SEGMENTDESCRIPTOR4": "VprReserveSize",
    "DXGKARG_SUBMITCOMMANDTOHWQUEUE": "HwQueueProgressFenceGpuVa",
    "DXGKARG_CREATENATIVEFENCE": "CurrentValueSystemProcessGpuVa",
    "DXGKARG_UPDATEMONITOREDVALUES": "NumFences",
    "DXGKARGCB_INVALIDATEHWCONTEXT": "Flags",
}
# The same for a part of a structure, whose rest is as it was.
PART_TELLS = {
    ("DXGK_PRESENTALLOCATIONINFO", "SegmentId"): "PhysicalAdapterIndex",
    ("DXGKARGCB_NOTIFY_INTERRUPT_DATA", "HwContextListSwitchCompleted"): "HwContextListSwitchCompleted.ContextSwitchFence",
    ("DXGKARGCB_NOTIFY_INTERRUPT_DATA", "NativeFenceSignaled"): "NativeFenceSignaled.hHWQueue",
}
# Enumerations whose values the library writes or compares.
ENUMERATIONS = ("DXGK_BUILDPAGINGBUFFER_OPERATION", "DXGK_QUERYADAPTERINFOTYPE", "DXGK_PAGETABLEUPDATEMODE",
                "DXGK_INTERRUPT_TYPE", "DXGK_PAGE_FAULT_FLAGS", "D3DDDI_FLIPINTERVAL_TYPE",
                "D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY", "D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY",
                "DXGK_ENGINE_TYPE", "DXGK_WDDMVERSION")
SENTINEL = re.compile(r"(_MAX|_LATEST|_LIMIT|_INVALID|FORCE_\w+)$")


def version_number(numbers, version):
    """The lowest number by which headers call a version: WDDM 2.0 was 0x5022 in its first kit."""
    name = numbers.versions[version]
    return 0x5022 if name == "WDDM2_0" else numbers.x64["interface_versions"][name]


def condition(numbers, first, last):
    """The preprocessor's question for a range of versions, '' for all."""
    parts = [f"DXGKDDI_INTERFACE_VERSION >= 0x{version_number(numbers, first):X}"] * (first > 0)
    if last + 1 < len(numbers.versions):
        parts.append(f"DXGKDDI_INTERFACE_VERSION < 0x{version_number(numbers, last + 1):X}")
    return " && ".join(parts)


def ranges(present):
    """[(first, last)] of the versions of a set."""
    found = []
    for version in sorted(present):
        if found and found[-1][1] == version - 1:
            found[-1][1] = version
        else:
            found.append([version, version])
    return [tuple(pair) for pair in found]


def later(numbers, name):
    """Members that an older header may lack, or have as something else."""
    struct = numbers.structs[name]
    found = set(struct.get("field_first_header_build", {}))
    for difference in struct.get("older_header_differences", []):
        for names in re.findall(r"(?:added|removed) ([\w.,]+)", difference["detail"]):
            found.update(names.split(","))
    return found


def older_sizes(numbers, name):
    return sorted({d["size"] for d in numbers.structs[name].get("older_header_differences", [])
                   if d["difference"] == "layout" and "size" in d["detail"].split(";")[0]})


def members_of(numbers, name):
    """{(row, is a bit): versions} of one structure."""
    rows = {}
    lacking = later(numbers, name)
    for version in range(len(numbers.versions)):
        variant = numbers.variant(name, version, "x64")
        if variant is None:
            continue
        tag, twin = numbers.structs[name]["tag"], name.lower()
        whole = TELLS.get(name)
        if whole:
            sizes = " || ".join(f"sizeof(::{tag}) == {size}" for size in older_sizes(numbers, name))
            rows.setdefault((f"WDDMCORE_RECORD_UNLESS({tag}, {twin}, {whole}, {sizes})", False), set()).add(version)
        else:
            rows.setdefault((f"WDDMCORE_RECORD({tag}, {twin})", False), set()).add(version)
        for field in variant["fields"]:
            path = field["name"]
            if not path or path.endswith(".") or "[" in path or re.search(r"(^|\.)(Reserved|DXGK_ALLOC_RESERVED)\w*$", path):
                continue
            if field["kind"] == "bitfield":
                row = f"WDDMCORE_BIT({tag}, {twin}, {path}, {whole or path})"
                rows.setdefault((row, True), set()).add(version)
                continue
            part = next((tell for (of, begin), tell in PART_TELLS.items()
                         if of == name and (path == begin or path.startswith(begin + "."))), None)
            tell = whole or part
            if tell and tell != path:
                row = f"WDDMCORE_MEMBER_IF({tag}, {twin}, {path}, {tell})"
            elif path in lacking or any(path.startswith(begin + ".") for begin in lacking):
                row = f"WDDMCORE_MEMBER_IF({tag}, {twin}, {path}, {path})"
            else:
                row = f"WDDMCORE_MEMBER({tag}, {twin}, {path})"
            rows.setdefault((row, False), set()).add(version)
    return rows


def blocks(numbers, rows):
    """The rows under their conditions; rows of one condition that follow each other stand together."""
    lines, now = [], ""
    for row, pair in rows:
        asked = condition(numbers, *pair)
        if asked != now:
            lines += ["#endif"] * bool(now) + [f"#if {asked}"] * bool(asked)
            now = asked
        lines.append(row)
    return lines + ["#endif"] * bool(now)


def group_rows(chosen, group, bits):
    numbers, found = chosen.numbers, []
    for name in chosen.order:
        if chosen.group[name] == group and name not in ("MDL", "RECT"):
            here = [(row, pair) for (row, bit), versions in members_of(numbers, name).items() if bit == bits
                    for pair in ranges(versions)]
            found += sorted(here, key=lambda entry: (entry[1][0] > 0 or entry[1][1] + 1 < len(numbers.versions), entry[1]))
    return found


def gate_of_build(build):
    """'' for every header, or the macro that a header of this build or a later one has: its newest version's name."""
    if build == next(iter(NEWEST)):
        return ""
    return f"defined(DXGKDDI_INTERFACE_VERSION_{NEWEST[build]})"


def statuses(numbers):
    """A header that lacks one has no other value for it."""
    return [line for constant, value in abi_tables.statuses(numbers)
            for line in (f"#ifdef {constant}", f"WDDMCORE_STATUS({constant}, 0x{value:X})", "#endif")]


def enumerators(numbers):
    """Enumerators that every header of the version has; later ones by their header's build."""
    data, rows = numbers.x64, []
    for name in ENUMERATIONS:
        info = data["enum_info"].get(name, {})
        changed = {constant for build in data["enum_differences_in_older_headers"].get(name, {}).values() for constant in build}
        for constant, value in data["enums"].get(name, {}).items():
            if SENTINEL.search(constant) or constant in changed:
                continue
            gate = info.get("constant_gate", {}).get(constant, info.get("gate"))
            first = numbers.index(gate) if gate else 0
            build = info.get("constant_first_header_build", {}).get(constant, info.get("first_header_build", "9600"))
            asked = [part for part in (condition(numbers, first, len(numbers.versions) - 1), gate_of_build(build)) if part]
            rows.append((" && ".join(asked), f"WDDMCORE_CONSTANT({constant}, {value})"))
    lines, now = [], ""
    for asked, row in rows:
        if asked != now:
            lines += ["#endif"] * bool(now) + [f"#if {asked}"] * bool(asked)
            now = asked
        lines.append(row)
    return lines + ["#endif"] * bool(now)


def namespaces(numbers):
    """Which mirror the included header is compared with."""
    lines = []
    for version in reversed(range(len(numbers.versions))):
        word = "#if" if version == len(numbers.versions) - 1 else "#elif"
        lines += [f"{word} DXGKDDI_INTERFACE_VERSION >= 0x{version_number(numbers, version):X}",
                  f"namespace measured = mirror::{numbers.version_name(version)};"]
    return lines + ["#endif"]


def files(head, chosen, longest):
    """{file below wdk/layout_check/: text}; a group that is too long for one file is divided."""
    numbers, made = chosen.numbers, {}
    begin = ["#pragma once", "", '#include "rows.hpp"', "", "// clang-format off"]
    made["measured.hpp"] = "\n".join([
        head + "#pragma once", "", '#include "../../ddi/mirror/mirror.hpp"', "",
        "/// The mirror of the included header's interface version.",
        "namespace wddmcore::inline WDDMCORE_ABI::wdk::detail {", "", *namespaces(numbers), "",
        "}  // namespace wddmcore::wdk::detail"]) + "\n"
    for group in GROUPS:
        for bits in (False, True):
            rows = group_rows(chosen, group, bits)
            parts, lines = [[]], 0
            for entry in rows:
                if lines > longest * 2 // 3:
                    parts.append([])
                    lines = 0
                parts[-1].append(entry)
                lines += 1
            for number, part in enumerate(parts, 1):
                label = ("bits_of_" if bits else "") + group + (f"_{number}" if len(parts) > 1 else "")
                body = blocks(numbers, part)
                space = "namespace wddmcore::inline WDDMCORE_ABI::wdk::detail {"
                if bits:
                    body = ["/// The first bit that the included header has elsewhere, or nullptr.",
                            f"inline char const* moved_{label}() noexcept {{", *body, "return nullptr;", "}"]
                used = {match for row, _ in part for match in re.findall(r"\((\w+), \w+", row[:80])[:1]}
                declared = [] if bits else [f"{numbers.structs[name]['kind']} {numbers.structs[name]['tag']};"
                                            for name in chosen.order if numbers.structs[name]["tag"] in used]
                name = f"bits/{label.removeprefix('bits_of_')}" if bits else label
                first = [line.replace('"rows.hpp"', '"../rows.hpp"') if bits else line for line in begin]
                made[f"{name}.hpp"] = "\n".join([head + first[0], *first[1:], "", *declared, "", space, "", *body, "",
                                                  "}  // namespace wddmcore::wdk::detail"]) + "\n"
    for label, rows in (("enumerators", enumerators(numbers)), ("statuses", statuses(numbers))):
        made[f"{label}.hpp"] = "\n".join([head + begin[0], *begin[1:], "",
                                         "namespace wddmcore::inline WDDMCORE_ABI::wdk::detail {", "", *rows, "",
                                         "}  // namespace wddmcore::wdk::detail"]) + "\n"
    return made
