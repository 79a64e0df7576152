# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The assertion tables: one row for each record, member and bit-field."""

import re

from abi_model import HERE, snake

# Which member of DXGKARG_BUILDPAGINGBUFFER holds the arguments, where it is not the operation's own name.
ARGUMENTS = {"virtual_transfer": "TransferVirtual", "virtual_fill": "FillVirtual", "map_mmu": "MmapMmu",
             "notify_alloc": "NotifyAllocation"}


def type_row(numbers, name, field, version):
    """The row that a member which is, or points to, another structure is that of the same version; "" for others."""
    other, _, _ = numbers.resolve(field["type"])
    if other not in numbers.structs or field["kind"] == "enum":
        return ""
    here = numbers.version_name(version)
    spelled = numbers.spell(field, lambda used: f"wddmcore::mirror::{here}::{used.lower()}")
    element = ("[0]", "&") if field["kind"] == "array" else ("", "")
    return f"ddi_type({name.lower()}, {field['name']}{element[0]}, {spelled}{element[1]})"


def rows(numbers, name, version):
    wide, narrow = (numbers.variant(name, version, machine) for machine in ("x64", "x86"))
    table = [f"ddi_record({name.lower()}, {wide['size']}, {wide['align']}, {narrow['size']}, {narrow['align']})"]
    bits = []
    wide_only = numbers.wide_only(name, version)
    for field in wide["fields"]:
        if field["name"] in wide_only:
            table.append(f"ddi_wide_member({name.lower()}, {field['name']}, {field['offset']}, {field['size']})")
    for a, b in zip([f for f in wide["fields"] if f["name"] not in wide_only], narrow["fields"]):
        if a["kind"] == "bitfield":
            for key in ("size", "bit_offset", "bit_width"):
                if a[key] != b[key]:
                    raise SystemExit(f"{name}.{a['name']}: the bits differ between machines")
            mask = ((1 << a["bit_width"]) - 1) << a["bit_offset"]
            bits.append(f"ddi_bits({name.lower()}, {a['name']}, {a['offset']}, {b['offset']}, "
                        f"u{a['size'] * 8}, 0x{mask:x})")
            continue
        table.append(f"ddi_member({name.lower()}, {a['name']}, {a['offset']}, {a['size']}, {b['offset']}, {b['size']})")
        table += [row for row in [type_row(numbers, name, a, version)] if row]
        if a["kind"] == "array":
            table.append(f"ddi_member({name.lower()}, {a['name']}[0], {a['offset']}, {a['element_size']}, "
                         f"{b['offset']}, {b['element_size']})")
    return table, bits


def layout_table(head, chosen, version):
    """Every definition that a version's namespace makes."""
    numbers = chosen.numbers
    here = numbers.version_name(version)
    lines = [head, f'#include "wddmcore/ddi/mirror/{numbers.mirror_header(version)}"', "", '#include "assertions.hpp"', ""]
    every_bit = []
    for name in chosen.here(version):
        # The version's own names: what an older namespace defines is not found in its place.
        for form in [""] + ["_wide"] * bool(numbers.wide_only(name, version)):
            lines.append(f"using wddmcore::mirror::{here}::{name.lower()}{form};")
        table, bits = rows(numbers, name, version)
        lines += table + [""]
        every_bit += bits
    if every_bit:
        function = f"bits_of_{here}"
        lines += [f"void {function}();", f"void {function}() {{"] + ["    " + row for row in every_bit] + ["}", ""]
    return "\n".join(lines[:-1]) + "\n"


def versions_table(head, chosen):
    """For each structure and each pair of neighbouring versions: the same type, or another one."""
    numbers = chosen.numbers
    lines = [head, '#include "wddmcore/ddi/mirror/mirror.hpp"', "", '#include "assertions.hpp"', ""]
    for version in range(1, len(numbers.versions)):
        before, here = numbers.version_name(version - 1), numbers.version_name(version)
        for name in chosen.order:
            if chosen.defined(name, version - 1) is not None:
                row = "ddi_changed" if version in chosen.starts[name] else "ddi_unchanged"
                lines.append(f"{row}({name.lower()}, {before}, {here})")
    return "\n".join(lines) + "\n"


def statuses(numbers):
    """The statuses that the library has too, with their values."""
    ours = (HERE.parent.parent / "include/wddmcore/ddi/ntstatus.hpp").read_text(encoding="utf-8")
    return [(constant, value) for constant, value in numbers.x64["constants"].items()
            if constant.startswith("STATUS_") and f" {constant.removeprefix('STATUS_').lower()} " in ours]


def queries(numbers):
    """The adapter queries that the library answers, with their numbers."""
    ours = (HERE.parent.parent / "include/wddmcore/ddi/adapter_query.hpp").read_text(encoding="utf-8")
    theirs = {spelled.removeprefix("DXGKQAITYPE_").lower(): value
              for spelled, value in numbers.x64["enums"]["DXGK_QUERYADAPTERINFOTYPE"].items()}
    return [(name, theirs[name]) for name in re.findall(r"^    (\w+) = ", ours, re.M)]


def constants_table(head, numbers):
    """Interface versions, operation codes with the version of their arguments, modes, statuses."""
    lines = [head, '#include "wddmcore/ddi/interface_version.hpp"', '#include "wddmcore/ddi/ntstatus.hpp"',
             '#include "wddmcore/ddi/adapter_query.hpp"', '#include "wddmcore/ddi/operation.hpp"', "", "using namespace wddmcore;", ""]
    for k, (_, value) in enumerate(numbers.x64["interface_versions"].items()):
        name = numbers.version_name(k)
        lines.append(f"static_assert(static_cast<u32>(wddm::{name}) == 0x{value:x}u);")
        lines.append(f"static_assert(interface_versions[{k}] == wddm::{name});")
    lines.append(f"static_assert(sizeof interface_versions / sizeof interface_versions[0] == {len(numbers.versions)});")
    lines.append("")
    variants = numbers.structs["DXGKARG_BUILDPAGINGBUFFER"]["variants"]
    operations = numbers.x64["enums"]["DXGK_BUILDPAGINGBUFFER_OPERATION"]
    for spelled, value in operations.items():
        name = re.sub("^DXGK_OPERATION_", "", spelled).lower()
        lines.append(f"static_assert(static_cast<u32>(paging_operation::{name}) == {value});")
        member = ARGUMENTS.get(name)
        first = next((v for v in variants
                      if any(f["name"] == member or (not member and snake(f["name"]) == name) for f in v["fields"])), None)
        if first is None:
            raise SystemExit(f"{spelled}: no member of DXGKARG_BUILDPAGINGBUFFER is called like it; "
                             "name the one that has its arguments in ARGUMENTS of abi_tables.py")
        since = numbers.version_name(numbers.index(first["from_version"]))
        lines.append(f"static_assert(since(paging_operation::{name}) == wddm::{since});")
    lines.append(f"static_assert(paging_operation_count == {len(operations)});")
    lines.append("")
    for enum, prefix, mirror in (("DXGK_PAGETABLEUPDATEMODE", "DXGK_PAGETABLEUPDATE_", "page_table_update_mode"),
                                 ("DXGK_MEMORY_TRANSFER_DIRECTION", "DXGK_MEMORY_TRANSFER_", "transfer_direction")):
        for spelled, value in numbers.x64["enums"][enum].items():
            name = spelled.removeprefix(prefix).lower()
            lines.append(f"static_assert(static_cast<u32>({mirror}::{name}) == {value});")
    lines.append("")
    lines += [f"static_assert(static_cast<u32>(adapter_query::{name}) == {value});" for name, value in queries(numbers)]
    lines.append("")
    lines += [f"static_assert(static_cast<u32>(status::{spelled.removeprefix('STATUS_').lower()}) == 0x{value:x}u);"
              for spelled, value in statuses(numbers)]
    return "\n".join(lines) + "\n"
