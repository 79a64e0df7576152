# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What examples/guide shows is what compiles and what runs.

guide.py          each ```cpp and ```c block of the guide is the file or the region that the comment before it names, each
                  output is what that program prints, each command line names files that exist, each relative link leads
                  somewhere; code of a page that is none of these, in another language or without one, is a failure
guide.py --write  copies sources and output into the pages

    <!-- from porting/steps.hpp: step 1 -->         before ```cpp: what stands between `// region: step 1` and `// end: step 1`
    <!-- from first_hour.cpp -->                    the whole file but its licence
    <!-- lines of ../../tests/wdk/x.vcxproj -->     before ```xml: lines that follow each other in that file
    <!-- output of porting, lines 1 to 3 -->        before ```text: what the program of that name prints, or a part of it
    <!-- sentence of the library -->                before ```text: what a header says in a static_assert
    <!-- finding of the stage certify -->           before ```text: what that stage compares with its reports
    <!-- run -->                                    before ```sh: the commands are run, from the repository's root

A program of the guide ends with 0, or what it shows is not true. A source of a driver that a page shows is compiled as for
Windows, against the stand-in for the kit. Words about lengths of types are compared with the types, in
the page that says them.
"""
import functools
import re
import sys

import common
import documents

sys.path.insert(0, str(common.root / "tests/strict"))
sys.dont_write_bytecode = True

import write_header  # noqa: E402
from kit_numbers import Numbers  # noqa: E402

folder = common.output_folder("guide")
write = sys.argv[1:] == ["--write"]


@functools.cache
def sentences():
    """The string literals of the headers, with neighbours joined."""
    return "\n".join(re.sub(r'"\s+"', "", path.read_text(encoding="utf-8")) for path in common.headers())


def check_pictures(report):
    """The pictures are those that their script draws."""
    sys.path.insert(0, str(documents.guide / "pictures"))
    import draw
    for name, make in draw.pictures.items():
        if (documents.guide / "pictures" / name).read_text(encoding="utf-8") != make():
            report.fail(f"examples/guide/pictures/{name} is not what draw.py draws")
    report.checked(len(draw.pictures), "pictures")


# As their pages say: laws and simulator take longer than the compiler.
optimised = ("hardware_type", "page_tables")
compiler = "clang++-19"  # in half the time of g++, with which the command of first_hour.md is run


def build_and_run(name):
    """(complaint or None, lines printed)"""
    program = folder / name
    code, output = documents.compile_program(documents.guide / f"{name}.cpp", program, compiler, ["-O1"] * (name in optimised))
    if code:
        return f"examples/guide/{name}.cpp does not compile:\n{output}", []
    code, output = common.run([program], cwd=folder)
    return (f"{name} ends with {code}:\n{output}" if code else None), output.rstrip("\n").split("\n")


def compile_for_windows(source):
    """What is wrong with a source of a driver, or None."""
    language = "/std:c11" if source.suffix == ".c" else "/std:c++20"
    command = [part for part in common.clang_cl(common.msvc_targets[0])
               if part != "/std:c++20" and not (source.suffix == ".c" and part == "/Zc:__cplusplus")]
    kit = [f"/clang:-isystem{place}" for place in (folder / "kit", common.root / "tests/strict/port")]
    code, text = common.run([*command, language, "/DDBG=1", "/GS-", "/c", *kit, f"/I{common.include}",
                             f"/I{common.root / 'examples'}", f"/Fo{folder / source.parent.name}_{source.name}.obj", "--", source])
    return f"{common.shown(source)} does not compile:\n{text[:3000]}" if code else None


def check_driver_sources(shown, report):
    """What pages show of drivers, and all that stands in the folder of in_a_driver.md."""
    write_header.write(Numbers(), "26100", "WDDM3_2", folder / "kit")
    sources = {(documents.guide / name).resolve() for name in shown if name.endswith((".c", ".cpp")) and "/" in name}
    sources |= set((documents.guide / "in_a_driver").glob("*.c*"))
    for wrong in common.in_parallel(compile_for_windows, sorted(path for path in sources if path.exists())):
        if wrong:
            report.fail(wrong)
    report.checked(len(sources), "sources of drivers that pages show, compiled as for Windows")


def expected(one, outputs):
    """The text that belongs into a block, or None where nothing is compared; and what is wrong."""
    match one.language:
        case "cpp" | "c":
            named = re.fullmatch(r"from ([\w/.]+)(?:: ([\w ]+))?", one.says)
            if not named:
                return None, f"a ```{one.language} block that names no source: <!-- from FILE: REGION -->"
            path = documents.guide / named[1]
            text = documents.region_of(path, named[2]) if path.exists() else None
            return text, None if text else f"{named[1]} has no such region: {named[2]}"
        case "text" if one.says == "sentence of the library":
            known = " ".join(one.text.split()) in sentences()
            return None, None if known else "no header says this sentence"
        case "text" if one.says == "finding of the stage certify":
            return None, None
        case "text":
            named = re.fullmatch(r"output of (\w+)(?:, lines? (\d+)(?: to (\d+))?)?", one.says)
            if not named or named[1] not in outputs:
                return None, "a ```text block that names no program: <!-- output of NAME -->"
            lines = outputs[named[1]]
            first = int(named[2] or 1)
            last = int(named[3] or named[2] or len(lines))
            return "\n".join(lines[first - 1:last]), None if last <= len(lines) else f"{named[1]} prints {len(lines)} lines"
        case "xml":
            named = re.fullmatch(r"lines of ([\w/.]+)", one.says)
            path = documents.guide / named[1] if named else None
            if not path or not path.exists():
                return None, "a ```xml block that names no file: <!-- lines of FILE -->"
            known = "\n".join(line.strip() for line in path.read_text(encoding="utf-8").splitlines())
            block = "\n".join(line.strip() for line in one.text.splitlines())
            return None, None if block and f"\n{block}\n" in known else f"{named[1]} has no such lines"
        case "sh" | "bat":
            if one.says == "run" and one.language == "sh":
                code, output = common.run(["sh", "-e", "-c", one.text], cwd=common.root)
                return None, f"the commands end with {code}:\n{output}" if code else None
            missing = [word for word in re.findall(r"(?<![\w/])(?:examples|tests|include|bench)/[\w./]+",
                                                      one.text if one.language == "sh" else one.text.replace("\\", "/"))
                       if not (common.root / word).exists()]
            return None, f"{', '.join(missing)}: there is no such file" if missing else None
        case "":
            return None, "a block without a language, which nothing checks"
    return None, f"a block in the language {one.language}, which nothing checks"


def check_lengths(report):
    """hardware_type.md says how long types are; the numbers are counted."""
    page = documents.guide / "hardware_type.md"
    said = {name: int(lines) for name, lines in re.findall(r"\| `([\w/.]+)` \| (\d+) \|", page.read_text(encoding="utf-8"))}
    for name, lines in said.items():
        path = next((p for p in (documents.guide / name, common.root / "examples" / name) if p.exists()), None)
        counted = documents.code_lines(path) if path else None
        if counted != lines:
            report.fail(f"{common.shown(page)}: {name} has {counted} lines of code, not {lines}")
    report.checked(len(said), "lengths of hardware types")


def main():
    report = common.report()
    pages = sorted(documents.guide.glob("*.md"))
    names = [path.stem for path in sorted(documents.guide.glob("*.cpp"))]
    outputs = {}
    for name, (complaint, lines) in zip(names, common.in_parallel(build_and_run, names)):
        outputs[name] = lines
        if complaint:
            report.fail(complaint)
    compared, written, links, shown = 0, 0, 0, set()
    for page in pages:
        for number in range(len(documents.blocks_of(page))):
            one = documents.blocks_of(page)[number]
            text, wrong = expected(one, outputs)
            compared += 1
            shown |= set(re.findall(r"(?:from|output of) ([\w/.]+)", one.says))
            if wrong:
                report.fail(f"{one.at}: {wrong}")
            elif text is not None and text != one.text:
                if write:
                    documents.replace(one, text)
                    written += 1
                else:
                    report.fail(f"{one.at} is not what {one.says.split(',')[0]} has (python3 tests/stages/guide.py --write)")
        for line in documents.other_code(page):
            report.fail(f"{common.shown(page)}:{line}: code outside a ``` block, which nothing checks")
        links += documents.check_links(page, report)
    check_driver_sources(shown, report)
    for name in names:
        if not any(each.split("/")[0].removesuffix(".cpp") == name for each in shown):
            report.fail(f"examples/guide/{name}.cpp: no page shows anything of it")
    documents.check_operations(documents.guide / "reference.md", report)
    check_lengths(report)
    check_pictures(report)
    if written:
        print(f"{written} blocks written")
    report.checked(len(names), "programs of the guide, built and run")
    report.checked(compared, f"blocks of {len(pages)} pages")
    report.checked(links, "relative links")
    report.finish()


main()
