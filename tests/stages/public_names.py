# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The names that the library offers are those of tests/public_names.txt, so that none comes or goes unnoticed, and each
of them is documented.

  python3 tests/stages/public_names.py           compares
  python3 tests/stages/public_names.py --write   writes the list anew: read what changed before it is committed

Public is what wddmcore.hpp and mirror.hpp declare in `wddmcore` and its named namespaces: types, functions, concepts, constants, the
public members of types, enumerators, macros. Not public are the namespaces `detail`, `members` (concepts over the DDI's
member names), `casts` and `meta` (traits); the mirrors are the DDI's names and have their own tables.
"""
import re
import sys
from pathlib import Path

import common

# Debian's own Python finds the bindings of libclang; another one on the same machine is told where they are.
sys.path.append("/usr/lib/python3/dist-packages")
from clang.cindex import AccessSpecifier, CursorKind, Index, TranslationUnit  # noqa: E402

listed = common.root / "tests/public_names.txt"
umbrellas = "#include <wddmcore/wddmcore.hpp>\n#include <wddmcore/mirror.hpp>\n"
private = {"detail", "members", "casts", "meta", "mirror"}
head = """# The public names of wddmcore; tests/stages/public_names.py compares, and writes this list with --write.
"""
types = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_TEMPLATE}
functions = {CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR,
             CursorKind.CONVERSION_FUNCTION}
answers_with_a_code = re.compile(r"^(ntstatus|errc|result<|.*\b(finding|rule|verdict|breach<.*>|disposition|defect|answer)\b)")
names_of_kinds = {CursorKind.ENUM_DECL: "enum", CursorKind.ENUM_CONSTANT_DECL: "enumerator",
                  CursorKind.CONCEPT_DECL: "concept", CursorKind.VAR_DECL: "constant", CursorKind.FIELD_DECL: "member",
                  CursorKind.TYPE_ALIAS_DECL: "type", CursorKind.TYPE_ALIAS_TEMPLATE_DECL: "type",
                  CursorKind.TYPEDEF_DECL: "type", **dict.fromkeys(types, "type"), **dict.fromkeys(functions, "function")}


def parse():
    arguments = ["-xc++", *common.freestanding, f"-I{common.include}"]
    unit = Index.create().parse("umbrellas.cpp", args=arguments, unsaved_files=[("umbrellas.cpp", umbrellas)],
                                options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    errors = [str(d) for d in unit.diagnostics if d.severity >= 3]
    if errors:
        sys.exit("FAILED: " + errors[0])
    return unit


def of_library(cursor):
    return cursor.location.file is not None and cursor.location.file.name.startswith(str(common.library))


def visit(cursor, space, names):
    """Adds (kind, qualified name, cursor) of everything public below `cursor`."""
    for child in cursor.get_children():
        if child.kind == CursorKind.NAMESPACE:
            # The inline namespace carries the build's settings in its name; nobody writes it.
            inline = child.spelling.startswith("v") and space == "wddmcore"
            if child.spelling not in private:
                visit(child, space if inline else f"{space}::{child.spelling}".lstrip(":"), names)
            continue
        kind = names_of_kinds.get(child.kind)
        if kind is None or not child.spelling or not of_library(child):
            continue
        if child.access_specifier in (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED):
            continue
        if child.kind == CursorKind.FUNCTION_TEMPLATE and child.spelling.startswith("<deduction guide"):
            continue
        name = f"{space}::{child.spelling}"
        names.append((kind, name, child))
        if child.kind in types or child.kind == CursorKind.ENUM_DECL:
            visit(child, name, names)


def macros(unit):
    return [("macro", cursor.spelling, cursor) for cursor in unit.cursor.get_children()
            if cursor.kind == CursorKind.MACRO_DEFINITION and of_library(cursor)]


def spelled(names):
    return sorted({f"{kind} {name}" for kind, name, _ in names}, key=lambda line: line.split(" ", 1)[::-1])


def check_documented(names, report):
    """A name has a comment where it is declared, or stands in a block whose first line has one; what answers with a code
    says which (`@return`). One of several overloads may speak for all, and a namespace for its constants."""
    declared = [(kind, name, cursor) for kind, name, cursor in names
                if kind not in ("enumerator", "member", "macro") and "operator" not in name
                and cursor.semantic_parent.kind in (CursorKind.NAMESPACE, CursorKind.TRANSLATION_UNIT)]
    comments = {}
    last = (None, 0, "")
    for kind, name, cursor in declared:
        file = cursor.location.file.name
        text = cursor.raw_comment or (last[2] if last[:2] == (file, cursor.extent.start.line - 1) else "")
        if kind == "constant":
            text = text or cursor.semantic_parent.raw_comment or ""
        last = (file, cursor.extent.end.line, text)
        comments.setdefault((kind, name), []).append((text, cursor))
    for (kind, name), found in comments.items():
        texts = " ".join(text for text, _ in found)
        cursor = found[0][1]
        place = f"{common.shown(Path(cursor.location.file.name).resolve())}:{cursor.location.line}"
        if not texts:
            report.fail(f"{place}: {name} is not documented")
        elif kind == "function" and "@return" not in texts and \
                any(answers_with_a_code.search(one.result_type.spelling) for _, one in found):
            report.fail(f"{place}: {name} answers with a code and has no @return")
    report.checked(len(comments), "documented names")


def main():
    report = common.report()
    unit = parse()
    names = []
    visit(unit.cursor, "", names)
    names += macros(unit)
    found = spelled(names)
    if "--write" in sys.argv[1:]:
        listed.write_text(head + "\n".join(found) + "\n", encoding="utf-8")
    before = {line for line in listed.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    for line in sorted(before - set(found)):
        report.fail(f"{common.shown(listed)} has {line}, and the library has not")
    for line in sorted(set(found) - before):
        report.fail(f"{line} is not in {common.shown(listed)}")
    if report.failures:
        report.fail("if that was meant: python3 tests/stages/public_names.py --write, and read what it changes")
    check_documented(names, report)
    report.checked(len(found), "public names")
    report.finish()


main()
