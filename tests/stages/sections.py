# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Which code of the example drivers may be paged out.

The drivers are compiled for x64 and ARM64 Windows, optimised and not, against the stand-in for the kit's header. In the
objects: the DDI functions that tests/strict/ddi_functions.py calls pageable lie in PAGE, all others in .text; nothing that a
resident one reaches lies in PAGE; and optimised, what only pageable ones reach lies in PAGE too, except for what the resident
functions' headers define. The library alone has no code outside .text. Mistakes are planted, and must be noticed.
"""
import re
import sys

import common
from coff import coff_object

sys.path.insert(0, str(common.root / "tests/strict"))
sys.dont_write_bytecode = True

import write_header  # noqa: E402
from ddi_functions import FUNCTIONS  # noqa: E402
from kit_numbers import Numbers  # noqa: E402

out = common.output_folder("sections")
examples = common.root / "examples"
targets = common.msvc_targets[:2]
optimisations = {"/O2": "optimised", "/Od": "not optimised"}
drivers = {"c_driver": ("driver.c", "functions.cpp"), "cpp_driver": ("driver.cpp", "functions.cpp")}
# What a header of the resident functions defines stays resident, also where only a pageable function uses it: the judges of
# preemption's claims and of segment tables, the start of the machines, and the driver's own adapter.
resident_headers = re.compile(r"@preemption@v\d+@wddmcore@|^\?judge_\w+@detail@segment@|"
                              r"^\?\w+@(?:gpu|example_gpu)@@|^\?\?\$start_scheduling@")

# What is wrong, in which file, the text, its replacement, and what has to be said.
mistakes = (
    ("the interrupt routine is pageable", "c_driver/functions.cpp",
     'alloc_text("PAGE", GpuStart)', 'alloc_text("PAGE", wddmcore_DxgkDdiInterruptRoutine)',
     "wddmcore_DxgkDdiInterruptRoutine lies in PAGE"),
    ("the resident functions are included as the pageable ones are", "c_driver/functions.cpp",
     "#include <wddmcore/wdk/resident_functions.hpp>\n",
     '#pragma code_seg(push, "PAGE")\n#include <wddmcore/wdk/resident_functions.hpp>\n#pragma code_seg(pop)\n',
     "wddmcore_DxgkDdiInterruptRoutine reaches"),
    ("the paging entry is forgotten", "c_driver/functions.cpp",
     '#    pragma alloc_text("PAGE", wddmcore_DxgkDdiBuildPagingBuffer)\n', "",
     "wddmcore_DxgkDdiBuildPagingBuffer lies in .text"),
    ("the library's pageable code is not", "c_driver/functions.cpp", 'code_seg(push, "PAGE")\n',
     "code_seg(push)\n", "only pageable functions reach"),
    ("a register is read by pageable code", "c_driver/driver.c", "#    pragma alloc_text(PAGE, AnswerFirst)\n",
     "#    pragma alloc_text(PAGE, AnswerFirst)\n#    pragma alloc_text(PAGE, ReadNews)\n",
     "wddmcore_DxgkDdiInterruptRoutine reaches ReadNews"),
)


def compiled(source, target, optimisation, folder):
    """(object or None, output) of one source."""
    folder.mkdir(parents=True, exist_ok=True)
    obj = folder / f"{source.stem}_{source.suffix[1:]}.obj"
    command = [part for part in common.clang_cl(target) if part != "/std:c++20"]
    language = "/std:c11" if source.suffix == ".c" else "/std:c++20"
    if source.suffix == ".c":
        command = [part for part in command if part != "/Zc:__cplusplus"]
    code, text = common.run([*command, language, optimisation, "/GS-", "/c", f"/clang:-isystem{out / 'kit'}",
                             f"/clang:-isystem{common.root / 'tests/strict/port'}", f"/I{common.include}", f"/I{examples}",
                             f"/I{source.parent}", f"/Fo{obj}", "--", source])
    return (obj if code == 0 else None), text


class image:
    """The objects of one driver as one: where each function lies, and what it refers to."""

    def __init__(self, objects):
        self.section, self.calls = {}, {}
        for obj in objects:
            read = coff_object(obj)
            for name, (section, _) in read.functions.items():
                self.section.setdefault(name, set()).add(read.sections[section][0].split("$")[0])
            for name, reached in read.calls().items():
                self.calls.setdefault(name, set()).update(reached)

    def reach(self, root):
        reached, waiting = set(), [root]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += [each for each in self.calls.get(name, ()) if each in self.section]
        return reached

    def is_paged(self, name):
        return any(section.startswith("PAGE") for section in self.section[name])


def judged(driver, whole, optimisation):
    """(complaints, functions placed) of one driver's image."""
    prefix = "wddmcore_" if driver == "c_driver" else ""
    wrong, resident, pageable = [], {}, set()
    for function in FUNCTIONS:
        name = prefix + function.name if prefix else function.name.replace("DxgkDdi", "Ddi")
        if not function.call or name not in whole.section:
            continue
        if whole.is_paged(name) != function.paged:
            wrong.append(f"{name} lies in {', '.join(sorted(whole.section[name]))}")
        elif function.paged:
            pageable |= whole.reach(name)
        else:
            resident[name] = whole.reach(name)
    for name, reached in resident.items():
        wrong += [f"{name} reaches {each}, which lies in PAGE" for each in sorted(reached) if whole.is_paged(each)]
    if optimisation == "/O2":
        only = pageable.difference(*resident.values())
        wrong += [f"only pageable functions reach {each}, which is resident" for each in sorted(only)
                  if not whole.is_paged(each) and not resident_headers.search(each) and each[0] in "?@"]
    if not resident or not pageable:
        wrong.append("there are no resident or no pageable functions")
    return wrong, len(whole.section)


def check_driver(driver, target, optimisation, sources, folder):
    objects = []
    for source in sources:
        obj, text = compiled(source, target, optimisation, folder)
        if obj is None:
            return [f"{common.shown(source)} does not compile:\n{text[:3000]}"], 0
        objects.append(obj)
    return judged(driver, image(objects), optimisation)


def check_job(job):
    driver, target, optimisation = job
    sources = [examples / driver / name for name in drivers[driver]]
    folder = out / driver / target.split("-")[0] / optimisation[1:]
    wrong, count = check_driver(driver, target, optimisation, sources, folder)
    return [f"{driver}, {target}, {optimisations[optimisation]}: {text}" for text in wrong], count


def check_mistake(job):
    number, (what, file, old, new, sentence) = job
    driver, name = file.split("/")
    text = (examples / file).read_text(encoding="utf-8")
    if text.count(old) != 1:
        return [f"{file} does not have '{old.strip()}' once"]
    folder = out / f"mistake_{number}"
    folder.mkdir()
    for source in (examples / driver).iterdir():
        (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    wrong, _ = check_driver(driver, targets[0], "/O2", [folder / each for each in drivers[driver]], folder)
    if not any(sentence in each for each in wrong):
        return [f"self-test: {what}: not noticed as '{sentence}' but: {wrong[:3] or 'nothing'}"]
    return []


def check_library(target):
    """The instantiations of everything that a driver includes: no code of theirs has chosen its section."""
    wrong, count = [], 0
    for source in sorted((common.root / "tests/kernel").glob("*.cpp")):
        obj = out / f"{target.split('-')[0]}_{source.stem}.obj"
        code, text = common.run([*common.clang_cl(target), "/c", "/Od", "/GS-", f"/I{common.include}", f"/I{examples}",
                                 f"/I{common.root / 'tests'}", f"/Fo{obj}", "--", source])
        if code:
            return [f"{source.name} does not compile:\n{text[:2000]}"], 0
        read = coff_object(obj)
        count += len(read.functions)
        wrong += [f"{target}, {source.name}: {name} lies in {read.sections[section][0]}"
                  for name, (section, _) in read.functions.items() if not read.sections[section][0].startswith(".text")]
    return wrong, count


def main():
    report = common.report()
    write_header.write(Numbers(), "26100", "WDDM3_2", out / "kit")
    jobs = [(driver, target, optimisation) for driver in drivers for target in targets for optimisation in optimisations]
    functions = 0
    for wrong, count in common.in_parallel(check_job, jobs):
        functions += count
        for text in wrong:
            report.fail(text)
    report.checked(functions, f"functions of {len(jobs)} builds of example drivers, for the section that they lie in")
    for wrong in common.in_parallel(check_mistake, list(enumerate(mistakes))):
        for text in wrong:
            report.fail(text)
    report.checked(len(mistakes), "planted mistakes noticed")
    functions = 0
    for wrong, count in common.in_parallel(check_library, targets[:1]):
        functions += count
        for text in wrong:
            report.fail(text)
    report.checked(functions, "functions of the library alone, all in .text")
    report.finish()


main()
