# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What one kit's headers declare at one interface version, from the numbers in tests/abi.

A *kit* is a header build (9600 is that of Windows 8.1, 26100 the newest). The numbers describe the newest; older ones
follow from `first_header_build`, `field_first_header_build` and `older_header_differences` (section 4 of the numbers'
own documentation): a later member keeps its place without its name, a later structure does not exist.
"""
import json
import re
import sys
from pathlib import Path

ABI = Path(__file__).resolve().parents[1] / "abi"
sys.path.insert(0, str(ABI))

from kits import NEWEST  # noqa: E402

# Operations of an abandoned design in build 9600 (before WDDM 2.0), under names that were used again; the numbers have
# the members' names, so the types here are only plausible. They did not change the union's size.
ABANDONED = {
    "TransferVirtual": (("HANDLE", "hAllocation"), ("UINT", "AllocationOffsetInBytes"), ("UINT", "TransferOffsetInBytes"),
                        ("UINT", "TransferSizeInBytes"), ("ULONGLONG", "SourceVirtualAddress"),
                        ("ULONGLONG", "DestinationVirtualAddress"), ("DXGK_TRANSFERFLAGS", "Flags"),
                        ("UINT", "SwizzlingRangeId"), ("UINT", "SwizzlingRangeData")),
    "FillVirtual": (("HANDLE", "hAllocation"), ("UINT", "AllocationOffsetInBytes"), ("UINT", "FillSizeInBytes"),
                    ("UINT", "FillPattern"), ("ULONGLONG", "DestinationVirtualAddress")),
}


class Record:
    """A structure or union as one kit has it. `fields` are those of the x64 numbers, None for a name is no name."""

    def __init__(self, name, tag, kind, numbers, fields, exact):
        self.name, self.tag, self.kind, self.exact = name, tag, kind, exact
        self.size, self.align, self.fields = numbers["size"], numbers["align"], fields


class Numbers:
    def __init__(self):
        first, more = (json.loads((ABI / file).read_text()) for file in ("ddi_abi.json", "ddi_abi_more.json"))
        first_x86, more_x86 = (json.loads((ABI / file).read_text())
                               for file in ("ddi_abi_x86.json", "ddi_abi_more_x86.json"))
        self.structs = {**first["structs"], **more["structs"]}
        self.x86 = {**first_x86["structs"], **more_x86["structs"]}
        self.versions = first["interface_versions"]
        self.order = list(self.versions)
        self.enums, self.enum_info = first["enums"], first["enum_info"]
        self.enum_differences = first["enum_differences_in_older_headers"]
        self.aliases = first["aliases"]
        self.only_older = first["structs_only_in_older_headers"]

    def at(self, version):
        return self.order.index(version)

    def pairs(self):
        """Every interface version of every kit."""
        return [(version, build) for build, newest in NEWEST.items()
                for version in self.order[:self.at(newest) + 1]]

    def interface_version(self, version, build):
        return 0x5022 if (version, build) == ("WDDM2_0", "10240") else self.versions[version]

    def variant(self, variants, version):
        for variant in variants:
            if self.at(variant["from_version"]) <= self.at(version) <= self.at(variant["to_version"]):
                return variant
        return None

    def record(self, name, version, build):
        """The record, or None where this kit has none of that name at that version."""
        older = self.only_older.get(name)
        if older and build in older["header_builds"]:
            return Record(name, "_" + name, "struct", older, older["fields"], False)
        known = self.structs.get(name)
        if known is None or int(known["first_header_build"]) > int(build):
            return None
        variant = self.variant(known["variants"], version)
        if variant is None:
            return None
        fields, exact, numbers = variant["fields"], True, variant
        for difference in known.get("older_header_differences", []):
            if build not in difference["header_builds"] or version not in difference["interface_versions"]:
                continue
            if difference["difference"] == "layout":
                fields, exact, numbers = difference["fields"], False, difference
            elif "TransferVirtual.TransferOffsetInBytes" in difference["detail"]:
                place = next(k for k, field in enumerate(fields) if field["name"] == "Transfer")
                fields = fields[:place] + abandoned_fields(fields[place]["offset"]) + fields[place:]
        if exact:
            fields = self.without_later(fields, known.get("field_first_header_build", {}), build)
        return Record(name, known["tag"], known["kind"], numbers, fields, exact)

    def without_later(self, fields, first_builds, build):
        """The members, those of later kits without their names."""
        kept, gone = [], []
        for field in fields:
            if any(field["name"].startswith(path + ".") for path in gone):
                continue
            if int(first_builds.get(field["name"], 0)) > int(build):
                gone.append(field["name"])
                field = {**field, "name": field["name"].rpartition(".")[0] + ".", "later": True}
            kept.append(field)
        return kept

    def x86_variant(self, name, version):
        known = self.x86.get(name)
        return self.variant(known["variants"], version) if known else None

    def enumerators(self, name, version, build):
        """[(name, value)] of an enumeration in this kit at this version."""
        info = self.enum_info.get(name, {})
        changed = self.enum_differences.get(name, {}).get(build, {})
        found = []
        for constant, value in self.enums[name].items():
            if int(info.get("constant_first_header_build", {}).get(constant, 0)) > int(build):
                continue
            gate = info.get("constant_gate", {}).get(constant)
            if gate and self.at(gate) > self.at(version):
                continue
            if constant in changed:
                value = changed[constant]["old_header"]
            if value is not None:
                found.append((constant, value))
        found += [(constant, both["old_header"]) for constant, both in changed.items()
                  if constant not in self.enums[name] and both["old_header"] is not None]
        return found


def abandoned_fields(start):
    """The members of ABANDONED, one after the other within their structure, as the numbers spell members."""
    fields = []
    for name, members in ABANDONED.items():
        inside, at = [], start
        for spelled, member in members:
            size = 8 if spelled in ("HANDLE", "ULONGLONG") else 4
            at = (at + size - 1) // size * size
            kind = "pointer" if spelled == "HANDLE" else "struct" if "FLAGS" in spelled else "scalar"
            inside.append({"name": f"{name}.{member}", "offset": at, "size": size, "type": spelled, "kind": kind})
            at += size
        size = (at - start + 7) // 8 * 8
        fields += [{"name": name, "offset": start, "size": size, "type": "struct", "kind": "struct"}, *inside]
    return fields


def base_type(spelled):
    """The name without const, stars and array bounds."""
    return re.sub(r"\[\d+\]|\bconst\b|\*", "", spelled).strip()
