# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What an object file for the MSVC ABI defines and asks for, read from the file itself."""
import struct

writable = 0x80000000  # IMAGE_SCN_MEM_WRITE
discardable = 0x02000000
executable = 0x20000000  # IMAGE_SCN_MEM_EXECUTE
undefined_section = 0
external, static, weak_external = 2, 3, 105
function_type = 0x20


class coff_object:
    def __init__(self, path):
        data = path.read_bytes()
        self.sections = []  # (name, size, characteristics)
        self.undefined = set()
        self.functions = {}  # name: (index of its section, offset)
        self.references = []  # (index of the section, offset, name of the symbol, its section's index, its value)
        if data[:4] == b"\0\0\xff\xff":
            raise ValueError(f"{path}: a big object, which this reader does not know")
        _, count, _, symbols, symbol_count, optional, _ = struct.unpack_from("<HHIIIHH", data, 0)
        strings = symbols + 18 * symbol_count

        def text(raw):
            if raw[:4] == b"\0\0\0\0":
                raw = data[strings + struct.unpack_from("<I", raw, 4)[0]:]
            elif raw[:1] == b"/":
                raw = data[strings + int(raw[1:].rstrip(b"\0")):]
            return raw.split(b"\0", 1)[0].decode()

        for i in range(count):
            at = 20 + optional + 40 * i
            size, = struct.unpack_from("<I", data, at + 16)
            characteristics, = struct.unpack_from("<I", data, at + 36)
            self.sections.append((text(data[at:at + 8]), size, characteristics))

        symbol_at, skip = {}, 0
        for i in range(symbol_count):
            if skip:
                skip -= 1
                continue
            at = symbols + 18 * i
            value, section, kind, storage, skip = struct.unpack_from("<IhHBB", data, at + 8)
            name = text(data[at:at + 8])
            symbol_at[i] = (name, section - 1, value)
            if kind == function_type and section > 0 and storage in (external, static):
                self.functions[name] = (section - 1, value)
            if section == undefined_section and storage in (external, weak_external):
                if value:  # a common symbol: memory that the linker adds
                    self.sections.append((f".bss (common {name})", value, writable))
                else:
                    self.undefined.add(name)

        for i in range(count):
            relocations, = struct.unpack_from("<I", data, 20 + optional + 40 * i + 24)
            number, = struct.unpack_from("<H", data, 20 + optional + 40 * i + 32)
            for k in range(number):
                offset, symbol = struct.unpack_from("<II", data, relocations + 10 * k)
                self.references.append((i, offset, *symbol_at[symbol]))

    def calls(self):
        """{function: names of what its code refers to}, also through tables in data; unwind information left out."""
        starts = {}  # section: [(offset, function)], in order
        for name, (section, offset) in self.functions.items():
            starts.setdefault(section, []).append((offset, name))
        for each in starts.values():
            each.sort()

        def place(section, offset):
            """The function at a place, or the section of data itself."""
            before = [name for start, name in starts.get(section, []) if start <= offset]
            return before[-1] if before else section

        found = {}
        for section, offset, name, target, value in self.references:
            if not self.sections[section][0].startswith((".pdata", ".xdata", ".debug", ".llvm")):
                reached = name if target < 0 or name in self.functions else place(target, value)
                found.setdefault(place(section, offset), set()).add(reached)
        whole = {}
        for name in self.functions:
            reached, waiting = set(), list(found.get(name, ()))
            while waiting:
                each = waiting.pop()
                if each not in reached:
                    reached.add(each)
                    waiting += found.get(each, ()) if isinstance(each, int) else ()
            whole[name] = {each for each in reached if not isinstance(each, int)}
        return whole

    def code(self):
        return [name for name, size, flags in self.sections if flags & executable and size]

    def dynamic_initialisers(self):
        return [name for name, size, _ in self.sections if name.startswith((".CRT$XC", ".CRT$XI", ".CRT$XT")) and size]

    def thread_locals(self):
        return [name for name, size, _ in self.sections if name.startswith(".tls") and size]

    def writable_data(self):
        return [f"{name} ({size} bytes)" for name, size, flags in self.sections
                if flags & writable and not flags & discardable and size
                and not name.startswith((".tls", ".CRT"))]
