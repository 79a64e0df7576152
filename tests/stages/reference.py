# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The reference: doxygen builds it from the headers without a warning, and each public function says what a driver has
to know before it calls it. sh tests/docs.sh builds it and opens it.

A headless browser opens a sample of the pages as wide as a phone: none may scroll sideways.

  python3 tests/stages/reference.py           builds and checks
  python3 tests/stages/reference.py --build   builds only, and prints where
"""
import re
import shutil
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import common
import include_graph

here = common.root / "tests/docs"
sys.dont_write_bytecode = True
sys.path.append(str(here))

import pages  # noqa: E402
import prepare  # noqa: E402
from browser import browser  # noqa: E402

out = common.root / "build/stages/reference"
source = out / "input"
# Structures of the DDI, a namespace for each version, and lists of their names: tests/abi checks those.
left_out = ("testing", "ddi/mirror", "wdk/layout_check")
left_out_files = ("mirror.hpp", "mirror_binding.hpp", "header_queries.hpp")
# Of testing/, what a test program names; the rest is what that is made of.
of_testing = """certify/driver.hpp certify/report.hpp certify/run.hpp device_model.h driver_table.h
    gpu_memory/bus.hpp gpu_memory/gpu_memory.hpp gpu_memory/ram.hpp gpu_memory/view.hpp guarded/buffer.hpp
    laws.hpp laws/law.hpp laws/memory.hpp laws/report.hpp memory_table.h page_table_walker.hpp piece_list.hpp
    rules.hpp rules/entry.hpp scheduler/hardware_queue_table.h scheduler/hardware_queues/options.hpp
    scheduler/hardware_queues/scenario.hpp scheduler/options.hpp scheduler/report.hpp scheduler/scenario.hpp
    scheduler_table.h
    split_bus.hpp trace.hpp translation_cache.hpp
    vidmm/adapter/options.hpp vidmm/adapter/run.hpp vidmm/feature_options.hpp vidmm/manager.hpp vidmm/options.hpp
    walking_bus.hpp watched/buffer.hpp""".split()
phone = 390  # pixels
# Of each kind of page as many, those with the longest words and the most bytes; of the rest, which are one of a kind, all.
kinds, of_each = ("namespace", "struct", "class", "concept", "group", "dir", "functions", "globals"), 3
listed = common.root / "tests/public_names.txt"


def documented_headers():
    """Those that a driver includes, then those that its tests include."""
    yield from driver_headers()
    yield from (common.library / "testing" / name for name in of_testing)


def driver_headers():
    for path in common.headers():
        name = path.relative_to(common.library).as_posix()
        if path.suffix == ".hpp" and not name.startswith(left_out) and path.name not in left_out_files:
            yield path


def floors():
    """(what each folder includes, how many files it has)"""
    uses = {name: set() for name in common.folders}
    counts = dict.fromkeys(common.folders, 0)
    quiet = common.report()
    for path in common.headers():
        folder = common.folder_of(path)
        if folder in uses:
            counts[folder] += 1
            uses[folder] |= {common.folder_of(target) for target, _ in include_graph.arrows_of(path, quiet)}
    return {name: {used for used in users if used in uses and used != name} for name, users in uses.items()}, counts


def promises():
    """Every concept of hw/promises, in the order of its files."""
    room = common.library / "hw/promises"
    for path in sorted(room.rglob("*.hpp"), key=lambda p: (p.parent != room, p)):
        text = path.read_text(encoding="utf-8").split("::hw::detail {")[0]
        for match in re.finditer(r"((?:^///.*\n)+)template <class Hw>\nconcept (\w+) =([^;]*(?:;\n  .*?)*;)", text,
                                 re.M):
            yield match[2], path, match[1], "requires" in match[3]


def rules(report):
    program = out / "rules"
    code, output = common.run([common.tool("g++"), "-std=c++20", "-O0", f"-I{common.include}",
                               common.root / "examples/rules.cpp", "-o", program])
    code, output = common.run([program, "--markdown"]) if code == 0 else (code, output)
    if code != 0:
        report.fail(f"examples/rules.cpp: {output}")
        return "", 0
    return pages.rules_page(output)


def build(report):
    shutil.rmtree(out, ignore_errors=True)
    headers = {path: path.read_text(encoding="utf-8") for path in documented_headers()}
    known = prepare.briefs(headers.values())
    for path, text in headers.items():
        target = source / path.relative_to(common.include)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(prepare.prepare(text, known, headers.values()), encoding="utf-8")
    version = ".".join(re.findall(r"^#define WDDMCORE_VERSION_M\w+ (\d+)",
                                  (common.library / "config.hpp").read_text(encoding="utf-8"), re.M))
    text, count = rules(report)
    (source / "rules.dox").write_text(text, encoding="utf-8")
    text_of_promises = pages.promises_page([(name, path) for name, path, _, _ in promises()])
    (source / "promises.dox").write_text(text_of_promises, encoding="utf-8")
    (source / "main.dox").write_text(pages.main_page(version), encoding="utf-8")
    uses, counts = floors()
    (out / "floors.svg").write_text(pages.floors_svg(common.folders, uses, counts), encoding="utf-8")
    settings = {"PROJECT_NUMBER": version, "INPUT": source, "OUTPUT_DIRECTORY": out, "STRIP_FROM_PATH": source,
                "STRIP_FROM_INC_PATH": source, "WARN_LOGFILE": out / "warnings.txt",
                "HTML_EXTRA_STYLESHEET": here / "style.css", "HTML_EXTRA_FILES": out / "floors.svg"}
    lines = "".join(f'{name} = "{value}"\n' for name, value in settings.items())
    (out / "Doxyfile").write_text((here / "Doxyfile").read_text(encoding="utf-8") + lines, encoding="utf-8")
    code, output = common.run([common.tool("doxygen"), out / "Doxyfile"], cwd=out)
    warnings = (out / "warnings.txt").read_text(encoding="utf-8") if (out / "warnings.txt").exists() else output
    lines = [line for line in warnings.splitlines() if line.strip()]
    for line in lines:
        report.fail("doxygen: " + re.sub(r"^.*?/input/|: (error|warning)", "", line))
    if code != 0 and not lines:
        report.fail(f"doxygen ended with {code}: {output}")
    ids = set(re.findall(r'<tr id="(.*?)">', text))
    for path in (out / "html").glob("*.html"):
        page = path.read_text(encoding="utf-8")
        if path.name != "rules.html":
            path.write_text(pages.with_rule_links(page, ids), encoding="utf-8")
    report.checked(len(headers), "headers in the reference")
    report.checked(count, "rules in their table")
    return out / "html/index.html"


def said(element):
    return " ".join(" ".join(element.itertext()).split()) if element is not None else ""


class Documented:
    """What doxygen found: [(kind, name, where, all that is said, whether a first sentence)]."""

    def __init__(self):
        self.entries = []
        for path in sorted((out / "xml").glob("*.xml")):
            if path.name in ("index.xml",):
                continue
            for compound in xml.parse(path).getroot().iter("compounddef"):
                if compound.get("prot") == "private":
                    continue
                kind, name = compound.get("kind"), compound.findtext("compoundname")
                if kind in ("struct", "class", "concept", "namespace"):
                    self.add(kind, name, compound, compound)
                if kind in ("struct", "class", "namespace"):
                    for member in compound.iter("memberdef"):
                        if member.get("prot") in ("public", None, "package"):
                            self.add(member.get("kind"), f"{name}::{member.findtext('name')}", member, compound)

    def add(self, kind, name, element, compound):
        place = element.find("location")
        where = place.get("file") if place is not None else ""
        text = f"{said(element.find('briefdescription'))} {said(element.find('detaileddescription'))} " \
               f"{said(element.find('inbodydescription'))}"
        self.entries.append((kind, re.sub(r"<.*?>$", "", name), where, text.strip()))


def entry_points():
    """The functions that a driver calls from a DDI function: those of the map's table, and the two calls."""
    text = (common.library / "README.md").read_text(encoding="utf-8").split("### Who calls what")[1].split("\n## ")[0]
    names = {name.rsplit("::", 1)[-1] for row in re.findall(r"^\|[^|]*\|(.*)\|$", text, re.M)
             for name in re.findall(r"`([\w:]+)`", row)}
    return names | {"build_paging_buffer", "answer_query_adapter_info"}


def check_names(documented, report):
    """No public name is missing, and what doxygen does not warn of has a sentence too."""
    found = {}
    for kind, name, where, text in documented.entries:
        found.setdefault(name, []).append((kind, where, text))
    for name, entries in sorted(found.items()):
        for kind, where, text in entries:
            if kind in ("concept", "variable") and not text and "::detail" not in name:
                report.fail(f"{where}: {name} ({kind}) is not documented")
    missing, count = [], 0
    for line in listed.read_text(encoding="utf-8").splitlines():
        kind, _, name = line.partition(" ")
        if kind in ("function", "type", "concept", "constant") and "operator" not in name and \
                not re.search(r"mirror_binding|of_args|absent|stated<Unit>", name):
            count += 1
            last = name.rsplit("::", 1)
            if name not in found and not (kind == "type" and last[-1] == last[0].rsplit("::", 1)[-1]) and \
                    not re.search(r"::(\w+)::\1$", name):
                missing.append(line)
    for line in missing:
        report.fail(f"the reference has no {line}")
    report.checked(count, "public names, each in the reference")


def check_functions(documented, report):
    names = entry_points()
    count = entries = 0
    by_name = {}
    for kind, name, where, text in documented.entries:
        if kind == "function" and "operator" not in name and "~" not in name:
            by_name.setdefault((name, where), []).append(text)
    for (name, where), texts in sorted(by_name.items()):
        if "/testing/" in where:
            continue  # a test program has no IRQL
        text = " ".join(texts)
        last = name.rsplit("::", 1)[-1]
        count += 1
        wanted = [("its level", prepare.level), ("whether it may be paged", prepare.pageability)]
        # Others are for a DDI function when their first word is its name: all of wdk/functions.
        if last in names or any(one.startswith("DxgkDdi") for one in texts):
            entries += 1
            wanted += [("a version of the DDI", prepare.version), ("a source page", prepare.source)]
        lacks = [what for what, pattern in wanted if not pattern.search(text)]
        if lacks:
            report.fail(f"{where}: {name} does not say {', '.join(lacks)}, nor does its class or file")
    report.checked(count, "functions that say their level, and whether they may be paged")
    report.checked(entries, "functions for DDI functions that say version and page too")


class Body:
    """A function with a comment: what it returns itself, what it calls, what its @return says."""

    def __init__(self, path, text, comment, function):
        after = text[comment.end():]
        begin = after.index("{", re.search(rf"\b{re.escape(function.name)}\s*\(", after).end())
        body = re.sub(r"//.*", "", after[begin:prepare.balanced(after, begin, {"{": "}"})])
        # What stands behind a sentence of the compiler's is never returned.
        body = re.sub(r"_sentence<Hw>\(\);\s*if constexpr \(!\w+<Hw>\) \{\s*return [\w:]+;", "", body)
        self.place = f"{common.shown(path)}:{text.count(chr(10), 0, comment.end()) + 1}"
        self.name, self.returns = function.name, function.returns
        self.hidden = re.match(r"[\w: ]*\bdetail \{", text[:comment.start()].rsplit("namespace ", 1)[-1]) is not None
        self.codes = {kind: set(re.findall(rf"\b{kind}::(\w+)", body)) for kind in ("status", "errc")}
        self.calls = set(re.findall(r"(?<![.>\w])(\w+)(?:<[\w:, ]*>)?\(", body))
        self.said = " ".join(prepare.words(comment[0]).split("@return")[1:])


def code_of(returns):
    return "status" if "ntstatus" in returns else "errc" if re.search(r"\bresult<|\berrc\b", returns) else None


def check_codes(report):
    """A status, or an errc, that a function returns is in its @return: of its own body and of those functions that it
    calls by a name that only one function with such an answer has."""
    bodies = {}
    for path in driver_headers():
        text = path.read_text(encoding="utf-8")
        for comment in prepare.block.finditer(text):
            function = prepare.Function(text[comment.end():comment.end() + 3000])
            if function.is_function() and code_of(function.returns) and "{" in text[comment.end():]:
                bodies.setdefault(function.name, []).append(Body(path, text, comment, function))
    count = 0
    for body in (one for named in bodies.values() for one in named if not one.hidden):
        kind, codes, waiting, seen = code_of(body.returns), set(), [body], set()
        while waiting:
            one = waiting.pop()
            if id(one) not in seen and code_of(one.returns) == kind:
                seen.add(id(one))
                codes |= one.codes[kind]
                waiting += [bodies[name][0] for name in one.calls if len(bodies.get(name, ())) == 1]
        for code in sorted(codes - {"none"}):
            count += 1
            if not re.search(rf"\b(STATUS_)?{code.replace('_', '[_ -]')}\b", body.said, re.I) and \
                    not re.search(r"\bas (above|\w+\(|`?\w+`?)", body.said):
                report.fail(f"{body.place}: {body.name} returns {code}, and its @return does not name it")
    report.checked(count, "statuses and errcs, each named in the @return of a function that returns it")


def check_promises(report):
    found = list(promises())
    for name, path, comment, asks in found:
        if not asks:
            continue  # nothing but a choice between others, or all of them: theirs hold
        for section in ("For library users:", "For hardware authors:"):
            if section not in comment:
                report.fail(f"{common.shown(path)}: the promise {name} has no section “{section}”")
    report.checked(len(found), "promises with a section for users and one for authors")


def check_pages(report):
    """The pages are there, know the width of a screen and name nothing of this machine."""
    files = sorted((out / "html").glob("*.html"))
    for path in files:
        text = path.read_text(encoding="utf-8")
        if 'name="viewport"' not in text or "style.css" not in text:
            report.fail(f"{path.name} has no viewport or not our style")
        if str(common.root) in text:
            report.fail(f"{path.name} names {common.root}")
    picture = xml.parse(out / "floors.svg").getroot()
    titles = [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    if len(titles) != len(common.folders):
        report.fail("floors.svg does not have every folder")
    report.checked(len(files), "pages")


def sample():
    """Pages to look at: the worst of each kind, and those of a kind that has few."""
    groups = {}
    for path in sorted((out / "html").glob("*.html")):
        kind = next((one for one in kinds if path.name.startswith(one)), "source" if "_8" in path.name else path.name)
        groups.setdefault(kind, []).append(path)
    chosen = set()
    for files in groups.values():
        longest = {path: max(map(len, re.findall(r"[^\s<>]+", re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8")))), default=0)
                   for path in files}
        for order in (longest.get, lambda path: path.stat().st_size):
            chosen |= set(sorted(files, key=order)[-of_each:])
    return sorted(chosen)


# The menu with the search box comes after the page is loaded.
width_of_page = """(async () => {
    const until = Date.now() + 5000;
    while (document.getElementById('main-nav') && !document.getElementById('MSearchBox') && Date.now() < until)
        await new Promise((done) => setTimeout(done, 10));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
})()"""


def check_phone(report):
    """At the width of a phone no page of the sample scrolls sideways."""
    planted = out / "planted.html"
    planted.write_text('<!doctype html><meta name="viewport" content="width=device-width"><pre>' + "x" * 200, encoding="utf-8")
    found = sample()
    with browser() as b:
        b.look(phone, "light")
        for path in [planted, *found]:
            b.open(path.as_uri())
            wide = b.evaluate(width_of_page)
            if path == planted and wide <= phone:
                report.fail("self-test: a page that is too wide is not noticed")
            elif path != planted and wide > phone:
                report.fail(f"{path.name} is {wide} pixels wide on a screen of {phone}")
    report.checked(len(found), f"pages that do not scroll sideways at {phone} pixels")


def main():
    report = common.report()
    index = build(report)
    if "--build" in sys.argv[1:]:
        for failure in report.failures:
            print(f"FAILED: {failure}", file=sys.stderr)
        print(index)
        sys.exit(1 if report.failures else 0)
    documented = Documented()
    check_names(documented, report)
    check_functions(documented, report)
    check_codes(report)
    check_promises(report)
    check_pages(report)
    check_phone(report)
    report.finish(200)


if __name__ == "__main__":
    main()
