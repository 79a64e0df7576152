# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Cases that a folder lists instead of one file each: cases.txt, or cases.py where they follow from a table.

README.md says how a list is written. Both come to the same: a name, what is expected, macros for both sides, for the
bad and for the good one, and the form: the text that the macros change.
"""
import importlib.util
import re
from dataclasses import dataclass, field


@dataclass
class listed:
    name: str
    form: str
    says: list = field(default_factory=list)  # the case's own comment lines: expect, compilers, errors
    both: list = field(default_factory=list)  # (macro, replacement)
    bad: list = field(default_factory=list)
    good: list = field(default_factory=list)

    def source(self):
        lines = [f"// {line}" for line in self.says] + [""]
        lines += [f"#define {name} {text}".rstrip() for name, text in self.both]
        lines += ["#ifdef BAD"] + [f"#    define {name} {text}".rstrip() for name, text in self.bad]
        if self.good:
            lines += ["#else"] + [f"#    define {name} {text}".rstrip() for name, text in self.good]
        return "\n".join([*lines, "#endif", self.form]) + "\n"


class wrong_list(Exception):
    pass


comment = re.compile(r"(?:expect(?:\[[\w-]+\])?|compilers|errors\[[\w-]+\]): \S.*")
macro = re.compile(r"(both|bad|good): (\w+(?:\([\w, ]*\))?)(?: (.*))?")


def from_text(path):
    """The cases of a cases.txt, in order."""
    found, form, lines = [], None, path.read_text(encoding="utf-8").splitlines()
    at = 0

    def fail(what):
        raise wrong_list(f"{path.parent.name}/{path.name}:{at}: {what}")

    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.strip() or line.startswith("#"):
            continue
        if line == "form":
            body = []
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                body.append(lines[at][4:])
                at += 1
            form = "\n".join(body).strip("\n")
            continue
        if not re.fullmatch(r"\w+", line):
            fail("neither `form` nor the name of a case")
        if form is None:
            fail("a case without a form above it")
        one = listed(line, form)
        while at < len(lines) and lines[at].startswith("    "):
            text = lines[at][4:].rstrip()
            at += 1
            while at < len(lines) and lines[at].startswith("        "):
                text += " " + lines[at].strip()
                at += 1
            found_macro = macro.fullmatch(text)
            if comment.fullmatch(text):
                one.says.append(text)
            elif found_macro:
                getattr(one, found_macro[1]).append((found_macro[2], found_macro[3] or ""))
            else:
                fail("not `expect: SENTENCE`, nor `bad: MACRO TEXT`, `good:`, `both:`, `compilers:`, `errors[...]:`")
        if not one.bad:
            fail(f"{one.name} has no `bad:`")
        found.append(one)
    return found


def from_python(path):
    """The cases that cases() of a cases.py yields."""
    spec = importlib.util.spec_from_file_location(f"cases_of_{path.parent.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.cases())


def of_folder(folder):
    return [one for name, read in (("cases.txt", from_text), ("cases.py", from_python)) if (folder / name).is_file()
            for one in read(folder / name)]
