# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Mistakes of drivers, planted in examples/c_driver, and what `certify` must say of each."""
from collections import namedtuple

mistake = namedtuple("mistake", "what changes said more cookie", defaults=((), False))

BUILD = "    return wdk::build_paging_buffer<gpu>(hAdapter, args);\n"
ADD = "    adapter = GpuMake(memory);\n"
REMOVE = "    ReleaseMemory(MiniportDeviceContext);\n"
START = "    return GpuStart(adapter);\n"
SUBMIT = "    return wdk::submit_command_virtual<gpu>(hAdapter, args);\n"
MAP = ("    {{ int i; for (i = 0; i != 40; ++i) {{\n        PHYSICAL_ADDRESS at; volatile ULONG* registers; PVOID base;\n"
       "        at.QuadPart = 0xD0000000; base = MmMapIoSpaceEx(at, 4096, 4); registers = base;\n        {0}\n"
       "        MmUnmapIoSpace(base, 4096); }} }}\n")
DISPATCH = "0xD1 DRIVER_IRQL_NOT_LESS_OR_EQUAL"
EXCEPTION = "0x7E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED"
VERIFIER = "0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION"
THREAD = ("NTSTATUS PsCreateSystemThread(HANDLE*, ULONG, PVOID, HANDLE, PVOID, VOID (*)(PVOID), PVOID);\n"
          "static volatile int Spins = 1;\nstatic VOID Spin(PVOID Context) { (void)Context; while (Spins) { } }\n")
OPENED = "        info->hDeviceSpecificAllocation = opened;\n"
HEAD = "static NTSTATUS AddDevice(const PDEVICE_OBJECT PhysicalDeviceObject, PVOID* MiniportDeviceContext) {\n"


def add(code, before=""):
    """What AddDevice does once it has its memory."""
    return [("driver.c", ADD, ADD + code)] + ([("driver.c", HEAD, before + HEAD)] if before else [])


def under_lock(code, before):
    """What AddDevice does at DISPATCH_LEVEL, in a function that is not pageable."""
    return add("    UnderLock();\n", before + "static KSPIN_LOCK Lock;\nstatic __attribute__((noinline)) VOID UnderLock(VOID) {\n"
               "    KIRQL before;\n    KeAcquireSpinLock(&Lock, &before);\n    { " + code + " }\n"
               "    KeReleaseSpinLock(&Lock, before);\n}\n")


mistakes = (
    mistake("a paging buffer is left by one byte",
            [("functions.cpp", BUILD, "    if (args->pDmaBuffer != nullptr) {\n        static_cast<volatile UCHAR*>"
              "(args->pDmaBuffer)[args->DmaSize] = 1;\n    }\n" + BUILD)],
            ["PGB-01, a documented rule is broken: ", "a byte past the end of the buffer changed"]),
    mistake("a paging buffer is left, and then the reset crashes: the first finding is not lost",
            [("functions.cpp", BUILD, "    static UINT calls = 0;\n    if (args->pDmaBuffer != nullptr && ++calls == 1) {\n        static_cast<volatile UCHAR*>"
              "(args->pDmaBuffer)[args->DmaSize] = 1;\n    }\n" + BUILD),
             ("functions.cpp", "    return wdk::reset_from_timeout<gpu>(hAdapter);\n",
              "    *static_cast<volatile ULONG*>(nullptr) = 1;\n    return wdk::reset_from_timeout<gpu>(hAdapter);\n")],
            ["PGB-01, a documented rule is broken: ", EXCEPTION, "in DxgkDdiResetFromTimeout"]),
    mistake("the adapter is used after it was freed",
            [("driver.c", REMOVE, REMOVE + "    ((struct adapter*)MiniportDeviceContext)->Found.BarAddress = 1;\n")],
            ["0xD6 DRIVER_PAGE_FAULT_BEYOND_END_OF_ALLOCATION", "is used after it was freed", "in DxgkDdiRemoveDevice"]),
    mistake("pool memory is left by one word", add("    ((ULONG*)memory)[(GpuBytes() + 15) / 16 * 4] = 1;\n"),
            ["0x19 BAD_POOL_HEADER", "8 bytes past its end"]),
    mistake("paged pool is written under a lock",
            [("driver.c", START, "    WriteUnderLock(adapter);\n" + START),
             ("driver.c", "VOID RunSynchronized(", "static VOID WriteUnderLock(struct adapter* a) {\n"
              "    ULONG* p = ExAllocatePool2(POOL_FLAG_PAGED, 64, DRIVER_TAG);\n    KIRQL b = TakeSubmissionLock(a);\n"
              "    *(volatile ULONG*)p = 2;\n    LeaveSubmissionLock(a, b);\n    ExFreePoolWithTag(p, DRIVER_TAG);\n}\nVOID RunSynchronized("),
             ("driver.c", HEAD, "static __attribute__((noinline)) VOID WriteUnderLock(struct adapter* a);\n" + HEAD)],
            [DISPATCH, "is touched at IRQL 2", "paged pool"]),
    mistake("memory before a block is written", add("    { UCHAR* b = AllocateMemory(40); b[-1] = 1; ReleaseMemory(b); }\n"),
            ["0x19 BAD_POOL_HEADER", "1 bytes before its start"]),
    mistake("a block is freed twice", [("driver.c", REMOVE, REMOVE + REMOVE)], ["0xC2 BAD_POOL_CALLER", "again"]),
    mistake("a block is freed under another tag", [("driver.c", REMOVE, "    ExFreePoolWithTag(MiniportDeviceContext, 0x20206858);\n")],
            ["0xC2 BAD_POOL_CALLER", "under another tag"]),
    mistake("the adapter is never freed", [("driver.c", REMOVE, "    UNREFERENCED_PARAMETER(MiniportDeviceContext);\n")],
            ["0x62 DRIVER_LEFT_RESOURCES", "(tag cvdr) was not given back"]),
    mistake("a register is read by pageable code",
            [("driver.c", "#    pragma alloc_text(PAGE, AnswerFirst)\n",
              "#    pragma alloc_text(PAGE, AnswerFirst)\n#    pragma alloc_text(PAGE, ReadNews)\n")],
            [DISPATCH, "pageable code is reached at IRQL 5", "(PAGE)", "in DxgkDdiInterruptRoutine"]),
    mistake("a submission runs pageable code",
            [("functions.cpp", '#    pragma alloc_text("PAGE", GpuStart)\n',
              '#    pragma alloc_text("PAGE", GpuStart)\n#    pragma alloc_text("PAGE", wddmcore_DxgkDdiSubmitCommandVirtual)\n')],
            [DISPATCH, "pageable code is reached at IRQL 2", "in DxgkDdiSubmitCommandVirtual"]),
    mistake("NULL is written", add("    *(volatile ULONG*)8 = 1;\n"), [EXCEPTION, "a NULL pointer is used, at byte 8", "in DxgkDdiAddDevice"]),
    mistake("a NULL function is called in a submission",
            [("functions.cpp", SUBMIT, "    { void (*volatile f)() = nullptr; f(); }\n" + SUBMIT)],
            [DISPATCH, "a NULL function pointer is called", "in DxgkDdiSubmitCommandVirtual"]),
    mistake("a wild pointer is read", add("    { volatile ULONG* p = (ULONG*)0x123456789000; Args_unused = *p; }\n",
                                          "static volatile ULONG Args_unused;\n"),
            [EXCEPTION, "a wild pointer is read"]),
    mistake("a status is raised that nobody handles",
            add("    ExRaiseStatus((NTSTATUS)0xC0000123);\n", "VOID ExRaiseStatus(NTSTATUS Status);\n"),
            [EXCEPTION, "a status that the driver raises is not handled", "last service ExRaiseStatus"]),
    mistake("a filter declines",
            add("    __try {\n        ExRaiseStatus((NTSTATUS)0xC0000123);\n    } __except (0) {\n        return STATUS_SUCCESS;\n    }\n",
                "VOID ExRaiseStatus(NTSTATUS Status);\n"),
            [EXCEPTION, "a status that the driver raises is not handled"]),
    mistake("a stack is used up", add("    Args_unused = Deep(1);\n", "static volatile ULONG Args_unused;\n"
            "static __attribute__((noinline)) ULONG Deep(volatile ULONG n) {\n    volatile ULONG here[64];\n    here[n % 64] = n;\n"
            "    return n == 0 ? 0 : Deep(n + 1) + here[n % 64];\n}\n"), ["0x7F UNEXPECTED_KERNEL_MODE_TRAP, Windows stops here", "is used up"]),
    mistake("a division by zero", add("    { volatile ULONG zero = 0; Args_unused = 5 / zero; }\n", "static volatile ULONG Args_unused;\n"),
            [EXCEPTION, "a division by zero"]),
    mistake("constant data is written", add("    *(volatile ULONG*)&Constant = 1;\n", "static const volatile ULONG Constant = 3;\n"),
            [EXCEPTION, "a section that is not writable", "(.rdata)"]),
    mistake("DriverEntry is called again after it was discarded",
            [("driver.c", START, "    { DRIVER_INITIALIZE* volatile again = DriverEntry; again(NULL, NULL); }\n" + START)],
            ["a discarded section is reached after DriverEntry", "in DxgkDdiStartDevice"]),
    mistake("a thread spins forever",
            add("    { HANDLE h; PsCreateSystemThread(&h, 0, NULL, NULL, NULL, Spin, NULL); }\n", THREAD),
            ["HANG", "hung", "driver thread 1", "the driver executes image+"]),
    mistake("a wait is never satisfied",
            add("    { ULONG_PTR e[3]; KeInitializeEvent(e, 0, 0); KeWaitForSingleObject(e, 0, 0, 0, NULL); }\n",
                "VOID KeInitializeEvent(PVOID, ULONG, BOOLEAN);\nNTSTATUS KeWaitForSingleObject(PVOID, ULONG, UCHAR, BOOLEAN, PVOID);\n"),
            ["HANG", "a wait is never satisfied", "last service KeWaitForSingleObject"]),
    mistake("a wait in a submission",
            [("driver.c", "KIRQL TakeSubmissionLock(", "VOID KeInitializeEvent(PVOID, ULONG, BOOLEAN);\n"
              "NTSTATUS KeWaitForSingleObject(PVOID, ULONG, UCHAR, BOOLEAN, PVOID);\nKIRQL TakeSubmissionLock("),
             ("driver.c", "    KeAcquireSpinLock(&Adapter->SubmissionLock, &before);\n",
              "    KeAcquireSpinLock(&Adapter->SubmissionLock, &before);\n"
              "    { ULONG_PTR e[3]; KeInitializeEvent(e, 0, 0); KeWaitForSingleObject(e, 0, 0, 0, NULL); }\n")],
            ["0xA IRQL_NOT_LESS_OR_EQUAL", "waits at IRQL 2"]),
    mistake("a lock is taken twice",
            [("driver.c", "    KeAcquireSpinLock(&Adapter->SubmissionLock, &before);\n",
              "    KeAcquireSpinLock(&Adapter->SubmissionLock, &before);\n    KeAcquireSpinLock(&Adapter->SubmissionLock, &before);\n")],
            ["0xF SPIN_LOCK_ALREADY_OWNED"]),
    mistake("a lock is kept",
            [("driver.c", START, "    { KIRQL b; KeAcquireSpinLock(&adapter->SubmissionLock, &b); }\n" + START)],
            [DISPATCH, "pageable code is reached at IRQL 2", "in DxgkDdiStartDevice"]),
    mistake("the level is not lowered",
            [("driver.c", "VOID LeaveSubmissionLock(struct adapter* Adapter, KIRQL Before) { KeReleaseSpinLock(&Adapter->SubmissionLock, Before); }",
              "VOID LeaveSubmissionLock(struct adapter* Adapter, KIRQL Before) {\n    KeReleaseSpinLock(&Adapter->SubmissionLock, Before);\n"
              "    __asm__ volatile(\"movq %0, %%cr8\" : : \"r\"(3ULL));\n}")],
            ["IRQL, the run", "the function returns at IRQL 3 and was called at"]),
    mistake("a lookaside list is never deleted",
            add("    ExInitializeNPagedLookasideList(Kept, NULL, NULL, 0x200, 96, DRIVER_TAG, 0);\n",
                "VOID ExInitializeNPagedLookasideList(PVOID, PVOID, PVOID, ULONG, ULONG_PTR, ULONG, unsigned short);\n"
                "static ULONGLONG Kept[16];\n"),
            ["0x62 DRIVER_LEFT_RESOURCES", "a lookaside list for blocks of 96 bytes was not deleted"]),
    mistake("memory is freed with a resource in it",
            add("    { PVOID r = AllocateMemory(104); ExInitializeResourceLite(r); ReleaseMemory(r); }\n",
                "NTSTATUS ExInitializeResourceLite(PVOID);\n"),
            [VERIFIER, "with a resource in it, which is in use"]),
    mistake("a resource is acquired while APCs can come",
            add("    { static ULONGLONG r[13]; ExInitializeResourceLite(r); ExAcquireResourceExclusiveLite(r, 1);\n"
                "      ExReleaseResourceLite(r); ExDeleteResourceLite(r); }\n",
                "NTSTATUS ExInitializeResourceLite(PVOID);\nBOOLEAN ExAcquireResourceExclusiveLite(PVOID, BOOLEAN);\n"
                "VOID ExReleaseResourceLite(PVOID);\nNTSTATUS ExDeleteResourceLite(PVOID);\n"),
            [VERIFIER, "ExAcquireResourceExclusiveLite is called while normal kernel APCs are enabled"]),
    mistake("a critical region is never left",
            add("    KeEnterCriticalRegion();\n", "VOID KeEnterCriticalRegion(VOID);\n"),
            ["0x1 APC_INDEX_MISMATCH", "in DxgkDdiAddDevice"]),
    mistake("a work item is freed in the queue",
            under_lock("PVOID i = IoAllocateWorkItem(&Lock); IoQueueWorkItem(i, Nothing, 1, NULL); IoFreeWorkItem(i);",
                       "PVOID IoAllocateWorkItem(PVOID);\nVOID IoQueueWorkItem(PVOID, VOID (*)(PVOID, PVOID), ULONG, PVOID);\n"
                       "VOID IoFreeWorkItem(PVOID);\nstatic VOID Nothing(PVOID d, PVOID c) { (void)d; (void)c; }\n"),
            ["0xE4 WORKER_INVALID", "frees a work item that is queued"]),
    mistake("a timer of the system's is never deleted",
            add("    ExAllocateTimer(NULL, NULL, 0);\n", "PVOID ExAllocateTimer(PVOID, PVOID, ULONG);\n"),
            ["0x62 DRIVER_LEFT_RESOURCES", "of a timer was not given back"]),
    mistake("a string is converted under a lock",
            under_lock("UNICODE_STRING u = {0, 0, NULL}; RtlUnicodeStringToAnsiString(&u, &u, 0);",
                       "NTSTATUS RtlUnicodeStringToAnsiString(PVOID, PVOID, BOOLEAN);\n"),
            [VERIFIER, "RtlUnicodeStringToAnsiString is called at IRQL 2"]),
    mistake("the data of a handle that nobody gave out",
            [("driver.c", START, "    { ULONG a[3] = {0x1234, 2, 0}; ((PVOID(*)(PVOID))((PVOID*)&adapter->Dxgk)[13])(a); }\n" + START)],
            ["HANDLE, the run", "DxgkCbGetHandleData is given a handle that the system never gave out", "in DxgkDdiStartDevice"]),
    mistake("an import that nobody plays",
            add("    KeSomethingThatNobodyPlays();\n", "VOID KeSomethingThatNobodyPlays(VOID);\n"),
            ["no service for ntoskrnl.exe!KeSomethingThatNobodyPlays", "NO SERVICE, the run", "the driver calls"]),
    mistake("a fast fail", add("    __asm__ volatile(\"int $0x29\" : : \"c\"(5));\n"), ["0x139 KERNEL_SECURITY_CHECK_FAILURE", "__fastfail(5)"]),
    mistake("an assertion of the driver's own", add("    __asm__ volatile(\"int $0x2c\");\n"), ["ASSERT, the run", "NT_ASSERT fails at image+"]),
    mistake("a function overruns its own buffer",
            add("    Overrun(64);\n", "static VOID Overrun(volatile ULONG count) {\n    volatile UCHAR buffer[16];\n    ULONG i;\n"
                "    for (i = 0; i != count; ++i) {\n        buffer[i] = 0x41;\n    }\n}\n"),
            ["0x139 KERNEL_SECURITY_CHECK_FAILURE", "__fastfail(2)"], ("cookie",), True),
    mistake("an unknown operation is acknowledged",
            [("functions.cpp", BUILD, "    if (args->Operation > 30) {\n        return STATUS_SUCCESS;\n    }\n" + BUILD)],
            ["PGB-22, a documented rule is broken: an operation that nobody knows is answered with success"]),
    mistake("a failed mapping is used", [("driver.c", START, MAP.format("registers[4] = 1;") + START)],
            [EXCEPTION, "a NULL pointer is used", "in DxgkDdiStartDevice", "failed mappings: "]),
    mistake("an offset is added to a failed mapping before it is looked at",
            [("driver.c", START, MAP.format("registers += 512; if (registers != NULL) { *registers = 1; }") + START)],
            [EXCEPTION, "in DxgkDdiStartDevice", "failed mappings: "]),
    mistake("what is unusual hides nothing",
            [("functions.cpp", BUILD, "    static UINT calls = 0;\n    struct late {\n        DXGKARG_BUILDPAGINGBUFFER* a;\n"
              "        ~late() { if (a->pDmaBuffer != nullptr && ++calls == 3) { a->DmaSize -= 4; } }\n    } const after{args};\n"
              "    if (args->pDmaBuffer != nullptr && calls == 40) {\n        static_cast<volatile UCHAR*>"
              "(args->pDmaBuffer)[args->DmaSize] = 1;\n    }\n" + BUILD)],
            ["AMB-06, this is unusual: ", "PGB-01, a documented rule is broken: "]),
    mistake("a fill has another pattern",
            [("functions.cpp", BUILD, "    struct restored {\n        DXGKARG_BUILDPAGINGBUFFER* a;\n"
              "        ~restored() { if (a->Operation == 9) { a->FillVirtual.FillPattern ^= 0xff00; } }\n    } const after{args};\n"
              "    if (args->Operation == 9) {\n        args->FillVirtual.FillPattern ^= 0xff00;\n    }\n" + BUILD)],
            ["OP09-01, a documented rule is broken: "]),
    mistake("DriverEntry fails", [("driver.c", "    return DxgkInitialize(DriverObject, RegistryPath, &data);\n", "    (void)DriverObject; (void)RegistryPath; return STATUS_UNSUCCESSFUL;\n")],
            ["REFUSED, the run", "DriverEntry returned 0xC0000001"]),
    mistake("nothing is registered", [("driver.c", "    return DxgkInitialize(DriverObject, RegistryPath, &data);\n", "    (void)DriverObject; (void)RegistryPath; return STATUS_SUCCESS;\n")],
            ["REGISTRATION, the run", "DriverEntry returned success"]),
    mistake("a version that no system knows", [("driver.c", "    data.Version = DXGKDDI_INTERFACE_VERSION;\n", "    data.Version = 0x5022;\n")],
            ["REGISTRATION, the run", "DRIVER_INITIALIZATION_DATA.Version is 20514"]),
    mistake("a completion is never reported", [("driver.c", "VOID NotifyInterrupt(struct adapter* Adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* Data) {\n",
              "VOID NotifyInterrupt(struct adapter* Adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* Data) {\n    if (Data->InterruptType == 1) {\n        return;\n    }\n")],
            ["INT-07", "is not reported within two seconds"]),
    mistake("an opened allocation is leaked",
            [("driver.c", "        ReleaseMemory(pCloseAllocation->pOpenHandleList[i]);\n", "")],
            ["0x62 DRIVER_LEFT_RESOURCES", "was not given back, and was taken in DxgkDdiOpenAllocation"]),
    mistake("half of an opening that fails is leaked",
            [("driver.c", "            while (i != 0) { /* all of them, or none */\n", "            while (0) {\n")],
            ["0x62 DRIVER_LEFT_RESOURCES", "was not given back, and was taken in DxgkDdiOpenAllocation"]),
    mistake("an allocation is opened without a handle", [("driver.c", OPENED, "")],
            ["OBJ-01, a documented rule is broken: ", "left hDeviceSpecificAllocation NULL"]),
    mistake("private data is changed that only the creator may change",
            [("driver.c", OPENED, "        ((volatile UCHAR*)info->pPrivateDriverData)[0] ^= 1;\n" + OPENED)],
            ["OBJ-02, a documented rule is broken: ", "changed private data, and Create was not set"]),
    mistake("the private data of an opened allocation is overrun",
            [("driver.c", OPENED, "        ((volatile UCHAR*)info->pPrivateDriverData)[info->PrivateDriverDataSize] = 1;\n" + OPENED)],
            ["OBJ-03, a documented rule is broken: ", "the private data of an opened allocation was left at its end",
             "in DxgkDdiOpenAllocation"]),
    mistake("the arguments of an opening are used later",
            [("driver.c", OPENED, "        Kept = info;\n" + OPENED),
             ("driver.c", "        ReleaseMemory(pCloseAllocation->pOpenHandleList[i]);\n",
              "        ReleaseMemory(Kept->hDeviceSpecificAllocation);\n"),
             ("driver.c", "static NTSTATUS OpenAllocation(", "static DXGK_OPENALLOCATIONINFO* volatile Kept;\nstatic NTSTATUS OpenAllocation(")],
            ["OBJ-03, a documented rule is broken: ", "DXGK_OPENALLOCATIONINFO was used after its time", "in DxgkDdiCloseAllocation"]),
    mistake("a process handle is not handed back", [("driver.c", "    pArgs->hKmdProcess = process;\n", "")],
            ["AMB-64, this is unusual: ", "left hKmdProcess NULL", "was not given back, and was taken in DxgkDdiCreateProcess"]),
    mistake("a process is leaked", [("driver.c", "    ReleaseMemory(hKmdProcess);\n", "    UNREFERENCED_PARAMETER(hKmdProcess);\n")],
            ["0x62 DRIVER_LEFT_RESOURCES", "was not given back, and was taken in DxgkDdiCreateProcess"]),
    mistake("a process is refused", [("driver.c", "    process->Adapter = hAdapter;\n    process->IsSystem",
                                      "    process->Adapter = hAdapter;\n    ReleaseMemory(process);\n    return STATUS_UNSUCCESSFUL;\n"
                                      "    process->IsSystem")],
            ["REFUSED, the run", "DxgkDdiCreateProcess returned 0xc0000001"]),
)

ROW = "            args->MultipassOffset = row + 1;\n"
COPY = "            command[0] = LINNET_COMMAND(LINNET_COPY, 6);\n            AddPixel("

GUARDED = ("    __try {\n        CopyRecord(args, number, record, places, 2);\n    } __except (EXCEPTION_EXECUTE_HANDLER) {\n"
           "        return STATUS_INVALID_USER_BUFFER;\n    }\n")
COPIED_PLACES = "    RtlCopyMemory(places, args->pPatchLocationListIn + 2 * number, 2 * sizeof *places);\n"
READ = "        if (!NT_SUCCESS(status)) {\n            return status;\n        }\n        for (; row"

LINE = "            args->MultipassOffset = line + 1;\n"
FLIPS = [("    caps->SupportNonVGA = TRUE;\n", "    caps->SupportNonVGA = TRUE;\n    caps->FlipCaps.FlipOnVSyncMmIo = 1;\n"),
         ("    if (args->Flags.Value == 2) {\n",
          "    if (args->Flags.Value == 4) {\n        return args->pAllocationList[1].hDeviceSpecificAllocation != NULL ? STATUS_SUCCESS "
          ": STATUS_ILLEGAL_INSTRUCTION;\n    }\n    if (args->Flags.Value == 2) {\n")]


def flips(then):
    """The same with more before a flip is answered."""
    return [FLIPS[0], (FLIPS[1][0], FLIPS[1][1].replace("Value == 4) {\n", "Value == 4) {\n        " + then + "\n"))]


# Of the driver with registers, in other forms that are right: what is exchanged, and what certify says of it.
register_forms = (
    (FLIPS, ["color fills in ", "2 flips", "FLP-02*"]),
    ([("    if (args->Flags.Value == 2) {\n        return FillParts(args);", "    if (args->Flags.Value == 2) {\n        return args->SubRectCnt == 0 ? FillParts(args) : STATUS_NOT_SUPPORTED;")],
     ["color fills (SPL-19 to SPL-23); DxgkDdiPresent returned 0xC00000BB", "2 flips"]),
)

# Of the driver with registers: what is exchanged, what certify says, and what it is asked beside that.
SCHEDULING = ("--only", "scheduling")
OBJECTS = ("--only", "objects")
register_mistakes = (
    ([("Source.pMdl) + args->Transfer.MdlOffset)", "Source.pMdl))")], ["OP00-02", "MdlOffset was ignored"], ()),
    ([("news = ReadRegister(adapter, LINNET_STATUS)", "news = 0")], ["INT-05", "its own interrupt"], ()),
    ([("|| lastPatch - args->pPatchLocationListOut < 2)", "|| lastPatch == NULL)")],
     ["SPL-20", "the patch-location list was left at its end", "in DxgkDdiPresent"], OBJECTS),
    ([("DmaBufferPrivateDataSize = 0;", "DmaBufferPrivateDataSize = 16;"),
      (ROW, ROW + "            ((volatile ULONG*)args->pDmaBufferPrivateData)[4] = row;\n")],
     ["SPL-20", "the private data of the DMA buffer was left at its end", "in DxgkDdiPresent"], OBJECTS),
    ([("DmaBufferPrivateDataSize = 0;", "DmaBufferPrivateDataSize = 12;"),
      (ROW, ROW + "            ((volatile ULONG*)args->pDmaBufferPrivateData)[3] = row;\n")],
     ["SPL-20", "bytes past the end of the private data of the DMA buffer changed"], OBJECTS),
    ([("DMA_BUFFER_BYTES = 0x10000", "DMA_BUFFER_BYTES = 0x400"), ("if ((SIZE_T)(end - (UCHAR*)command) < 6 * sizeof *command ||",
                                                                     "if (end == NULL ||")],
     ["SPL-20", "bytes past the end of the DMA buffer changed"], OBJECTS),
    ([(ROW, "")], ["SPL-19", "MultipassOffset is what it was"], OBJECTS),
    ([("                          ? (ULONG64)allocation->PhysicalAddress.QuadPart + patch->AllocationOffset\n",
       "                          ? 0\n")], ["SPL-06", "were not in the buffer before it was patched"], OBJECTS),
    ([("                       (ULONG64)allocation->PhysicalAddress.QuadPart + patch->AllocationOffset);\n        }",
       "                       *(ULONG*)((UCHAR*)args->pDmaBuffer + patch->PatchOffset) +\n"
       "                           (ULONG64)allocation->PhysicalAddress.QuadPart + patch->AllocationOffset);\n        }")],
     ["PRE-20", "has left other bytes than patching once"], OBJECTS),
    ([("    if (args->Flags.Value != 1) {\n        return STATUS_GRAPHICS_CANNOTCOLORCONVERT;",
       "    if (args->Flags.Value != 1 || args->MultipassOffset != 0) {\n        return STATUS_NOT_SUPPORTED;")],
     ["SPL-22", "the status is none of those of the page", "0xC00000BB"], OBJECTS),
    ([("            args->pDmaBuffer = command + 6;\n", "            args->pDmaBuffer = command + 5;\n")],
     ["SPL-21", "changed behind pDmaBuffer"], OBJECTS),
    ([("    patch->SplitOffset = split;\n", "    patch->SplitOffset = 0x10000 - split;\n")],
     ["SPL-02", "a SplitOffset is below that of the element before"], OBJECTS),
    ([("    patch->SlotId = which;\n", "    patch->Value = which << 24;\n")], ["SPL-03", "more than 24 bits"], OBJECTS),
    ([("    patch->AllocationIndex = which;\n", "    patch->AllocationIndex = which + 2;\n")],
     ["SPL-09", "is not in the allocation list"], OBJECTS),
    ([(COPY, COPY.replace("LINNET_COPY", "7"))], ["SPL-23", "there is no such command"], OBJECTS),
    ([(LINE, "")], ["SPL-19", "MultipassOffset is what it was", "DxgkDdiPresent, a color fill"], OBJECTS),
    ([("            words[0] = LINNET_COMMAND(LINNET_FILL, 5);\n", "            words[0] = LINNET_COMMAND(LINNET_FILL, 6);\n")],
     ["SPL-23", "DxgkDdiPresent, a color fill"], OBJECTS),
    ([("|| lastPatch == args->pPatchLocationListOut)", "|| lastPatch == NULL)")],
     ["SPL-20", "the patch-location list was left at its end", "in DxgkDdiPresent"], OBJECTS),
    (flips("*(volatile ULONG*)args->pDmaBuffer = 0;"), ["FLP-02, a documented rule is broken: ", "a NULL pointer was used, at byte 0: this flip has no DMA buffer"],
     OBJECTS),
    (flips("args->pDmaBuffer = (UCHAR*)args->pDmaBuffer + 16;"), ["FLP-02", "of a flip by registers is no longer NULL"], OBJECTS),
    (flips("if (args->DmaSize < 16) { return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER; }"),
     ["FLP-02", "another DMA buffer is asked for, and there was none"], OBJECTS),
    (flips("++args->pPatchLocationListOut;"), ["FLP-02", "there is nothing to patch"], OBJECTS),
    ([(GUARDED, "    CopyRecord(args, number, record, places, 2);\n")],
     ["SPL-17, a documented rule is broken: ", "given back is read without exception protection", "DxgkDdiRender"], OBJECTS),
    ([(GUARDED, GUARDED.replace("places, 2)", "places, 0)") + COPIED_PLACES)],
     ["SPL-17, a documented rule is broken: ", "given back is read without exception protection", "DxgkDdiRender"], OBJECTS),
    ([(READ, READ.replace("return status", "break"))],
     ["SPL-17, a documented rule is broken: ", "that the process has given back are said to be translated"], OBJECTS),
    ([(READ, READ.replace("return status", "return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER"))],
     ["SPL-17, a documented rule is broken: ", "another buffer is asked for where nothing can be read"], OBJECTS),
    ([(" || placesLeft < 2)", " || placesLeft > 0x7FFFFFFF)")],
     ["SPL-20", "the patch-location list was left at its end", "in DxgkDdiRender"], OBJECTS),
    ([("placesLeft < 2) {\n                return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;",
       "placesLeft < 2) {\n                return STATUS_BUFFER_TOO_SMALL;")],
     ["SPL-22", "the status is none of those of the page", "0xC0000023"], OBJECTS),
    ([("            words[5] = record.bytes;\n", "            words[5] = record.bytes + 1U;\n")],
     ["SPL-23", "DxgkDdiRender"], OBJECTS),
    ([("    if (record->bytes == 0 ||", "    if (number == 2 ||")],
     ["REFUSED", "DxgkDdiRender returned 0xC000001D for what the device model's user-mode driver sends"], OBJECTS),
    ([("(args->pDmaBuffer).QuadPart != args->", "(args->pDmaBuffer).QuadPart + 4 != args->")],
     ["patch of a paging buffer returns status 0xc000000d"], ()),
    ([("(args->pDmaBuffer).QuadPart != args->", "(args->pDmaBuffer).QuadPart + (args->Flags.Paging ? 0 : 4) != args->")],
     ["SPL-15", "DxgkDdiPatch fails", "0xC000000D"], OBJECTS),
    ([("(args->pDmaBuffer).QuadPart != args->", "(args->pDmaBuffer).QuadPart + (args->Flags.Paging ? 0 : 4) != args->")],
     ["PRE-30", "patch fails"], SCHEDULING),
    ([("    caps->FlipCaps.FlipOnVSyncMmIo = 1;\n", "")],
     ["FLP-01, a documented rule is broken: ", "does not declare FlipOnVSyncMmIo"], SCHEDULING),
    ([("    (VOID) ReadNews(adapter);\n    adapter->SeenProgress",
       "    (VOID) ReadNews(adapter);\n    if ((ReadRegister(adapter, LINNET_DISPLAY) & LINNET_DISPLAY_PENDING) != 0) {\n"
       "        WriteRegister(adapter, LINNET_PRIMARY_LOW, ReadRegister(adapter, LINNET_SCANNED_LOW));\n"
       "        WriteRegister(adapter, LINNET_FLIP, 0);\n    }\n    adapter->SeenProgress")],
     ["FLP-01, a documented rule is broken: ", "whose flip is lost", "in preempt_command"], SCHEDULING),
    ([("args->pDmaBuffer == NULL ? STATUS_SUCCESS", "args->pDmaBuffer != NULL ? STATUS_SUCCESS")],
     ["FLP-02", "a present that flips, without a DMA buffer, is refused"], SCHEDULING),
    ([("    WriteRegister(adapter, LINNET_FLIP, args->Flags.FlipImmediate);",
       "    (VOID) Synchronize(hAdapter, ReportNews, hAdapter);\n"
       "    WriteRegister(adapter, LINNET_FLIP, args->Flags.FlipImmediate);")],
     ["FLP-03", "synchronize-execution at device level"], SCHEDULING),
    ([("static NTSTATUS SetVidPnSourceAddress(", "static __declspec(code_seg(\"PAGE\")) NTSTATUS SetVidPnSourceAddress(")],
     [DISPATCH, "pageable code is reached at IRQL 5", "in DxgkDdiSetVidPnSourceAddress"], SCHEDULING),
    ([("    WriteRegisterPair(adapter, LINNET_PRIMARY_LOW, (ULONG64)args->PrimaryAddress.QuadPart);",
       "    WriteRegisterPair(adapter, LINNET_PRIMARY_LOW, (ULONG64)args->PrimaryAddress.QuadPart + LINNET_SYSTEM_BASE);")],
     ["FLP-04", "where the system has asked for"], SCHEDULING),
    ([("    WriteRegister(adapter, LINNET_DISPLAY, LINNET_DISPLAY_VSYNC);\n",
       "    WriteRegister(adapter, LINNET_DISPLAY, LINNET_DISPLAY_VSYNC);\n    if (adapter->Generation >= 0) {\n"
       "        return TRUE;\n    }\n")],
     ["FLP-05", "a vsync was dismissed and is not reported"], SCHEDULING),
    ([("args->Flags.FlipImmediate);", "0);")],
     ["FLP-07", "an immediate flip is programmed for the next vsync"], SCHEDULING),
)

# Of the driver with registers: what is read twice, which is told only where it is asked for; what comes first is right.
FETCHES = ("--only", "double fetches", "--double-fetches")
SENT = "((const volatile struct linnet_record*)args->pCommand)[args->MultipassOffset >> 16]"
double_fetches = (
    ([], ["nothing was found", "AMB-68*"]),
    ([("            words[5] = record.bytes;\n", f"            words[5] = {SENT}.bytes;\n")],
     ["AMB-68, this is unusual: what a process has sent is read again, by image+", "and was read by image+"]),
    ([(GUARDED, GUARDED + "    __try {\n        CopyRecord(args, number, record, places, 1);\n    } __except (EXCEPTION_EXECUTE_HANDLER) {\n"
       "        return STATUS_INVALID_USER_BUFFER;\n    }\n")],
     ["AMB-68, this is unusual: what a process has sent is read again, by image+", "and was read by image+"]),
    ([(GUARDED, GUARDED + "    if (record->rows == 0xFFFF) {\n        CopyRecord(args, number, record, places, 1);\n    }\n"),
      ("    RtlCopyMemory(places, args->pPatchLocationListIn", "    if (args->pPatchLocationListIn[2 * number].AllocationIndex > 2) {\n        return;\n    }\n"
       "    RtlCopyMemory(places, args->pPatchLocationListIn")],
     ["AMB-68, this is unusual: what a process has sent is read again, by memcpy, and was read by image+"]),
)

# Of presents by GPU virtual addresses (presenting.c): what is exchanged, and what certify says.
presenting = (
    ([], ["4 presents in ", "4 color fills in ", "SPL-19*", "SPL-23*", "nothing was found"]),
    ([("            args->MultipassOffset = row + 1;\n", "")], ["SPL-19", "MultipassOffset is what it was"]),
    ([("            if ((SIZE_T)(end - (UCHAR*)words) < RECORD_WORDS * sizeof *words) {", "            if (end == NULL) {")],
     ["SPL-20", "the DMA buffer was left at its end", "in DxgkDdiPresent"]),
    ([("args->pDmaBuffer = words + RECORD_WORDS;", "args->pDmaBuffer = words + RECORD_WORDS - 2;")], ["SPL-21", "changed behind pDmaBuffer"]),
    ([("    return info->AllocationVirtualAddress + ", "    return (ULONG64)info->PhysicalAddress.QuadPart + ")], ["SPL-23", "which are not all backed"]),
    ([("    const UCHAR* end = ", "    const DXGK_ALLOCATIONLIST* list = args->pAllocationList;\n    const UCHAR* end = "),
      ("AddressOf(&args->pAllocationInfo[DESTINATION], part->left, y)", "(ULONG64)list[DESTINATION].PhysicalAddress.QuadPart + (ULONG64)y * ROW_BYTES")],
     ["SPL-23"]),
    ([("        return STATUS_GRAPHICS_CANNOTCOLORCONVERT;", "        return STATUS_NOT_SUPPORTED;"),
      ("args->Flags.Value != 1 && !fills", "(args->Flags.Value != 1 && !fills) || args->MultipassOffset != 0")],
     ["SPL-22", "0xC00000BB"]),
)
