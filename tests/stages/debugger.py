# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What debuggers show: wddmcore.natvis is well-formed, each of its expressions compiles with the types that it is
written for (with the header of the newest kit too), and gdb and the Natvis show the samples of tests/debugger as
expected.

  python3 tests/stages/debugger.py           compares
  python3 tests/stages/debugger.py --write   writes tests/debugger/expected_*.txt anew: read what changed
"""
import ast
import re
import sys

import common

here = common.root / "tests/debugger"
sys.dont_write_bytecode = True
sys.path += [str(here), str(common.root / "tests/strict"), str(common.root / "tests/abi")]

import natvis  # noqa: E402
from abi_tables import ARGUMENTS  # noqa: E402
from kit_numbers import Numbers  # noqa: E402
from strict_twin import Twin  # noqa: E402

out = common.output_folder("debugger")
checked_build = ["-DWDDMCORE_ASSERT(c)=((c) ? 0 : (__builtin_trap(), 0))"]
natvis_file = common.library / "wddmcore.natvis"
printers_file = common.library / "wddmcore_gdb.py"
as_a_debugger = ["-std=c++20", "-g", "-O0", "-w", "-fno-access-control", "-fno-strict-aliasing", f"-I{common.include}",
                 f"-I{here}"]
declared = re.compile(r"^namespace wddmcore::inline WDDMCORE_ABI::mirror::(\w+) \{", re.M)


def compare(what, expected, found, report):
    """Line by line, so that a difference names the sample."""
    if "--write" in sys.argv[1:]:
        expected.write_text(found, encoding="utf-8")
    wanted = expected.read_text(encoding="utf-8").splitlines() if expected.exists() else []
    lines = found.splitlines()
    for line in sorted(set(wanted) - set(lines)):
        report.fail(f"{what} does not show (see {common.shown(expected)}): {line}")
    for line in sorted(set(lines) - set(wanted)):
        report.fail(f"{what} shows: {line}")
    report.checked(len(lines), f"samples, as {what} shows them")


def compiled(name, text, flags, report):
    source, program = out / f"{name}.cpp", out / name
    source.write_text(text, encoding="utf-8")
    code, output = common.run([common.tool("g++"), *as_a_debugger, *flags, source, "-o", program])
    if code != 0:
        errors = [line for line in output.splitlines() if "error:" in line]
        report.fail(f"{common.shown(natvis_file)} as C++ ({name}): " + "\n    ".join(errors[:8] or [output]))
        return None
    return program


def check_versions(shapes, report):
    """A mirrored structure has a visualizer in every version that declares it."""
    mirrors = common.library / "ddi/mirror"
    names = {name for shape in shapes for name in shape.names}
    wanted = {natvis.stem(name).rsplit("::", 1)[-1] for name in names if "::mirror::" in name}
    count = 0
    for path in sorted(mirrors.rglob("*.hpp")):
        text = path.read_text(encoding="utf-8")
        version = declared.search(text)
        for structure in re.findall(r"^struct (\w+) \{", text, re.M):
            if structure in wanted:
                count += 1
                for build in ("v0", "v0_checked"):
                    if f"wddmcore::{build}::mirror::{version[1]}::{structure}" not in names:
                        report.fail(f"{common.shown(natvis_file)}: {build}::mirror::{version[1]}::{structure} has no "
                                    "visualizer")
    report.checked(count, "mirrored structures with a visualizer in each version")


def check_operations(shapes, report):
    """Each operation has its own member of the union behind its own number, in the Natvis and in the script for gdb."""
    text = (common.library / "ddi/operation.hpp").read_text(encoding="utf-8")
    numbers = re.findall(r"^    (\w+) = (\d+),$", re.search(r"enum class paging_operation .*?\};", text, re.S)[0], re.M)
    wanted = {int(number): ARGUMENTS.get(name) or "".join(word.capitalize() for word in name.split("_"))
              for name, number in numbers}
    arguments = next(shape for shape in shapes if "_DXGKARG_BUILDPAGINGBUFFER" in shape.names)
    items = {int(condition.rsplit(" ", 1)[-1]): text for condition, text, optional, _ in arguments.values if optional}
    named = {int(number): text for _, shown in arguments.displays
             for text, number in re.findall(r"^(\w+) \((\d+)\)", shown)}
    script = next(ast.literal_eval(node.value) for node in ast.parse(printers_file.read_text(encoding="utf-8")).body
                  if isinstance(node, ast.Assign) and node.targets[0].id == "OPERATIONS")
    in_gdb = dict(enumerate(script))
    for what, found in (("the Natvis shows", items), ("the Natvis names", named), ("gdb names", in_gdb)):
        for number in sorted({*found, *wanted}):
            if found.get(number) != wanted.get(number):
                report.fail(f"{what} operation {number} as {found.get(number)}, and it is {wanted.get(number)}")
    report.checked(len(wanted), "operations with the member that has their arguments")


def check_natvis(report):
    code, output = common.run([common.tool("xmllint"), "--noout", "--relaxng", here / "natvis.rng", natvis_file])
    if code != 0:
        report.fail(output)
        return
    shapes = natvis.shapes(natvis_file)
    check_versions(shapes, report)
    check_operations(shapes, report)
    fields = re.findall(r"^    (?!void|static|using)(?=\w)[\w:<> ]+ (\w+)(?:\[\d+\])?(?=\{| =|;)",
                        (here / "samples.hpp").read_text(encoding="utf-8").split("struct samples {")[1], re.M)
    main = "int main() {\n    samples all;\n    all.prepare();\n" + "".join(
        f"    std::printf(\"{field} = %s\\n\", shown::show(all.{field}).c_str());\n" for field in fields
        if field not in ("numbers", "frames", "two_pages")) + \
        "    std::printf(\"two_pages = %s\\n\", shown::show(all.two_pages.header).c_str());\n}\n"
    expressions = 0
    for name, prefix, flags in (("natvis_plain", "wddmcore::v0::", []),
                                ("natvis_checked", "wddmcore::v0_checked::", checked_build)):
        unit = natvis.Unit(prefix)
        for shape in shapes:
            unit.add(shape)
        program = compiled(name, '#include "samples.hpp"\n' + unit.text() + main, flags, report)
        if program is not None:
            code, shown = common.run([program])
            if code != 0:
                report.fail(f"{name} ended with {code}: {shown}")
            compare(f"the Natvis ({name})", here / "expected_natvis.txt", shown, report)
        expressions += unit.members
    numbers = Numbers()
    version, build = list(numbers.pairs())[-1]
    (out / "kit").mkdir()
    (out / "kit/d3dkmddi.h").write_text(Twin(numbers, version, build, 8).header(), encoding="utf-8")
    unit = natvis.Unit("_")
    for shape in shapes:
        unit.add(shape)
    text = f'#include "kit/d3dkmddi.h"\n{unit.text()}int main() {{}}\n'
    compiled("natvis_kit", text, ["-D_WIN64", f"-I{out}"], report)
    report.checked(unit.count, f"types of the kit's header ({version}) with a visualizer")
    report.checked(expressions + unit.members, "Natvis expressions compiled")


def printers_of():
    """(types, members that the printer reads) of each class in the script for gdb."""
    for node in ast.parse(printers_file.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ClassDef):
            continue
        types = [ast.literal_eval(item.value) for item in node.body
                 if isinstance(item, ast.Assign) and item.targets[0].id == "types"]
        paths = {call.args[0].value for call in ast.walk(node)
                 if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
                 and call.func.attr in ("read", "number", "enumerator") and isinstance(call.args[0], ast.Constant)}
        if types:
            yield node.name, types[0], sorted(paths)


def check_printers(report):
    """The members that printers read exist, in the kit's header too."""
    units = {"plain": ['#include <wddmcore/wddmcore.hpp>', '#include <wddmcore/mirror.hpp>'],
             "kit": ['#include "kit/d3dkmddi.h"']}
    for name, types, paths in printers_of():
        for number, kind in enumerate(types):
            unit = "kit" if kind.startswith("_") else "plain"
            full = kind.removesuffix("<>")
            arguments = natvis.ARGUMENTS.get(full, [[]])[0]
            full = full.replace("mirror::", f"mirror::{'vista' if 'adl' not in full else 'v2_9'}::")
            full += f"<{', '.join(arguments)}>" if arguments else ""
            base = full if unit == "kit" else f"wddmcore::{full}"
            reads = "".join(f" (void)this->{path};" for path in paths)
            units[unit].append(f"struct {name}_{number} : {base} {{ void read() {{{reads} }} }};")
    count = 0
    for unit, lines in units.items():
        compiled(f"printers_{unit}", "\n".join(lines) + "\nint main() {}\n", ["-D_WIN64", f"-I{out}"], report)
        count += sum(line.count("(void)") for line in lines)
    report.checked(count, "members that printers read")


GDB = """set pagination off
set confirm off
set width 0
set startup-with-shell off
source {script}
break look_at
run
python
used = set()
for printer in set(PRINTERS.values()):
    def counted(self, of=printer.to_string, name=printer.__name__):
        used.add(name)
        return of(self)
    printer.to_string = counted
samples = gdb.parse_and_eval("all").referenced_value()
for field in samples.type.fields():
    if hasattr(field, "bitpos"):
        print("shown", field.name, "=", samples[field.name].format_string())
print("unused", *sorted(printer.__name__ for printer in set(PRINTERS.values()) if printer.__name__ not in used))
end
"""


def check_gdb(report):
    shown = {}
    for name, flags in (("gdb_plain", []), ("gdb_checked", checked_build)):
        program = compiled(name, f'#include "{here / "stopped.cpp"}"\n', flags, report)
        if program is None:
            return
        script = out / f"{name}.gdb"
        script.write_text(GDB.format(script=printers_file), encoding="utf-8")
        code, output = common.run([common.tool("gdb"), "-nx", "-batch", "-x", script, program], timeout=120)
        lines = [line.removeprefix("shown ") for line in output.splitlines() if line.startswith("shown ")]
        unused = re.findall(r"^unused(.*)$", output, re.M)
        if code != 0 or not lines or len(unused) != 1:
            report.fail(f"gdb ({name}) ended with {code}:\n{output[-2000:]}")
            return
        if unused[0].strip():
            report.fail(f"no sample in {common.shown(here / 'samples.hpp')} uses these printers:{unused[0]}")
        shown[name] = "\n".join(lines) + "\n"
        compare(f"gdb ({name})", here / "expected_gdb.txt", shown[name], report)


def main():
    report = common.report()
    check_natvis(report)
    check_printers(report)
    check_gdb(report)
    report.finish()


main()
