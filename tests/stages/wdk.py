# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The projects of tests/wdk, as far as they can be tried without Windows and without a kit.

The project file is well-formed and names sources that exist, the same as the CMake project does. These sources compile with
the options that the project file sets, by clang with cl's command line, against the stand-in for the kit, for x64 and ARM64.
MSBuild, cl, /analyze and Driver Verifier are not here: tests/wdk/README.md says what is left to a team that has them.
"""
import json
import re
import sys
import xml.etree.ElementTree as xml

import common

sys.path.insert(0, str(common.root / "tests/strict"))
sys.dont_write_bytecode = True

import write_header  # noqa: E402
from kit_numbers import NEWEST, Numbers  # noqa: E402

here = common.root / "tests/wdk"
out = common.output_folder("wdk")
space = "{http://schemas.microsoft.com/developer/msbuild/2003}"
# What a setting of the project file is on the command line; what no compiler here has is None.
options = {"LanguageStandard": {"stdcpp20": ["/std:c++20"]}, "WarningLevel": {"Level4": ["/W4"]},
           "TreatWarningAsError": {"true": ["/WX"]}, "ConformanceMode": {"true": ["/permissive-"]},
           "EnablePREfast": {"true": None}}


def settings(project, report):
    """The command line of the project's ClCompile items."""
    line = []
    for group in project.iter(f"{space}ItemDefinitionGroup"):
        for item in (item for compile in group.iter(f"{space}ClCompile") for item in compile):
            name, value = item.tag.removeprefix(space), item.text
            own = [part for part in value.split(";" if name != "AdditionalOptions" else " ") if not part.startswith("%")]
            if name in options:
                line += options[name].get(value) or []
                if value not in options[name]:
                    report.fail(f"{name} is {value}: what is that on the command line?")
            elif name == "ForcedIncludeFiles":
                line += [f"/FI{path_of(part)}" for part in own]
            elif name == "AdditionalIncludeDirectories":
                line += [f"/I{path_of(part)}" for part in own]
            elif name == "DisableSpecificWarnings":
                line += [f"/wd{part}" for part in own]
            elif name == "AdditionalOptions":
                line += own
            elif name != "PreprocessorDefinitions":
                report.fail(f"{name} is not known to this stage")
    return line


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


def main():
    report = common.report()
    project = xml.parse(here / "wddmcore_check.vcxproj").getroot()
    sources = [path_of(item.get("Include")) for item in project.iter(f"{space}ClCompile") if item.get("Include")]
    files = sources + [path_of(item.get("Include")) for item in project.iter(f"{space}ClInclude") if item.get("Include")]
    for path in files:
        if not path.is_file():
            report.fail(f"wddmcore_check.vcxproj: {common.shown(path)} does not exist")
    report.checked(len(files), "files of the project")
    listed = re.search(r"add_library\(wddmcore_check OBJECT ([^)]+)\)", (here / "CMakeLists.txt").read_text(encoding="utf-8"))
    if sorted(path_of(name) for name in listed[1].split()) != sorted(sources):
        report.fail("CMakeLists.txt and wddmcore_check.vcxproj have different sources")
    json.loads((here / "CMakePresets.json").read_text(encoding="utf-8"))

    line, kit = settings(project, report), stand_in()
    for target in common.msvc_targets[:2]:
        command = [*common.clang_cl(target), *line, f"/clang:-isystem{kit}", f"/clang:-isystem{common.root / 'tests/strict/port'}"]
        for source in sources:
            code, text = common.run([*command, "/c", f"/Fo{out / (source.stem + '.obj')}", "--", source])
            if code:
                report.fail(f"{common.shown(source)} for {target}:\n{text[:3000]}")
    report.checked(2 * len(sources), "compilations with the project's options")
    report.finish()


main()
