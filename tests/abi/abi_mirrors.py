# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Writes a structure as C++: its unnamed types, its unions, and what an earlier version already wrote."""

from abi_model import alternatives, arrange, nest, packed, snake


class Writer:
    """The definitions of all mirrored structures, oldest version first; nested types that return are only named."""

    def __init__(self, chosen):
        self.chosen, self.numbers = chosen, chosen.numbers
        self.divided = False  # the definitions are for parts, which the version before is not in sight of
        self.written = {}  # structure -> [(version, {path of a nested type: (its meaning, where it is written)})]

    def spelled(self, name, version):
        """A structure's name as its users at `version` write it: with the version where more than one is in sight."""
        start = self.chosen.defined(name, version)
        older = [v for v in self.chosen.starts[name] if v <= version]
        plain = start == version or (len(older) == 1 and not self.divided)
        return name.lower() if plain else f"{self.numbers.version_name(start)}::{name.lower()}"

    def meant(self, name, version):
        return f"{self.numbers.version_name(self.chosen.defined(name, version))}::{name.lower()}"

    def definition(self, name, version):
        """The lines of one definition: pragmas, records, and the choice between machines where there is one."""
        variant = self.numbers.variant(name, version, "x64")
        kind = self.numbers.structs[name]["kind"]
        if self.numbers.wide_only(name, version):
            return self.two_records(name, version, kind)
        here = {}
        self.written[name] = [entry for entry in self.written.get(name, []) if entry[0] != version]
        body = self.record(kind, name.lower(), nest(variant["fields"]), "", version, (name, (), here))
        self.written[name].append((version, here))
        return ["#pragma pack(push, 1)"] + body + ["#pragma pack(pop)"] if packed(variant) else body

    def two_records(self, name, version, kind):
        """A structure whose i686 form lacks members: both forms, and the one of the machine under the DDI's name."""
        lines, name_here = [], name.lower()
        for machine, suffix in (("x64", "_wide"), ("x86", "_i686")):
            fields = self.numbers.variant(name, version, machine)["fields"]
            lines += self.record(kind, name_here + suffix, nest(fields), "", version, None)
        choice = f"meta::conditional_t<sizeof(void*) == 8, {name_here}_wide, {name_here}_i686>"
        return lines + [f"using {name_here} =", f"    {choice};"]

    def declaration(self, member, version, naming):
        field = member.field
        if member.inside:
            return f"{snake(member.name)}_type {member.name};"
        spelled = self.numbers.spell(field, lambda name: naming(name, version))
        if field["kind"] == "bitfield":
            return f"{spelled} {member.name} : {field['bit_width']};"
        if field["kind"] == "array":
            return f"{spelled} {member.name}[{field['array_count']}];"
        return f"{spelled} {member.name};"

    def union_body(self, split, indent, version, naming):
        lines = []
        for alternative in split:
            if len(alternative) == 1:
                lines.append(indent + self.declaration(alternative[0], version, naming))
            else:
                lines.append(indent + "struct {")
                lines += self.struct_body(alternative, indent + "    ", version, naming)
                lines.append(indent + "};")
        return lines

    def struct_body(self, members, indent, version, naming):
        lines = []
        for placed in arrange(members):
            if isinstance(placed, list):
                lines.append(indent + "union {")
                lines += self.union_body(placed, indent + "    ", version, naming)
                lines.append(indent + "};")
            else:
                lines.append(indent + self.declaration(placed, version, naming))
        return lines

    def body(self, kind, members, indent, version, naming):
        if kind == "union":
            return self.union_body(alternatives(members), indent, version, naming)
        return self.struct_body(members, indent, version, naming)

    def meaning(self, member, version):
        """What a nested type is, with every name resolved: equal texts are the same type."""
        inside = tuple((m.name, self.meaning(m, version)) for m in member.inside if m.inside)
        return (member.field["type"], inside,
                tuple(self.body(member.field["type"], member.inside, "", version, self.meant)))

    def known(self, meaning, place, version):
        """Where an equal type is already written: at the same path of an older version, or before it in this one."""
        name, path, here = place
        for start, types in reversed(self.written.get(name, [])):
            if path in types and types[path][0] == meaning:
                origin = types[path][1]
                return f"{self.numbers.version_name(origin)}::{name.lower()}::{'::'.join(path)}", origin
        for other, (same, _) in here.items():
            if same == meaning:
                common = 0
                while common < len(path) - 1 and common < len(other) - 1 and path[common] == other[common]:
                    common += 1
                return "::".join(other[common:]), version
        return None

    def record(self, kind, name, members, indent, version, place):
        # Unnamed types become named ones outside any anonymous union, which may not hold type definitions in C++.
        lines = [f"{indent}{kind} {name} {{"]
        inner = indent + "    "
        nested = [member for member in members if member.inside]
        for member in nested:
            type_name = f"{snake(member.name)}_type"
            if place is None:
                lines += self.record(member.field["type"], type_name, member.inside, inner, version, None)
                continue
            inside = (place[0], place[1] + (type_name,), place[2])
            meaning = self.meaning(member, version)
            known = self.known(meaning, inside, version)
            if known:
                line = f"{inner}using {type_name} = {known[0]};"
                lines += [line] if len(line) <= 120 else [f"{inner}using {type_name} =", f"{inner}    {known[0]};"]
                self.register(member, inside, version, known[1])
            else:
                lines += self.record(member.field["type"], type_name, member.inside, inner, version, inside)
                place[2][inside[1]] = (meaning, version)
        if nested:
            lines.append("")
        return lines + self.body(kind, members, inner, version, self.spelled) + [indent + "};"]

    def register(self, member, place, version, origin):
        """Notes a nested type that was only named, and those inside it, which are reached through it."""
        place[2][place[1]] = (self.meaning(member, version), origin)
        for inner in member.inside:
            if inner.inside:
                path = place[1] + (f"{snake(inner.name)}_type",)
                self.register(inner, (place[0], path, place[2]), version, origin)
