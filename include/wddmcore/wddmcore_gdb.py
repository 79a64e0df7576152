# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""How GDB shows the types of wddmcore: a paging buffer's arguments, an ADL, an MDL, an engine as what they are.

In GDB, or in a .gdbinit:    source <include>/wddmcore/wddmcore_gdb.py
`print/r value` shows a value without it. GDB is for programs on a desktop; Visual Studio and WinDbg have
wddmcore.natvis beside this file.
"""
import re

import gdb
import gdb.printing

OPERATIONS = (
    "Transfer", "Fill", "DiscardContent", "ReadPhysical", "WritePhysical", "MapApertureSegment", "UnmapApertureSegment",
    "SpecialLockTransfer", "TransferVirtual", "FillVirtual", "InitContextResource", "UpdatePageTable", "FlushTlb",
    "UpdateContextAllocation", "CopyPageTableEntries", "NotifyResidency", "SignalMonitoredFence", "MapApertureSegment2",
    "NotifyFenceResidency", "MmapMmu", "UnmapMmu", "NotifyResidency2", "NotifyAllocation")
NOT_PLACED_YET = 2**64 - 1


class Printer:
    """A value whose members are read by a path, as in `read("flags.value")`. Each class says its types' names."""

    def __init__(self, value):
        self.value = value

    def read(self, path):
        value = self.value
        for name in path.split("."):
            value = value[name]
        return value

    def number(self, path):
        return int(self.read(path))

    def enumerator(self, path):
        """The last part of an enumerator's name; a number without a name as it is."""
        return str(self.read(path)).rsplit("::", 1)[-1]


def elements(pointer, count, shown=str):
    for index in range(count):
        yield f"[{index}]", shown((pointer + index).dereference())


def unchanged(value):
    return value


def page(value):
    return hex(int(value))


class Bytes(Printer):
    types = ("bytes",)

    def to_string(self):
        n = self.number("n")
        if n and n % 2**20 == 0:
            return f"{n >> 20} MiB"
        return f"{n >> 10} KiB" if n and n % 1024 == 0 else f"{n} bytes"


class Count(Printer):
    types = ("pages", "dwords", "megabytes")
    words = {"megabytes": "MB"}

    def to_string(self):
        kind = plain_name(self.value.type)
        return f"{self.number('n')} {self.words.get(kind, kind)}"


class Number(Printer):
    types = ("preemption::fence_id", "preemption::serial", "preemption::generation")
    words = {"fence_id": "fence"}

    def to_string(self):
        kind = plain_name(self.value.type).rsplit("::", 1)[-1]
        return f"{self.words.get(kind, kind)} {self.number('n')}"


class PageNumber(Printer):
    types = ("page_number",)

    def to_string(self):
        return f"page {self.number('n'):#x}"


class SegmentId(Printer):
    types = ("segment_id",)

    def to_string(self):
        n = self.number("n")
        return f"segment {n}" if n else "system memory"


class Address(Printer):
    types = ("segment_address", "segment_offset", "cpu_physical_address")

    def to_string(self):
        n = self.number("n")
        return "at StartDevice" if n == NOT_PLACED_YET else hex(n)


class GpuAddress(Printer):
    types = ("gpu_virtual_address",)

    def to_string(self):
        return f"GPU {self.number('n'):#x}"


class Span(Printer):
    types = ("span<>",)

    def to_string(self):
        return f"count = {self.number('count')}"

    def children(self):
        return elements(self.read("data"), self.number("count"), unchanged)


class Result(Printer):
    types = ("result<>",)

    def to_string(self):
        return f"refused: {self.enumerator('error')}" if self.number("error") else self.read("value")


class Source(Printer):
    types = ("adl::source",)

    def to_string(self):
        count = self.number("count")
        if count == 0:
            return "no pages"
        return f"list of {count} pages" if self.number("list") else f"{count} pages from page {self.number('base'):#x}"

    def children(self):
        return elements(self.read("list"), self.number("count") if self.number("list") else 0, page)


class Cursor(Printer):
    types = ("adl::cursor",)

    def to_string(self):
        count, position = self.number("from.count"), self.number("position")
        if position == count:
            return f"at the end of {count} pages"
        listed = self.read("from.list")
        here = int(listed[position]) if int(listed) else self.number("from.base") + position
        return f"page {position} of {count}, which is {here:#x}"


class Run(Printer):
    types = ("adl::run",)

    def to_string(self):
        count = self.number("length.n")
        return f"{count} pages from page {self.number('first.n'):#x}" if count else "no pages"


class Adl(Printer):
    types = ("mirror::dxgk_adl", "_DXGK_ADL")

    def is_range(self):
        return self.number("Flags.Contiguous") != 0

    def to_string(self):
        count = self.number("PageCount")
        if count == 0:
            return "no pages"
        if self.is_range():
            return f"{count} pages from page {self.number('BasePageNumber'):#x}"
        return f"list of {count} pages"

    def children(self):
        return elements(self.read("Pages"), 0 if self.is_range() else self.number("PageCount"), page)


class Mdl(Printer):
    """A memory descriptor list; its page numbers lie behind the structure."""
    types = ("mirror::mdl", "_MDL")

    def to_string(self):
        size = self.number("ByteCount")
        return f"{size} bytes, {self.number('ByteOffset')} into its first page" if size else "no bytes"

    def children(self):
        width = gdb.lookup_type("unsigned long long" if self.value.type.sizeof > 32 else "unsigned int")
        pages = (self.number("ByteOffset") + self.number("ByteCount") + 4095) // 4096
        if self.value.address is None:
            return iter(())
        return elements((self.value.address + 1).cast(width.pointer()), pages, page)


class PagingArguments(Printer):
    """Of the union only the operation's own member, where the structure's version has it."""
    types = ("mirror::dxgkarg_buildpagingbuffer", "_DXGKARG_BUILDPAGINGBUFFER")

    def operation(self):
        code = self.number("Operation")
        return OPERATIONS[code] if code < len(OPERATIONS) else None

    def to_string(self):
        code = self.number("Operation")
        name = f"{self.operation()} ({code})" if self.operation() else f"operation {code}"
        return f"{name}, {self.number('DmaSize')} bytes of buffer, token {self.number('MultipassOffset')}"

    def children(self):
        yield "buffer", self.read("pDmaBuffer")
        yield "private data", self.read("pDmaBufferPrivateData")
        yield "private data bytes", self.read("DmaBufferPrivateDataSize")
        yield "system context", self.read("hSystemContext")
        try:
            if self.operation():
                yield self.operation(), self.value[self.operation()]
        except gdb.error:
            pass  # this version of the structure has no such member


class Fault(Printer):
    types = ("paging_fault",)

    def to_string(self):
        return (f"{self.enumerator('rule')} in {self.enumerator('operation')}: {self.number('value'):#x}, "
                f"limit {self.number('limit'):#x}")


class Entry(Printer):
    types = ("segment::entry",)

    def to_string(self):
        kind = self.enumerator("kind")
        number = "" if kind == "hidden" else f"{self.read('id').format_string()}: "
        return f"{number}{kind}, {self.read('size').format_string()} at {self.read('base').format_string()}"


class View(Printer):
    types = ("segment::view",)

    def to_string(self):
        return (f"{self.number('reported.count')} segments, {self.number('hidden.count')} hidden, "
                f"paging buffers in {self.read('paging_buffer').format_string()}")

    def children(self):
        yield from elements(self.read("reported.data"), self.number("reported.count"), unchanged)
        for index in range(self.number("hidden.count")):
            yield f"hidden [{index}]", self.read("hidden.data")[index]


class Table(Printer):
    types = ("segment::table<>",)

    def to_string(self):
        hidden = int(self.value.type.template_argument(0)) - self.number("reported")
        return (f"{self.number('reported')} segments, {hidden} hidden, "
                f"paging buffers in {self.read('paging_buffer').format_string()}")

    def children(self):
        rows = self.read("rows")
        return ((f"[{index}]", rows[index]) for index in range(int(self.value.type.template_argument(0))))


class Packet(Printer):
    types = ("preemption::submission<>",)

    def to_string(self):
        if self.number("flags") & 0x80000000:
            return f"fence {self.number('fence.n')}, refused"
        return f"fence {self.number('fence.n')}, bytes {self.number('window.start')} to {self.number('window.end')}"


class Actions(Printer):
    types = ("preemption::actions",)
    names = ("completed", "faulted", "fault_unknown", "preempted", "interrupted", "ask", "disarm", "hand_over", "full")

    def to_string(self):
        bits = self.number("bits")
        return ", ".join(name for bit, name in enumerate(self.names) if bits >> bit & 1) or "nothing"


class Engine(Printer):
    """The packets, oldest first, and where each of them is."""
    types = ("preemption::engine<>", "preemption::detail::ring<>")
    states = {2: "stopping", 3: "drained", 4: "halted", 5: "lost"}

    def ends(self):
        """(oldest, what hardware has up to, next serial), each modulo 2^32."""
        oldest, handed = self.number("oldest_"), self.number("handed_")
        behind = (oldest - handed) % 2**32 < 2**31  # what left before a submission looked again
        return oldest, oldest if behind else handed, self.number("word_") >> 32

    def released(self):
        return self.number("word_") & 128 != 0

    def to_string(self):
        oldest, _, end = self.ends()
        count = (end - oldest) % 2**32
        if self.released():
            state = "busy" if count else "idle"
        else:
            state = self.states.get(self.number("word_") & 7, "not started")
        return f"{state}, {count} packets, last completed fence {self.number('last_completed_.n')}"

    def children(self):
        oldest, handed, end = self.ends()
        capacity = int(self.value.type.template_argument(0))
        for place in range(min((end - oldest) % 2**32, capacity)):
            serial = (oldest + place) % 2**32
            if place < (handed - oldest) % 2**32:
                where = "in hardware"
            else:
                where = "released" if self.released() else "held"
            yield f"serial {serial}, {where}", self.read("slots_")[serial % capacity]


class ResumeSlot(Printer):
    types = ("preemption::resume_slot",)

    def to_string(self):
        if not self.number("taken"):
            return "empty"
        return (f"keeps buffer {self.number('packet.buffer'):#x}, bytes {self.number('packet.window.start')} to "
                f"{self.number('packet.window.end')}")


def plain_name(kind):
    """A type's name as the classes here have it: `span<>` for a span of anything, `mirror::mdl` in every version."""
    name = kind.unqualified().strip_typedefs().tag or ""
    name = re.sub(r"^wddmcore::(v0(_checked)?::)?", "", name)
    name = re.sub(r"<.*", "<>", name, flags=re.S)
    return re.sub(r"^mirror::\w+::", "mirror::", name)


PRINTERS = {name: printer for printer in Printer.__subclasses__() for name in printer.types}


def find_printer(value):
    kind = value.type.unqualified().strip_typedefs()
    if kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return None
    name = kind.tag or ""
    printer = PRINTERS.get(plain_name(kind)) if name.startswith(("wddmcore::", "_")) else None
    return printer(value) if printer else None


find_printer.name = "wddmcore"
find_printer.enabled = True
gdb.printing.register_pretty_printer(gdb.current_objfile(), find_printer, replace=True)
