# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Writes headers shaped like a kit's `d3dkmddi.h` from the numbers in tests/abi: see README.md beside this file."""
import re

from ddi_functions import BY_POINTER
from kit_numbers import NEWEST, base_type

BASE_TYPES = """\
#if !defined(_MSC_VER)
#define __int64 long long
#define __stdcall
#endif
#define APIENTRY __stdcall
typedef void VOID;
typedef void *PVOID;
typedef void *HANDLE;
typedef char CHAR;
typedef unsigned char UCHAR, BYTE, UINT8, BOOLEAN;
typedef short SHORT, CSHORT;
typedef unsigned short USHORT, WORD, UINT16;
#if defined(__cplusplus) && defined(_MSC_VER)
typedef wchar_t WCHAR;
#else
typedef unsigned short WCHAR;
#endif
typedef int INT, BOOL;
typedef unsigned int UINT, UINT32;
#if defined(_MSC_VER)
typedef long LONG;
typedef unsigned long ULONG, DWORD;
#else
typedef int LONG; /* a host's long has 64 bits */
typedef unsigned int ULONG, DWORD;
#endif
typedef LONG NTSTATUS;
typedef DWORD ACCESS_MASK;
typedef __int64 LONGLONG, INT64;
typedef unsigned __int64 ULONGLONG, UINT64, ULONG64;
#if defined(_WIN64)
typedef unsigned __int64 ULONG_PTR, UINT_PTR;
typedef ULONG64 PFN_NUMBER;
#elif defined(__LP64__)
typedef unsigned long ULONG_PTR, UINT_PTR, PFN_NUMBER;
#else
typedef unsigned long ULONG_PTR;
typedef unsigned int UINT_PTR;
typedef ULONG PFN_NUMBER;
#endif
typedef ULONG_PTR SIZE_T;
typedef PFN_NUMBER *PPFN_NUMBER;
typedef UINT_PTR DXGK_PAGE_NUMBER;
typedef ULONGLONG D3DGPU_VIRTUAL_ADDRESS, D3DGPU_SIZE_T;
typedef UINT D3DKMT_HANDLE, D3DDDI_VIDEO_PRESENT_SOURCE_ID, D3DDDI_VIDEO_PRESENT_TARGET_ID;
typedef struct _MDL *PMDL;
typedef struct _OBJECT_ATTRIBUTES *POBJECT_ATTRIBUTES;
typedef struct _DEVICE_OBJECT *PDEVICE_OBJECT;
"""

NAMED_BASES = set("VOID PVOID HANDLE CHAR UCHAR BYTE UINT8 BOOLEAN SHORT CSHORT USHORT WORD UINT16 WCHAR INT BOOL UINT "
                  "UINT32 LONG ULONG DWORD NTSTATUS ACCESS_MASK LONGLONG INT64 ULONGLONG UINT64 ULONG64 ULONG_PTR "
                  "UINT_PTR PFN_NUMBER SIZE_T DXGK_PAGE_NUMBER D3DGPU_VIRTUAL_ADDRESS D3DGPU_SIZE_T D3DKMT_HANDLE "
                  "D3DDDI_VIDEO_PRESENT_SOURCE_ID D3DDDI_VIDEO_PRESENT_TARGET_ID PMDL POBJECT_ATTRIBUTES void".split())


class Member:
    def __init__(self, field):
        self.field, self.inside = field, []
        self.name = field["name"].rpartition(".")[2]
        first = field["offset"] * 8 + (field.get("bit_offset") or 0)
        self.start, self.end = first, first + (field.get("bit_width") or field["size"] * 8)

    def is_bits(self):
        return self.field["kind"] == "bitfield"


def nest(fields):
    """Dotted paths to a tree."""
    top, by_path = [], {}
    for field in fields:
        member = Member(field)
        by_path[field["name"]] = member
        parent = field["name"].rpartition(".")[0]
        (by_path[parent].inside if parent else top).append(member)
    return top


def alternatives(members):
    split = []
    for member in members:
        if member.start == members[0].start:
            split.append([])
        split[-1].append(member)
    return split


def arranged(members):
    """Members of a structure in order; where some overlap, an anonymous union as a list of alternatives.

    Overlap is all that the numbers tell of anonymous records: what starts where an earlier member started is another
    alternative, and what follows it belongs to it as long as it ends within the others.
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


class Twin:
    """The header of one kit at one interface version, for 64 or for 32 bits."""

    def __init__(self, numbers, version, build, pointer_bytes):
        self.numbers, self.version, self.build, self.pointer_bytes = numbers, version, build, pointer_bytes
        names = list(numbers.structs) + [n for n in numbers.only_older if n not in numbers.structs]
        found = {name: numbers.record(name, version, build) for name in names}
        self.records = {name: record for name, record in found.items() if record is not None}
        self.tags = {record.tag: name for name, record in self.records.items()}
        self.pointed, self.enums, self.functions = set(), {}, set()
        self.unnamed = 0
        self.definitions = {}

    def target(self, spelled):
        """The record that a type names, through typedefs, or None."""
        name = base_type(spelled)
        if name not in self.records:
            name = self.tags.get(name, self.numbers.aliases.get(name, name))
        return self.records.get(name)

    def used_by_value(self, record):
        return [other for field in self.fields_of(record) if field["kind"] in ("struct", "union", "array")
                and "*" not in field["type"] and (other := self.target(field["type"])) is not None]

    def fields_of(self, record):
        """The members that exist on this machine."""
        if self.pointer_bytes == 8 or not record.exact:
            return record.fields
        narrow = self.numbers.x86_variant(record.name, self.version)
        known = {field["name"] for field in narrow["fields"]}
        named = {field["name"] for field in self.numbers.variant(
            self.numbers.structs[record.name]["variants"], self.version)["fields"]}
        return [f for f in record.fields if f["name"] in known or f["name"] not in named]

    def spell(self, field):
        """The member's type as a kit's header spells it; remembers what must be declared before."""
        spelled, name = field["type"].split("[")[0].strip(), base_type(field["type"])
        tagged = spelled.replace(name, f"struct {name}") if name.startswith("_") else spelled  # for C
        if self.target(spelled) is not None or name in NAMED_BASES:
            return tagged
        if name in self.numbers.enums:
            self.enums[name] = self.numbers.enumerators(name, self.version, self.build)
            return spelled
        if field["kind"] == "pointer" and "*" not in spelled:
            self.functions.add(name)
            return spelled
        if "*" in spelled:
            self.pointed.add(name)
            return tagged
        return None

    def declaration(self, member):
        field = member.field
        name = member.name
        if not name:
            self.unnamed += 1
            name = f"NotInThisHeader{self.unnamed}"
        if member.inside:
            return [f"{field['type']} {{", *indented(self.body(field["type"], member.inside)), f"}} {name};"]
        spelled = self.spell(field)
        if member.is_bits():
            return [f"{spelled} {member.name}: {field['bit_width']};"]
        if spelled is None or field["kind"] in ("struct", "union") and field["type"] in ("struct", "union"):
            return [f"UCHAR {name}[{field['size']}];"]  # a later kit's type, which this one does not name
        if field["kind"] == "array":
            return [f"{spelled} {name}[{field['array_count']}];"]
        return [f"{spelled} {name};"]

    def body(self, kind, members):
        lines, before = [], None
        placed = alternatives(members) if kind == "union" else arranged(members)
        for place in placed:
            if isinstance(place, list) and kind == "union":
                lines += self.alternative(place)
            elif isinstance(place, list):
                shown = [alternative for alternative in place if not self.may_go(alternative, place)]
                inside = [line for alternative in shown for line in self.alternative(alternative)]
                lines += ["union {", *indented(inside), "};"]
            else:
                lines += self.gap(before, place) + self.declaration(place)
            before = None if isinstance(place, list) else place
        return lines

    @staticmethod
    def may_go(alternative, others):
        """A later kit's alternative of a union goes without a trace."""
        return len(others) > 1 and all(member.field.get("later") and not member.is_bits() for member in alternative)

    def alternative(self, members):
        if len(members) == 1 and not members[0].is_bits():
            return self.declaration(members[0])
        return ["struct {", *indented(self.body("struct", members)), "};"]

    def gap(self, before, member):
        """Bits without a name in front of a bit-field."""
        if not member.is_bits():
            return []
        unit = member.field["offset"] * 8
        spelled = self.spell(member.field)
        same = before is not None and before.is_bits() and before.field["offset"] == member.field["offset"]
        used = before.end if same else unit
        if member.start > used:
            return [f"{spelled} : {member.start - used};"]
        if before is not None and before.is_bits() and not same and before.end < unit:
            return [f"{spelled} : 0;"]
        return []

    def definition(self, record):
        lines = [f"typedef {record.kind} {record.tag} {{",
                 *indented(self.body(record.kind, nest(self.fields_of(record)))), f"}} {record.name};"]
        wider = any(f["kind"] not in ("struct", "union") and f.get("element_size", f["size"]) > 1 for f in record.fields)
        packed = record.align == 1 and wider
        return ["#pragma pack(push, 1)", *lines, "#pragma pack(pop)"] if packed else lines

    def in_order(self):
        done, order = set(), []

        def visit(record):
            if record.name not in done:
                done.add(record.name)
                for other in self.used_by_value(record):
                    visit(other)
                order.append(record)

        for record in self.records.values():
            visit(record)
        return order

    def reached_from(self, names):
        """The declarations of what some names reach, by name; enumerators, which the core never names, left out."""
        seen = {}

        def visit(record):
            if record is not None and record.name not in seen:
                seen[record.name] = ""
                seen[record.name] = "\n".join(self.definition(record))
                for field in self.fields_of(record):
                    visit(self.target(field["type"]))

        for name in sorted(names):
            visit(self.target(name))
        return seen

    def text(self):
        """The declarations, without the numbers of the interface versions."""
        order = self.in_order()
        definitions = [line for record in order for line in [*self.definition(record), *self.names_of(record), ""]]
        lines = [*BASE_TYPES.splitlines(), ""]
        lines += [f"struct {name};" if name.startswith("_") else f"typedef struct _{name} {name};"
                  for name in sorted(self.pointed)]
        lines += [f"typedef {record.kind} {record.tag} {record.name};" for record in order]
        for name in sorted(self.enums):
            constants = ", ".join(f"{constant} = {value}" for constant, value in self.enums[name])
            lines += ["", f"typedef enum _{name} {{ {constants} }} {name};"]
        for name in sorted(self.functions):
            lines += ["", *self.function_type(name)]
        return "\n".join(lines + ["", *definitions])

    @staticmethod
    def function_type(name):
        """A pointer to a function: as the DDI has it where ddi_functions.py knows it. Else every one another type, so that
        none can stand for another, with parameters that are not those of the DDI."""
        known = BY_POINTER.get(name)
        if known is None:
            return [f"struct {name}_PARAMETERS;", f"typedef NTSTATUS (__stdcall *{name})(struct {name}_PARAMETERS *);"]
        declared = [parameter.replace("DXGKARG_", "struct _DXGKARG_") for parameter in known.parameters]
        tags = [re.search(r"struct \w+", parameter) for parameter in declared]
        return [*[f"{tag[0]};" for tag in tags if tag],
                f"typedef {known.returns} __stdcall {known.callback}({', '.join(declared)});",
                f"typedef {known.callback} *{name};"]

    def names_of(self, record):
        return [f"typedef {record.name} {alias};" for alias, name in self.numbers.aliases.items()
                if name == record.name and alias not in self.records and alias not in NAMED_BASES]

    def header(self):
        """The whole header, as a driver includes it."""
        numbers = self.numbers
        known = numbers.order[:numbers.at(NEWEST[self.build]) + 1]
        constants = [f"#define DXGKDDI_INTERFACE_VERSION_{version} {numbers.interface_version(version, self.build):#x}"
                     for version in known]
        return "\n".join(["/* Made by tests/strict from the numbers in tests/abi. */", "#pragma once", "", *constants,
                          f"#define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_{self.version}", "",
                          "#if defined(__cplusplus)", 'extern "C" {', "#endif", "", self.text(),
                          "#if defined(__cplusplus)", "}", "#endif", ""])


def indented(lines):
    return ["    " + line for line in lines]
