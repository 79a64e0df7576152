# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""How each image is made: objects of each target, then the images that are linked from them. No C runtime anywhere."""
import common

here = common.root / "tests/images"
includes = [common.include, common.root / "examples", common.root / "tests", here]
traps = ["-fsanitize=undefined", "-fsanitize-trap=all"]


class builds:
    """Objects are made once, whatever is planted: only planted.cpp knows of it."""

    def __init__(self, out, report):
        self.out, self.report = out, report
        self.rows = out / "layout_rows.cpp"
        self.run([common.tool("python3"), here / "layout_rows.py", self.rows])

    def run(self, command):
        code, text = common.run(command)
        if code or text.strip():
            self.report.fail(f"{' '.join(str(part) for part in command[-6:])}:\n{text}")
        return code == 0

    def compiler(self, target, flags):
        """The command that compiles one source of a target; `flags` are of clang."""
        paths = [f"-I{path}" for path in includes]
        if target.endswith("msvc"):
            return common.clang_cl(target) + ["/c", "/O2", "/GS-"] + [f"/clang:{flag}" for flag in flags] + paths
        machine = ["-mno-red-zone"] if target.startswith("x86_64") else ["-mno-outline-atomics"]
        return [common.tool("clang++-19"), f"--target={target}", *common.freestanding[:3], "-fno-exceptions", "-fno-rtti",
                "-fno-stack-protector", "-fno-pic", "-O2", "-c", *common.strict, "-Wno-deprecated-register", *machine,
                *flags, *paths]

    def objects(self, target, plants, flags=(), driver=False):
        """[(command), ...] that make the objects of a target in a folder of their own."""
        folder = self.out / self.name_of(target, flags)
        folder.mkdir()
        made = [("payload", here / "payload.cpp", flags), ("layout_rows", self.rows, ()),
                ("runtime", here / "runtime.cpp", ("-fno-builtin",)), ("firmware", here / "firmware.cpp", flags)]
        made += [("driver", here / "driver.cpp", flags)] if driver else []
        made += [(f"planted_{n}", here / "planted.cpp", (*flags, f"-DWDDMCORE_PLANTED={n}")) for n in plants]
        commands = []
        for name, source, own in made:
            obj = folder / f"{name}.o"
            last = [f"/Fo{obj}", "--", source] if target.endswith("msvc") else ["-o", obj, source]
            commands.append(self.compiler(target, own) + last)
        machine = target.split("-")[0]
        assembled = ["alignment_aarch64"] if machine == "aarch64" else []
        assembled += [] if target.endswith("msvc") else [f"start_{machine}"]
        commands += [[common.tool("clang-19"), f"--target={target}", "-c", here / f"{name}.S", "-o", folder / f"{name}.o"]
                     for name in assembled]
        return commands

    @staticmethod
    def name_of(target, flags=()):
        return target + ("-ubsan" if flags else "")

    def linked(self, target, plant, around, flags=()):
        """The objects of an image."""
        folder = self.out / self.name_of(target, flags)
        names = ["payload", "layout_rows", "runtime", f"planted_{plant}", around]
        if target.startswith("aarch64") and around == "firmware":
            names.append("alignment_aarch64")
        return [folder / f"{name}.o" for name in names]

    def uefi(self, target, plant=0, flags=()):
        """The folder of a UEFI system partition with the image in it."""
        folder = self.out / f"uefi-{self.name_of(target, flags)}-{plant}"
        name = "BOOTX64.EFI" if target.startswith("x86_64") else "BOOTAA64.EFI"
        (folder / "EFI/BOOT").mkdir(parents=True)
        self.run([common.tool("lld-link-19"), "-subsystem:efi_application", "-entry:image_main", "-nodefaultlib", "-Brepro",
                  f"-out:{folder / 'EFI/BOOT' / name}", *self.linked(target, plant, "firmware", flags)])
        return folder

    def bare(self, target, plant=0):
        machine = target.split("-")[0]
        image = self.out / f"bare-{machine}-{plant}.elf"
        base = "0x100000" if machine == "x86_64" else "0x40080000"
        self.run([common.tool("ld.lld-19"), "-static", "-e", "_start", f"--image-base={base}", "-o", image,
                  self.out / target / f"start_{machine}.o", *self.linked(target, plant, "firmware")])
        return image

    def driver(self, target, plant=0):
        machine = "x64" if target.startswith("x86_64") else "arm64"
        names = self.out / "ntoskrnl.def"
        names.write_text("LIBRARY ntoskrnl.exe\nEXPORTS\nDbgPrint\nZwCreateFile\nZwWriteFile\nZwClose\n", encoding="utf-8")
        library = self.out / f"ntoskrnl-{machine}.lib"
        self.run([common.tool("llvm-dlltool-19"), "-d", names, "-D", "ntoskrnl.exe", "-m",
                  "i386:x86-64" if machine == "x64" else "arm64", "-l", library])
        image = self.out / f"selfcheck-{machine}-{plant}.sys"
        self.run([common.tool("lld-link-19"), "-subsystem:native", "-driver", "-entry:DriverEntry", "-nodefaultlib",
                  f"-machine:{machine}", "-dynamicbase", "-nxcompat", "-Brepro", f"-out:{image}",
                  *self.linked(target, plant, "driver"), library])
        return image

    def host(self):
        """The same checks as a program of this machine, with the other tests' decoders beside."""
        image = self.out / "host"
        objects = []
        for source, own in ((here / "host.cpp", []), (here / "planted.cpp", ["-DWDDMCORE_PLANTED=0"]), (self.rows, [])):
            objects.append(self.out / f"host-{source.stem}.o")
            self.run([common.tool("g++"), "-std=c++20", "-O1", "-c", *common.strict, *own,
                      *[f"-I{path}" for path in includes], "-o", objects[-1], source])
        self.run([common.tool("g++"), "-o", image, *objects])
        return image
