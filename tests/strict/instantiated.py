# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Which function templates of the core take a structure of the DDI, and which of them a driver's code instantiated."""
import re

# Template parameters that stand for something else than a structure of the DDI: hardware and bindings, functions, units
# and integers, pointers to memory without a type, and parts of the library itself. A template with any other parameter must
# be called by driver.cpp.
NO_STRUCTURES = set("""
    Hw Hardware Binding Memory Space Writer Visitor Builder Policy Cookie Packet Engine Adapters First Others
    Notify QueueDpc Display OnLeave Fetch FetchAnd Judge Destroy Store Barrier Load IsOurs Dismiss Serve Write Answer Encode
    Move Sink Pointer Offset Pfn T U Unit Set Bit Word Member Findings Flags Ids Choices Rows Granularity Found Address
    Visit Otherwise Rule Number Owner Alternative
""".split())

FUNCTION = re.compile(r"template <(?P<head>[^;{}]*?)>\s*(?:requires\s[^;{]*?\n\s*)?"
                      r"(?P<before>(?:\[\[\w+\]\]\s*)?(?:[\w:<>,&*\s]|\.\.\.)*?)\b(?P<name>\w+)\((?P<rest>[^;{]*)[{;]")
TAG = re.compile(r"_DXGK|_D3D|_MDL@|_DRIVER_INIT|_LARGE_INTEGER")
DEFINED = re.compile(r'^define [^@\n]*@"(?:\\01)?\?\?\$(\w+)@([^"]*)"', re.M)


def type_parameters(head):
    """The names of a template head's type parameters: `class X`, `some::concept X`, with or without a default."""
    names = []
    for part in re.split(r",(?![^<>]*>)", head):
        declared = part.split("=")[0].strip()
        match = re.fullmatch(r"(?:class|typename|members::\w+|[\w:]*other_page_number)\s*(?:\.\.\.)?\s*(\w+)", declared)
        if match:
            names.append(match[1])
    return names


def templates(path):
    """[(function, the parameters that may be structures of the DDI)] of one header."""
    text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    found = []
    for match in FUNCTION.finditer(text):
        before = match["before"].split()
        if {"concept", "struct", "class", "using", "consteval", "union"} & set(before) or "=" in match["before"]:
            continue
        if match["name"] in ("requires", "operator", "if", "sizeof"):
            continue
        structures = [name for name in type_parameters(match["head"]) if name not in NO_STRUCTURES]
        if structures:
            found.append((match["name"], structures))
    return found


def instantiated(ir):
    """The function templates that the LLVM text defines with a structure of the DDI among their arguments."""
    return {name for name, rest in DEFINED.findall(ir) if TAG.search(rest)}
