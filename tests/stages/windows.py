# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The presets for Windows, as far as they can be tried elsewhere: CMake lists them, their workflows name what is there, and
those for cl are configured with clang-cl in cl's place, for x64 and ARM64. What the options of the tests are then is what
this library's own sources compile with; the tests themselves want a standard library that is not here.
"""
import json
import re
import shutil

import common

out = common.output_folder("windows")
tree = out / "tree"
names = {"visual-studio", "visual-studio-arm64", "cl-x64", "cl-arm64"}
# By this name clang takes the options of cl.
clang_cl = out / "clang-cl"
report = common.report()


def make_tree():
    """The repository with presets that take this machine for Windows, and a doctest that stands alone."""
    tree.mkdir()
    clang_cl.symlink_to(common.tool("clang++-19"))
    for name in ("tests", "examples", "bench", "include", "CMakeLists.txt", "LICENSE"):
        (tree / name).symlink_to(common.root / name)
    text = (common.root / "CMakePresets.json").read_text(encoding="utf-8")
    (tree / "CMakePresets.json").write_text(text.replace('"rhs": "Windows"', '"rhs": "${hostSystemName}"'), encoding="utf-8")
    doctest = out / "doctest"
    (doctest / "include/doctest").mkdir(parents=True)
    _, text = common.run([common.tool("g++"), "-xc++", "-M", "-"], input="#include <doctest/doctest.h>\n")
    header = re.search(r"\S+/doctest/doctest\.h", text)
    shutil.copy(header[0], doctest / "include/doctest")
    (doctest / "CMakeLists.txt").write_text("add_library(doctest INTERFACE)\nadd_library(doctest::doctest ALIAS doctest)\n"
                                            "target_include_directories(doctest SYSTEM INTERFACE include)\n", encoding="utf-8")
    return json.loads((common.root / "CMakePresets.json").read_text(encoding="utf-8"))


def check_lists(presets):
    def listed(command, folder):
        code, text = common.run(["cmake", *command], cwd=folder)
        if code:
            report.fail(f"{' '.join(command)} fails:\n{text[:1000]}")
        return set(re.findall(r'^ +"([\w-]+)"', text, re.M))

    for command in (["--list-presets=all"], ["--workflow", "--list-presets"]):
        for name in sorted(names - listed(command, tree)):
            report.fail(f"{' '.join(command)} does not list {name}")
    # Elsewhere nobody is offered what cannot work.
    for name in sorted(names & listed(["--list-presets=configure"], common.root)):
        report.fail(f"{name} is listed on this machine")
    steps = 0
    for workflow in presets["workflowPresets"]:
        for step in workflow["steps"]:
            steps += 1
            found = [one for one in presets[f"{step['type']}Presets"] if one["name"] == step["name"]]
            if len(found) != 1 or (step["type"] != "configure" and found[0]["configurePreset"] != workflow["steps"][0]["name"]):
                report.fail(f"the workflow {workflow['name']} has no step {step['type']} {step['name']}")
    report.checked(steps, "steps of workflows, each a preset")


def options_of(preset, target):
    """What the preset makes of a test's command line: its options without folders, source and object."""
    build = out / preset
    tools = {"LINKER": "lld-link-19", "AR": "llvm-lib-19", "RC_COMPILER": "llvm-rc-19", "MT": "llvm-mt-19"}
    code, text = common.run(["cmake", "--preset", preset, "-B", build, f"-DCMAKE_CXX_COMPILER={clang_cl}",
                             f"-DCMAKE_CXX_COMPILER_TARGET={target}", "-DCMAKE_SYSTEM_NAME=Windows",
                             "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                             "-DCMAKE_CXX_COMPILER_LAUNCHER=", f"-DFETCHCONTENT_SOURCE_DIR_DOCTEST={out / 'doctest'}",
                             *(f"-DCMAKE_{name}={common.tool(tool)}" for name, tool in tools.items())], cwd=tree)
    if code:
        report.fail(f"the preset {preset} cannot be configured:\n{text[-2000:]}")
        return None
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    tests = {found[1] for one in commands if (found := re.search(r"/test_(\w+)\.dir/", one["command"]))}
    report.checked(len(tests), f"folders of tests that {preset} builds")
    # What follows " -- " is the source, whose path would be read as an option.
    options, _, _ = commands[0]["command"].partition(" -- ")
    return [part for part in options.split()[1:]
            if part[0] in "/-" and not part.startswith(("/Fo", "/Fd", "-I", "-imsvc", "-c", "--")) and part != "-TP"]


def check_options(preset, target):
    options = options_of(preset, target)
    if options is None:
        return
    for wanted in ("-std:c++20", "/W4", "/WX", "/permissive-", "/Zc:__cplusplus", "/utf-8", "/bigobj", "/EHsc"):
        if wanted not in options:
            report.fail(f"{preset}: the tests are not compiled with {wanted}: {' '.join(options)}")
    sources = [*sorted((common.root / "tests/kernel").glob("*.cpp"))[:4], common.root / "examples/consume/consumer.cpp"]

    def compiled(source):
        return common.run([clang_cl, f"--target={target}", *options, "/clang:-nostdinc", f"/I{common.include}",
                           f"/I{common.root / 'examples'}", f"/I{common.root / 'tests'}", "/c",
                           f"/Fo{out / preset / source.stem}.obj", "--", source])

    for source, (code, text) in zip(sources, common.in_parallel(compiled, sources)):
        if code:
            report.fail(f"{preset}: {common.shown(source)}:\n{text[:2000]}")
    report.checked(len(sources), f"sources compiled with the options of {preset}")


def main():
    presets = make_tree()
    check_lists(presets)
    for preset, target in (("cl-x64", common.msvc_targets[0]), ("cl-arm64", common.msvc_targets[1])):
        check_options(preset, target)
    report.finish()


main()
