# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Compares what clang says of a header's records (-fdump-record-layouts-complete) with the numbers in tests/abi."""
import re

LINE = re.compile(r"^\s*(\d+)(?::(\d+)-(\d+))? \| ( *)(.*?)\s*$")
RECORD = re.compile(r"^(struct|union) (\S+)(?: (\w+))?$")
UNNAMED = re.compile(r"^(struct|union) .*\((anonymous|unnamed)[^)]*\)(?: (\w+))?$")


class Member:
    def __init__(self, first_bit, width, spelled, kind):
        self.first_bit, self.width, self.spelled, self.kind = first_bit, width, spelled, kind


def records(dump):
    """{tag: {path: Member}} of every record of the dump; members of named records are not expanded."""
    found = {}
    for section in dump.split("*** Dumping AST Record Layout")[1:]:
        lines = [match for line in section.splitlines() if (match := LINE.match(line))]
        head = RECORD.match(lines[0][5]) if lines else None
        if head and not head[3]:
            found[head[2]] = members_of(lines[1:])
    return found


def members_of(lines, outermost=0, expand=False):
    members, path = {}, [(outermost, "", False)]  # depth, prefix, whether the lines below belong to another record
    for line in lines:
        depth, text = len(line[4]) // 2, line[5]
        while path[-1][0] >= depth:
            path.pop()
        _, prefix, foreign = path[-1]
        first, width = int(line[1]) * 8, None
        if line[2]:
            first, width = first + int(line[2]), int(line[3]) - int(line[2]) + 1
        unnamed, named = UNNAMED.match(text), RECORD.match(text)
        if unnamed:
            name = unnamed[3]
            if name and not foreign:
                members[prefix + name] = Member(first, None, unnamed[1], unnamed[1])
            path.append((depth, f"{prefix}{name}." if name else prefix, foreign))
        elif named:
            if not foreign:
                members[prefix + named[3]] = Member(first, None, named[2], named[1])
            path.append((depth, f"{prefix}{named[3]}.", not expand))
        elif not foreign:
            spelled, _, name = text.rpartition(" ")
            kind = "array" if "[" in spelled else "scalar"
            members[prefix + name] = Member(first, width, spelled, kind)
    return members


def probed(dump):
    """The same for structures that hold one mirror each: the mirror's members, named types expanded."""
    found = {}
    for section in dump.split("*** Dumping AST Record Layout")[1:]:
        lines = [match for line in section.splitlines() if (match := LINE.match(line))]
        held = RECORD.match(lines[1][5]) if len(lines) > 1 else None
        if held and held[3] == "probed":
            found[lines[0][5].split()[1]] = members_of(lines[2:], 1, True)
    return found


def differences(record, expected, members, twin):
    """What differs between a record's numbers and what the compiler made of the twin."""
    wrong = []
    for field in expected:
        name = field["name"]
        if field.get("later") or name.endswith("."):
            continue
        member = members.get(name)
        if member is None:
            wrong.append(f"{record.name}.{name} is not there")
            continue
        first = field["offset"] * 8 + (field.get("bit_offset") or 0)
        if (member.first_bit, member.width) != (first, field.get("bit_width")):
            wrong.append(f"{record.name}.{name} begins at bit {member.first_bit} ({member.width} bits), not at {first} "
                         f"({field.get('bit_width')} bits)")
        # What an old header's own structure holds may be a type that no numbers describe.
        unknown = not record.exact and field["kind"] == "struct" and twin.target(field["type"]) is None
        if not unknown and not same_type(field, member):
            wrong.append(f"{record.name}.{name} is a {member.spelled}, not a {field['type']} ({field['kind']})")
    return wrong


def same_type(field, member):
    if field["kind"] in ("struct", "union"):
        return member.kind == field["kind"]
    return member.spelled.removeprefix("struct ").replace(" ", "") == field["type"].replace(" ", "")


def kind_class(field):
    """What stands for a member's kind in a mirror: enumerations are flattened to integers there, on purpose."""
    return field["kind"] if field["kind"] in ("struct", "union", "array", "pointer") else "integer"


def mirror_class(member):
    if member.kind in ("struct", "union", "array"):
        return member.kind
    return "pointer" if "*" in member.spelled else "integer"
