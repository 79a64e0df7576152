# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What the stages share: where things are, which tools there are, how commands run, how a stage ends."""
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root = Path(__file__).resolve().parents[2]
include = root / "include"
library = include / "wddmcore"

strict = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wold-style-cast", "-Wcast-align",
          "-Werror"]
freestanding = ["-std=c++20", "-ffreestanding", "-nostdinc", "-nostdinc++", "-fno-exceptions", "-fno-rtti"]
msvc_targets = ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc", "i686-pc-windows-msvc"]
# Folders of include/wddmcore, lowest first: each may include only those before it.
folders = ["base", "ddi", "hw", "segment", "gpuva", "adl", "iommu", "preemption", "paging", "adapter_info", "wdk", "testing"]


def tool(name):
    """The path of a tool; a stage without its tool has failed."""
    name = os.environ.get("WDDMCORE_GXX", name) if name == "g++" else name
    path = shutil.which(name)
    if path is None:
        sys.exit(f"FAILED: {name} is not installed (sh tests/run.sh --all installs what it needs)")
    return path


def output_folder(stage):
    folder = root / "build" / "stages" / stage
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def clang_cl(target):
    """The command line nearest to a WDK build: MSVC ABI, kernel mode, no header but ours."""
    return [tool("clang++-19"), "--driver-mode=cl", f"--target={target}", "/nologo", "/kernel", "/GR-", "/EHs-c-",
            "/W4", "/WX", "/std:c++20", "/Zc:__cplusplus", "/permissive-", "/clang:-nostdinc"]


def hostile_prelude(folder, without=r"$."):
    """(file, names): the macros of other headers of a driver, with bodies that do not compile, and the DDI's constants."""
    tests = root / "tests"
    names = [name for line in (tests / "headers/hostile_names.txt").read_text(encoding="utf-8").splitlines()
             if not line.startswith("#") for name in line.split()]
    constants = json.loads((tests / "abi/ddi_abi.json").read_text(encoding="utf-8"))["constants"]
    lines = [f'#include "{tests / "headers/hostile_macros.hpp"}"']
    for name in sorted(name for name in {*names, *constants} if not re.match(without, name)):
        lines += [f"#undef {name}", f"#define {name} )hostile_macro("]
    prelude = folder / "hostile.hpp"
    prelude.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return prelude, len(lines) // 2


def run(command, **options):
    """(exit code, both outputs as one text)."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False, env={**os.environ, "LC_ALL": "C"}, **options)
    return done.returncode, done.stdout


def in_parallel(work, items):
    """work(item) for every item, in order, on all processors."""
    jobs = int(os.environ.get("WDDMCORE_JOBS", os.cpu_count() or 1))
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, items))


def core_headers():
    """Everything a driver may include: no testing/, and no wdk/, which needs the driver's own d3dkmddi.h first."""
    return [path for path in headers() if folder_of(path) not in ("testing", "wdk")]


def headers():
    return sorted(path for path in library.rglob("*") if path.suffix in (".hpp", ".h"))


def folder_of(path):
    """`paging` for paging/build.hpp and for the umbrella paging.hpp, '' for the files that belong to no folder."""
    if not path.is_relative_to(library):
        return ""
    parts = path.relative_to(library).parts
    name = parts[0] if len(parts) > 1 else path.stem
    return name if name in folders else ("" if len(parts) == 1 else name)


def shown(path):
    return str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else str(path)


class report:
    """Collects what a stage found; a stage that checked nothing has failed."""

    def __init__(self):
        self.failures = []
        self.counts = []

    def fail(self, text):
        self.failures.append(text.rstrip())

    def checked(self, count, what):
        self.counts.append((count, what))

    def finish(self, shown_failures=20):
        for text in self.failures[:shown_failures]:
            print(f"FAILED: {text}")
        if len(self.failures) > shown_failures:
            print(f"... and {len(self.failures) - shown_failures} more")
        for count, what in self.counts:
            print(f"checked: {count} {what}")
        nothing = [what for count, what in self.counts if count == 0]
        if nothing or not self.counts:
            print(f"FAILED: nothing was checked of: {', '.join(nothing) or 'everything'}")
        sys.exit(1 if self.failures or nothing or not self.counts else 0)
