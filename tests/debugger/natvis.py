# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""wddmcore.natvis as C++: each expression becomes a function of a class derived from the type that it is written for.

Compiled without access control, as a debugger reads, that shows which members and types do not exist; run on samples,
it says what a debugger would show. Format specifiers other than x are dropped: an enumerator shows as its number.
"""
import re
import xml.etree.ElementTree as xml

SPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
# Concrete types for the templates: the specialisations in samples.hpp.
ARGUMENTS = {"span": [["wddmcore::u32"], ["wddmcore::segment::entry const"]], "result": [["wddmcore::u32"]],
             "segment::table": [["3"]],
             "preemption::submission": [["wddmcore::u64"]],
             "preemption::detail::ring": [["4", "wddmcore::preemption::under_interrupt_lock", "wddmcore::u64"]],
             "preemption::engine": [["4", "wddmcore::preemption::under_interrupt_lock", "wddmcore::u64"]]}


class Shape:
    """One Type element: its names and what is evaluated for each."""

    def __init__(self, element):
        self.names = [element.get("Name"), *(e.get("Name") for e in element.iter(SPACE + "AlternativeType"))]
        self.displays = [(e.get("Condition"), e.text) for e in element.iter(SPACE + "DisplayString")]
        self.values = []  # (condition, expression, optional)
        self.lists = []  # (condition, size, element, what)
        expand = element.find(SPACE + "Expand")
        for item in expand if expand is not None else []:
            what = item.tag[len(SPACE):]
            if what == "Item":
                self.values.append((item.get("Condition"), item.text, item.get("Optional") == "true", item.get("Name")))
            else:
                entry = item.find(SPACE + ("ValuePointer" if what == "ArrayItems" else "ValueNode")).text
                self.lists.append((item.get("Condition"), item.find(SPACE + "Size").text, entry, what))


def shapes(path):
    return [Shape(element) for element in xml.parse(path).getroot()]


def stem(name):
    """`span` for `wddmcore::v0::span<*>`."""
    return re.sub(r"<.*", "", re.sub(r"^wddmcore::v0(_checked)?::", "", name))


def instances(name):
    """(the type as C++ writes it, its template arguments)"""
    arguments = ARGUMENTS.get(stem(name), [[]])
    if ("<" in name) != bool(arguments[0]):
        raise ValueError(f"{name}: tests/debugger/natvis.py has to say with which arguments it is tried")
    plain = re.sub(r"<.*", "", name)
    return [(plain + (f"<{', '.join(one)}>" if one else ""), one) for one in arguments]


def code(expression, arguments):
    """The expression without its format specifier, and whether that says hexadecimal."""
    found = re.match(r"(.*),(x|d|en)$", expression, re.S)
    text, form = (found[1], found[2]) if found else (expression, "")
    for number, argument in enumerate(arguments, 1):
        text = text.replace(f"$T{number}", argument)
    return text.replace("$i", "i"), form == "x"


def pieces(text):
    """A display string as [(is an expression, text)]."""
    parts = []
    for piece in re.findall(r"\{\{|\}\}|\{[^{}]*\}|[^{}]+|[{}]", text):
        if piece in ("{", "}"):
            raise ValueError(f"a brace is not closed in: {text}")
        parts.append((False, piece[0]) if piece in ("{{", "}}") else
                     (True, piece[1:-1]) if piece[0] == "{" else (False, piece))
    return parts


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


HEAD = """#include <cstdio>
#include <string>
#include <type_traits>
namespace shown {
template <class T> std::string show(T const& value, bool hexadecimal = false);
template <class T> std::string number(T value, bool hexadecimal) {
    char text[40];
    std::snprintf(text, sizeof text, hexadecimal ? "0x%llx" : "%llu", (unsigned long long)value);
    return text;
}
template <class T> struct visualizer { static std::string of(T const&) { return "{...}"; } };
"""
TAIL = """template <class T> std::string show(T const& value, bool hexadecimal) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) return number(value, hexadecimal);
    else if constexpr (std::is_pointer_v<T>) return value ? "(pointer)" : "null";
    else return visualizer<T>::of(value);
}
}
"""


class Unit:
    """The translation unit for the types of one build, whose names begin with `prefix`."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.lines = [HEAD]
        self.members = 0
        self.count = 0

    def add(self, shape):
        optional = {}
        for name in shape.names:
            if not name.startswith(self.prefix) or (self.prefix == "_" and name.startswith("wddmcore::")):
                continue
            for kind, arguments in instances(name):
                self.add_type(shape, kind, arguments, optional)
        for expression, checks in optional.items():
            self.lines.append(f"static_assert({' || '.join(checks)}, \"no version has {expression}\");")

    def add_type(self, shape, kind, arguments, optional):
        self.count += 1
        probe = f"probe_{self.count}"
        out = [f"struct {probe} : {kind} {{"]
        out.append("    std::string text() const {")
        for condition, text in shape.displays:
            shown = " + ".join((f"show({code(t, arguments)[0]}, {str(code(t, arguments)[1]).lower()})" if is_code else
                                f"std::string({quoted(t)})") for is_code, t in pieces(text))
            self.members += 1
            out.append(f"        if ({code(condition or 'true', arguments)[0]}) return {shown};")
        out.append('        return "(nothing fits)";\n    }')
        out.append("    std::string all() const {\n        std::string s = text();")
        for condition, text, is_optional, label in shape.values:
            expression, hexadecimal = code(text, arguments)
            test = code(condition or "true", arguments)[0]
            self.members += 1
            if is_optional:
                if not re.fullmatch(r"\w+(\.\w+)*", expression):
                    raise ValueError(f"{kind}: an optional item has to be a member: {expression}")
                has = f"has_{self.count}_{expression.replace('.', '_')}"
                self.lines.append(f"template <class T> concept {has} = requires(T const& t) {{ t.{expression}; }};")
                optional.setdefault(expression, []).append(f"{has}<{kind}>")
                out.append(f"        if ({test}) s += item_{has}(*this);")
                self.lines.append(f"template <class T> std::string item_{has}(T const& t) {{ if constexpr ({has}<T>) "
                                  f"return {quoted('; ' + label + ' ')} + show(t.{expression}); else return \"\"; }}")
            else:
                out.append(f"        if ({test}) s += {quoted('; ' + label + ' ')} + "
                           f"show({expression}, {str(hexadecimal).lower()});")
        for condition, size, entry, what in shape.lists:
            test, count, item = (code(t or "true", arguments)[0] for t in (condition, size, entry))
            self.members += 1
            item = f"({item})[i]" if what == "ArrayItems" else item
            out.append(f"        if ({test}) for (unsigned long long i = 0; i < (unsigned long long)({count}); ++i) "
                       f"s += \", \" + show({item});")
        out.append("        return s;\n    }\n};")
        out.append(f"template <> struct visualizer<{kind}> {{ static std::string of({kind} const& v) {{ "
                   f"return static_cast<{probe} const&>(v).all(); }} }};")
        self.lines += out

    def text(self):
        return "\n".join(self.lines + [TAIL])
