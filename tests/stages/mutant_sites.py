# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Where the core can be mutated, and how: read from clang's syntax tree, which knows where each operand ends.

A mutant is a place and a change. As a *switched* mutant it is one of many in one program, chosen at run time; where a
program never evaluates the place (consteval functions, constants, `if constexpr`), it is an *alone* mutant: the change is
written into the source, and each has its own build.
"""
import json
import os
import re
import sys
from dataclasses import dataclass

import common

sys.setrecursionlimit(20000)

relations = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
arithmetic = {"+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("/",), "&": ("|",), "|": ("&",), "^": ("&",),
              "<<": (">>",), ">>": ("<<",)}
binary = {**relations, **arithmetic}
assignments = {"+=": ("-=",), "-=": ("+=",), "*=": ("+=",), "/=": ("*=",), "|=": ("&=",), "&=": ("|=",), "^=": ("|=",),
               "<<=": (">>=",), ">>=": ("<<=",), "%=": ("/=",)}
names = {"<": "less", "<=": "less_or_equal", ">": "greater", ">=": "greater_or_equal", "==": "equal", "!=": "not_equal",
         "+": "plus", "-": "minus", "*": "times", "/": "divided", "%": "remainder", "&": "bit_and", "|": "bit_or",
         "^": "bit_xor", "<<": "shift_left", ">>": "shift_right"}

# Functions whose arguments may be exchanged, and those whose first two may: begin + length <= end, whichever is which.
symmetric = re.compile(r"(\w+::)*(greater|lesser|checked_add|checked_multiply|overlap|ranges_overlap|is_of_pages|intersects|wraps)\b")
symmetric_at_first = re.compile(r"(\w+::)*(fits|lies_inside)\b")


# What is left as it is, beside what stands behind a compile error (`checked`): a promise makes no code unless a driver says what to do with one that is broken; check_x<y>() is
# the sentence of a compile error where it is returned; ~u32{0} is a name of the largest number; a void has no value.
unobserved = re.compile(r"promise\(|return check_\w+<|return !\w+::sentence<|~u\w+\{0\}|static_cast<void>\(")

checked = re.compile(r"\bcheck_\w+<|\bkeeps_every_rule<|\bis_sound<")


@dataclass(frozen=True)
class mutant:
    file: str      # under include/wddmcore
    begin: int     # of the place, in characters
    end: int
    change: str    # `< to <=`
    parts: tuple   # of the place: (begin, end), ...
    switched: bool

    def key(self, texts):
        """What stays when lines are moved: the file, the line's text, the changed text, the change."""
        text = texts[self.file]
        line = text[text.rfind("\n", 0, self.begin) + 1:(text.find("\n", self.begin) + 1 or len(text) + 1) - 1].strip()
        place = " ".join(text[self.begin:self.end].split())
        return self.file, line, place, self.change

    def line(self, texts):
        return texts[self.file].count("\n", 0, self.begin) + 1


class reader:
    """Walks the tree in the order in which it was printed: a location names its file only where it changes."""

    def __init__(self, texts):
        self.texts = texts
        self.file = None
        self.known = {}
        self.found = {}
        self.core = None

    def place(self, where):
        """(file under include/wddmcore or None, first offset, offset past its last character) of a location."""
        if "expansionLoc" in where or "spellingLoc" in where:
            for name in where:
                if isinstance(where[name], dict) and "offset" in where[name]:
                    self.place(where[name])
            return None
        if "file" in where:
            path = where["file"]
            if path not in self.known:
                real = os.path.realpath(os.path.join(common.root, path))
                library = str(common.library.resolve()) + os.sep
                name = real[len(library):] if real.startswith(library) else None
                self.known[path] = name if name in self.texts else None
            self.file = self.known[path]
        if "offset" not in where:
            return None
        return self.file, where["offset"], where["offset"] + where.get("tokLen", 0)

    def range_of(self, node):
        """(file, begin, end), or None for what stands in no core header or comes from a macro."""
        if "loc" in node:
            self.place(node["loc"])
        where = node.get("range")
        if not where:
            return None
        begin = self.place(where.get("begin", {}))
        end = self.place(where.get("end", {}))
        if begin is None or end is None or begin[0] is None or begin[0] != end[0]:
            return None
        return begin[0], begin[1], end[2]

    def add(self, where, change, parts, context):
        if where is None or context.skipped:
            return
        file, begin, end = where
        one = mutant(file, begin, end, change, tuple(parts), context.runs)
        self.found.setdefault((file, begin, end, change), one)

    def walk(self, node, context):
        """Visits a node; its children come back as (node, range) for whoever asks."""
        kind = node.get("kind", "")
        where = self.range_of(node)
        inside = context.inside(node, kind)
        if where and unobserved.match(self.texts[where[0]], where[1]):
            inside = inside.but(skipped=True)
        children = []
        first_function = True
        conditions = node.get("inner", [])
        for index, child in enumerate(conditions):
            if not isinstance(child, dict) or "kind" not in child:
                children.append((child, None))
                continue
            below = inside
            if kind == "FunctionTemplateDecl" and child["kind"] in ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl",
                                                                     "CXXConversionDecl"):
                below = inside if first_function else inside.but(skipped=True)
                first_function = False
            elif child["kind"] in ("ClassTemplateSpecializationDecl", "VarTemplateSpecializationDecl") and kind != \
                    "NamespaceDecl":
                below = inside.but(skipped=True)
            elif kind == "IfStmt" and node.get("isConstexpr"):
                condition = 1 if node.get("hasInit") or node.get("hasVar") else 0
                if index == condition:
                    below = inside.but(runs=False)
                elif index == condition + 2 and self.is_check(children[condition][1]):
                    below = inside.but(skipped=True)
            elif kind == "IfStmt" and index == 1 and self.is_text(children[0][1], "in_constant_evaluation()"):
                below = inside.but(runs=False)
            elif kind == "CompoundStmt":
                below = inside.but(statement=True)
            children.append((child, self.walk(child, below)))
        self.mutate(node, kind, where, children, inside, context)
        return where

    def is_text(self, where, text):
        return where is not None and self.texts[where[0]][where[1]:where[2]] == text

    def is_check(self, where):
        """Whether the else of an `if constexpr` stands behind a compile error."""
        return where is not None and checked.search(self.texts[where[0]][where[1]:where[2]]) is not None

    def mutate(self, node, kind, where, children, inside, context):
        if where is None or context.skipped:
            return
        file, begin, end = where
        text = self.texts[file]
        parts = [place for child, place in children if place and place[0] == file]
        if kind in ("BinaryOperator", "CXXOperatorCallExpr", "CXXRewrittenBinaryOperator", "CompoundAssignOperator"):
            self.operator(kind, where, [(p[1], p[2]) for p in parts], text, inside, children)
        elif kind == "UnaryOperator" and parts:
            operand = (parts[0][1], parts[0][2])
            written = (text[begin:operand[0]] + text[operand[1]:end]).strip()
            if written in ("!", "-", "~"):
                self.add(where, f"{written} deleted", [operand], inside)
            elif written in ("++", "--"):
                other = "--" if written == "++" else "++"
                first = operand[0] > begin
                self.add(where, f"{written} to {other}" if first else f"x{written} to x{other}", [operand], inside)
        elif kind == "IntegerLiteral" and text[begin].isdigit():  # a range-for's hidden array length is none
            self.add(where, "+1", [], inside)
            self.add(where, "-1", [], inside)
        elif kind == "CXXBoolLiteralExpr":
            self.add(where, "flipped", [], inside)
        elif kind in ("IfStmt", "WhileStmt", "ConditionalOperator", "ForStmt"):
            index = 2 if kind == "ForStmt" else 1 if node.get("hasInit") else 0
            if not node.get("hasVar") and not node.get("isConstexpr") and len(children) > index and children[index][1]:
                condition = children[index][1]
                self.add(condition, "condition negated", [condition[1:]], inside)
        elif kind == "ReturnStmt" and parts and inside.returns and children[0][0]["kind"] not in \
                ("InitListExpr", "CXXBoolLiteralExpr", "LambdaExpr", "IntegerLiteral"):
            value = parts[0]
            # The other value of a class is the empty one, which says that no rule is broken.
            if text[value[1]:value[1] + 1] != "{" and not text[value[1]:value[2]].endswith("no_rule_broken"):
                self.add(value, "another value returned", [value[1:]], inside)
        elif kind in ("BreakStmt", "ContinueStmt") and context.statement:
            self.add(where, "statement deleted", [], inside)
        if context.statement and (kind in ("CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr", "CompoundAssignOperator",
                                           "ExprWithCleanups", "CXXFoldExpr", "UnaryOperator") or
                                  kind == "BinaryOperator" and node.get("opcode") == "="):
            if not text.startswith("WDDMCORE_ASSERT", begin):
                self.add(where, "statement deleted", [], inside)
        if kind == "CallExpr" and not symmetric.match(text[begin:end]):
            self.arguments(where, children[2 if symmetric_at_first.match(text[begin:end]) else 1:], inside)

    def operator(self, kind, where, parts, text, inside, children):
        file, begin, end = where
        if kind == "CXXRewrittenBinaryOperator":
            parts = self.rewritten(children, file)
        parts = sorted(set(parts))
        if kind == "CXXOperatorCallExpr":
            # The operator itself is one of them.
            parts = [p for p in parts if not re.fullmatch(r"[^\w\s()\[\]{}\"]+", text[p[0]:p[1]])]
        if len(parts) != 2 or parts[0][0] != begin or parts[1][1] != end:
            if kind == "CXXOperatorCallExpr" and len(parts) == 1 and text[begin] in "!-~" and parts[0][1] == end:
                self.add(where, f"{text[begin]} deleted", parts, inside)
            return
        written = text[parts[0][1]:parts[1][0]].strip()
        nothing = written in ("<<", ">>") and text[parts[1][0]:parts[1][1]] == "0"  # a shift by no bits
        for other in () if nothing else binary.get(written, ()) + assignments.get(written, ()):
            self.add(where, f"{written} to {other}", parts, inside)
        if written in ("&&", "||"):
            self.add(where, f"{written} to {'||' if written == '&&' else '&&'}", parts, inside)
            self.add(where, "left operand only", parts, inside)
            self.add(where, "right operand only", parts, inside)

    def rewritten(self, children, file):
        """The operands of != and of < written through == and <=>: the deepest operator call has them."""
        if len(children) != 1 or not isinstance(children[0][0], dict):
            return []
        node = children[0][0]
        while node.get("inner") and node["kind"] != "CXXOperatorCallExpr":
            node = node["inner"][0]
        return [place for place in (self.quiet_range(child, file) for child in node.get("inner", [])[1:]) if place]

    def quiet_range(self, node, file):
        where = node.get("range", {})
        if "offset" not in where.get("begin", {}) or "offset" not in where.get("end", {}):
            return None
        return where["begin"]["offset"], where["end"]["offset"] + where["end"].get("tokLen", 0)

    def arguments(self, where, arguments, inside):
        """Two neighbours of the same type are exchanged."""
        for (left, a), (right, b) in zip(arguments, arguments[1:]):
            if a is None or b is None:
                continue
            types = [re.sub(r"\bconst\b|&|\s", "", each.get("type", {}).get("qualType", "")) for each in (left, right)]
            if types[0] == types[1] and "dependent" not in types[0] and types[0] and a[0] == b[0] and a[2] <= b[1] and \
                    self.texts[a[0]][a[1]:a[2]] != self.texts[b[0]][b[1]:b[2]]:
                self.add((a[0], a[1], b[2]), "arguments exchanged", [a[1:], b[1:]], inside)


@dataclass(frozen=True)
class surroundings:
    runs: bool = False       # a program evaluates it
    skipped: bool = True     # no mutants here
    statement: bool = False  # the node is a statement of a block
    returns: bool = False    # return gives a value
    constant: bool = False   # the compiler evaluates it, functions in it included

    def but(self, **changes):
        return surroundings(**{**self.__dict__, **changes})

    def inside(self, node, kind):
        """The surroundings of a node's children."""
        if kind in ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXConversionDecl"):
            type_name = node.get("type", {}).get("qualType", "")
            result = type_name.split("(")[0].rstrip()
            gone = node.get("explicitlyDeleted") or node.get("explicitlyDefaulted") or self.skipped and self.runs
            constant = self.constant or bool(node.get("immediate"))
            return surroundings(runs=not constant and "inner" in node, skipped=bool(gone), constant=constant, returns=not (
                result.endswith("&") or result == "void" or kind == "CXXConstructorDecl"))
        if kind == "LambdaExpr":
            return self.but(statement=False, returns=True)
        if kind == "VarDecl":
            if node.get("constexpr"):
                return surroundings(runs=False, skipped=self.skipped and self.runs, constant=True)
            return self.but(statement=False)
        if kind == "FieldDecl":
            # Nearly every user of a type gives all its members, so a default that is another says little of the tests.
            return self.but(skipped=True)
        if kind in ("CXXDefaultInitExpr", "CXXDefaultArgExpr"):
            return self.but(skipped=True)
        if kind in ("ConstantExpr", "EnumConstantDecl"):
            return self.but(runs=False, statement=False)
        if kind in ("RequiresExpr", "ConceptDecl", "StaticAssertDecl", "UnaryExprOrTypeTraitExpr", "CXXNoexceptExpr",
                    "NonTypeTemplateParmDecl", "TemplateTypeParmDecl", "RequiresExprBodyDecl", "ConceptSpecializationExpr",
                    "FullComment", "TemplateArgument"):
            return self.but(skipped=True)
        return self.but(statement=False)


def core_texts():
    """The sources as clang counts them: a character for each byte."""
    return {str(path.relative_to(common.library)): path.read_text(encoding="latin-1") for path in common.core_headers()
            if not str(path.relative_to(common.library)).startswith("ddi/mirror")}


def find(folder):
    """(every mutant of the core in a fixed order, {file: text})."""
    texts = core_texts()
    source = folder / "everything.cpp"
    source.write_text("".join(f"#include <wddmcore/{name}>\n" for name in sorted(texts)), encoding="utf-8")
    tree = folder / "tree.json"
    code, output = common.run(["sh", "-c", '"$0" -std=c++20 -w "-I$1" -fsyntax-only -Xclang -ast-dump=json "$2" >"$3"',
                               common.tool("clang++-19"), common.include, source, tree], cwd=common.root)
    if code:
        sys.exit(f"FAILED: the core does not compile:\n{output[-2000:]}")
    with open(tree, encoding="utf-8") as file:
        top = json.load(file)
    tree.unlink()
    look = reader(texts)
    look.walk(top, surroundings(skipped=False))
    return [look.found[key] for key in sorted(look.found)], texts
