# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Runs images: what one printed, how it ended, and whether that is a pass. A hang and a crash are failures."""
import os
import re
import selectors
import shutil
import subprocess
import time
from pathlib import Path

import common

patience = 60  # seconds that an image may take on a busy machine
crash = re.compile(rb"Exception Type|Synchronous Exception|^TRAP", re.M)


class run:
    """What came of one run."""

    def __init__(self, text, code, good_code, ended, seconds):
        self.text, self.seconds = text, seconds
        line = re.search(r"self-check: (\d+) checks, (\d+) failed, hash ([0-9a-f]{16})", text)
        self.checks, self.failed, self.hash = (int(line[1]), int(line[2]), line[3]) if line else (0, 0, "")
        self.parts = re.findall(r"^  (.+): (\d+) checks", text, re.M)
        if ended:
            self.result = ended
        elif not line:
            self.result = "no result"
        elif self.failed or not self.checks:
            self.result = "failed check"
        elif code != good_code:
            self.result = f"left with {code}"
        else:
            self.result = "passed"

    @property
    def passed(self):
        return self.result == "passed"


def watched(command, good_code, seconds=patience, env=None):
    """Runs a command until it ends, crashes or is silent for too long; it is gone afterwards."""
    begin = time.monotonic()
    text, ended = b"", ""
    with subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=env) as process:
        watcher = selectors.DefaultSelector()
        watcher.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = begin + seconds - time.monotonic()
            if left <= 0:
                ended = "hang"
                break
            if not watcher.select(left):
                continue
            piece = os.read(process.stdout.fileno(), 65536)
            text += piece
            if crash.search(text):
                ended = "trap"
                break
            if not piece:
                break
        if ended:
            process.kill()
        code = process.wait()
    return run(text.decode(errors="replace").replace("\r", ""), code, good_code, ended, time.monotonic() - begin)


quiet = ["-accel", "tcg", "-display", "none", "-serial", "stdio", "-monitor", "none", "-nic", "none"]


def qemu(machine):
    """(command, exit code of a pass): x86-64 leaves through isa-debug-exit, AArch64 through semihosting."""
    if machine == "x86_64":
        return [common.tool("qemu-system-x86_64"), *quiet, "-M", "q35", "-no-reboot", "-device",
                "isa-debug-exit,iobase=0xf4,iosize=0x04"], 33
    return [common.tool("qemu-system-aarch64"), *quiet, "-M", "virt", "-cpu", "cortex-a72", "-semihosting"], 0


def bare(machine, image, seconds=patience):
    command, good = qemu(machine)
    return watched(command + ["-m", "128", "-kernel", image], good, seconds)


firmware = {"x86_64": "/usr/share/ovmf/OVMF.fd", "aarch64": "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd"}


def uefi(machine, folder, seconds=patience):
    command, good = qemu(machine)
    drive = f"format=raw,file=fat:rw:{folder}"
    disk = ["-drive", drive] if machine == "x86_64" else ["-drive", f"{drive},if=none,id=d", "-device",
                                                          "virtio-blk-device,drive=d"]
    return watched(command + ["-m", "256", "-bios", firmware[machine], *disk], good, seconds)


class wine:
    """A Wine of its own, which takes with it what it started."""

    def __init__(self, folder):
        self.prefix = folder / "wine"
        self.env = {**os.environ, "LC_ALL": "C", "HOME": str(folder), "WINEPREFIX": str(self.prefix), "WINEARCH": "win64",
                    "DISPLAY": "", "WINEDLLOVERRIDES": "mscoree,mshtml,winedbg=d", "WINEDEBUG": "-all"}
        # A heap that begins with 64 MiB lies, now and then, where Wine has to load its own libraries.
        self.env.pop("GLIBC_TUNABLES", None)
        self.program, self.server = (found(name) for name in ("wine64", "wineserver"))

    def __enter__(self):
        self.prefix.parent.mkdir(exist_ok=True)
        self.started = self.call([self.program, "wineboot", "-i"])
        self.stop()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.prefix, ignore_errors=True)

    def stop(self):
        for way in ("-k", "-w"):
            self.call([self.server, way])

    def call(self, command, seconds=patience, debug="-all"):
        """(exit code, output) of a program, or (None, output) when it did not end in time.

        Output goes to a file: what the program started keeps it open, and the driver ends when nobody waits for it.
        """
        log = self.prefix.parent / "wine.log"
        with log.open("wb") as output:
            try:
                code = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output,
                                      stderr=subprocess.STDOUT, check=False, timeout=seconds,
                                      env={**self.env, "WINEDEBUG": debug}).returncode
            except subprocess.TimeoutExpired:
                code = None
        return code, log.read_text(encoding="utf-8", errors="replace")

    def driver(self, image, seconds=patience, report="wddmcore_images.txt", mark="wddmcore_unloaded.txt"):
        """Loads a driver, reads what it wrote, unloads it; `mark`, where it has one, is written when it is unloaded."""
        drive = self.prefix / "drive_c"
        report, mark = drive / report, drive / (mark or report)
        for path in (report, mark):
            path.unlink(missing_ok=True)
        shutil.copy(image, drive / "windows/system32/drivers" / image.name)
        path = rf"C:\windows\system32\drivers\{image.name}"
        name = image.stem.replace("-", "")
        self.call([self.program, "sc", "create", name, "type=", "kernel", "start=", "demand", "binPath=", path])
        self.stop()
        begin = time.monotonic()
        code, output = self.call([self.program, "net", "start", name], seconds, "-all,warn+debugstr")
        text = report.read_text(encoding="utf-8", errors="replace") if report.exists() else ""
        result = run(text, code, 0, "hang" if code is None else "", time.monotonic() - begin)
        if result.passed:
            heard = [line for line in output.split("\n") if "vDbgPrintEx" in line]
            last = text.strip().split("\n")[-1]
            stopped = self.call([self.program, "net", "stop", name])
            if not any(line.rstrip().endswith(last) for line in heard):
                result.result = "silent to the debugger"
            elif stopped[0] or not mark.exists():
                result.result = f"not unloaded: {stopped}"
        elif result.result == "no result" and code:
            result.result = "trap"
        self.stop()
        result.seconds = time.monotonic() - begin
        return result


def found(name):
    """Debian keeps Wine's programs in a folder of their own."""
    place = Path("/usr/lib/wine") / name
    return place if place.exists() else common.tool(name)
