# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The driver with hardware queues (queue_driver/driver.c) in other forms that are right, and with mistakes."""
from typing import NamedTuple


class Queueing(NamedTuple):
    what: str
    changes: list  # of (old text, new text), each of which is there once
    said: tuple  # in the report
    only: str = "hardware queues"  # the scenario
    seed: str = "1"  # one that shows it


TIMEOUTS = "hardware timeouts"
REGISTERED = "    data.DxgkDdi{0} = {0};\n".format
SUSPENDING = "        ReportSuspended(context);\n    }\n}\n\nstatic VOID Switched"
BARRIER = "        WriteChip(fence->Adapter, TEAL_FENCE_COMMAND, TEAL_BARRIER);\n"
DPC = "    adapter->Kernel.DxgkCbNotifyDpc(adapter->Kernel.DeviceHandle);\n"

broken = "{}, a documented rule is broken: ".format

queue_forms = [
    Queueing("every node has lists", [(REGISTERED("SuspendContext"), "    (VOID) SuspendContext;\n"),
                                      (REGISTERED("ResumeContext"), "    (VOID) ResumeContext;\n")],
             ("nothing was found", " 0 suspensions", "HWS-07*")),
    Queueing("no node has lists", [("    data.DxgkDdiSwitchToHwContextList = (PDXGKDDI_SWITCHTOHWCONTEXTLIST)(PVOID)SwitchToHwContextList;\n",
                                    "    (VOID) SwitchToHwContextList;\n")],
             ("nothing was found", " 0 lists", "HWS-01*", "HWS-02*", "HWS-03*")),
    Queueing("the feature is asked for as before WDDM 3.2",
             [("    asked.FeatureId = DXGK_FEATURE_NATIVE_FENCE;\n", "    {\n        struct { HANDLE Device; UINT Feature; BOOLEAN Enabled; } old;\n"
               "        RtlZeroMemory(&old, sizeof old);\n        old.Feature = DXGK_FEATURE_NATIVE_FENCE;\n"
               "        ((NTSTATUS (*)(PVOID))adapter->Kernel.LastFunctions[16])(&old); /* DxgkCbIsFeatureEnabled */\n"
               "        return old.Enabled;\n    }\n")],
             ("nothing was found", "HWS-11*", "HWS-15*")),
    Queueing("it has no native fences", [("    adapter->HasFences = IsNativeFenceEnabled(adapter);\n", "    (VOID) IsNativeFenceEnabled;\n")],
             ("nothing was found", " 0 updates of monitored values", " 0 native signals")),
    Queueing("queues are not destroyed", [(REGISTERED("DestroyHwQueue"), "    (VOID) DestroyHwQueue;\n")],
             ("the driver has no hardware queues", "hardware queues and native fences (HWS-01 to HWS-12, HWS-15); the driver lacks "
              "DxgkDdiDestroyHwQueue")),
]

queue_mistakes = [
    Queueing("a suspension returns success before the GPU has answered", [("    work->Status = STATUS_PENDING;\n", "")],
            (broken("HWS-01"), "success says that context", "and the GPU refers to it", "in suspend_context")),
    Queueing("a suspension is never reported", [(SUSPENDING, SUSPENDING.replace("        ReportSuspended(context);\n", ""))],
            (broken("HWS-01"), "and nothing is reported")),
    Queueing("any acknowledgement is taken for the newest", [(" && number == context->NewestFence)", " && number != 0)")],
            (broken("HWS-02"), "for the acknowledgement of an older request")),
    Queueing("a queue that is destroyed stays on the GPU", [("    CommandContext(queue->Context, TEAL_CLOSE);\n", "")],
            (broken("HWS-03"), "was destroyed and the GPU refers to it")),
    Queueing("scheduling properties do not reach the GPU", [("    CommandContext(context, TEAL_PRIORITIES);\n", "")],
            (broken("HWS-04"), "does not know its scheduling properties")),
    Queueing("a submission is carried out in the DPC, by its pointers",
             [("    return InLock(Append, hAdapter, args->hHwQueue, args);\n", "    AppendLate(hAdapter);\n    Late = *args;\n    IsLate = TRUE;\n"
               "    ((ADAPTER*)hAdapter)->Kernel.DxgkCbQueueDpc(((ADAPTER*)hAdapter)->Kernel.DeviceHandle);\n    return STATUS_SUCCESS;\n"),
              (DPC, DPC + "    AppendLate(context);\n"),
              ("static VOID DpcRoutine(", "static DXGKARG_SUBMITCOMMANDTOHWQUEUE Late;\nstatic BOOLEAN volatile IsLate;\n"
               "static BOOLEAN Append(PVOID lent);\nstatic VOID AppendLate(ADAPTER* adapter) {\n    if (IsLate) {\n        IsLate = FALSE;\n"
               "        (VOID) InLock(Append, adapter, Late.hHwQueue, &Late);\n    }\n}\n\nstatic VOID DpcRoutine(")],
             (broken("HWS-05"), "other bytes than the private data of its submission")),
    Queueing("a fence is written when the buffer was read", [("TEAL_FENCE_WHEN, work->Adapter->FenceNodes >> node & 1)",
                                                              "TEAL_FENCE_WHEN, (work->Adapter->FenceNodes >> node & 1) << 1)")],
            (broken("HWS-06"), "is written and its buffer is still in use")),
    Queueing("a list is exchanged", [("TEAL_AREA, AreaOf(args->hHwContextFirst)", "TEAL_AREA, AreaOf(args->hHwContextSecond)"),
                                    ("TEAL_SECOND, AreaOf(args->hHwContextSecond)", "TEAL_SECOND, AreaOf(args->hHwContextFirst)")],
            (broken("HWS-07"), "the GPU works on another list")),
    Queueing("a reset invalidates nobody", [("            Invalidate(each);\n", "            each->Caught = FALSE;\n            (VOID) Invalidate;\n")],
            (broken("HWS-08"), "and it is not invalidated"), TIMEOUTS),
    Queueing("contexts are invalidated in the interrupt lock",
            [("    context->Caught = ReadNode(adapter, context->Node, TEAL_COMMAND) != 0;\n",
              "    if (ReadNode(adapter, context->Node, TEAL_COMMAND) != 0) {\n        Invalidate(context);\n"
              "        context->State = CONTEXT_INVALIDATED;\n    }\n"),
             ("static VOID AfterReset(", "static VOID Invalidate(CONTEXT* context);\nstatic VOID AfterReset(")],
            (broken("HWS-08"), "is invalidated above passive level", "DxgkCbInvalidateHwContext is called at IRQL 5"), TIMEOUTS),
    Queueing("the restart lets the contexts run that were there before",
             [("    ULONG command = TEAL_RESTART;\n    return InLock(CommandAll, hAdapter, NULL, &command);\n",
               "    ULONG command = TEAL_RESTART;\n    const CONTEXT* each = ((const ADAPTER*)hAdapter)->Contexts;\n"
               "    NTSTATUS status = InLock(CommandAll, hAdapter, NULL, &command);\n    for (; each != NULL; each = each->Next) {\n"
               "        if (each->State == CONTEXT_RESUMED) {\n            CommandContext(each, TEAL_RUN);\n        }\n    }\n"
               "    return status;\n")],
             (broken("TDR-11"), "runs after the adapter was reset"), TIMEOUTS, "3"),
    Queueing("a node that cannot be resumed is said to run", [("TEAL_RESTART);\n    if (ReadNode(work->Adapter, node, TEAL_COMMAND) != 0) {\n"
                                                               "        work->Status = STATUS_UNSUCCESSFUL;\n",
                                                               "TEAL_RESTART);\n    if (ReadNode(work->Adapter, node, TEAL_COMMAND) != 0) {\n")],
            (broken("HWS-08"), "returns success and it does not schedule"), TIMEOUTS, "3"),
    Queueing("entries go to a log that was replaced",
            [("    while (adapter->WritesLog && ", "    while (adapter->Contexts == adapter->Registers && ")],
            (broken("HWS-09"), "after it was replaced")),
    Queueing("an entry is counted before it is whole", [("    entry->ContextStateChange.hKmdContext = (HANDLE)context;\n", "")],
            (broken("HWS-09"), "entries are valid that were not written whole"), TIMEOUTS),
    Queueing("a value that is equal interrupts", [("TEAL_CURRENT) > monitored)", "TEAL_CURRENT) >= monitored)")],
            (broken("HWS-10"), "which is not above its monitored value")),
    Queueing("the current value is looked at before the new monitored one is there",
            [("        UINT64 monitored = args->UpdatedValueArray[i];\n",
              "        UINT64 monitored = args->UpdatedValueArray[i];\n        UINT64 current;\n"
              "        WriteChip(fence->Adapter, TEAL_CURRENT_ADDRESS, fence->Current);\n"
              "        current = ReadChip(fence->Adapter, TEAL_CURRENT);\n"),
             ("        if (ReadChip(fence->Adapter, TEAL_CURRENT) > monitored) {\n", "        if (current > monitored) {\n")],
            (broken("HWS-10"), "and nobody is interrupted")),
    Queueing("native fences are claimed though nobody said that the system has them",
            [("    adapter->HasFences = IsNativeFenceEnabled(adapter);\n", "    adapter->HasFences = TRUE;\n    (VOID) IsNativeFenceEnabled;\n")],
            (broken("HWS-11"), "did not say that they are enabled")),
    Queueing("submissions to a suspended context are said to fail",
             [("    CommandContext(context, TEAL_APPEND);\n", "    CommandContext(context, TEAL_APPEND);\n"
               "    work->Status = context->State == CONTEXT_SUSPENDED ? STATUS_INVALID_DEVICE_STATE : STATUS_SUCCESS;\n")],
             (broken("HWS-12"), "is refused while it is suspended")),
    Queueing("monitored values are updated without a barrier", [(BARRIER, "")], (broken("HWS-15"), "the GPU has not seen the new monitored value")),
    Queueing("a submission runs pageable code", [("static NTSTATUS SubmitCommandToHwQueue(",
                                                 "static __declspec(code_seg(\"PAGE\")) NTSTATUS SubmitCommandToHwQueue(")],
            ("0xD1 DRIVER_IRQL_NOT_LESS_OR_EQUAL", "pageable code is reached at IRQL 2", "in DxgkDdiSubmitCommandToHwQueue")),
    Queueing("contexts are refused", [("    context = Allocate(sizeof *context);\n", "    context = NULL;\n")],
            ("REFUSED", "DxgkDdiCreateHwContext returned 0xC0000017", "stopped in DxgkDdiCreateHwContext")),
]
