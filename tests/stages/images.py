# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The library's code where a driver's runs: a .sys under Wine, UEFI images and bare machines under QEMU, Windows programs.

One payload of self-checks (tests/images/payload) is compiled for each target without a C runtime and run: layouts of the
DDI's structures, paging buffers of two example hardware types built, executed and compared, page-table entries, answers
to queries, fences and preemption. Every image makes the same number of checks and ends with the same hash of all that
was built; the host's run also gives each stream to the decoders of the other tests. Then images that are wrong on
purpose must fail, each in its way.

What is checked about alignment: AArch64 images run under SCTLR_EL1.A, and an access to memory that the GPU reads that is
not aligned for its size is a failure. x86-64 has no such check at privilege level 0, and stores eight bytes at any dword.
"""
import os
import re
import sys
import time

import common

sys.path.insert(0, str(common.root / "tests/images"))
sys.dont_write_bytecode = True

import image_runs  # noqa: E402
from image_builds import builds, traps  # noqa: E402

windows = common.msvc_targets[:2]
elf = ["x86_64-none-elf", "aarch64-none-elf"]
out = common.output_folder("images")
# What planted.cpp can do, and what each image must be found to be. 6 and 7 show only in comparison.
failed_check, hang, trap, unaligned, undefined, fewer, another_bit = range(1, 8)


def machine_of(target):
    return target.split("-")[0]


class stage:
    def __init__(self):
        self.report = common.report()
        self.make = builds(out, self.report)
        self.rows = []
        self.programs = 0

    def compile(self):
        commands = []
        for target in windows:
            commands += self.make.objects(target, (0, failed_check, trap, unaligned) + (hang,) * target.startswith("x86"),
                                          driver=True)
            commands += self.make.objects(target, (0, undefined), traps)
        for target in elf:
            commands += self.make.objects(target, (0, failed_check, hang, trap, unaligned, fewer, another_bit))
        commands.append(self.make.compiler(windows[1], ()) + [f"/Fo{out / windows[1] / 'relaxed.o'}", "--",
                                                              common.root / "tests/images/relaxed.cpp"])
        # The long ones first.
        commands.sort(key=lambda command: "payload.cpp" not in str(command[-1]) and "payload.cpp" not in str(command))
        common.in_parallel(self.make.run, commands)

    def compile_programs(self):
        """tests/ by clang with mingw-w64's headers and libraries, as the preset says, and by mingw-w64's g++ the folders
        that build soon."""
        configured, text = common.run(["cmake", "-S", common.root, "-B", common.root / "build/mingw", "--preset", "mingw",
                                       "--log-level=WARNING"], cwd=common.root)
        built, more = common.run(["cmake", "--build", common.root / "build/mingw", "-j",
                                  os.environ.get("WDDMCORE_JOBS", str(os.cpu_count() or 1)), "--", "--quiet"])
        if configured or built:
            self.report.fail(f"the test programs for Windows are not built:\n{text[-2000:]}{more[-4000:]}")
            return
        sources = [path for folder in ("adl", "ddi", "iommu") for path in sorted((common.root / "tests" / folder).glob("*.cpp"))]
        together = out / "adl_ddi_iommu.cpp"
        together.write_text("".join(f'#include "{path}"\n' for path in [common.root / "tests/main.cpp", *sources]), encoding="utf-8")
        self.make.run([common.tool("x86_64-w64-mingw32-g++-win32"), "-std=c++20", "-O1", "-static",
                       "-DDOCTEST_CONFIG_NO_MULTITHREADING", "-DDOCTEST_CONFIG_SUPER_FAST_ASSERTS", "-DWDDMCORE_SLOW_BUILD",
                       *[f"-I{common.root / folder}" for folder in ("include", "examples", "tests")], "-isystem",
                       common.root / "build/mingw/doctest-alone/include", together, "-o", out / "test_adl_ddi_iommu.exe"])

    def row(self, image, target, result, expected="passed"):
        """A line of the table; what an image must be is `expected`."""
        good = result.result == expected
        word = result.result if expected == "passed" else f"{result.result}, as planted" if good else result.result
        self.rows.append((image, target, result.checks, word, result.seconds))
        if not good:
            wrong = [line for line in result.text.split("\n") if "FAILED" in line or "TRAP" in line or "Exception" in line]
            self.report.fail(f"{image} ({target}): {result.result}, not {expected}\n" + "\n".join(wrong[:10]))
        return result

    def same(self, name, result, first):
        """Whether a run made the same checks with the same results as the host's."""
        if (result.checks, result.parts, result.hash) != (first.checks, first.parts, first.hash):
            self.report.fail(f"{name}: {result.checks} checks and hash {result.hash}; the host has {first.checks} and "
                             f"{first.hash}")
            return False
        return True

    def run_all(self):
        host = self.row("program", "this machine", image_runs.watched([self.make.host()], 0))
        streams = re.search(r"other decoders: (\d+) streams", host.text)
        self.report.checked(int(streams[1]) if streams else 0, "streams that other decoders execute to the same memory")
        runs = [("bare metal", target, lambda t=target: image_runs.bare(machine_of(t), self.make.bare(t)))
                for target in elf]
        runs += [("UEFI", target, lambda t=target: image_runs.uefi(machine_of(t), self.make.uefi(t))) for target in windows]
        runs += [("UEFI, UBSan", target, lambda t=target: image_runs.uefi(machine_of(t), self.make.uefi(t, 0, traps)))
                 for target in windows]
        done = common.in_parallel(lambda job: job[2](), runs)
        for (image, target, _), result in zip(runs, done):
            self.row(image, target, result)
            self.same(f"{image} ({target})", result, host)
        return host

    def run_drivers(self, host):
        target = windows[0]
        with image_runs.wine(out) as wine:
            result = self.row("driver, Wine", target, wine.driver(self.make.driver(target)))
            self.same(f"driver ({target})", result, host)
            self.row("driver, Wine", target, wine.driver(self.make.driver(target, failed_check)), "failed check")
            self.row("driver, Wine", target, wine.driver(self.make.driver(target, hang), 8), "hang")
            self.row("driver, Wine", target, wine.driver(self.make.driver(target, trap)), "trap")
            self.run_programs(wine)
        self.check_arm64_driver()

    def run_programs(self, wine):
        """The test programs of what a driver includes, as Windows programs: its ABI, not a model of it."""
        programs = sorted((common.root / "build/mingw/tests").glob("test_*.exe"))
        # A server that is about to leave, for want of programs, refuses the next one: this one stays.
        wine.call([wine.server, "-p"])
        for program in [*programs, out / "test_adl_ddi_iommu.exe"]:
            begin = time.monotonic()
            command = [wine.program, program]
            code, text = wine.call(command, 240)
            if "[doctest]" not in text:  # it was not begun
                wine.stop()
                code, text = wine.call(command, 240)
            count = re.search(r"assertions: +(\d+) \| +(\d+) passed \| +0 failed", text)
            cases = re.search(r"test cases: +(\d+)", text)
            good = code == 0 and count and int(count[1]) == int(count[2]) != 0
            self.rows.append((program.stem, "clang, mingw-w64" if program in programs else "g++, mingw-w64", int(cases[1]) if cases else 0,
                              "passed" if good else "FAILED", time.monotonic() - begin))
            self.programs += 1
            if not good:
                wrong = [line for line in text.split("\n") if "ERROR" in line or "exception" in line] or [text[:500]]
                self.report.fail(f"{program.name} under Wine leaves with {code}:\n" + "\n".join(wrong[:6]))
        self.report.checked(self.programs, "test programs for Windows, run under Wine")

    def check_arm64_driver(self):
        """Not run here: there is no Wine for ARM64. What it imports is what it may."""
        image = self.make.driver(windows[1])
        code, text = common.run([common.tool("llvm-readobj-19"), "--file-headers", "--coff-imports", image])
        names = set(re.findall(r"Symbol: (\S+)", text))
        libraries = set(re.findall(r"^  Name: (\S+)", text, re.M))
        wanted = {"DbgPrint", "ZwCreateFile", "ZwWriteFile", "ZwClose"}
        good = (not code and names == wanted and libraries == {"ntoskrnl.exe"} and "IMAGE_FILE_MACHINE_ARM64" in text
                and "IMAGE_SUBSYSTEM_NATIVE" in text)
        self.rows.append(("driver, not run", windows[1], len(names), "imports are as they must be" if good else "FAILED", 0))
        if not good:
            self.report.fail(f"the ARM64 driver imports {sorted(names)} of {sorted(libraries)}")

    def check_orders(self):
        """The accesses of submit_outside (payload/engines.hpp) as the ARM64 object has them: no order is lost on the way.

        The payload's loads of the word and of the oldest entry acquire, the store of the entry releases, and the
        addition does both.
        """
        folder = self.make.out / windows[1]
        code, text = common.run([common.tool("llvm-objdump-19"), "-d", "--no-show-raw-insn", folder / "payload.o"])
        found = {name: len(re.findall(rf"\t{name}\s", text)) for name in ("ldar", "stlr", "ldaxr", "stlxr", "casal", "ldaddal")}
        if code or not found["ldar"] or not found["stlr"]:
            self.report.fail(f"the ARM64 object of the payload has no ldar or no stlr: {found}")
        if not (found["ldaxr"] and found["stlxr"]) and not found["casal"] and not found["ldaddal"]:
            self.report.fail(f"the ARM64 object of the payload has no ordered addition: {found}")
        code, text = common.run([common.tool("llvm-objdump-19"), "-d", "--no-show-raw-insn", folder / "relaxed.o"])
        if code or re.search(r"\t(ldar|stlr|ldaxr|stlxr|casal|ldaddal)\s", text) or "ldxr" not in text:
            self.report.fail("self-test: relaxed accesses are not told apart from ordered ones")
        self.report.checked(sum(found.values()), "ordered instructions of the engine's word on ARM64 (" +
                            ", ".join(f"{count} {name}" for name, count in found.items() if count) + ")")

    def run_planted(self, host):
        """Images that are wrong on purpose."""
        runs = []
        for target in elf:
            machine = machine_of(target)
            runs += [("bare metal", target, plant, word, lambda t=target, m=machine, p=plant, s=seconds:
                      image_runs.bare(m, self.make.bare(t, p), s))
                     for plant, word, seconds in ((failed_check, "failed check", 60), (hang, "hang", 4), (trap, "trap", 60))]
        for target in windows:
            machine = machine_of(target)
            runs.append(("UEFI, UBSan", target, undefined, "trap", lambda t=target, m=machine:
                         image_runs.uefi(m, self.make.uefi(t, undefined, traps))))
        runs.append(("bare metal", elf[1], unaligned, "trap", lambda: image_runs.bare("aarch64", self.make.bare(elf[1], unaligned))))
        runs.append(("UEFI", windows[1], unaligned, "trap", lambda: image_runs.uefi("aarch64", self.make.uefi(windows[1], unaligned))))
        for (image, target, _, word, _), result in zip(runs, common.in_parallel(lambda job: job[4](), runs)):
            self.row(image, target, result, word)
        for target in elf:
            for plant, what in ((fewer, "a check fewer"), (another_bit, "another bit")):
                result = image_runs.bare(machine_of(target), self.make.bare(target, plant))
                before = len(self.report.failures)
                if self.same("", result, host):
                    self.report.fail(f"bare metal ({target}): {what} is not noticed")
                else:
                    del self.report.failures[before:]
                    result.result = what
                self.row("bare metal", target, result, what)
        return len(runs) + 4

    def print_table(self):
        print(f"{'image':<20}{'target':<28}{'checks':>7}  {'result':<32}{'seconds':>7}")
        for image, target, checks, word, seconds in self.rows:
            print(f"{image:<20}{target:<28}{checks:>7}  {word:<32}{seconds:>7.1f}")


def main():
    begin = time.monotonic()
    images = stage()
    images.compile()
    images.compile_programs()
    compiled = time.monotonic() - begin
    if images.report.failures:
        images.report.finish()
    host = images.run_all()
    for part, count in host.parts:
        print(f"{count:>6} {part}")
    images.check_orders()
    images.run_drivers(host)
    planted = images.run_planted(host)
    images.print_table()
    print(f"compiled in {compiled:.0f} s; all in {time.monotonic() - begin:.0f} s")
    report = images.report
    report.checked(host.checks, f"checks in each image, which all end with the hash {host.hash}")
    report.checked(len(images.rows) - planted - 3 - images.programs, "images")
    report.checked(planted + 3, "images that are wrong on purpose, and found to be")
    report.finish()


main()
