# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Whether each name that a header uses is declared in what the header includes, by itself or through others.

All headers are read once, in one translation unit, and libclang tells for each name in them where it is declared. To compile
each header alone says more, and takes minutes where headers stand on a standard library: not seen are here what only an
instantiation asks for, a name that a using-declaration elsewhere gives, an operand of noexcept, and the body of a macro.
"""
import functools
import re
from pathlib import Path

import in_process
from clang.cindex import CursorKind, TranslationUnit, TypeKind, conf

# What the language itself asks of a header of the standard library.
needed_by_the_language = [(r"\bnew \(", "new"), (r"\bfor \(.* : \{", "initializer_list"), (r"operator<=>", "compare")]


class Names:
    """What stands in some headers: what they include, where each name is declared again, and what they use."""

    def __init__(self, command, source, headers):
        self.headers = {header.resolve() for header in headers}
        self.unit = in_process.read(command, source, TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        self.paths = {}
        self.included = {}
        self.declared_again = {}
        self.uses = {}
        for cursor in self.unit.cursor.get_children():
            self.look_at(cursor)

    def path_of(self, file):
        """The path of a file as libclang names it, which depends on who included it."""
        if file.name not in self.paths:
            self.paths[file.name] = Path(file.name).resolve()
        return self.paths[file.name]

    def look_at(self, cursor):
        if not cursor.location.file:
            return
        path = self.path_of(cursor.location.file)
        if cursor.kind == CursorKind.INCLUSION_DIRECTIVE:
            file = conf.lib.clang_getIncludedFile(cursor)
            self.included.setdefault(path, set()).add(self.path_of(file))
        elif path not in self.headers or cursor.kind == CursorKind.MACRO_DEFINITION:
            return
        elif cursor.kind == CursorKind.MACRO_INSTANTIATION:
            self.use(path, cursor, [cursor.referenced])
        else:
            self.look_into(cursor)

    def look_into(self, declaration):
        for cursor in declaration.walk_preorder():
            if not cursor.location.file:
                continue
            path = self.path_of(cursor.location.file)
            if cursor.kind in (CursorKind.FIELD_DECL, CursorKind.VAR_DECL, CursorKind.CXX_BASE_SPECIFIER):
                self.use_whole(path, cursor)
            if cursor.kind.is_declaration():
                self.declared_again.setdefault(cursor.get_usr(), set()).add(path)
            elif cursor.kind == CursorKind.OVERLOADED_DECL_REF:
                count = conf.lib.clang_getNumOverloadedDecls(cursor)
                self.use(path, cursor, [conf.lib.clang_getOverloadedDecl(cursor, number) for number in range(count)])
            # A namespace is the same one wherever it is opened; what is in it counts, and other names of it.
            elif cursor.kind != CursorKind.NAMESPACE_REF or cursor.referenced.kind == CursorKind.NAMESPACE_ALIAS:
                self.use(path, cursor, [cursor.referenced])

    def use(self, path, cursor, declarations, whole=False):
        """A name that stands for one of some declarations; `whole`: the declaration itself has to be there, not another one."""
        known = [one for one in declarations if one and one.location.file and not one.spelling.startswith("__builtin_")]
        if known:
            name = (known[0].get_usr() or known[0].spelling, len(known), whole)
            self.uses.setdefault(path, {}).setdefault(name, (known, cursor.location.line, whole))

    def use_whole(self, path, cursor):
        """Something of a class, whose definition has to be known."""
        kind = cursor.type.get_canonical()
        while kind.kind == TypeKind.CONSTANTARRAY:
            kind = kind.element_type
        if kind.kind == TypeKind.RECORD:
            self.use(path, cursor, [kind.get_declaration().get_definition()], whole=True)

    def reach(self, header):
        """The files that a header includes, by itself or through others, and the header."""
        found, left = {header}, [header]
        while left:
            new = self.included.get(left.pop(), set()) - found
            found |= new
            left += new
        return found

    def places(self, declaration):
        """The files in which it is declared."""
        again = [declaration, declaration.canonical, declaration.get_definition()]
        return {self.path_of(one.location.file) for one in again if one and one.location.file} | \
            self.declared_again.get(declaration.get_usr(), set())

    def is_reached(self, declaration, whole, files):
        if whole:
            return self.path_of(declaration.location.file) in files
        # Of what several headers may define, the first one does.
        word = re.escape(declaration.spelling)
        pattern = {CursorKind.MACRO_DEFINITION: rf"^\s*#\s*define\s+{word}\b",
                   CursorKind.TYPEDEF_DECL: rf"^\s*typedef\b.*\b{word};"}.get(declaration.kind)
        return bool(self.places(declaration) & files) or \
            bool(pattern) and any(re.search(pattern, text_of(file), re.M) for file in files)

    @functools.cached_property
    def taken_into_std(self):
        """{name: files} of what headers of C++ take from C into std, which libclang does not tell apart from C's own."""
        files = {}
        for file in set().union(*self.included.values()):
            if "c++" in file.parts:
                for name in re.findall(r"^\s*(?:using ::|typedef \w+\s+)(\w+);", text_of(file), re.M):
                    files.setdefault(name, set()).add(file)
        return files

    def out_of_reach(self):
        """(header, line, name, where that is declared) of what a header uses and does not include."""
        found = []
        for header in sorted(self.headers):
            files = self.reach(header)
            found += [(header, line, known[0].spelling, min(self.places(known[0])))
                      for known, line, whole in self.uses.get(header, {}).values()
                      if not any(self.is_reached(one, whole, files) for one in known)]
            found += self.words_out_of_reach(header, files)
        return found

    def words_out_of_reach(self, header, files):
        """What libclang does not tell, by the words of the source."""
        names = {file.name for file in files}
        for line, text in enumerate(text_of(header).splitlines(), 1):
            code = re.sub(r"//.*|\"(?:[^\"\\]|\\.)*\"", "", text)
            for name in re.findall(r"\bstd::(\w+)", code):
                places = self.taken_into_std.get(name)
                if places and not places & files:
                    yield header, line, f"std::{name}", min(places)
            for pattern, needed in needed_by_the_language:
                if re.search(pattern, code) and needed not in names:
                    yield header, line, f"<{needed}>", needed


@functools.cache
def text_of(file):
    return file.read_text(encoding="utf-8", errors="replace")
