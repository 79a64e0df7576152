# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Every rule and every law that code, tests, examples or README cite is in the table of testing/rules.

The table is held to what it says, too: what a compile error cites is marked compile_time, a rule of the DDI that is
marked as checked or kept is cited somewhere, and the laws are those of the map, include/wddmcore/README.md. Where a file
has both the text of a broken rule and the compiler's sentence about it, the two are the same.
"""
import re

import common

table = common.library / "testing" / "rules"
map_of_the_headers = common.library / "README.md"
suffixes = {".hpp", ".h", ".cpp", ".c", ".py", ".sh", ".md", ".txt", ".cmake", ".in"}

citation = re.compile(r"(?<![\w-])([A-Z]{3,4}|OP\d\d)-(\d\d)(?![\w])")
# "PREF-01, 02, 04 to 11": the numbers after an id are of its family.
continuation = re.compile(r"(?:, | to | and )(\d\d)(?![\w.%-])")
operation = re.compile(r"(?<![\w-])OP(\d\d)(?![\w-])")
law = re.compile(r"\b(?:[Ll]aws?)[ -]((?:\d+(?:, | and | to )?)+)(?![\w-])")
literal = re.compile(r'"(?:[^"\\\n]|\\.)*"')
literals = r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)'
answer = re.compile(r"((?:case \w+(?:::\w+)*:\s*)+)return\s+" + literals + ";")
sentence = re.compile(r"static_assert\(\s*((?:What != \w+(?:::\w+)*(?: && )?)+),\s*" + literals + r"\)")
words_in_order = re.compile(r"char const\* (\w+)_texts\[\] = \{\n(.*?)\n\};", re.S)
operations = int(re.search(r"paging_operation_count = (\d+);",
                          (common.library / "ddi" / "operation.hpp").read_text(encoding="utf-8"))[1])


def rules_of_table(report):
    rules = {}
    for path in sorted(table.glob("*.hpp")):
        text = path.read_text(encoding="utf-8")
        for name, origin, checks in re.findall(r'\{"([A-Z0-9-]+)",\s*origin::(\w+),\s*([a-z_ |\n]+?),', text):
            if name in rules:
                report.fail(f"{common.shown(path)}: {name} is defined twice")
            rules[name] = (origin, set(re.findall(r"\w+", checks)))
    return rules


def texts():
    folders = [common.root / name for name in ("include", "tests", "examples", "bench")]
    paths = [path for folder in folders for path in sorted(folder.rglob("*"))]
    paths += [common.root / "README.md", common.root / "CMakeLists.txt"]
    for path in paths:
        if path.is_file() and path.suffix in suffixes and path.parent != table:
            yield path, path.read_text(encoding="utf-8", errors="replace")


def ids_in(text):
    """(place, id) of each rule that a text cites."""
    for match in citation.finditer(text):
        yield match.start(), f"{match[1]}-{match[2]}"
        end = match.end()
        while following := continuation.match(text, end):
            yield following.start(), f"{match[1]}-{following[1]}"
            end = following.end()


def check_text(path, text, rules, report):
    """The ids that a file cites, each of them defined."""
    def at(place):
        return f"{common.shown(path)}:{text.count(chr(10), 0, place) + 1}"

    found = list(ids_in(text))
    for match in operation.finditer(text):
        if int(match[1]) >= operations:
            report.fail(f"{at(match.start())}: there is no operation {match[1]}")
    for match in law.finditer(text):
        found += [(match.start(), f"LAW-{int(number):02}") for number in re.findall(r"\d+", match[1])]
    for place, name in found:
        if name not in rules:
            report.fail(f"{at(place)}: {name} is not in testing/rules")
    return [name for _, name in found]


def check_sentences(path, text, rules, report):
    """What a sentence of the compiler cites is checked at compile time; what `text_of` cites, there or at run time."""
    for match in literal.finditer(text):
        if not re.search(r"\([A-Z0-9]+-\d\d\)", match[0]):
            continue
        before = text[:match.start()]
        statement = re.split(r"[;{}]", before)[-1]
        at_run_time = re.search(r"\breturn\b", statement) or before.rfind("_texts[] = {") > before.rfind("\n};") or re.search(r'\{"[A-Z0-9-]*",\s*(?:"[^"\n]*"\s*)*$', before)
        wanted = {"compile_time", "run_time"} if at_run_time else {"compile_time"}
        for _, name in ids_in(match[0]):
            if name in rules and not wanted & set(rules[name][1]):
                report.fail(f"{common.shown(path)}: {'a refusal' if at_run_time else 'a compile error'} cites {name}, "
                            f"which the table does not mark {' or '.join(sorted(wanted))}")


def words(literals):
    return "".join(text[1:-1] for text in literal.findall(literals))


def check_words(report):
    """A fault that the compiler and `text_of` both name has the same words in both."""
    headers = [path for path in sorted(common.library.rglob("*.hpp")) if common.folder_of(path) != "testing"]
    texts_of = {path: path.read_text(encoding="utf-8") for path in headers}
    said, compared = {}, 0
    for path, text in texts_of.items():
        for cases, answered in answer.findall(text):
            for name in re.findall(r"(\w+):\s*(?:case|$)", cases):
                said.setdefault((common.folder_of(path), name), set()).add(words(answered))
        for enumeration, table_of_words in words_in_order.findall(text):
            names = re.search(rf"enum class {enumeration} : u32 {{\n(.*?)\n}};", text, re.S)[1]
            in_order = [words(entry) for entry in re.findall(r"\(?" + literals + r"\)?,", table_of_words)]
            for name, entry in zip(re.findall(r"^\s+(\w+)", names, re.M), in_order, strict=True):
                said.setdefault((common.folder_of(path), name), set()).add(entry)
    for path, text in texts_of.items():
        for conditions, asserted in sentence.findall(text):
            for name in re.findall(r"(\w+)(?: &&|$)", conditions):
                known = said.get((common.folder_of(path), name))
                compared += known is not None
                if known is not None and words(asserted) not in known:
                    report.fail(f"{common.shown(path)}: the sentence about {name} is not what text_of says: {words(asserted)}")
    return compared


def check_map(rules, report):
    laws = {int(name[4:]) for name in rules if name.startswith("LAW-")}
    listed = re.findall(r"^(\d+)\. \*\*", map_of_the_headers.read_text(encoding="utf-8"), re.M)
    if [int(number) for number in listed] != sorted(laws):
        report.fail(f"{common.shown(map_of_the_headers)} lists the laws {listed}, the table has {sorted(laws)}")
    return len(listed)


def main():
    report = common.report()
    rules = rules_of_table(report)
    cited, citations, files = set(), 0, 0
    for path, text in texts():
        files += 1
        found = check_text(path, text, rules, report)
        if path.is_relative_to(common.library) and common.folder_of(path) != "testing":
            check_sentences(path, text, rules, report)
        cited.update(found)
        citations += len(found)
    for name, (origin, checks) in rules.items():
        if name not in cited and origin not in ("law", "decision") and checks != {"convention"} and re.search(r"-\d\d$", name):
            report.fail(f"testing/rules marks {name} as {' and '.join(sorted(checks))}, and nothing cites it")
    report.checked(len(rules), "rules in the table")
    report.checked(check_map(rules, report), "laws in the map")
    report.checked(check_words(report), "sentences of the compiler that text_of has too")
    report.checked(citations, f"citations of {len(cited)} of them in {files} files")
    report.finish()


main()
