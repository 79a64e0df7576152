# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""How much code a driver gets, in bytes, for each Windows machine, against the limits of tests/gate/code_size.json.

tests/gate/code_size/*.cpp are compiled as a driver compiles them (/O2 /kernel). Of each object: all of its code, and what each
function template comes to, all instantiations together; a template that is inlined has no row, and one that grows by more than
its limit fails. `python3 tests/stages/code_size.py --write` writes what there is, and a tenth more, as the limits.
"""
import json
import re
import sys

import common
from coff import coff_object, executable

limits_file = common.root / "tests/gate/code_size.json"
shown_from = 200  # bytes on x64: smaller templates are in the sum alone


def sizes_of(obj):
    """{template or "all": bytes}: at /O2 each function has a section of its own."""
    read = coff_object(obj)
    code = {index: size for index, (_, size, characteristics) in enumerate(read.sections) if characteristics & executable}
    sizes = {"all": sum(code.values())}
    for name, (section, offset) in read.functions.items():
        found = re.match(r"_?\?\?\$(\w+)@", name)
        if found and offset == 0 and section in code:
            sizes[found[1]] = sizes.get(found[1], 0) + code[section]
    return sizes


def compiled(job):
    source, target, folder = job
    obj = folder / f"{source.stem}.{target}.obj"
    code, text = common.run([*common.clang_cl(target), "/c", "/O2", "/GS-", f"/I{common.include}", f"/I{common.root / 'examples'}",
                             f"/Fo{obj}", "--", source])
    return (sizes_of(obj), None) if code == 0 else (None, text)


def main():
    report = common.report()
    folder = common.output_folder("code_size")
    sources = sorted((common.root / "tests/gate/code_size").glob("*.cpp"))
    jobs = [(source, target, folder) for source in sources for target in common.msvc_targets]
    sizes = {}
    for (source, target, _), (found, wrong) in zip(jobs, common.in_parallel(compiled, jobs)):
        if wrong:
            report.fail(f"{source.name} ({target}):\n{wrong[:2000]}")
        else:
            for name, size in found.items():
                sizes.setdefault(f"{source.stem}: {name}", {})[target.split("-")[0]] = size
    if report.failures:
        report.finish()
    rows = {name: row for name, row in sorted(sizes.items()) if name.endswith(": all") or row.get("x86_64", 0) >= shown_from}
    if "--write" in sys.argv:
        wanted = {name: {machine: (size + size // 10 + 15) // 16 * 16 for machine, size in row.items()} for name, row in rows.items()}
        lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in wanted.items())
        limits_file.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    limits = json.loads(limits_file.read_text(encoding="utf-8"))
    machines = [target.split("-")[0] for target in common.msvc_targets]
    print(f"{'bytes of code':<44}" + "".join(f"{machine:>18}" for machine in machines))
    for name, row in rows.items():
        print(f"{name:<44}" + "".join(f"{row.get(machine, 0):>9} of {limits.get(name, {}).get(machine, 0):<5}" for machine in machines))
        for machine, size in row.items():
            limit = limits.get(name, {}).get(machine)
            if limit is None:
                report.fail(f"{name} ({machine}): {size} bytes, and no limit")
            elif size > limit:
                report.fail(f"{name} ({machine}): {size} bytes, limit {limit}")
    for name in sorted(set(limits) - set(rows)):
        report.fail(f"{name} has a limit and is not there any more, or below {shown_from} bytes")
    report.checked(sum(len(row) for row in rows.values()), "sizes against their limits")
    report.finish()


main()
