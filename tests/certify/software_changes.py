# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The driver that executes by itself in memory of its own (software_driver/driver.c) in other forms, and with mistakes."""
from typing import NamedTuple


class Changed(NamedTuple):
    what: str
    changes: list  # of (old text, new text), each of which is there once
    said: tuple = ()  # in the report; empty: nothing is wrong
    on_device: bool = False  # software_driver/memory_device.c


at_submission = [("    KeSetEvent(&adapter->Wake, 0, FALSE);\n    return STATUS_SUCCESS;\n}\n\nstatic NTSTATUS PreemptCommand",
                  "    {\n        PACKET taken;\n        if (TakePacket(adapter, &taken)) {\n            ExecutePacket(adapter, &taken);\n"
                  "        }\n    }\n    return STATUS_SUCCESS;\n}\n\nstatic NTSTATUS PreemptCommand"),
                 ("        Sleep();\n", ""), ("static VOID Sleep(VOID) {", "VOID Sleep(VOID);\nVOID Sleep(VOID) {")]
pages_of_an_mdl = [("    adapter->Memory = MmAllocateContiguousMemorySpecifyCache(MEMORY_BYTES, lowest, highest, boundary, MmCached);\n",
                    "    adapter->Memories = MmAllocatePagesForMdlEx(lowest, highest, boundary, MEMORY_BYTES, MmCached, 0x24);\n"
                    "    if (adapter->Memories != NULL) {\n        adapter->Memory = MapPages(adapter->Memories);\n    }\n"),
                   ("        MmFreeContiguousMemorySpecifyCache(adapter->Memory, MEMORY_BYTES, MmCached);\n",
                    "        MmUnmapLockedPages(adapter->Memory, adapter->Memories);\n"
                    "        MmFreePagesFromMdl(adapter->Memories);\n        ExFreePool(adapter->Memories);\n")]
own_addresses = [("        adapter->Base = adapter->Address;\n", "        adapter->Base.QuadPart = 0x10000000;\n")]
device_memory = [("    adapter->Memory = MmAllocateContiguousMemorySpecifyCache(MEMORY_BYTES, lowest, highest, boundary, MmCached);\n",
                  "    adapter->Address.QuadPart = 0xD0000000;\n"
                  "    adapter->Memory = MmMapIoSpaceEx(adapter->Address, MEMORY_BYTES, PAGE_READWRITE);\n"
                  "    (VOID) lowest; (VOID) highest; (VOID) boundary;\n"),
                 ("        adapter->Address = MmGetPhysicalAddress(adapter->Memory);\n", ""),
                 ("    out->pSegmentDescriptor->Flags.PopulatedFromSystemMemory = 1;\n", ""),
                 ("        MmFreeContiguousMemorySpecifyCache(adapter->Memory, MEMORY_BYTES, MmCached);\n",
                  "        MmUnmapIoSpace(adapter->Memory, MEMORY_BYTES);\n")]
report = "    adapter->LastFence = packet->Fence;\n    Report(adapter, ReportCompleted);\n"

forms = [
    Changed("a thread executes", []),
    Changed("DxgkDdiSubmitCommand executes", at_submission),
    Changed("the memory is pages of an MDL", pages_of_an_mdl),
    Changed("the GPU has addresses of its own", own_addresses),
    Changed("the memory is the device's", device_memory, (), True),
]

software_mistakes = [
    Changed("the segment is larger than its memory", [("->Size = MEMORY_BYTES;", "->Size = MEMORY_BYTES + 0x100000;"),
                                                      ("->CommitLimit = MEMORY_BYTES;", "->CommitLimit = MEMORY_BYTES + 0x100000;")],
            ("SEG-14", "a segment goes on where its memory has ended")),
    Changed("the memory is given back before DxgkDdiStopDevice",
            [("    UNREFERENCED_PARAMETER(hDevice);\n    return STATUS_SUCCESS;\n", "    GiveMemory(hDevice);\n    return STATUS_SUCCESS;\n"),
             ("static NTSTATUS CreateDevice(", "static VOID GiveMemory(ADAPTER* adapter);\n\nstatic NTSTATUS CreateDevice(")],
            ("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION", "with the memory of segment 1 in it, which is in use")),
    Changed("the memory is never given back", [("        MmFreeContiguousMemorySpecifyCache(adapter->Memory, MEMORY_BYTES, MmCached);\n", "")],
            ("0x62 DRIVER_LEFT_RESOURCES", "16777216 bytes of contiguous memory")),
    Changed("the fence is reported before the thread copies",
            [(report, ""), ("    ULONG i;\n    for (i = 0; i != packet->Count; ++i) {", "    ULONG i;\n" + report +
              "    for (i = 0; i != packet->Count; ++i) {")],
            ("INT-11", "the fence was reported before what the commands write was in memory")),
    Changed("DxgkDdiSubmitCommand reports, and a thread executes",
            [(report, ""), ("    ++adapter->Tail;\n", "    ++adapter->Tail;\n    adapter->LastFence = packet->Fence;\n"),
             ("    KeReleaseSpinLock(&adapter->Lock, before);\n    KeSetEvent(&adapter->Wake, 0, FALSE);\n    return STATUS_SUCCESS;\n",
              "    KeReleaseSpinLock(&adapter->Lock, before);\n    KeSetEvent(&adapter->Wake, 0, FALSE);\n"
              "    Report(adapter, ReportCompleted);\n    return STATUS_SUCCESS;\n")],
            ("INT-11", "the fence was reported before what the commands write was in memory")),
    Changed("the fence is never reported",
            [(report, "    adapter->LastFence = packet->Fence;\n    if (packet->Count > WORKS) {\n        Report(adapter, ReportCompleted);\n    }\n")],
            ("INT-07", "is not reported within two seconds")),
    Changed("a fill writes one dword too many", [("i != work->Bytes / 4;", "i != work->Bytes / 4 + 1;")],
            ("OP01-02", "a byte outside the request was changed")),
    Changed("the first pages of a list are ignored", [("Source.pMdl) + args->Transfer.MdlOffset, bytes);", "Source.pMdl), bytes);")],
            ("OP00-02", "MdlOffset was ignored")),
    Changed("the address is of memory that nobody has allocated",
            [("        adapter->Address = MmGetPhysicalAddress(adapter->Memory);\n", "        adapter->Address.QuadPart = 0xC0000000;\n")],
            ("SEG-19", "is no memory that it has allocated")),
    Changed("the segment is larger than the device's memory",
            [*device_memory, ("->Size = MEMORY_BYTES;", "->Size = 2 * MEMORY_BYTES;"), ("->CommitLimit = MEMORY_BYTES;", "->CommitLimit = 2 * MEMORY_BYTES;")],
            ("SEG-14", "16777216 are left of device memory of 16777216 bytes"), True),
    Changed("the device's memory is said to be the system's", [one for one in device_memory if "Populated" not in one[0]],
            ("SEG-19", "is no memory that it has allocated"), True),
]
