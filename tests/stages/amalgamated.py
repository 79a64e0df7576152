# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The amalgamated files (tests/cmake/amalgamate.cmake) are the library: the same text, the same code, the same tests.

* each file alone, twice, after hostile macros; no macro is left behind that config.hpp does not have;
* what drivers and tests/kernel (without its longest source) compile to is, byte for byte, what the folders compile to,
  with the pageable parts in their section (WDDMCORE_PAGED);
* the test programs of the folders at the bottom, built by g++ with its address and undefined-behaviour sanitizers and in
  checked mode with the amalgamated files in the place of the folders, pass.

A copy in which one number was changed has to differ.
"""
import os
import re
import shutil
import sys

import common

sys.path.insert(0, str(common.root / "tests/strict"))
sys.dont_write_bytecode = True

import write_header  # noqa: E402
from kit_numbers import NEWEST, Numbers  # noqa: E402

out = common.output_folder("amalgamated")
files = out / "files"
# A tree whose include/ has the amalgamated files and, for every path that has no file there, a header that includes one.
tree = out / "tree"
report = common.report()


def made():
    code, text = common.run(["cmake", f"-DOUTPUT={files}", "-P", common.root / "tests/cmake/amalgamate.cmake"])
    if code:
        report.fail(f"amalgamate.cmake fails:\n{text}")
    return code == 0


def make_tree():
    target = tree / "include/wddmcore"
    shutil.copytree(files / "wddmcore", target)
    for path in common.library.rglob("*"):
        inside = path.relative_to(common.library)
        copy = target / inside
        if not path.is_file() or copy.exists() or "__pycache__" in inside.parts:
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        if "testing" in inside.parts or path.name == "testing.hpp" or path.suffix not in (".hpp", ".h"):
            shutil.copy(path, copy)
        elif inside.parts[0] != "wdk":
            name = "mirror.hpp" if inside.parts[:2] == ("ddi", "mirror") or path.name == "mirror_binding.hpp" else "wddmcore.hpp"
            # CMakeLists.txt reads the version where it is written, in config.hpp.
            numbers = re.findall(r"^#define WDDMCORE_VERSION.*\n", path.read_text(encoding="utf-8"), re.M)
            copy.write_text(f"#pragma once\n#if 0\n{''.join(numbers)}#endif\n#include <wddmcore/{name}>\n", encoding="utf-8")
    for name in ("tests", "examples", "bench", "CMakeLists.txt", "CMakePresets.json", "LICENSE"):
        (tree / name).symlink_to(common.root / name)


def check_text():
    """Every line of code of the core is there, as often as in the folders."""
    def lines(paths):
        found = {}
        for path in paths:
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.strip() and not re.match(r'#include "|#pragma once|//|/\*|#if.*WDDMCORE_PAGED|#endif', line):
                    found[line] = found.get(line, 0) + 1
        return found

    there = lines([files / "wddmcore/wddmcore.hpp"])
    mirrors = {path for path in common.core_headers()
               if path.is_relative_to(common.library / "ddi/mirror") or path.name in ("mirror.hpp", "mirror_binding.hpp")}
    wanted = lines(set(common.core_headers()) - mirrors)
    for line, count in wanted.items():
        if there.pop(line, 0) != count and "pragma code_seg" not in line:
            report.fail(f"wddmcore.hpp does not have this line {count} times: {line}")
    for line in there:
        if "pragma code_seg" not in line:
            report.fail(f"wddmcore.hpp has a line that the folders have not: {line}")
    report.checked(sum(wanted.values()), "lines of the core, each as often as in the folders")


def check_alone():
    """As the stage headers checks the folders."""
    allowed = set(re.findall(r"#\s*define (WDDMCORE_\w+)", (common.library / "config.hpp").read_text(encoding="utf-8")))
    prelude, names = common.hostile_prelude(out)
    for compiler in ("g++", "clang++-14"):
        for name in ("wddmcore.hpp", "mirror.hpp"):
            command = [common.tool(compiler), *common.freestanding, *common.strict, f"-I{files}", "-include", prelude, "-xc++"]
            text = f"#include <wddmcore/{name}>\n" * 2
            code, output = common.run([*command, "-fsyntax-only", "-"], input=text)
            if code:
                report.fail(f"{compiler}: {name} does not compile alone, twice and after hostile macros:\n{output[:2000]}")
            before, after = (set(common.run([*command, "-E", "-dM", "-"], input=one)[1].splitlines()) for one in ("", text))
            left = sorted(line for line in after - before if line.split()[1].split("(")[0] not in allowed)
            if left or before - after:
                report.fail(f"{compiler}: {name} leaves macros behind: {left[:3]}, or takes some away: {sorted(before - after)[:3]}")
    report.checked(4, f"compilations alone, twice and after {names} hostile macros")


def pages_out(source):
    """The example drivers put what is called at PASSIVE_LEVEL only into a section of its own."""
    return source.is_relative_to(common.root / "examples") and source.suffix == ".cpp"


def compiled(target, source, include, name, kit):
    """The object without the four bytes that tell the time; None and the compiler's words if there is none."""
    obj = out / "objects" / f"{source.parent.name}_{source.stem}_{target.split('-')[0]}_{name}.obj"
    obj.parent.mkdir(exist_ok=True)
    c = source.suffix == ".c"
    of_cpp = ("/std:c++20", "/Zc:__cplusplus", "/permissive-")
    base = [part for part in common.clang_cl(target) if not c or part not in of_cpp]
    command = [*base, *(["/std:c11"] if c else []),
               *(["/DWDDMCORE_PAGED=\"PAGE\""] if pages_out(source) else []), "/c", "/O2", "/GS-", f"/I{include}",
               f"/I{common.root / 'examples'}", f"/I{common.root / 'tests'}", *kit, f"/Fo{obj}", "--", source]
    code, text = common.run(command)
    data = obj.read_bytes() if code == 0 else b""
    return (data[:4] + data[8:], "") if data else (None, text)


def check_code():
    kit = out / "kit"
    write_header.write(Numbers(), "26100", NEWEST["26100"], kit)
    flags = [f"/clang:-isystem{kit}", f"/clang:-isystem{common.root / 'tests/strict/port'}"]
    # instantiate.cpp is the longest to compile, and has the templates that they have for more hardware.
    sources = [(path, []) for path in sorted((common.root / "tests/kernel").glob("*.cpp")) if path.stem != "instantiate"]
    drivers = [common.root / "examples" / name for name in
               ("c_driver/driver.c", "c_driver/functions.cpp", "cpp_driver/driver.cpp", "cpp_driver/functions.cpp")]
    sources += [(path, flags) for path in (*drivers, common.root / "tests/wdk/layout_check.cpp")]

    # The kit's own header before the one source that has no other include.
    def own_flags(path, more):
        return [*more, f"/FI{kit / 'd3dkmddi.h'}"] if path.name == "layout_check.cpp" else more

    def compare(job):
        target, (path, more) = job
        one, wrong = compiled(target, path, common.include, "folders", own_flags(path, more))
        other, wrong_other = compiled(target, path, tree / "include", "amalgamated", own_flags(path, more))
        at = f"{common.shown(path)} for {target}"
        if one is None or other is None:
            return [f"{at}, from the {'folders' if one is None else 'amalgamated files'}:\n{(wrong or wrong_other)[:2000]}"], 0
        paged = other.count(b"PAGE\0") if pages_out(path) else 0
        return ([] if one == other else [f"{at}: not the same code"]), paged

    # What could differ is the text, and that is the same for each machine: another one for one source alone.
    x64, arm64, _ = common.msvc_targets
    jobs = [(target, one) for one in sources for target in [x64] + [arm64] * (one[0].name == "functions.cpp")]
    results = common.in_parallel(compare, jobs)
    for wrong, _ in results:
        for text in wrong:
            report.fail(text)
    report.checked(len(jobs), "objects, the same byte for byte as from the folders")
    report.checked(sum(paged for _, paged in results), "sections of pageable code in the drivers' objects")


def check_bites():
    """The comparison sees one changed number."""
    source = common.root / "tests/kernel/page_tables.cpp"
    changed = out / "changed/wddmcore"
    shutil.copytree(tree / "include/wddmcore", changed)
    text = (changed / "wddmcore.hpp").read_text(encoding="utf-8")
    (changed / "wddmcore.hpp").write_text(text.replace("page_shift_lg2 = 12;", "page_shift_lg2 = 13;", 1), encoding="utf-8")
    if text.count("page_shift_lg2 = 12;") != 1:
        report.fail("self-test: page_shift_lg2 is not written once")
    one, _ = compiled(common.msvc_targets[0], source, tree / "include", "amalgamated_again", [])
    other, _ = compiled(common.msvc_targets[0], source, out / "changed", "changed", [])
    if one is None or one == other:
        report.fail("self-test: a changed number is not seen in the object")


def check_tests():
    build = out / "build"
    code, text = common.run(["cmake", "--preset", "gcc-sanitize", "-B", build, f"-DCMAKE_CXX_COMPILER={common.tool('g++')}"], cwd=tree)
    if code == 0:
        code, text = common.run(["cmake", "--build", build, "-j", os.environ.get("WDDMCORE_JOBS", "2")])
    if code == 0:
        code, text = common.run(["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error"])
    if code:
        report.fail(f"tests with the amalgamated files:\n{text[-3000:]}")
        return
    log = (build / "Testing/Temporary/LastTest.log").read_text(encoding="utf-8", errors="replace")
    _, used = common.run(["ninja", "-C", build, "-t", "deps"])
    foreign = {line.strip() for line in used.splitlines() if line.startswith(f"    {common.include}/")}
    if foreign:
        report.fail(f"the tests saw headers of the folders: {sorted(foreign)[:2]}")
    cases = sum(map(int, re.findall(r"test cases: +(\d+) \|", log)))
    report.checked(cases, "test cases by g++ with sanitizers, with the amalgamated files")


def main():
    if made():
        make_tree()
        check_text()
        check_alone()
        check_code()
        check_bites()
        check_tests()
    report.finish()


main()
