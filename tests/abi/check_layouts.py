#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Compiles the layout tables, written into build/, for every machine, then shows that a wrong mirror does not compile.

Compilers: CLANG (default clang++-19) for the msvc targets, GXX (g++) and HOST_CLANG (clang++-14) for Linux.
Exit 0 when everything holds, 1 otherwise; one line for each step.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "stages" / "abi"

CLANG = os.environ.get("CLANG", "clang++-19")
GXX = os.environ.get("GXX", "g++")
HOST_CLANG = os.environ.get("HOST_CLANG", "clang++-14")

WINDOWS = ("/nologo /c /kernel /GR- /EHs-c- /W4 /WX /O2 /std:c++20 /Zc:__cplusplus /permissive- /X").split()
LINUX = ("-std=c++20 -O2 -c -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast "
         "-Wcast-align -Werror").split()


def windows(machine):
    return [CLANG, "--driver-mode=cl", f"--target={machine}-pc-windows-msvc", *WINDOWS]


MACHINES = {
    "x86_64-pc-windows-msvc": windows("x86_64"),
    "aarch64-pc-windows-msvc": windows("aarch64"),
    "i686-pc-windows-msvc": windows("i686"),
    "x86_64-linux g++": [GXX, *LINUX],
    "x86_64-linux clang": [HOST_CLANG, *LINUX],
}

ASSERTED = r"static assertion failed|static_assert failed"
BITS = r"a bit-field is not where the numbers say"
MISSING = r"no member named"
MIRROR = "wddmcore/ddi/mirror/"

# (what is wrong, header, text, its replacement, table that must notice, how, the machines on which it is wrong)
MISTAKES = (
    ("a member widened", MIRROR + "wddm2/v2_9/paging.hpp",
     "u32 PageCount;", "u64 PageCount;", "layout_v2_9.cpp", ASSERTED, ""),
    ("two members swapped", MIRROR + "wddm3/v3_2/paging.hpp",
     "u16 MmuId;\n    u16 SegmentId;", "u16 SegmentId;\n    u16 MmuId;", "layout_v3_2.cpp", ASSERTED, ""),
    ("a bit-field one wider", MIRROR + "wddm3/v3_2/paging.hpp",
     "u32 Eviction : 1;\n            u32 IoMmuUnmap : 1;\n            u32 Reserved : 30;",
     "u32 Eviction : 2;\n            u32 IoMmuUnmap : 1;\n            u32 Reserved : 29;",
     "layout_v3_2.cpp", BITS, ""),
    ("two bits swapped", MIRROR + "wddm1/vista/paging.hpp",
     "u64 ReadOnly : 1;\n            u64 NoExecute : 1;", "u64 NoExecute : 1;\n            u64 ReadOnly : 1;",
     "layout_vista.cpp", BITS, ""),
    ("the last member removed", MIRROR + "wddm3/v3_2/paging.hpp",
     "    u32 DmaBufferWriteOffset;\n", "", "layout_v3_2.cpp", MISSING, ""),
    ("padding at the end", MIRROR + "wddm1/vista/paging.hpp",
     "        u64 PageTableAddress;\n    };\n", "        u64 PageTableAddress;\n    };\n    u32 pad;\n",
     "layout_vista.cpp", ASSERTED, ""),
    ("a union turned into a struct", MIRROR + "wddm2/v2_0/paging.hpp",
     "union {\n        void* CpuVirtual;", "struct {\n        void* CpuVirtual;",
     "layout_v2_0.cpp", ASSERTED, ""),
    ("a pointer-wide member fixed at 64 bits", MIRROR + "wddm1/vista/paging.hpp",
     "usize TransferSize;", "u64 TransferSize;", "layout_vista.cpp", ASSERTED, "i686"),
    ("the same in a later version that names it", MIRROR + "wddm1/vista/paging.hpp",
     "usize TransferSize;", "u64 TransferSize;", "layout_v3_2.cpp", ASSERTED, "i686"),
    ("a nested type of the wrong version", MIRROR + "wddm3/v3_1.hpp",
     "v3_0::dxgkargcb_notify_interrupt_data::crtc_vsync_with_multi_plane_overlay_type",
     "win8::dxgkargcb_notify_interrupt_data::crtc_vsync_with_multi_plane_overlay_type",
     "layout_v3_1.cpp", ASSERTED, ""),
    ("a member of an older version's type", MIRROR + "wddm2/v2_9/queries.hpp",
     "    dxgk_vidmmcaps MemoryManagementCaps;", "    vista::dxgk_vidmmcaps MemoryManagementCaps;",
     "layout_v2_9.cpp", ASSERTED, ""),
    ("a version that extends the wrong one", MIRROR + "wddm2/v2_8.hpp",
     "using namespace v2_7;", "using namespace v2_6;", "layout_versions.cpp", ASSERTED, ""),
    ("a version without a definition of its own", MIRROR + "wddm2/v2_3.hpp",
     "struct dxgk_vidschcaps {", "struct dxgk_vidschcaps_gone {", "layout_v2_3.cpp", MISSING, ""),
    ("a version's name for a later layout", MIRROR + "mirror.hpp",
     "namespace v2_1_6 = v2_1;", "namespace v2_1_6 = v2_2;", "layout_versions.cpp", ASSERTED, ""),
    ("a binding of an older structure", "wddmcore/ddi/mirror_binding.hpp",
     "    using drivercaps = mirror::v2_4::dxgk_drivercaps;\n", "", "layout_bindings.cpp", ASSERTED, ""),
    ("a bit of ours that stands for another of the DDI's", "wddmcore/preemption/engine/submission.hpp",
     "resubmission = 1u << 7", "resubmission = 1u << 8", "layout_tied.cpp", ASSERTED, ""),
    ("a value of ours that stands for another of the DDI's", "wddmcore/preemption/records/notify.hpp",
     "suspend_context_completed = 17", "suspend_context_completed = 21", "layout_tied.cpp", ASSERTED, ""),
    ("a flag of a segment that stands for another of the DDI's", "wddmcore/segment/table/flags.hpp",
     "local_budget_group = 1u << 19", "local_budget_group = 1u << 20", "layout_tied.cpp", ASSERTED, ""),
    ("a status off by one", "wddmcore/ddi/ntstatus.hpp",
     "0xc01e0001u", "0xc01e0002u", "layout_constants.cpp", ASSERTED, ""),
    ("an operation code off by one", "wddmcore/ddi/operation.hpp",
     "notify_alloc = 22", "notify_alloc = 23", "layout_constants.cpp", ASSERTED, ""),
)


def compile_one(machine, table, include, folder):
    command = MACHINES[machine]
    target = pathlib.Path(folder) / f"{table.stem}.{re.sub('[^a-z0-9]', '_', machine)}.o"
    output = ["/Fo" + str(target)] if "windows" in machine else ["-o", str(target)]
    # A relative name: the cl driver takes one that begins with a slash for an option.
    done = subprocess.run([*command, f"-I{include}", f"-I{HERE}", *output, str(table.relative_to(ROOT))], cwd=ROOT,
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def tables_hold(pool, folder):
    good = True
    tables = sorted([*OUT.glob("layout_*.cpp"), *HERE.glob("*.cpp")])
    for machine in MACHINES:
        results = pool.map(lambda table: compile_one(machine, table, ROOT / "include", folder), tables)
        failed = [(table.name, text) for table, (code, text) in zip(tables, results) if code or text.strip()]
        print(f"checked: {len(tables)} tables of layouts on {machine}, of which {len(tables) - len(failed)} hold")
        for name, text in failed:
            print(f"--- {name}\n{text[:2000]}")
        good = good and not failed
    return good


def mistakes_show(pool, folder):
    good = True
    for k, (what, header, text, instead, table, how, only) in enumerate(MISTAKES):
        include = pathlib.Path(folder) / f"mistake{k}"
        shutil.copytree(ROOT / "include", include)
        before = (include / header).read_text()
        if text not in before:
            print(f"{what}: {header} does not contain the text to change")
            good = False
            continue
        (include / header).write_text(before.replace(text, instead, 1))
        machines = [m for m in MACHINES if m.startswith(only)]
        results = list(pool.map(lambda m: compile_one(m, OUT / table, include, folder), machines))
        unseen = [m for m, (code, output) in zip(machines, results) if code == 0 or not re.search(how, output)]
        print(f"{what}: noticed on {len(machines) - len(unseen)} of {len(machines)} machines"
              + (f", not on {', '.join(unseen)}" if unseen else ""))
        good = good and not unseen
    print(f"checked: {len(MISTAKES)} planted mistakes")
    return good


def main():
    began = time.monotonic()
    for variable, tool in (("CLANG", CLANG), ("GXX", GXX), ("HOST_CLANG", HOST_CLANG)):
        if shutil.which(tool) is None:
            print(f"The compiler {tool} is not installed; install it or name another one in {variable}.")
            return 1
    current = subprocess.run([sys.executable, str(HERE / "generate.py"), "--check"], capture_output=True, text=True)
    print("generated files: " + ("as the numbers say" if current.returncode == 0 else "stale"))
    print(current.stdout + current.stderr, end="")
    shutil.rmtree(OUT, ignore_errors=True)
    subprocess.run([sys.executable, str(HERE / "generate.py"), "--tables", str(OUT)], check=True)
    jobs = int(os.environ.get("WDDMCORE_JOBS", os.cpu_count() or 1))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        good = tables_hold(pool, folder)
        good = mistakes_show(pool, folder) and good
    good = good and current.returncode == 0
    print(f"{'all layouts hold' if good else 'FAILED'} ({time.monotonic() - began:.0f} s)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
