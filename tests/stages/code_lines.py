# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Which lines of a header are statements of functions that can run, and which only the compiler evaluates.

It reads the formatted sources of this library, not C++ as such: what clang-format and the style leave open is enough.
"""
import re
from dataclasses import dataclass


def without_comments(text):
    """The same text, lines and columns kept: comments, literals and preprocessor lines are blank."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*"
    return re.sub(pattern, blank, text, flags=re.S | re.M)


@dataclass
class scope:
    kind: str    # namespace, type, function, constant, requires, initializer, inner
    first: int   # line of the head
    head: str    # what stands before the brace that opened it
    depth: int   # of parentheses around it


@dataclass
class body:
    first: int        # the line where the declaration begins
    last: int
    constant: bool    # nothing in it is executed by a program


def strip_template(head):
    """`head` without a leading template<...>."""
    head = head.strip()
    while head.startswith("template"):
        depth = 0
        for i, c in enumerate(head):
            depth += c == "<"
            depth -= c == ">"
            if c == ">" and depth == 0:
                head = head[i + 1:].strip()
                break
        else:
            return head
    return head


requires_end = re.compile(r"\brequires\s*(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s*$")
type_end = re.compile(r"\b(struct|class|union|enum)\b[^()=]*$")


def kind_of(head, outer):
    """What a brace opens after `head`, inside the scopes `outer`."""
    if requires_end.search(head) or outer.kind == "requires":
        return "requires"
    if outer.kind not in ("namespace", "type"):
        return "inner"
    plain = strip_template(head)
    if re.match(r"(inline\s+)?namespace\b|extern\b(?!.*\()", plain):
        return "namespace"
    if re.match(r"(struct|class|union|enum)\b", plain) or type_end.search(re.sub(r"\b(alignas|__attribute__)\s*\([^()]*\)|\[\[[^\]]*\]\]", "", plain)):
        return "type"
    outside = re.sub(r"operator\s*[^\s\w(]+", "operator", plain)
    while re.search(r"\([^()]*\)", outside):
        outside = re.sub(r"\([^()]*\)", "@", outside)
    assigned = re.search(r"(?<![=!<>])=(?!=)", outside)
    if assigned:
        # Static data with a lambda in its initializer: all of it is evaluated by the compiler.
        return "constant" if "[" in outside[assigned.end():] or "{" in outside else "initializer"
    if "@" not in outside:
        return "initializer"
    if re.search(r"@[^@]*(?<!:):(?!:)", outside) and re.search(r"[\w>]\s*$", outside):
        return "initializer"    # of a member, before a constructor's body
    return "constant" if re.search(r"\bconsteval\b", plain) else "function"


def bodies_and_statements(text):
    """(the bodies of functions, the numbers of the lines that are statements in a body that can run)."""
    text = without_comments(text)
    bodies = []
    not_code = set()
    stack = [scope("namespace", 0, "", 0)]
    head, line, depth = "", 1, 0
    begin = 1    # of the head
    for c in text:
        if c == "\n":
            line += 1
        if c == "{":
            kind = kind_of(head, stack[-1]) if depth == stack[-1].depth or stack[-1].kind == "inner" else \
                ("requires" if requires_end.search(head) else "inner" if stack[-1].kind in ("function", "constant") else
                 "initializer")
            stack.append(scope(kind, begin, head, depth))
            if kind == "requires":
                not_code.add(line)
            head = ""
            continue
        if c == "}":
            done = stack.pop()
            if done.kind in ("function", "constant"):
                bodies.append(body(done.first, line, done.kind == "constant"))
            if done.kind == "requires":
                not_code.update(range(done.first + 1, line + 1))
            depth = done.depth
            head = done.head + "{}" if done.kind in ("initializer", "requires") else ""
            continue
        depth += c == "("
        depth -= c == ")"
        if c == ";" and depth == stack[-1].depth:
            head = ""
            continue
        if not head.strip() and not c.isspace():
            head, begin = "", line
        head += c
    lines = text.split("\n")
    statements = set()
    for each in bodies:
        for number in range(each.first, each.last + 1):
            code = lines[number - 1].strip()
            if not each.constant and number not in not_code and re.search(r"\w.*;$|^return\b|\{ .*; \}$", code) and \
                    not re.match(r"(using|static_assert|typedef|requires)\b", code):
                statements.add(number)
    return bodies, statements


def operand_at(lines, line, column):
    """The text of the condition that begins there, on its line."""
    text = lines[line - 1][column - 1:]
    depth = 0
    for i, c in enumerate(text):
        if c in "([{":
            depth += 1
        if c in ")]}":
            depth -= 1
            if depth < 0:
                return text[:i].strip()
        if depth == 0 and (text.startswith(("&&", "||", " ? "), i) or c in ";,"):
            return text[:i].strip()
    return text.strip()
