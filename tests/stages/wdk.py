# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The projects of tests/wdk, as far as they can be tried without Windows and without a kit.

The project file is well-formed and names sources that exist, the same as the CMake project does. These sources compile with
the options that the project file sets, by clang with cl's command line, against the stand-in for the kit, for x64 and ARM64.
The objects are linked as the .sys that the project makes, and imports nothing that Windows does not export; Wine loads it,
reads its report and unloads it, as run_check.ps1 does. One whose self-check is wrong on purpose must not start.
MSBuild, cl, /analyze, Driver Verifier and the kit's libraries are not here: tests/wdk/README.md says what is left to a team
that has them.
"""
import json
import re
import sys

import common
from msbuild import project

sys.path[:0] = [str(common.root / "tests/strict"), str(common.root / "tests/images")]
sys.dont_write_bytecode = True

import image_runs  # noqa: E402
import write_header  # noqa: E402
from kit_numbers import NEWEST, Numbers  # noqa: E402

here = common.root / "tests/wdk"
out = common.output_folder("wdk")
# What check_driver.cpp asks of ntoskrnl.exe.
imports = ("DbgPrintEx", "RtlInitUnicodeString", "ZwClose", "ZwCreateFile", "ZwWriteFile")
report_name = "wddmcore_check.txt"


def path_of(text):
    return (here / text.replace("$(MSBuildThisFileDirectory)", "").replace("\\", "/")).resolve()


def stand_in():
    """A folder with every header that kit.h names: the twin, what the example drivers use, and empty ones."""
    folder = out / "kit"
    write_header.write(Numbers(), "26100", NEWEST["26100"], folder)
    for name in re.findall(r"#include <([\w.]+)>", (here / "kit.h").read_text(encoding="utf-8")):
        if not (folder / name).exists() and not (common.root / "tests/strict/port" / name).exists():
            (folder / name).write_text("#pragma once\n", encoding="utf-8")
    return folder


def check_files(report, check):
    sources = check.sources()
    files = sources + check.sources("ClInclude")
    for path in files:
        if not path.is_file():
            report.fail(f"wddmcore_check.vcxproj: {common.shown(path)} does not exist")
    if len({path.stem for path in sources}) != len(sources):
        report.fail("wddmcore_check.vcxproj: two sources would have the same object")
    report.checked(len(files), "files of the project")
    listed = re.search(r"add_library\(wddmcore_check OBJECT([^)]+)\)", (here / "CMakeLists.txt").read_text(encoding="utf-8"))
    if sorted(path_of(name) for name in listed[1].split()) != sorted(sources):
        report.fail("CMakeLists.txt and wddmcore_check.vcxproj have different sources")
    json.loads((here / "CMakePresets.json").read_text(encoding="utf-8"))
    return sources


def compile_all(report, check, sources):
    """{target: objects}; a second object of around_payload.cpp has a check that fails."""
    kit = stand_in()
    jobs, objects = [], {}
    for target in common.msvc_targets[:2]:
        folder = out / target
        folder.mkdir()
        command = [*common.clang_cl(target), f"/clang:-isystem{kit}", f"/clang:-isystem{common.root / 'tests/strict/port'}"]
        objects[target] = [folder / f"{source.stem}.obj" for source in sources]
        jobs += [(target, source, [*command, *check.command_line(source), "/c", f"/Fo{obj}", "--", source])
                 for source, obj in zip(sources, objects[target])]
        around = here / "around_payload.cpp"
        jobs.append((target, around, [*command, *check.command_line(around), "/DWDDMCORE_PLANTED=1", "/c",
                                      f"/Fo{folder / 'planted.obj'}", "--", around]))
        # What the kit's libraries have: memcpy and its kin, and the cookie of /GS.
        for source, own in ((common.root / "tests/images/runtime.cpp", ["/clang:-fno-builtin"]),
                            (common.root / "tests/certify/cookie.c", ["/std:c11"])):
            jobs.append((target, source, [*(part for part in command if part != "/std:c++20" or source.suffix != ".c"), *own,
                                          "/wd4201", "/O2", "/GS-", "/c", f"/Fo{folder / source.stem}.obj", "--", source]))
    jobs.sort(key=lambda job: job[1].stem not in ("payload", "instantiate"))  # the long ones first
    for (target, source, _), (code, text) in zip(jobs, common.in_parallel(lambda job: common.run(job[2]), jobs)):
        if code:
            report.fail(f"{common.shown(source)} for {target}:\n{text[:3000]}")
    report.checked(len(common.msvc_targets[:2]) * len(sources), "compilations with the project's options")
    return objects


def linked(report, target, objects, name):
    """The image, or None."""
    names = out / "ntoskrnl.def"
    names.write_text("LIBRARY ntoskrnl.exe\nEXPORTS\n" + "\n".join(imports) + "\n", encoding="utf-8")
    library, image = out / target / "ntoskrnl.lib", out / target / f"{name}.sys"
    machine = "x64" if target.startswith("x86_64") else "arm64"
    for command in ([common.tool("llvm-dlltool-19"), "-d", names, "-D", "ntoskrnl.exe", "-m",
                     "i386:x86-64" if machine == "x64" else "arm64", "-l", library],
                    [common.tool("lld-link-19"), "-subsystem:native", "-driver", "-entry:DriverEntry", "-nodefaultlib",
                     f"-machine:{machine}", "-dynamicbase", "-nxcompat", "-Brepro", f"-out:{image}", *objects,
                     out / target / "runtime.obj", out / target / "cookie.obj", library]):
        code, text = common.run(command)
        if code:
            report.fail(f"{name}.sys for {target} is not linked:\n{text[:3000]}")
            return None
    return image


def run_under_wine(report, good, bad):
    with image_runs.wine(out) as wine:
        result = wine.driver(good, report=report_name, mark=None)
        if not result.passed or not result.text.startswith("each bit is in its place\n"):
            report.fail(f"wddmcore_check.sys under Wine: {result.result}\n{result.text[-2000:]}")
        report.checked(result.checks, f"self-checks of wddmcore_check.sys under Wine, with the hash {result.hash}")
        result = wine.driver(bad, report=report_name, mark=None)
        if result.result != "failed check":
            report.fail(f"self-test: a self-check that fails under Wine is not noticed: {result.result}\n{result.text[-2000:]}")


def check_script(report):
    """run_check.ps1 reads the file that check_driver.cpp writes, and the lines that are in it."""
    script = (here / "run_check.ps1").read_text(encoding="utf-8")
    writes = (here / "check_driver.cpp").read_text(encoding="utf-8")
    for name in (report_name, "each bit is in its place"):
        if name not in script or name not in writes:
            report.fail(f"run_check.ps1 or check_driver.cpp does not name '{name}'")
    if "self-check:" not in script:
        report.fail("run_check.ps1 does not read the line of the self-checks")


def main():
    report = common.report()
    check = project(here / "wddmcore_check.vcxproj", Configuration="Release", Platform="x64")
    sources = check_files(report, check)
    check_script(report)
    objects = compile_all(report, check, sources)
    if not report.failures:
        images = {target: linked(report, target, objects[target], "wddmcore_check") for target in objects}
        target = common.msvc_targets[0]
        planted = [out / target / "planted.obj" if path.stem == "around_payload" else path for path in objects[target]]
        bad = linked(report, target, planted, "planted")
        report.checked(sum(image is not None for image in images.values()), "images linked of the project's objects")
        if images[target] and bad:
            run_under_wine(report, images[target], bad)
    report.finish()


main()
