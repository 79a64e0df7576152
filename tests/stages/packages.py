# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Each way to get the library, with a project of its own (examples/consume/) that uses it, and nothing else of ours: the
CMake package and pkg-config of an installed tree that was moved afterwards, the sources as a subfolder and as a fetched
archive, the vcpkg port, the NuGet package in a kit project, the amalgamated header.

vcpkg and MSBuild are not here. The port runs with stand-ins for vcpkg's functions (tests/packages/vcpkg.cmake); `nuget`
packs and unpacks, and the project file is evaluated by msbuild.py and compiled by clang with cl's command line, against
the stand-in for the kit.
"""
import json
import re
import shutil
import sys
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

import common
from msbuild import project

sys.path.insert(0, str(common.root / "tests/strict"))
sys.dont_write_bytecode = True

import write_header  # noqa: E402
from kit_numbers import NEWEST, Numbers  # noqa: E402

consume = common.root / "examples/consume"
out = common.output_folder("packages")
prefix, build = out / "the prefix", out / "package"
port = consume / "vcpkg/ports/wddmcore"
off = [f"-DWDDMCORE_BUILD_{part}=OFF" for part in ("TESTS", "BENCH", "EXAMPLES")]
version = ".".join(re.findall(r"^#define WDDMCORE_VERSION_\w+ (\d+)$", (common.library / "config.hpp").read_text(), re.M))
report = common.report()


def done(command, what, **options):
    code, text = common.run(command, **options)
    if code:
        report.fail(f"{what}: {' '.join(str(part) for part in command[:8])} ...:\n{text[-3000:]}")
    return code == 0


def configure(source, folder, *arguments):
    return ["cmake", "-G", "Ninja", "-S", source, "-B", folder, f"-DCMAKE_CXX_COMPILER={common.tool('g++')}", *arguments]


def files_below(folder):
    return {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def wanted_files():
    return {name for name in files_below(common.include) if "__pycache__" not in name}


def same_files(what, found):
    for name in sorted(found ^ wanted_files()):
        report.fail(f"{what}: {name} is not both there and in include/")
    report.checked(len(found), f"files in {what}")


def use(name, arguments, headers, **environment):
    """Builds and runs a consumer, in a folder with a space in its name. Its headers are those of `headers`, if that is
    given; the source tree's are not a package."""
    folder = out / f"build of {name}"
    with_it = ["cmake", "-E", "env", *(f"{name}={value}" for name, value in environment.items())]
    for command in (configure(consume / name, folder, *arguments), ["cmake", "--build", folder], [folder / "consumer"]):
        if not done([*with_it, *command], name):
            return
    _, text = common.run(["ninja", "-C", folder, "-t", "deps"])
    read = {(folder / line.strip()).resolve() for line in text.splitlines() if "wddmcore/" in line and line[0] == " "}
    own = [path for path in read if path.suffix in (".hpp", ".h") and "wddmcore" in path.parts]
    foreign = [path for path in own if headers and not path.is_relative_to(headers)]
    if not own or foreign:
        report.fail(f"{name}: of {len(own)} headers {len(foreign)} are not the package's: {foreign[:2]}")
    report.checked(len(own), f"headers that {name} was built with; it runs")


def installed():
    """The installed tree, moved to where it is used from."""
    first = out / "first"
    if not (done(configure(common.root, build, *off, f"-DCMAKE_INSTALL_PREFIX={first}"), "configure") and
            done(["cmake", "--install", build], "install")):
        return False
    first.rename(prefix)
    same_files("the installed tree", files_below(prefix / "include"))
    rest = {name for name in files_below(prefix) if not name.startswith("include/")}
    share = {"share/cmake/wddmcore/wddmcoreConfig.cmake", "share/cmake/wddmcore/wddmcoreConfigVersion.cmake",
             "share/doc/wddmcore/LICENSE", "share/pkgconfig/wddmcore.pc"}
    if rest != share:
        report.fail(f"beside the headers these files are installed: {sorted(rest)}")
    for name in rest:
        if str(first) in (prefix / name).read_text(encoding="utf-8"):
            report.fail(f"{name} has the first prefix in it")
    return True


def from_the_prefix():
    use("cmake_config", [f"-DCMAKE_PREFIX_PATH={prefix}"], prefix)
    # The driver to start from needs nothing of the repository but its own files, its hardware's and those that play it.
    skeleton, examples = out / "the skeleton", common.root / "examples"
    for pattern in ("kmd_skeleton.cpp", "kmd_skeleton/*", "hardware/cpu*.hpp",
                    *(f"driver_host/{part}" for part in ("machine.hpp", "memory_run.*", "play.*"))):
        for path in examples.glob(pattern):
            target = skeleton / path.relative_to(examples)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    use("kmd_skeleton", [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DSKELETON={skeleton}"], prefix)
    pc = str(prefix / "share/pkgconfig")
    use("pkg_config", [], prefix, PKG_CONFIG_PATH=pc)
    code, text = common.run(["cmake", "-E", "env", f"PKG_CONFIG_PATH={pc}", common.tool("pkg-config"), "--modversion",
                             "wddmcore"])
    if code or text.strip() != version:
        report.fail(f"pkg-config says version {text.strip()}; config.hpp {version}")
    # A version that is not there must not be found.
    source = out / "too_new"
    source.mkdir()
    text = (consume / "cmake_config/CMakeLists.txt").read_text(encoding="utf-8")
    (source / "CMakeLists.txt").write_text(re.sub(r"wddmcore [\d.]+ CONFIG", "wddmcore 999.0 CONFIG", text), encoding="utf-8")
    code, text = common.run(configure(source, source / "build", f"-DCMAKE_PREFIX_PATH={prefix}"))
    if code == 0 or "requested" not in text:
        report.fail("version 999.0 was found")
    report.checked(1, "version refused that is newer than the installed one")


def from_sources():
    use("add_subdirectory", [f"-DWDDMCORE_SOURCE={common.root}"], common.include)
    # What includes the library gets its target, and none of our tests, flags and packages.
    _, text = common.run(["cmake", "--build", out / "build of add_subdirectory", "--target", "help"])
    targets = set(re.findall(r"^(\w+): phony$", text, re.M))
    for target in sorted(name for name in targets if name.startswith(("test_", "wddmcore_"))):
        report.fail(f"add_subdirectory: {target} is no business of the one who includes the library")
    archive = out / "wddmcore.tar.gz"
    parts = ["CMakeLists.txt", "LICENSE", "include", "examples/consume", "tests/cmake"]
    if done(["cmake", "-E", "tar", "czf", archive, *parts], "archive", cwd=common.root):
        use("fetch_content", [f"-DWDDMCORE_ARCHIVE={archive}"], out / "build of fetch_content")


def vcpkg():
    manifest, own = (json.loads((folder / "vcpkg.json").read_text(encoding="utf-8")) for folder in (port, consume / "vcpkg"))
    overlay = json.loads((consume / "vcpkg/vcpkg-configuration.json").read_text(encoding="utf-8"))["overlay-ports"]
    description = re.search(r'DESCRIPTION "(.*)"', (common.root / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    for what, wrong in {"the port's version": manifest["version"] != version,
                        "the port's description": manifest["description"] != description,
                        "the port's licence": manifest["license"] != "MIT",
                        "the port's name": manifest["name"] != port.name,
                        "an unknown field of the port": set(manifest) - {"name", "version", "description", "license",
                                                                         "dependencies"},
                        "the consumer's dependencies": own["dependencies"] != [manifest["name"]],
                        "the overlay": [(consume / "vcpkg" / one).resolve() for one in overlay] != [port.parent]}.items():
        if wrong:
            report.fail(f"vcpkg: {what} is not right")
    # vcpkg itself has these as ports, for the functions that the portfile calls.
    helpers = {"vcpkg-cmake": "vcpkg_cmake_configure", "vcpkg-cmake-config": "vcpkg_cmake_config_fixup"}
    text = (port / "portfile.cmake").read_text(encoding="utf-8")
    for name, function in helpers.items():
        if {"name": name, "host": True} not in manifest["dependencies"] or f"{function}(" not in text:
            report.fail(f"vcpkg: {function} is not both called and depended on as {name}")
    folder = out / "vcpkg packages"
    if done(["cmake", f"-DPORT_FOLDER={port}", f"-DCURRENT_PACKAGES_DIR={folder}", f"-DBUILD={out / 'vcpkg build'}",
             f"-DCXX={common.tool('g++')}", "-P", common.root / "tests/packages/vcpkg.cmake"], "the port"):
        same_files("the port's package", files_below(folder / "include"))
        rest = sorted(name for name in files_below(folder) if not name.startswith("include/"))
        if rest != ["share/pkgconfig/wddmcore.pc", "share/wddmcore/copyright", "share/wddmcore/wddmcoreConfig.cmake",
                    "share/wddmcore/wddmcoreConfigVersion.cmake"]:
            report.fail(f"vcpkg: beside the headers the package has {rest}")
        use("vcpkg", [f"-DCMAKE_PREFIX_PATH={folder}"], folder)


def stand_in_for_the_kit():
    folder = out / "kit"
    write_header.write(Numbers(), "26100", NEWEST["26100"], folder)
    return [f"/clang:-isystem{folder}", f"/clang:-isystem{common.root / 'tests/strict/port'}"]


def compiled_driver(package, kit):
    """The consumer's project with the unpacked package, for both platforms. Which headers were read is what clang says."""
    file = consume / "nuget/driver.vcxproj"
    read = set()
    for platform, target in (("x64", common.msvc_targets[0]), ("ARM64", common.msvc_targets[1])):
        mine = project(file, Configuration="Release", Platform=platform, WddmcorePackage=f"{package}/")
        names = sorted(path.name for path in mine.imported)
        if names != ["driver.vcxproj", "wddmcore.props", "wddmcore.targets"]:
            report.fail(f"nuget: the project imports {names}")
        if f"Release|{platform}" not in mine.sources("ProjectConfiguration"):
            report.fail(f"nuget: the project has no Release|{platform}")
        natvis = package / "build/native/include/wddmcore/wddmcore.natvis"
        if mine.sources("Natvis") != ([natvis] if natvis.exists() else []):
            report.fail(f"nuget: the project shows types by {mine.sources('Natvis')}")
        for source in mine.sources():
            obj = out / f"{source.stem}.{platform}.obj"
            command = [common.tool("clang++-19"), "--driver-mode=cl", f"--target={target}", "/nologo", "/kernel", "/O2",
                       "/clang:-nostdinc", *mine.command_line(source), *kit, "/c", "/showIncludes", f"/Fo{obj}", "--", source]
            code, text = common.run(command)
            if code:
                report.fail(f"nuget: {common.shown(source)} for {platform}:\n{text[-3000:]}")
            read |= {Path(line.split(":", 2)[2].strip()).resolve() for line in text.splitlines()
                     if line.startswith("Note: including file:")}
        report.checked(len(mine.sources()), f"sources of the kit project, compiled for {platform}")
    own = [path for path in read if "wddmcore" in path.parts and path.suffix == ".hpp"]
    foreign = [path for path in own if not path.is_relative_to(package)]
    if not own or foreign:
        report.fail(f"nuget: of {len(own)} headers {len(foreign)} are not the package's: {foreign[:2]}")
    report.checked(len(own), "headers that the kit project was built with, all of the package")


def nuget():
    if not done(["cmake", "--build", build, "--target", "wddmcore_nuget"], "nuget pack"):
        return
    file = build / f"nuget/wddmcore.{version}.nupkg"
    with zipfile.ZipFile(file) as package:
        names = package.namelist()
    inside = "build/native/include/"
    same_files("the NuGet package", {name.removeprefix(inside) for name in names if name.startswith(inside)})
    rest = sorted(name for name in names if not name.startswith((inside, "package/", "_rels/", "[Content_Types]")))
    if rest != ["LICENSE", "build/native/wddmcore.props", "build/native/wddmcore.targets", "wddmcore.nuspec"]:
        report.fail(f"nuget: beside the headers the package has {rest}")
    listed = {one.get("id"): one.get("version") for one in xml.parse(consume / "nuget/packages.config").getroot()}
    if listed != {"wddmcore": version} or f"wddmcore.{version}\\" not in (consume / "nuget/driver.vcxproj").read_text():
        report.fail(f"nuget: packages.config and driver.vcxproj want {listed}; config.hpp has {version}")
    folder = out / "nuget packages"
    folder.mkdir()
    if done([common.tool("nuget"), "install", consume / "nuget/packages.config", "-Source", file.parent, "-OutputDirectory",
             folder], "nuget install", cwd=out):
        compiled_driver(folder / f"wddmcore.{version}", stand_in_for_the_kit())


def main():
    if installed():
        from_the_prefix()
        from_sources()
        vcpkg()
        nuget()
        use("amalgamated", [], out / "build of amalgamated/amalgamated")
    report.finish()


main()
