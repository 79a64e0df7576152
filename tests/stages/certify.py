# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Drivers as images: examples/c_driver is linked as a .sys by clang and lld, and the program `certify` runs it here.

    certify.py          all of it
    certify.py WORD...  only the planted mistakes whose description has one of the words

The sound image raises nothing, twice the same, and what it does is what the same driver does as host code, to the hash of
the trace. So does one with a driver's usual habits in the kernel, one that reports from a thread of its own, and one with
security cookies; so does a driver without a device, which executes by itself in memory of its own, and one with hardware
queues and native fences. Three drivers are certified from source, too, and have the reports of their images. Then mistakes are planted in the sources, each of which must be named, and no one of which may take the
program down. Files that are damaged are refused, or run and found wrong. The page of each mistake's report is opened in a
browser: as many findings as the report has, nothing asked of the network, nothing said on the console, no line wider than
the window.
"""
import functools
import json
import os
import random
import re
import shlex
import sys
from xml.etree import ElementTree

import common

sys.path.insert(0, str(common.root / "tests/strict"))
sys.path.insert(0, str(common.root / "tests/certify"))
sys.path.insert(0, str(common.library / "testing/image"))
sys.dont_write_bytecode = True

import bind_driver  # noqa: E402
import write_header  # noqa: E402
from browser import browser, faint_text  # noqa: E402
from kit_numbers import Numbers  # noqa: E402
from mistakes import FETCHES, OBJECTS, double_fetches, mistakes, presenting, register_forms, register_mistakes  # noqa: E402
from queue_changes import queue_forms, queue_mistakes  # noqa: E402
from software_changes import forms as software_forms, software_mistakes  # noqa: E402

out = common.output_folder("certify")
port = common.root / "tests/strict/port"
here = common.root / "tests/certify"
driver = common.root / "examples/c_driver"
guide = common.root / "examples/guide/certifying.md"
linnet = out / "linnet.so"  # the device of the driver with registers
to_elf = "--target=x86_64-pc-windows-msvc-elf -fno-autolink"  # as bind_driver.py and the guide have it
warnings = [flag for flag in common.strict if flag != "-Werror"]


@functools.cache  # most images have most objects in common
def symbols_of(obj):
    """Names and kinds, as nm has them."""
    _, text = common.run([common.tool("llvm-nm-19"), "--format=posix", obj])
    return [line.split()[:2] for line in text.splitlines()]


class stage:
    def __init__(self):
        self.report = common.report()
        self.certify, self.device, self.host = (out / name for name in ("certify", "device.so", "as_host_code"))
        self.services, self.pages = set(), {}

    def run(self, command):
        code, text = common.run(command)
        if code:
            self.report.fail(f"{' '.join(str(part) for part in command[-5:])}:\n{text[-3000:]}")
        return code == 0

    # Images.

    def compiled(self, source, obj, cookie=False, folder=driver, kit=out / "kit", more=(), optimised="/O2"):
        c = source.suffix == ".c"
        command = [part for part in common.clang_cl(common.msvc_targets[0])
                   if part != "/std:c++20" and not (c and part == "/Zc:__cplusplus")]
        return self.run([*command, "/std:c11" if c else "/std:c++20", optimised, "/GS" if cookie else "/GS-", "/c",
                         f"/clang:-isystem{kit}", f"/clang:-isystem{port}", f"/I{common.include}", f"/I{folder.parent}",
                         f"/I{common.root / 'examples'}", *more, f"/Fo{obj}", "--", source])

    def linked(self, image, objects, library=None):
        """Whatever is undefined is imported from the kernel, by an import library of its own or by another image's."""
        if library:
            return self.linked_with(image, objects, library)
        symbols = [symbol for obj in objects for symbol in symbols_of(obj)]
        defined = {name for name, kind in symbols if kind != "U"}
        needed = sorted({name for name, kind in symbols if kind == "U"} - defined)
        data = {"PsThreadType"}
        definition = image.with_suffix(".def")
        definition.write_text("LIBRARY ntoskrnl.exe\nEXPORTS\n" + "".join(
            f"{name.removeprefix('__imp_')}{' CONSTANT' if name.removeprefix('__imp_') in data else ''}\n" for name in needed),
            encoding="utf-8")
        self.services.update(needed)
        library = image.with_suffix(".lib")
        return (self.run([common.tool("llvm-dlltool-19"), "-d", definition, "-D", "ntoskrnl.exe", "-m", "i386:x86-64", "-l",
                          library]) and self.linked_with(image, objects, library))

    def linked_with(self, image, objects, library):
        return self.run([common.tool("lld-link-19"), "-subsystem:native", "-driver", "-entry:DriverEntry", "-nodefaultlib", "-machine:x64",
                         "-dynamicbase", "-nxcompat", "-Brepro", "-section:INIT,ERD", f"-out:{image}", *objects, library])

    def base_objects(self):
        """What every image has, compiled once: C++ part, display library, resources."""
        jobs = [(driver / "functions.cpp", out / "functions.obj"), (driver / "driver.c", out / "driver.obj"),
                (port / "display_library.c", out / "display_library.obj"),
                (common.root / "examples/driver_image/find_hardware.c", out / "find_hardware.obj"),
                (here / "habits.c", out / "habits.obj"), (here / "executive.c", out / "executive.obj"), (here / "cookie.c", out / "cookie.obj"),
                (here / "worker.c", out / "worker.obj")]
        return all(common.in_parallel(lambda job: self.compiled(*job), jobs))

    def image(self, name, changed=None, more=(), cookie=False):
        """An image of the driver, in which (file, old text, new text) were exchanged."""
        folder = out / name / "c_driver"
        folder.mkdir(parents=True)
        objects = {file: out / f"{file.split('.')[0]}.obj" for file in ("driver.c", "functions.cpp")}
        edited = {}
        for file, old, new in changed or ():
            text = edited.get(file) or (driver / file).read_text(encoding="utf-8")
            if text.count(old) != 1:
                self.report.fail(f"{name}: {file} does not have '{old.strip()}' once")
                return None
            edited[file] = text.replace(old, new)
        for file in ("driver.c",) if cookie and not edited else edited:
            for source in driver.iterdir():
                (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
            (folder / file).write_text(edited.get(file) or (driver / file).read_text(encoding="utf-8"), encoding="utf-8")
            objects[file] = folder / f"{file.split('.')[0]}.obj"
            # The library's part is optimised in the sound images; for a mistake in it that takes as long as all the rest.
            if not self.compiled(folder / file, objects[file], cookie, folder, optimised="/Od" if file == "functions.cpp" else "/O2"):
                return None
        image = out / name / "driver.sys"
        common_parts = [out / "display_library.obj", out / "find_hardware.obj"]
        extra = [out / f"{part}.obj" for part in more]
        return image if self.linked(image, [*objects.values(), *common_parts, *extra]) else None

    # Programs of this machine.

    def programs(self):
        options = ["-std=c++20", *warnings, f"-I{common.include}", f"-I{common.root / 'examples'}", "-isystem", out / "kit",
                   "-isystem", port, "-fPIC", "-c"]
        device = common.root / "examples/driver_image/device.cpp"
        hosts = common.root / "examples/driver_host/windows.cpp"
        launcher = [word for word in [os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")] if word]
        parts = {"certify": common.root / "examples/certify.cpp", "device": device}
        jobs = [[*launcher, common.tool("g++"), "-O1", *options, source, "-o", out / f"{name}.o"] for name, source in parts.items()]
        # What the image must agree with is built otherwise than the program that loads it.
        plain = {"windows": hosts, "as_host_code": here / "as_host_code.cpp", "host_functions": driver / "functions.cpp"}
        jobs += [[*launcher, common.tool("clang++-19"), "-O0", *options, source, "-o", out / f"{name}.o"]
                 for name, source in plain.items()]
        jobs.append([common.tool("gcc"), "-std=c11", "-O1", f"-I{common.include}", f"-I{common.root / 'examples'}", "-isystem",
                     out / "kit", "-isystem", port, "-c", driver / "driver.c", "-o", out / "host_driver.o"])
        if not all(common.in_parallel(self.run, jobs)):
            return False
        link = common.tool("g++")
        return (self.run([link, out / "certify.o", "-o", self.certify, "-lZydis", "-ldl"]) and
                self.run([link, "-shared", out / "device.o", "-o", self.device]) and
                self.run([link, *(out / f"{name}.o" for name in ("as_host_code", "windows", "host_functions",
                                                                "host_driver")), "-o", self.host]))

    # Runs.

    def certified(self, image, *more):
        return common.run([self.certify, image, "--device", self.device, *more])

    def sound(self, name, image, *more):
        code, text = self.certified(image, *more)
        if code or "nothing was found" not in text:
            self.report.fail(f"{name}: certify leaves with {code}:\n{text[-3000:]}")
        head = "\n".join(text.split("\n")[:2])
        if "No image built by MSVC has been run" not in head:
            self.report.fail(f"{name}: the report does not begin with what was never run")
        return text

    def check_sound(self):
        image = self.image("sound")
        for seed in ("1", "2"):
            text = self.sound(f"c_driver, seed {seed}", image, "--seed", seed)
            if self.certified(image, "--seed", seed)[1] != text:
                self.report.fail(f"seed {seed}: two runs have two reports")
            code, as_host = common.run([self.host, seed])
            played = text.partition("\nunknown operation: ")[0]
            said = [line.strip() for line in played.split("\n") if re.match(r"  (paging:|trace hash|\d+ packets)", line)]
            if code or said != [line.strip() for line in as_host.strip().split("\n")] or len(said) != 4:
                self.report.fail(f"seed {seed}: as an image and as host code ({code}) it does not do the same:\n" +
                                 "\n".join(said) + "\n-- host code\n" + as_host)
        habits = self.image("habits", [("driver.c", "    PAGED_CODE();\n    UNREFERENCED_PARAMETER(PhysicalDeviceObject);\n",
                                        "    PAGED_CODE();\n    UNREFERENCED_PARAMETER(PhysicalDeviceObject);\n"
                                        "    { NTSTATUS Habits(VOID); NTSTATUS bad = Habits();"
                                        " if (bad != STATUS_SUCCESS) { return bad; } }\n"),
                                       ("driver.c", "    data.DxgkDdiCloseAllocation = CloseAllocation;\n",
                                        "    data.DxgkDdiCloseAllocation = CloseAllocation;\n"
                                        "    data.DxgkDdiSubmitCommandToHwQueue = (PDXGKDDI_SUBMITCOMMANDTOHWQUEUE)"
                                        "(PVOID)wddmcore_DxgkDdiSubmitCommandVirtual;\n"
                                        "    data.DxgkDdiLinkDevice = (PVOID)wddmcore_DxgkDdiSubmitCommandVirtual;\n")],
                            ("habits", "executive"))
        for seed in ("1", "2", "3"):
            settings = ("--registry", "HabitMode=2") if seed == "2" else ()
            text = self.sound(f"habits, seed {seed}", habits, "--seed", seed, *settings)
            if ("the setting is 2" in text) != bool(settings):
                self.report.fail(f"habits, seed {seed}: a driver does not read {settings} from its key:\n{text[-1500:]}")
            if "hardware queues and native fences (HWS-01 to HWS-12, HWS-15); the device model shows no registers" not in text:
                self.report.fail(f"habits, seed {seed}: what is not played of a driver with hardware queues is not said:\n{text[-1500:]}")
            if text.count("links of adapters (LDA-01, LDA-03, LDA-05); one adapter is added") != 1:
                self.report.fail(f"habits, seed {seed}: that links are not played is not said once:\n{text[-1500:]}")
            if "all habits were good" not in text or re.search(r" 0 relocations", text):
                self.report.fail(f"habits, seed {seed}: they were not run, or the image has no relocation:\n{text[-1500:]}")
        self.check_worker()
        self.check_replay()
        self.check_shrink()
        cookie = self.image("cookie", None, ("cookie",), True)
        if "a security cookie" not in self.sound("with security cookies", cookie):
            self.report.fail("the security cookie is not found")
        code, text = self.certified(image, "--failures", "150")
        if "where requests to the kernel fail" not in text or "crashed" in text:
            self.report.fail(f"with failing requests:\n{text[-1500:]}")
        code, text = common.run([self.certify, image])
        if code != 1 or "DxgkDdiStartDevice returned" not in text or "scheduling; no device model" not in text:
            self.report.fail(f"without a device ({code}):\n{text[-1500:]}")
        return image

    def check_replay(self):
        """The line of a report leads to the same finding, as a trace that a viewer reads; a name that does not exist is said."""
        one = [m for m in mistakes if m.what == "an unknown operation is acknowledged"][0]
        image = self.image("replay", one.changes)
        _, text = self.certified(image, "--seed", "3")
        line = re.search(r"replay: certify (.*)", text)
        words = shlex.split(line.group(1)) if line else []
        trace = out / "replay" / "trace.json"
        code, again = common.run([self.certify, *words, "--trace", trace])
        first = text.partition("Mend this first")[2].partition("replay:")[0]
        if code != 1 or "--only" not in words or again.partition("Mend this first")[2].partition("replay:")[0] != first:
            self.report.fail(f"the replay line {words} does not lead to the finding ({code}):\n{text[-1500:]}\n-- {again[-1500:]}")
        elif not json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]:
            self.report.fail("the trace has no event")
        code, text = self.certified(image, "--only", "scheduling", "--only", "timeouts", "--trace", trace)
        for scenario in ("scheduling", "timeouts"):
            if not json.loads((trace.parent / f"trace.{scenario}.json").read_text(encoding="utf-8"))["traceEvents"]:
                self.report.fail(f"the trace of {scenario} has no event")
        code, text = self.certified(image, "--only", "no such scenario")
        if code != 2 or "no scenario" not in text:
            self.report.fail(f"a scenario that does not exist ({code}):\n{text}")

    def check_shrink(self):
        """The shortest run has the finding, a shorter one has not, twice the same; the report's other lines stay."""
        one = [m for m in mistakes if m.what == "a fill has another pattern"][0]
        image = self.image("shrink", one.changes)
        lines = [re.search(r"replay: certify (.*)", self.certified(image, "--only", "paging", "--shrink")[1]) for _ in range(2)]
        words = shlex.split(lines[0].group(1)) if all(lines) else []
        if not words or lines[0].group(1) != lines[1].group(1) or "--steps" not in words:
            self.report.fail(f"--shrink prints {[line and line.group(1) for line in lines]}")
            return
        whole, shrunk = (re.sub("replay: .*", "", self.certified(image, *more)[1]) for more in ((), ("--shrink",)))
        if whole != shrunk:
            self.report.fail(f"with --shrink more than the replay lines is different:\n{whole[:1500]}\n-- {shrunk[:1500]}")
        at = words.index("--steps") + 1
        steps = int(words[at])
        longer = common.run([self.certify, *words])
        shorter = common.run([self.certify, *words[:at], str(steps - 1), *words[at + 1:]])
        if not 0 < steps < 300 or longer[0] != 1 or "OP09-01" not in longer[1].partition("Mend")[2].partition("replay")[0] \
                or shorter[0] != 0:
            self.report.fail(f"{words} is not the shortest ({longer[0]}, {shorter[0]}):\n{longer[1][:800]}\n{shorter[1][:800]}")

    def check_worker(self):
        """Fences reported by a thread of the driver's own, which a DPC wakes: paging goes as it does without."""
        begin = "BOOLEAN APIENTRY wddmcore_DxgkDdiInterruptRoutine("
        image = self.image("worker", [
            ("functions.cpp", begin, "NTSTATUS StartWorker(PVOID);\nBOOLEAN RealInterrupt(PVOID context);\n"
             "BOOLEAN RealInterrupt(PVOID context) { return wdk::interrupt_routine<gpu>(context, 0); }\n"
             "BOOLEAN InterruptToDpc(PVOID);\nVOID DpcToWorker();\n" + begin),
            ("functions.cpp", "    return wdk::interrupt_routine<gpu>(MiniportDeviceContext, MessageNumber);\n",
             "    static_cast<void>(MessageNumber);\n    return InterruptToDpc(MiniportDeviceContext);\n"),
            ("functions.cpp", "    wdk::dpc_routine<gpu>(MiniportDeviceContext);\n",
             "    wdk::dpc_routine<gpu>(MiniportDeviceContext);\n    DpcToWorker();\n"),
            ("driver.c", "    ReleaseMemory(MiniportDeviceContext);\n", "    StopWorker();\n    ReleaseMemory(MiniportDeviceContext);\n"),
            ("driver.c", "    *MiniportDeviceContext = adapter;\n    return STATUS_SUCCESS;\n",
             "    *MiniportDeviceContext = adapter;\n    return StartWorker(adapter);\n"),
            ("driver.c", "static DXGKDDI_ADD_DEVICE AddDevice;\n",
             "NTSTATUS StartWorker(PVOID Context);\nVOID StopWorker(VOID);\nstatic DXGKDDI_ADD_DEVICE AddDevice;\n")], ("worker",))
        for seed in ("1", "2"):
            _, text = self.certified(image, "--seed", seed)
            paging = text.partition("\npaging: ")[2].partition("\n\n")[0].split("\n")
            if not paging[1].startswith("  paging: transfer") or not paging[3].startswith("  rules exercised"):
                self.report.fail(f"a thread that reports, seed {seed}:\n{text[-3000:]}")

    def check_mistake(self, job):
        number, one = job
        image = self.image(f"mistake_{number}", one.changes, one.more, one.cookie)
        if image is None:
            return [f"{one.what}: not built"]
        page = image.parent / "report.html"
        # Each scenario in which it hangs takes its whole time.
        limit = "2" if "HANG" in one.said else "8"
        code, text = self.certified(image, "--limit", limit, "--html", page)
        self.pages[number] = (page, text)
        missing = [each for each in one.said if each not in text]
        if code != 1 or missing:
            return [f"{one.what}: certify leaves with {code} and does not say {missing}:\n{text[-2500:]}"]
        return []

    def check_pages(self):
        """What a browser makes of the pages, in turn at each width and in each colour scheme."""
        looks = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]
        pictures = 0

        def same(what, shown, expected):
            if shown != expected:
                self.report.fail(f"{page}: {what}: {json.dumps(shown)[:300]} and not {json.dumps(expected)[:300]}")

        with browser() as b:
            for turn, (page, text) in enumerate(self.pages[number] for number in sorted(self.pages)):
                width, scheme = looks[turn % len(looks)]
                counts = re.search(r", seed \d+: (\d+ documented.*)", text)
                findings = sum(int(n) for n in re.findall(r"\d+", counts.group(1))) if counts else 0
                try:
                    ElementTree.parse(page)
                except ElementTree.ParseError as wrong:
                    self.report.fail(f"{page} is not well-formed: {wrong}")
                b.look(width, scheme)
                same("asked of the network", b.open(page.as_uri()), [page.as_uri()])
                same("findings", b.evaluate("document.querySelectorAll('article.finding').length"), findings)
                b.evaluate("for (const e of document.querySelectorAll('details')) e.open = true; 0")
                wide = b.evaluate("document.documentElement.scrollWidth")
                same(f"wider than {width}", max(wide, width), width)
                same(f"faint text, {scheme}", b.evaluate(faint_text)["faint"], [])
                pictures += b.evaluate("document.querySelectorAll('article svg').length")
                b.evaluate("document.querySelector('details').open = false; document.querySelector('summary').focus(); 0")
                b.press("Enter", 13)
                same("a key opens a list", b.evaluate("document.querySelector('details').open"), True)
                same("on the console", b.problems, [])
                b.problems.clear()
        self.report.checked(len(self.pages), f"pages in a browser, with {pictures} pictures of memory")

    # A driver that was written from the guide and a data sheet alone, for WDDM 1.3, with registers and a worker thread.

    register_folders = (f"/I{common.root / 'examples/driver_image'}", f"/I{here / 'register_driver'}")

    def register_driver(self, name, changes=(), source="register_driver"):
        """Its image, in which texts were exchanged, or that of another driver of WDDM 1.3; None: it is not built."""
        folder, kit = out / name, out / "kit_of_wddm1_3"
        folder.mkdir()
        text = (here / source / "driver.c").read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                self.report.fail(f"{name}: the driver does not have '{old}' once")
            text = text.replace(old, new)
        (folder / "driver.c").write_text(text, encoding="utf-8")
        obj = folder / "driver.obj"
        good = (self.compiled(folder / "driver.c", obj, kit=kit, more=self.register_folders) and
                self.linked(folder / "driver.sys", [obj, out / "linnet_library.obj"]))
        return folder / "driver.sys" if good else None

    def register_parts(self):
        """What all these images have, and their device: examples/driver_image/linnet.c, in plain C."""
        kit = out / "kit_of_wddm1_3"
        write_header.write(Numbers(), "9600", "WDDM1_3", kit)
        return (self.compiled(port / "display_library.c", out / "linnet_library.obj", kit=kit, more=self.register_folders) and
                self.run([common.tool("gcc"), "-std=c11", "-O1", *(w for w in warnings if w != "-Wold-style-cast"), "-fPIC",
                          "-shared", f"-I{common.include}", common.root / "examples/driver_image/linnet.c", "-o", linnet]))

    def check_register_driver(self):
        image = self.register_driver("register_driver") if self.register_parts() else None
        if image is None:
            return
        for seed in ("1", "2", "3"):
            code, text = common.run([self.certify, image, "--device", linnet, "--seed", seed])
            if code or "nothing was found" not in text:
                self.report.fail(f"the driver with registers, seed {seed}: certify leaves with {code}:\n{text[-3000:]}")
            flips = [f"FLP-{number}" for number in ("01", "02", "03", "04", "05", "07")]
            if missing := [rule for rule in flips if f"{rule}*" not in text]:
                self.report.fail(f"the driver with registers, seed {seed}: its flips do not exercise {missing}")
            if seed == "1":
                self.same_report("the driver with registers", self.register_library("register_driver"), linnet, text)
        for number, (changes, said) in enumerate(register_forms):
            image = self.register_driver(f"register_form_{number}", changes)
            code, text = common.run([self.certify, image, "--device", linnet, "--seed", "1", "--only", "objects"]) if image else (2, "")
            if code or not all(one in text for one in said):
                self.report.fail(f"the driver with registers, {changes[-1][1]}: certify leaves with {code}, without {said}:\n{text[-3000:]}")
        from_source = 2
        for number, (changes, said, more) in enumerate(register_mistakes):
            image = self.register_driver(f"register_mistake_{number}", changes)
            code, text = common.run([self.certify, image, "--device", linnet, "--seed", "1", *more]) if image else (0, "")
            if code != 1 or not all(one in text for one in said):
                self.report.fail(f"the driver with registers, {changes[-1][1]}: certify leaves with {code}, not with {said}:\n"
                                 f"{text[-3000:]}")
            if number < from_source:
                self.same_report(changes[-1][1], self.register_library(f"register_mistake_{number}"), linnet, text)
        for number, (changes, said) in enumerate(double_fetches):
            image = self.register_driver(f"double_fetch_{number}", changes)
            for more in FETCHES, OBJECTS:  # and nothing where it is not asked for
                code, text = common.run([self.certify, image, "--device", linnet, "--seed", "1", *more]) if image else (2, "")
                if code or more == FETCHES and not all(one in text for one in said) or more != FETCHES and "AMB-68" in text.partition("Not exercised")[0]:
                    self.report.fail(f"double fetches, {changes}: certify leaves with {code}, not with {said}:\n{text[-3000:]}")
        self.report.checked(len(double_fetches), "forms of a driver of which reads are looked at, all but one with a double fetch")
        self.report.checked(3 + len(register_forms) + len(register_mistakes),
                            f"runs of a driver of WDDM 1.3 with registers and a thread that reports, {len(register_mistakes)} of them "
                            "with a mistake")
        self.report.checked(1 + from_source, "of them from source, with the report of the image")

    # The driver in C with presents in contexts that have GPU virtual addresses.

    def check_presenting(self):
        registered = [("driver.c", "DRIVER_INITIALIZE DriverEntry;\n", "DRIVER_INITIALIZE DriverEntry;\nNTSTATUS Present(const HANDLE hContext, DXGKARG_PRESENT* args);\n"),
                      ("driver.c", "    data.DxgkDdiCloseAllocation = CloseAllocation;\n",
                       "    data.DxgkDdiCloseAllocation = CloseAllocation;\n    data.DxgkDdiPresent = Present;\n")]
        whole = (here / "presenting.c").read_text(encoding="utf-8")
        for number, (changes, said) in enumerate(presenting):
            name, text = f"presenting_{number}", whole
            for old, new in changes:
                if text.count(old) != 1:
                    self.report.fail(f"presenting.c does not have '{old}' once")
                text = text.replace(old, new)
            (out / f"{name}.c").write_text(text, encoding="utf-8")
            image = self.image(name, registered, (name,)) if self.compiled(out / f"{name}.c", out / f"{name}.obj") else None
            for seed in ("1",) if changes else ("1", "2", "3"):
                code, report = self.certified(image, "--seed", seed, "--only", "objects") if image else (2, "")
                if code != (1 if changes else 0) or not all(one in report for one in said):
                    self.report.fail(f"presents by addresses, {changes}, seed {seed}: certify leaves with {code}, not with {said}:\n"
                                     f"{report[-3000:]}")
        self.report.checked(len(presenting), "forms of presents by GPU virtual addresses, all but one with a mistake")

    # A driver that executes by itself, in memory of its own or of a device that is memory and no more.

    def check_software_driver(self):
        device = out / "memory_device.so"
        if not self.run([common.tool("gcc"), "-std=c11", "-O1", *(w for w in warnings if w != "-Wold-style-cast"), "-fPIC", "-shared",
                         f"-I{common.include}", here / "software_driver/memory_device.c", "-o", device]):
            return
        for number, one in enumerate((*software_forms, *software_mistakes)):
            image = self.register_driver(f"software_{number}", one.changes, "software_driver")
            where = ("--device", device) if one.on_device else ()
            for seed in ("1",) if one.said else ("1", "2", "3"):
                code, text = common.run([self.certify, image, "--seed", seed, *where]) if image else (2, "")
                said = one.said or ("nothing was found", "INT-11*")
                if code != (1 if one.said else 0) or not all(each in text for each in said):
                    self.report.fail(f"the driver that executes by itself, {one.what}, seed {seed}: certify leaves with {code}, "
                                     f"not with {said}:\n{text[-3000:]}")
        self.report.checked(3 * len(software_forms) + len(software_mistakes),
                            f"runs of a driver that executes by itself in memory of its own or a device's, "
                            f"{len(software_mistakes)} with a mistake")

    # A driver with hardware queues, on a device that shows their registers.

    queue_folders = (f"/I{here / 'register_driver'}", f"/I{here / 'queue_driver'}")

    def queue_image(self, name, changes=()):
        """Its image, in which texts were exchanged; None: it is not built."""
        folder = out / name
        folder.mkdir()
        text = (here / "queue_driver/driver.c").read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                self.report.fail(f"{name}: the driver does not have '{old}' once")
            text = text.replace(old, new)
        (folder / "driver.c").write_text(text, encoding="utf-8")
        good = (self.compiled(folder / "driver.c", folder / "driver.obj", more=self.queue_folders, optimised="/Od") and
                self.linked(folder / "driver.sys", [folder / "driver.obj", out / "display_library.obj"],
                            out / "queueing/driver.lib" if changes else None))
        return folder / "driver.sys" if good else None

    def check_queue_driver(self):
        teal = out / "teal.so"
        image = self.queue_image("queueing")
        if image is None or not self.run([common.tool("gcc"), "-std=c11", "-O1", *(w for w in warnings if w != "-Wold-style-cast"), "-fPIC",
                                          "-shared", f"-I{common.include}", here / "queue_driver/teal.c", "-o", teal]):
            return
        for seed in ("1", "2", "3"):
            code, text = common.run([self.certify, image, "--device", teal, "--seed", seed])
            missing = [number for number in (*range(1, 13), 15) if f"HWS-{number:02}*" not in text]
            if code or "nothing was found" not in text or missing:
                self.report.fail(f"the driver with hardware queues, seed {seed}: certify leaves with {code}, and does not exercise "
                                 f"{missing}:\n{text[-3000:]}")
            if seed == "1":
                self.check_queue_runs(image, teal, text)
        for number, one in enumerate((*queue_forms, *queue_mistakes)):
            changed = self.queue_image(f"queueing_{number}", one.changes)
            code, text = common.run([self.certify, changed, "--device", teal, "--only", one.only, "--seed", one.seed]) if changed else (2, "")
            if code != (0 if one in queue_forms else 1) or not all(each in text for each in one.said):
                self.report.fail(f"the driver with hardware queues, {one.what}: certify leaves with {code}, not with {one.said}:\n"
                                 f"{text[-3000:]}")
        self.report.checked(3 + len(queue_forms) + len(queue_mistakes),
                            f"runs of a driver with hardware queues and native fences, {len(queue_mistakes)} of them with a mistake")

    def check_queue_runs(self, image, teal, text):
        """Twice the same report and trace; from source the same; and what is said where nobody shows queues."""
        traces = [image.parent / f"trace_{turn}.json" for turn in (1, 2)]
        reports = [common.run([self.certify, image, "--device", teal, "--only", "hardware timeouts", "--trace", trace])[1] for trace in traces]
        if reports[0] != reports[1] or traces[0].read_bytes() != traces[1].read_bytes() or \
                not json.loads(traces[0].read_text(encoding="utf-8"))["traceEvents"]:
            self.report.fail(f"two runs of hardware queues are not the same:\n{reports[0][:1500]}\n-- {reports[1][:1500]}")
        for device, missing in (((), "no device model is there"), (("--device", self.device), "the device model shows no registers")):
            code, said = common.run([self.certify, image, *device, "--only", "paging"])
            if f"hardware queues and native fences (HWS-01 to HWS-12, HWS-15); {missing}" not in said:
                self.report.fail(f"queues that nobody shows ({missing}) are not said to be unjudged:\n{said[-1500:]}")
        obj = image.with_suffix(".o")
        if self.elf_object(image.with_suffix(".c"), obj, out / "kit", (f"-I{here / 'register_driver'}", f"-I{here / 'queue_driver'}")):
            self.same_report("the driver with hardware queues", self.library("queueing_from_source", [obj]), teal, text)

    # From source: ELF objects with the Windows ABI, and bind_driver.cpp.

    def elf_object(self, source, obj, kit, more=()):
        c = source.suffix == ".c"
        language = ["clang-19", "-std=c11"] if c else ["clang++-19", "-std=c++20", "-fno-rtti", "-fno-exceptions"]
        return self.run([common.tool(language[0]), *language[1:], *to_elf.split(), "-nostdinc", "-O2", "-isystem", kit,
                         "-isystem", port, f"-I{common.include}", f"-I{common.root / 'examples'}", *more, "-c", source, "-o", obj])

    def library(self, name, objects):
        path = out / name / "driver.so"
        path.parent.mkdir(exist_ok=True)
        code, text = common.run([sys.executable, bind_driver.__file__, path, *objects])
        if code:
            self.report.fail(f"{name}: not linked with bind_driver.cpp:\n{text[-2000:]}")
        return path

    def register_library(self, name):
        """The driver of the folder, which register_driver has written, from source."""
        folder = out / name
        good = self.elf_object(folder / "driver.c", folder / "driver.o", out / "kit_of_wddm1_3",
                               (f"-I{common.root / 'examples/driver_image'}", f"-I{here / 'register_driver'}"))
        return self.library(name, [folder / "driver.o"]) if good else None

    def same_report(self, what, library, device, as_image, seed="1"):
        """The report of a driver from source is that of its image, whose first lines and offsets are its own."""
        def played(text):
            text = text[text.find(", seed "):].partition("\nNot judged")[0]
            # Which requests fail for want of memory is thrown at each call of the kernel, and the two compilers call
            # memset and its like in other places. From source no exception is handled, so that no memory is given back
            # (SPL-17), and some renders do what an image refuses.
            text = re.sub(r"\d+ times opened|of \d+ openings without memory \d+ failed|\b(OBJ-0[13]|SPL-\d\d)\*\d+|\bSPL-17\b|"
                          r"how often: \d+", "", text)
            text = re.sub(r"\s+", " ", text)
            return re.sub(r"image\+0x[0-9a-f]+ \([^)]*\)|\S*driver\.s\w+", "driver", text)
        code, text = common.run([self.certify, library, "--device", device, "--seed", seed]) if library else (0, "")
        if played(text) != played(as_image):
            self.report.fail(f"{what}, seed {seed}: from source ({code}) it does something else than as an image:\n" +
                             "\n-- image\n".join(played(one)[:2500] for one in (text, as_image)))
        return text

    def check_from_source(self, image):
        """The image of the driver in C, and the same from source."""
        parts = [driver / "driver.c", driver / "functions.cpp", common.root / "examples/driver_image/find_hardware.c"]
        objects = [out / f"{source.stem}.o" for source in parts]
        if not all(common.in_parallel(lambda job: self.elf_object(*job, out / "kit"), zip(parts, objects))):
            return
        library = self.library("from_source", objects)
        text = self.same_report("c_driver", library, self.device, self.certified(image, "--seed", "1")[1])
        if not text.startswith("Certified from source") or "PAGE x pageable; INIT x discardable" not in text:
            self.report.fail(f"the report does not say that a driver is certified from source:\n{text[:1500]}")
        self.check_mistakes_from_source(objects)
        self.check_variable()
        self.check_linked_wrongly(objects)

    def check_mistakes_from_source(self, objects):
        """Mistakes in driver.c: section PAGE comes and goes as an image's does, and functions have names."""
        known, text = {m.what: m for m in mistakes}, ""
        for number, (what, function) in enumerate((("a register is read by pageable code", "ReadNews"),
                                                   ("the adapter is used after it was freed", "RemoveDevice"))):
            (_, old, new), = known[what].changes
            source = out / "from_source" / f"driver_{number}.c"
            source.write_text((driver / "driver.c").read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
            if not self.elf_object(source, source.with_suffix(".o"), out / "kit", (f"-I{driver}",)):
                continue
            code, text = self.certified(self.library(f"from_source_{number}", [source.with_suffix(".o"), *objects[1:]]))
            said = [each.replace("(PAGE)", f"(PAGE, {function})") for each in known[what].said]
            if code != 1 or not all(each in text for each in [*said, f", {function})"]):
                self.report.fail(f"from source, {what}: certify leaves with {code} and does not say {said}:\n{text[-2500:]}")
        self.check_guide(text)

    def check_guide(self, text):
        """The guide has the commands of this stage, and the finding of the last mistake, whatever its numbers are."""
        shown = re.search(r"<!-- finding of the stage certify -->\n```text\n(.*?)\n```", guide.read_text(encoding="utf-8"), re.S)
        number = r"0x[0-9a-f]+|\d+"
        if not shown or re.sub(number, "N", shown[1]) not in re.sub(number, "N", text):
            self.report.fail(f"{common.shown(guide)} does not show the finding as it is:\n{text[:1500]}")
        for words in (guide.read_text(encoding="utf-8"), bind_driver.__doc__):
            if to_elf not in words:
                self.report.fail(f"there are other options than '{to_elf}' in:\n{words[:1500]}")

    def check_variable(self):
        """Variables of the kernel by themselves and by their addresses, and a call with arguments on the stack."""
        source = out / "from_source/variable.c"
        source.write_text("extern short *NtBuildNumber;\nextern __declspec(dllimport) unsigned long long MmUserProbeAddress;\n"
                          "int _snprintf(char *to, unsigned long long size, const char *format, ...);\n"
                          "long DriverEntry(void) {\n    char text[8];\n    _snprintf(text, 8, \"%d%d%d%d\", 1, 2, 3, 4);\n"
                          "    return MmUserProbeAddress == 0x7FFFFFFF0000 && text[3] == '4' ? (long)0xC0000000 | *NtBuildNumber : 0;\n}\n", encoding="utf-8")
        if self.elf_object(source, source.with_suffix(".o"), out / "kit"):
            code, text = self.certified(self.library("from_source_variable", [source.with_suffix(".o")]), "--only", "paging")
            if code != 1 or "DriverEntry returned 0xC00065F4" not in text:
                self.report.fail(f"a driver from source does not find the kernel's variables ({code}):\n{text[:1500]}")

    def check_linked_wrongly(self, objects):
        """What nobody has is named by the linker; a library that would call the host's functions is refused."""
        library, source = out / "from_source/wrong.so", out / "from_source/host.c"
        source.write_text("void abort(void);\nlong DriverEntry(void *a, void *b) { abort(); return a == b; }\n", encoding="utf-8")
        begun = out / "from_source/begun.cpp"
        begun.write_text('extern "C" void *PsGetCurrentProcess();\nvoid *process = PsGetCurrentProcess();\n', encoding="utf-8")
        if not all(self.elf_object(file, file.with_suffix(".o"), out / "kit") for file in (source, begun)):
            return
        wrong = source.with_suffix(".o")
        code, text = bind_driver.linked(library, [wrong, bind_driver.binding])
        if code == 0 or "abort" not in text:
            self.report.fail(f"a function that nobody has is not named at link time ({code}):\n{text[-1500:]}")
        for said, order in (("abort is looked up by name", [wrong, bind_driver.binding]),
                            ("initialisers", [*objects, begun.with_suffix(".o"), bind_driver.binding]),
                            ("has to be linked last", [bind_driver.binding, *objects]), ("is looked up by name", objects)):
            bind_driver.linked(library, order, ("-shared", "-nostdlib", "-Wl,-Bsymbolic"))
            code, text = self.certified(library)
            if code != 2 or said not in text:
                self.report.fail(f"a library of which '{said}' is to be said ({code}):\n{text[-1500:]}")
        self.report.checked(5, "libraries that are linked wrongly, and refused")

    def check_damaged(self, image):
        """Truncated and changed files: refused, or run and judged, but never the end of certify itself."""
        dice = random.Random(1)
        whole = image.read_bytes()
        damaged = [whole[:size] for size in (0, 1, 63, 200, 511, 1024, len(whole) // 2, len(whole) - 512)]
        for _ in range(24):
            text = bytearray(whole)
            for _ in range(dice.randint(1, 4)):
                text[dice.randrange(0x400)] ^= 1 << dice.randrange(8)
            damaged.append(bytes(text))
        counts = {0: 0, 1: 0, 2: 0}
        for number, text in enumerate(damaged):
            file = out / f"damaged_{number}.sys"
            file.write_bytes(text)
            code, said = self.certified(file, "--limit", "4")
            if code not in counts or (number < 8 and code != 2):
                self.report.fail(f"damaged file {number}: certify leaves with {code}:\n{said[-1500:]}")
            else:
                counts[code] += 1
        self.report.checked(len(damaged), f"damaged files, {counts[2]} of them refused")


def main():
    images = stage()
    write_header.write(Numbers(), "26100", "WDDM3_2", out / "kit")
    code, text = common.run([sys.executable, here / "registration_tables.py", "--check"])
    if code:
        images.report.fail(text)
    if not images.base_objects() or not images.programs():
        images.report.finish()
    words = sys.argv[1:]
    chosen = [(n, one) for n, one in enumerate(mistakes) if not words or any(word in one.what for word in words)]
    if not words:
        image = images.check_sound()
        images.check_damaged(image)
        images.check_register_driver()
        images.check_software_driver()
        images.check_queue_driver()
        images.check_presenting()
        images.check_from_source(image)
    for wrong in common.in_parallel(images.check_mistake, chosen):
        for text in wrong:
            images.report.fail(text)
    images.check_pages()
    images.report.checked(len(chosen), "planted mistakes, each named")
    images.report.checked(len(images.services), "kernel functions that the images import")
    images.report.finish()


main()
