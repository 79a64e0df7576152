# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What an object file for the MSVC ABI defines and asks for, read from the file itself."""
import struct

writable = 0x80000000  # IMAGE_SCN_MEM_WRITE
discardable = 0x02000000
executable = 0x20000000  # IMAGE_SCN_MEM_EXECUTE
undefined_section = 0
external, weak_external = 2, 105


class coff_object:
    def __init__(self, path):
        data = path.read_bytes()
        self.sections = []  # (name, size, characteristics)
        self.undefined = set()
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

        skip = 0
        for i in range(symbol_count):
            if skip:
                skip -= 1
                continue
            at = symbols + 18 * i
            value, section, _, storage, skip = struct.unpack_from("<IhHBB", data, at + 8)
            name = text(data[at:at + 8])
            if section == undefined_section and storage in (external, weak_external):
                if value:  # a common symbol: memory that the linker adds
                    self.sections.append((f".bss (common {name})", value, writable))
                else:
                    self.undefined.add(name)

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
