# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The core against headers shaped like the kit's, for every interface version and header generation.

The mirrors flatten enumerations and unions; a driver's own header does not. tests/strict/README.md says what is made and
compared here.
"""
import functools
import re
import shutil
import sys

import common

sys.path.insert(0, str(common.root / "tests/strict"))
sys.dont_write_bytecode = True

import generate_c_functions  # noqa: E402
import instantiated  # noqa: E402
import layout_check  # noqa: E402
import layouts  # noqa: E402
from kit_numbers import NEWEST, Numbers  # noqa: E402
from strict_twin import Twin  # noqa: E402

out = common.output_folder("strict")
here = common.root / "tests/strict"
driver = here / "driver.cpp"
functions = here / "functions.cpp"
pointer_bytes = {target: 4 if target.startswith("i686") else 8 for target in common.msvc_targets}


def folder_of(version, build, width):
    return out / f"{build}_{version.lower()}_{width * 8}"


def command(target, folder, include=common.include):
    return common.clang_cl(target) + [f"/clang:-isystem{folder}", f"/I{include}", f"/I{common.root / 'examples'}",
                                      f"/clang:-isystem{here / 'port'}", "/clang:-Wconversion", "/clang:-Wsign-conversion"]


class Kits:
    """All twins, those that differ for the compiler, and the headers that were written."""

    def __init__(self):
        self.numbers = Numbers()
        self.twins = {}
        self.texts = {}
        for version, build in self.numbers.pairs():
            for width in (8, 4):
                twin = Twin(self.numbers, version, build, width)
                self.twins[version, build, width] = twin
                self.texts[version, build, width] = twin.text()
                folder = folder_of(version, build, width)
                folder.mkdir()
                (folder / "d3dkmddi.h").write_text(twin.header(), encoding="utf-8")

    def different_headers(self, width):
        """One pair for each header text: same declarations have the same layout."""
        first = {}
        for version, build in self.numbers.pairs():
            first.setdefault(self.texts[version, build, width], (version, build))
        return list(first.values())

    @functools.cached_property
    def declarations(self):
        """By pair, what driver.cpp and functions.cpp, and what they name, can reach of it: {(structure, its declaration)}."""
        named = set(re.findall(r"\b_?((?:DXGK|D3D|DRIVER_|MDL)\w*)", "".join(
            path.read_text(encoding="utf-8")
            for path in (driver, functions, here / "described_gpu.hpp", *sorted((common.library / "wdk").rglob("*.h*"))))))
        return {(version, build): set(self.twins[version, build, 8].reached_from(named).items())
                for version, build in reversed(self.numbers.pairs())}

    def covering(self, parts_of):
        """As few pairs as have every kit, every version, and all that there is of `parts_of(pair, declarations)`."""
        parts = {pair: {*pair, *parts_of(pair, found)} for pair, found in self.declarations.items()}
        chosen = []
        left = set().union(*parts.values())
        while left:
            chosen.append(max(parts, key=lambda pair: len(parts[pair] & left)))
            left -= parts[chosen[-1]]
        return chosen

    def every_shape_at_every_version(self):
        """Each form that a structure has in any header, at each version at which it has that."""
        return self.covering(lambda pair, found: {(pair[0], *one) for one in found})

    def every_shape(self):
        """Each form that a structure has in any header."""
        return self.covering(lambda pair, found: found)

    def once_each(self):
        """Every kit and every version once."""
        return self.covering(lambda pair, found: ())


def check_layout(kits, target, version, build):
    """(complaints, members compared) of one twin for one target."""
    width = pointer_bytes[target]
    twin = kits.twins[version, build, width]
    source = out / f"layout_{build}_{version.lower()}_{target.split('-')[0]}.cpp"
    lines, expected = ["#include <d3dkmddi.h>"], {}
    for record in twin.records.values():
        size, align, fields = record.size, record.align, record.fields
        if width == 4:
            if not record.exact:
                continue  # older layouts are numbers of 64-bit machines
            narrow = kits.numbers.x86_variant(record.name, version)
            size, align, fields = narrow["size"], narrow["align"], narrow["fields"]
        known = {f["name"] for f in twin.fields_of(record)}
        expected[record.tag] = (record, [f for f in fields if f["name"] in known])
        lines.append(f"static_assert(sizeof({record.tag}) == {size} && alignof({record.tag}) == {align});")
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    folder = folder_of(version, build, width)
    code, text = common.run([*command(target, folder), "-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete", "--",
                             source])
    at = f"{target}, header {build} at {version}"
    if code:
        return [f"{at}: the twin does not have its numbers:\n{text[-3000:]}"], 0
    found = layouts.records(text)
    wrong, count = [], 0
    for tag, (record, fields) in expected.items():
        wrong += layouts.differences(record, fields, found.get(tag, {}), twin)
        count += len(fields)
    return [f"{at}: {text}" for text in wrong], count


def write_units():
    """Translation units as a WDK driver has them: the kit's other macros before the library, or the library first."""
    hostile, names = common.hostile_prelude(out, without="_?(DXGK|D3D)")  # those are this header's
    undone = re.findall(r"^#define (\w+)\(", (common.root / "tests/headers/hostile_macros.hpp").read_text(encoding="utf-8"), re.M)
    kit = "".join(f"#include <{name}>\n" for name in ("ntddk.h", "d3dkmddi.h", "dispmprt.h"))
    macros = "".join(f"#undef {name}\n" for name in undone) + f'#include "{hostile}"\n'
    first, last = out / "kit_first.cpp", out / "library_first.cpp"
    first.write_text(f'{kit}{macros}#include "{driver}"\n', encoding="utf-8")
    last.write_text(f'#include <wddmcore/wddmcore.hpp>\n{kit}#include "{driver}"\n', encoding="utf-8")
    return first, last, names


def check_driver(unit, target, version, build, include=common.include):
    folder = folder_of(version, build, pointer_bytes[target])
    code, text = common.run([*command(target, folder, include), "/GS", f"/clang:-isystem{here / 'port'}", "-fsyntax-only", "--", unit])
    return [f"{target}, header {build} at {version}: {unit.name} does not compile:\n{text[:4000]}"] if code else []


def check_functions(kits, report):
    """The DDI functions of wdk/: their prototypes are those of the table and of the header, and each compiles."""
    if not generate_c_functions.is_up_to_date():
        report.fail("wdk/functions.h is not what tests/strict/generate_c_functions.py writes")
    first, *others = common.msvc_targets
    jobs = [(first, *pair) for pair in kits.every_shape()]
    jobs += [(target, version, build) for target in others for build, version in NEWEST.items()]
    for wrong in common.in_parallel(lambda job: check_driver(functions, *job), jobs):
        for text in wrong:
            report.fail(text)
    report.checked(len(jobs), "compilations of the DDI functions of wdk/")
    wrong_ones = out / "wrong_signature.cpp"
    right = "wddmcore_DxgkDdiPreemptCommand(const HANDLE h, const DXGKARG_PREEMPTCOMMAND* args)"
    text = functions.read_text(encoding="utf-8")
    wrong_ones.write_text(text.replace(right, right.replace("const DXGK", "DXGK")).replace(
        '"described_gpu.hpp"', f'"{here}/described_gpu.hpp"'), encoding="utf-8")
    _, text = common.run([*command(first, folder_of("WDDM3_2", "26100", 8)), "-fsyntax-only", "--", wrong_ones])
    if "conflicting types for 'wddmcore_DxgkDdiPreemptCommand'" not in text:
        report.fail(f"a function with another signature than the header's is not noticed:\n{text[:1000]}")


def check_in_c(version, build, width):
    """The twin is C as well, as a kit's header is."""
    source = out / f"{build}_{version.lower()}_{width * 8}.c"
    source.write_text("#include <dispmprt.h>\n\n#include <wddmcore/wdk/functions.h>\n", encoding="utf-8")
    target = next(name for name in common.msvc_targets if pointer_bytes[name] == width)
    code, text = common.run([common.tool("clang++-19"), "--driver-mode=cl", f"--target={target}", "/nologo", "/W4", "/WX",
                             f"/I{folder_of(version, build, width)}", f"/I{here / 'port'}", f"/I{common.include}", "/wd4201", "-Wno-unused-command-line-argument",
                             "-fsyntax-only", "--", source])
    return [f"{target}, header {build} at {version} as C:\n{text[:2000]}"] if code else []


def check_refused(source, version, build, include=common.include):
    """What an older header lacks is one error that says so, and no error from inside a template."""
    target = common.msvc_targets[0]
    expected = re.findall(r"^// expect: (.+)$", source.read_text(encoding="utf-8"), re.M)
    _, text = common.run([*command(target, folder_of(version, build, 8), include), "-fsyntax-only", "--", source])
    errors = re.findall(r"\): error: (.*)", text)
    at = f"{common.shown(source)}, header {build} at {version}"
    if len(errors) != 1:
        return [f"{at}: {len(errors)} errors instead of one sentence:\n" + "\n".join(errors[:5])]
    return [f"{at}: does not say '{part}' but:\n{errors[0]}" for part in expected if part not in errors[0]]


X64, I686 = "x86_64-pc-windows-msvc", "i686-pc-windows-msvc"
# Mistakes that the mirrors let pass once: the file, its text, what stood there; then where the driver does not compile or a
# refused program does not get its sentence, and a part of what is said there.
mistakes = [
    ("preemption/records/notify.hpp", "code.DeviceSpecificCode = ", "code.GeneralErrorCode = ", driver, X64, "WDDM2_0", "10240",
     "assigning to 'DXGK_GENERAL_ERROR_CODE'"),
    ("adapter_info/iommu_queries.hpp", "NumberOfBytes.QuadPart = ", "NumberOfBytes = ", driver, X64, "WDDM3_2", "26100",
     "no viable overloaded '='"),
    ("adl/source.hpp", "from_mdl(Mdl const& mdl, Pfn const*", "of_other_numbers(Mdl const& mdl, Pfn const*", driver, I686, "WDDM3_2",
     "26100", "no matching function for call to 'from_mdl'"),
    ("preemption/records/notify_in_order.hpp", "notify(scratch);", "notify(static_cast<Data const&>(scratch));", driver, X64, "WDDM2_0",
     "10240", "no matching function for call to object of type 'const (lambda"),
    ("preemption/members.hpp", "{ caps.NativeGpuFence; }", "{ caps.NativeGpuFence + caps.OptimizedNativeFenceSignaledInterrupt; }",
     driver, X64, "WDDM3_1", "22621", "every_claimed_bit_is_set<_DXGK_VIDSCHCAPS>"),
    ("preemption/records/notify.hpp", "{ data.HwContextListSwitchCompleted.ContextSwitchFence; }",
     "{ data.HwContextListSwitchCompleted; }", here / "refused/switched_list.cpp", X64, "WDDM2_2", "15063",
     "does not say 'interrupt record: the included header has no HwContextListSwitchCompleted.ContextSwitchFence'"),
]


def check_mistake(number):
    """What is not noticed of one mistake in a copy of the library."""
    file, right, wrong, unit, target, version, build, said = mistakes[number]
    include = out / f"library_mistake_{number}"
    shutil.copytree(common.include, include)
    path = include / "wddmcore" / file
    text = path.read_text(encoding="utf-8")
    if right not in text:
        return [f"{file} has no '{right}': the mistake has to be planted elsewhere"]
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    complaints = check_driver(unit, target, version, build, include) if unit == driver else \
        check_refused(unit, version, build, include)
    return [] if any(said in text for text in complaints) else \
        [f"{file}: '{wrong}' for '{right}' is not noticed as '{said}' but: {complaints or 'nothing'}"]


def check_instantiations(report):
    """Every function template that may take a structure of the DDI is instantiated with one, on some machine."""
    seen = set()
    for target, version in (("x86_64-pc-windows-msvc", "WDDM3_2"), ("x86_64-pc-windows-msvc", "WDDM2_0"), ("x86_64-pc-windows-msvc", "WIN8"),
                            ("i686-pc-windows-msvc", "WDDM3_2")):
        ir = out / f"{target.split('-')[0]}_{version}.ll"
        folder = folder_of(version, "26100", pointer_bytes[target])
        code, text = common.run([*command(target, folder), "/Od", "/c", "/clang:-emit-llvm", "/clang:-S",
                                 "/clang:-Xclang", "/clang:-disable-llvm-passes", f"/clang:-o{ir}", "--", driver])
        if code:
            report.fail(f"{target}: driver.cpp does not compile:\n{text[:2000]}")
            return
        seen |= instantiated.instantiated(ir.read_text(encoding="utf-8"))
    count = 0
    for path in common.core_headers():
        for name, parameters in instantiated.templates(path):
            count += 1
            if name not in seen:
                report.fail(f"{common.shown(path)}: {name}<{', '.join(parameters)}> is never instantiated with a structure "
                            "of the DDI: call it in tests/strict/driver.cpp")
    report.checked(count, "function templates that take structures of the DDI, all instantiated")


def check_mirrors(kits, report):
    """Every member of a mirror has the kind that the numbers give it, enumerations as integers."""
    numbers = kits.numbers
    text = "".join(path.read_text(encoding="utf-8") for path in (common.library / "ddi/mirror").rglob("*.hpp"))
    mirrored = [name for name in numbers.structs if re.search(rf"\b(struct|union) {name.lower()}(_wide)? {{", text)]
    probes, expected = ["#include <wddmcore/ddi/mirror/mirror.hpp>"], {}
    for version in numbers.order:
        space = re.sub("^wddm", "v", version.lower())
        for name in mirrored:
            variant = numbers.variant(numbers.structs[name]["variants"], version)
            if variant:
                probe = f"probe_{space}_{name.lower()}"
                probes.append(f"struct {probe} {{ wddmcore::mirror::{space}::{name.lower()} probed; }};")
                expected[probe] = (name, version, variant["fields"])
    source = out / "mirrors.cpp"
    source.write_text("\n".join(probes) + "\n", encoding="utf-8")
    target = common.msvc_targets[0]
    code, dump = common.run([*common.clang_cl(target), f"/I{common.include}", "-fsyntax-only", "-Xclang",
                             "-fdump-record-layouts-complete", "--", source])
    if code:
        report.fail(f"mirrors do not compile:\n{dump[:2000]}")
        return
    found, count = layouts.probed(dump), 0
    for probe, (name, version, fields) in expected.items():
        for field in fields:
            member = found.get(probe, {}).get(field["name"])
            count += 1
            if member is None:
                report.fail(f"mirror of {name} at {version}: no member {field['name']}")
            elif layouts.mirror_class(member) != layouts.kind_class(field):
                report.fail(f"mirror of {name} at {version}: {field['name']} is of the kind {layouts.mirror_class(member)} "
                            f"({member.spelled}), the header's is {layouts.kind_class(field)} ({field['type']})")
    report.checked(count, "members of mirrors, for their kind")


def main():
    report = common.report()
    kits = Kits()
    jobs = [(target, *pair) for target in common.msvc_targets for pair in kits.different_headers(pointer_bytes[target])]
    members = 0
    for wrong, count in common.in_parallel(lambda job: check_layout(kits, *job), jobs):
        members += count
        for text in wrong:
            report.fail(text)
    report.checked(len(jobs), f"different headers of {len(NEWEST)} kits at {len(kits.numbers.order)} versions")
    report.checked(members, "members of the twin, for place and type")

    jobs = [(version, build, width) for build, version in NEWEST.items() for width in (8, 4)]
    for wrong in common.in_parallel(lambda job: check_in_c(*job), jobs):
        for text in wrong:
            report.fail(text)
    report.checked(len(jobs), "headers as C, with the prototypes of wdk/functions.h")

    kit_first, library_first, names = write_units()
    x64, arm64, i686 = common.msvc_targets
    newest = [(version, build) for build, version in NEWEST.items()]
    jobs = [(kit_first, x64, *pair) for pair in kits.every_shape_at_every_version()]
    # Their members have the kinds of x64, which the layouts above have shown; what differs on i686 is the width of pointers.
    jobs += [(kit_first, i686, *pair) for pair in kits.once_each()]
    jobs += [(kit_first, arm64, *pair) for pair in newest]
    jobs += [(library_first, x64, *pair) for pair in newest]
    for wrong in common.in_parallel(lambda job: check_driver(*job), jobs):
        for text in wrong:
            report.fail(text)
    report.checked(len(jobs), f"compilations of a driver that calls everything, with {names} macros of other headers")
    jobs = [(source, version, build) for source in sorted((here / "refused").glob("*.cpp"))
            for build, version in re.findall(r"^// header: (\d+) (\w+)$", source.read_text(encoding="utf-8"), re.M)]
    for wrong in common.in_parallel(lambda job: check_refused(*job), jobs):
        for text in wrong:
            report.fail(text)
    report.checked(len(jobs), "uses of what an older header lacks, each refused with one sentence")
    for wrong in common.in_parallel(check_mistake, range(len(mistakes))):
        for text in wrong:
            report.fail(text)
    report.checked(len(mistakes), "mistakes in the library, each noticed")
    check_functions(kits, report)
    layout_check.check(kits, command, folder_of, out, report)
    check_instantiations(report)
    check_mirrors(kits, report)
    report.finish()


main()
