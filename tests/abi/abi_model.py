# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The numbers of the DDI's structures: versions, types, and how flat member lists nest."""

import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent

SCALARS = {
    "UINT": "u32", "UINT32": "u32", "ULONG": "u32", "DWORD": "u32", "D3DKMT_HANDLE": "u32", "ACCESS_MASK": "u32",
    "LONG": "i32", "BOOL": "i32", "INT": "i32", "NTSTATUS": "i32",
    "UINT16": "u16", "WORD": "u16", "USHORT": "u16", "WCHAR": "u16", "CSHORT": "i16", "SHORT": "i16",
    "UINT8": "u8", "BYTE": "u8", "UCHAR": "u8", "BOOLEAN": "u8",
    "UINT64": "u64", "ULONGLONG": "u64", "LONGLONG": "i64",
    "SIZE_T": "usize", "ULONG_PTR": "usize", "UINT_PTR": "usize",
    "HANDLE": "void*", "PVOID": "void*", "void": "void",
}
POINTERS = {"PMDL": "MDL"}
# What an entry of the numbers cannot do without; README.md says what each means.
MEMBER = ("name", "offset", "size", "type", "kind")
VARIANT = ("from_version", "to_version", "size", "align", "fields")
ENTRY = {"ddi_abi.json": ("tag", "kind", "first_header_build", "variants"), "ddi_abi_x86.json": ("variants",)}
DIFFERENCE = ("difference", "header_builds", "interface_versions", "size", "align", "detail")


def snake(name):
    """MapApertureSegment2 -> map_aperture_segment2."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def check_entries(file, structs):
    """A missing key has a sentence here, and not a KeyError somewhere."""
    def look(where, part, keys):
        for key in keys:
            if key not in part:
                raise SystemExit(f'{file}: {where} has no "{key}"; tests/abi/README.md says what an entry holds')

    certain = ("confidence",) if file == "ddi_abi.json" else ()
    for name, struct in structs.items():
        look(name, struct, ENTRY[file])
        for variant in struct["variants"]:
            look(f"a variant of {name}", variant, VARIANT + certain)
            for field in variant["fields"]:
                bits = ("bit_offset", "bit_width") if field.get("kind") == "bitfield" else ()
                array = ("array_count", "element_size") if field.get("kind") == "array" else ()
                look(f"{name}.{field.get('name', '?')}", field, MEMBER + bits + array)
        for difference in struct.get("older_header_differences", []):
            look(f"a difference of {name}", difference, DIFFERENCE)


class Numbers:
    """Both files, and the questions that the generator asks of them."""

    def __init__(self):
        self.x64 = json.loads((HERE / "ddi_abi.json").read_text())
        self.x86 = json.loads((HERE / "ddi_abi_x86.json").read_text())
        self.structs = self.x64["structs"]
        check_entries("ddi_abi.json", self.structs)
        check_entries("ddi_abi_x86.json", self.x86["structs"])
        for name in self.structs.keys() ^ self.x86["structs"].keys():
            raise SystemExit(f"{name}: in one file of numbers, and not in the other")
        self.versions = list(self.x64["interface_versions"])
        self.tags = {s["tag"]: n for n, s in self.structs.items()}

    def version_name(self, index):
        name = self.versions[index]
        return re.sub(r"^WDDM", "v", name).lower()

    def mirror_header(self, index, group=None):
        """Where a version's header is below ddi/mirror/, or that of one of its groups: a room for each generation."""
        here = self.version_name(index)
        room = f"wddm{here[1]}" if re.match(r"v\d", here) else "wddm1"
        return f"{room}/{here}/{group}.hpp" if group else f"{room}/{here}.hpp"

    def index(self, version):
        return self.versions.index(version)

    def resolve(self, spelled):
        """(name of a structure or a scalar, number of stars, const) behind a type as the numbers spell it."""
        text = re.sub(r"\[\d+\]", "", spelled)
        const = "const " in text
        stars = text.count("*")
        name = text.replace("const", "").replace("*", "").strip()
        if name in POINTERS:
            return POINTERS[name], stars + 1, const
        name = self.tags.get(name, name)
        while name not in self.structs and name in self.x64["aliases"]:
            name = self.x64["aliases"][name]
        return self.tags.get(name, name), stars, const

    def used(self, name):
        """Structures that `name` holds or points to, in the order of its members."""
        found = []
        for variant in self.structs[name]["variants"]:
            for field in variant["fields"]:
                other = self.resolve(field["type"])[0]
                if other in self.structs and other != name and other not in found:
                    found.append(other)
        return found

    def variant(self, name, version, machine):
        """The variant that holds at a version, or None."""
        source = self.x64 if machine == "x64" else self.x86
        for variant in source["structs"][name]["variants"]:
            if self.index(variant["from_version"]) <= version <= self.index(variant["to_version"]):
                return variant
        return None

    def wide_only(self, name, version):
        """The members that 64-bit machines have and i686 lacks; the reverse and another order do not occur."""
        wide, narrow = ([(f["name"], f["kind"]) for f in self.variant(name, version, machine)["fields"]]
                        for machine in ("x64", "x86"))
        missing = [name for name, kind in wide if (name, kind) not in narrow]
        if [member for member in wide if member[0] not in missing] != narrow:
            raise SystemExit(f"{name}: i686 has members that x64 lacks")
        return missing

    def starts(self, names):
        """For each structure the versions at which its definition changes, its own or that of what it uses."""
        found = {}
        for name in names:
            own = set()
            for source in (self.x64, self.x86):
                for variant in source["structs"][name]["variants"]:
                    own.add(self.index(variant["from_version"]))
            found[name] = own
        changed = True
        while changed:
            changed = False
            for name in names:
                inherited = {v for other in self.used(name) for v in found[other] if self.variant(name, v, "x64")}
                if not inherited <= found[name]:
                    found[name] |= inherited
                    changed = True
        return found

    def spell(self, field, naming):
        """The mirror's type of a member (of the element, for an array); `naming` spells a structure's name."""
        if field["kind"] == "enum":
            return "u32" if field["size"] == 4 else "u8"
        name, stars, const = self.resolve(field["type"])
        if name in self.structs:
            base = naming(name)
        elif name in SCALARS:
            base = SCALARS[name]
        elif stars:
            base = "void"
        elif name in self.x64["enums"]:
            base = "u32" if field.get("element_size", field["size"]) == 4 else "u8"
        elif field["kind"] == "pointer":
            base = "void*"
        else:
            raise SystemExit(f"no mirror type for {field['type']} of {field['name']}")
        return base + (" const" if const else "") + "*" * stars


def packed(variant):
    """A structure aligned to one byte that holds something wider was declared packed."""
    return variant["align"] == 1 and any(f["kind"] not in ("struct", "union") and f.get("element_size", f["size"]) > 1
                                         for f in variant["fields"])


class Member:
    """One member of one record, with the members of its unnamed type if it has one."""

    def __init__(self, field):
        self.field = field
        self.name = field["name"].rpartition(".")[2]
        self.inside = []
        self.start = field["offset"] * 8 + field.get("bit_offset", 0)
        self.end = self.start + field.get("bit_width", field["size"] * 8)


def nest(fields):
    """Dotted paths to a tree of members."""
    top, by_path = [], {}
    for field in fields:
        member = Member(field)
        by_path[field["name"]] = member
        parent = field["name"].rpartition(".")[0]
        (by_path[parent].inside if parent else top).append(member)
    return top


def alternatives(members):
    """Splits the members of a union: an alternative begins at each member that starts where the first does."""
    split = []
    for member in members:
        if member.start == members[0].start:
            split.append([])
        split[-1].append(member)
    return split


def arrange(members):
    """The members of a struct as a list of members and of anonymous unions (lists of alternatives).

    Anonymous records are not in the numbers, but overlap is: what starts where an earlier member started is another
    alternative, and what follows belongs to the last alternative as long as it lies within the others.
    """
    placed, at = [], 0
    while at < len(members):
        last = max(k for k in range(at, len(members)) if members[k].start == members[at].start)
        if last == at:
            placed.append(members[at])
            at += 1
            continue
        limit = max(m.end for m in members[at:last])
        stop = last + 1
        while stop < len(members) and members[stop].end <= limit:
            stop += 1
        placed.append(alternatives(members[at:stop]))
        at = stop
    return placed
