# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The DDI functions whose signatures are known here: one table, from the reference pages (nc-d3dkmddi-dxgkddi_*.md and
nc-dispmprt-dxgkddi_*.md).

The twin declares their callback types from it, and generate_c_functions.py the prototypes of those that the library
implements (`call` is its template in wddmcore::wdk). `since` is the first interface version of that template: scheduling
begins with WDDM 1.2, whatever the DDI had before.
"""
from collections import namedtuple

ADAPTER = "const HANDLE hAdapter"
MINIPORT = "const PVOID MiniportDeviceContext"

DdiFunction = namedtuple("DdiFunction", "name callback returns parameters since call level paged answers page")


def of_adapter(name, since, call, level, paged, answers, structure=None, const=True, returns="NTSTATUS"):
    """A function of an adapter with one argument structure, DXGKARG_<name>."""
    short = name.upper()
    structure = structure or f"DXGKARG_{short}"
    parameters = (ADAPTER, f"{'const ' if const else ''}{structure} *p{name}")
    return DdiFunction(f"DxgkDdi{name}", f"DXGKDDI_{short}", returns, parameters, since, call, level, paged, answers,
                       f"nc-d3dkmddi-dxgkddi_{name.lower()}")


def of_miniport(name, callback, returns, more, call=None, level="PASSIVE_LEVEL", answers=""):
    since = "WIN8" if call else "VISTA"
    return DdiFunction(f"DxgkDdi{name}", f"DXGKDDI_{callback}", returns, (MINIPORT, *more), since, call, level, False, answers,
                       f"nc-dispmprt-dxgkddi_{callback.lower()}")


PASSIVE, DISPATCH, ANY = "PASSIVE_LEVEL", "DISPATCH_LEVEL", "no page names it"
NODE = "STATUS_INVALID_PARAMETER: no such node"

FUNCTIONS = (
    DdiFunction("DxgkDdiAddDevice", "DXGKDDI_ADD_DEVICE", "NTSTATUS",
                ("const PDEVICE_OBJECT PhysicalDeviceObject", "PVOID *MiniportDeviceContext"), "VISTA", None, PASSIVE, True,
                "", "nc-dispmprt-dxgkddi_add_device"),
    of_miniport("StartDevice", "START_DEVICE", "NTSTATUS",
                ("struct _DXGK_START_INFO *DxgkStartInfo", "struct _DXGKRNL_INTERFACE *DxgkInterface",
                 "ULONG *NumberOfVideoPresentSources", "ULONG *NumberOfChildren")),
    of_miniport("StopDevice", "STOP_DEVICE", "NTSTATUS", ()),
    of_miniport("RemoveDevice", "REMOVE_DEVICE", "NTSTATUS", ()),
    of_adapter("CreateDevice", "VISTA", None, PASSIVE, True, "", const=False),
    DdiFunction("DxgkDdiDestroyDevice", "DXGKDDI_DESTROYDEVICE", "NTSTATUS", ("const HANDLE hDevice",), "VISTA", None, PASSIVE,
                True, "", "nc-d3dkmddi-dxgkddi_destroydevice"),
    DdiFunction("DxgkDdiCreateProcess", "DXGKDDI_CREATEPROCESS", "NTSTATUS", (ADAPTER, "DXGKARG_CREATEPROCESS *pArgs"),
                "WDDM2_0", None, PASSIVE, True, "", "nc-d3dkmddi-dxgkddi_createprocess"),
    DdiFunction("DxgkDdiDestroyProcess", "DXGKDDI_DESTROYPROCESS", "NTSTATUS", (ADAPTER, "const HANDLE hKmdProcess"), "WDDM2_0",
                None, PASSIVE, True, "", "nc-d3dkmddi-dxgkddi_destroyprocess"),
    DdiFunction("DxgkDdiOpenAllocation", "DXGKDDI_OPENALLOCATIONINFO", "NTSTATUS",
                ("const HANDLE hDevice", "const DXGKARG_OPENALLOCATION *pOpenAllocation"), "VISTA", None, PASSIVE, True, "",
                "nc-d3dkmddi-dxgkddi_openallocationinfo"),
    DdiFunction("DxgkDdiCloseAllocation", "DXGKDDI_CLOSEALLOCATION", "NTSTATUS",
                ("const HANDLE hDevice", "const DXGKARG_CLOSEALLOCATION *pCloseAllocation"), "VISTA", None, PASSIVE, True, "",
                "nc-d3dkmddi-dxgkddi_closeallocation"),
    DdiFunction("DxgkDdiPresent", "DXGKDDI_PRESENT", "NTSTATUS", ("const HANDLE hContext", "DXGKARG_PRESENT *pPresent"),
                "VISTA", None, PASSIVE, True, "", "nc-d3dkmddi-dxgkddi_present"),

    of_adapter("QueryAdapterInfo", "VISTA", "query_adapter_info", PASSIVE, True,
               "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: sizes or indices that the query does not allow; "
               "STATUS_NOT_SUPPORTED: not claimed; STATUS_NOT_IMPLEMENTED: a segment without dirty bits; what the driver's own "
               "answer was, for its own queries"),
    of_adapter("BuildPagingBuffer", "VISTA", "build_paging_buffer", PASSIVE, True,
               "STATUS_SUCCESS: done; STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER: the buffer or its private data is full; "
               "STATUS_GRAPHICS_ALLOCATION_BUSY: wait for the allocation; STATUS_INVALID_PARAMETER: malformed, and the fault "
               "hook said stop", const=False),
    of_adapter("CreateAllocation", "VISTA", "create_allocation", PASSIVE, True,
               "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: private data or a rule that is broken; STATUS_NO_MEMORY", const=False),
    of_adapter("DestroyAllocation", "VISTA", "destroy_allocation", PASSIVE, True, "STATUS_SUCCESS"),
    of_adapter("BeginExclusiveAccess", "WDDM2_4", "begin_exclusive_access", PASSIVE, True,
               "STATUS_SUCCESS; STATUS_INVALID_DEVICE_STATE: it has begun already", const=False),
    of_adapter("EndExclusiveAccess", "WDDM2_4", "end_exclusive_access", PASSIVE, True,
               "STATUS_SUCCESS; STATUS_INVALID_DEVICE_STATE: it has not begun", const=False),

    of_adapter("MapCpuHostAperture", "WDDM2_0", "map_cpu_host_aperture", PASSIVE, True,
               "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: a segment without an aperture, another physical adapter, a page that "
               "is not there or an array that is NULL"),
    of_adapter("UnmapCpuHostAperture", "WDDM2_0", "unmap_cpu_host_aperture", PASSIVE, True,
               "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: a segment without an aperture, another physical adapter, a page that "
               "is not there or an array that is NULL"),
    DdiFunction("DxgkDdiRender", "DXGKDDI_RENDER", "NTSTATUS", ("const HANDLE hContext", "DXGKARG_RENDER *pRender"), "VISTA",
                "render", PASSIVE, True,
                "STATUS_SUCCESS: all is translated; STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER: another pass is needed; "
                "STATUS_INVALID_PARAMETER: an array that is NULL, or a pass that made no progress; what the driver's translate "
                "returned", "nc-d3dkmddi-dxgkddi_render"),
    of_adapter("Patch", "VISTA", "patch", PASSIVE, True,
               "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: lists that DxgkDdiRender should have refused, and the system stops"),

    DdiFunction("DxgkDdiCreateContext", "DXGKDDI_CREATECONTEXT", "NTSTATUS",
                ("const HANDLE hDevice", "DXGKARG_CREATECONTEXT *pCreateContext"), "WIN8", "create_context", PASSIVE, False,
                "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: no such node, no such engine or no aperture for DMA buffers; "
                "STATUS_NO_MEMORY; what the driver's open_context returned", "nc-d3dkmddi-dxgkddi_createcontext"),
    DdiFunction("DxgkDdiDestroyContext", "DXGKDDI_DESTROYCONTEXT", "NTSTATUS", ("const HANDLE hContext",), "WIN8",
                "destroy_context", PASSIVE, False, "STATUS_SUCCESS", "nc-d3dkmddi-dxgkddi_destroycontext"),
    of_adapter("SetRootPageTable", "WDDM2_0", "set_root_page_table", ANY, False, "", returns="VOID"),
    of_adapter("GetRootPageTableSize", "WDDM2_0", "get_root_page_table_size", ANY, False,
               "bytes; 0: page tables allow no root of so many entries", const=False, returns="SIZE_T"),

    of_adapter("SubmitCommand", "WIN8", "submit_command", DISPATCH, False,
               "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: no such node, or not the context's"),
    of_adapter("SubmitCommandVirtual", "WDDM2_0", "submit_command_virtual", DISPATCH, False,
               "STATUS_SUCCESS; STATUS_INVALID_PARAMETER: no such node, not the context's, or commands that the driver does "
               "not accept"),
    of_adapter("PreemptCommand", "WIN8", "preempt_command", DISPATCH, False,
               "STATUS_SUCCESS, always: an error stops the system"),
    of_adapter("CancelCommand", "WIN8", "cancel_command", PASSIVE, False,
               "STATUS_SUCCESS, always: an error stops the system"),
    of_adapter("QueryCurrentFence", "WIN8", "query_current_fence", PASSIVE, False, f"STATUS_SUCCESS; {NODE}", const=False),
    of_miniport("InterruptRoutine", "INTERRUPT_ROUTINE", "BOOLEAN", ("ULONG MessageNumber",), "interrupt_routine",
                "device IRQL", "TRUE: it was this hardware's; FALSE: no node had news"),
    of_miniport("DpcRoutine", "DPC_ROUTINE", "VOID", (), "dpc_routine", DISPATCH),

    DdiFunction("DxgkDdiCreateHwQueue", "DXGKDDI_CREATEHWQUEUE", "NTSTATUS",
                ("const HANDLE hHwContext", "DXGKARG_CREATEHWQUEUE *pCreateHwQueue"), "WDDM2_2", "create_hw_queue", PASSIVE,
                False, "STATUS_SUCCESS; STATUS_NO_MEMORY; what the driver's open_hw_queue returned",
                "nc-d3dkmddi-dxgkddi_createhwqueue"),
    DdiFunction("DxgkDdiDestroyHwQueue", "DXGKDDI_DESTROYHWQUEUE", "NTSTATUS", ("const HANDLE hHwQueue",), "WDDM2_2",
                "destroy_hw_queue", PASSIVE, False, "STATUS_SUCCESS", "nc-d3dkmddi-dxgkddi_destroyhwqueue"),
    of_adapter("SubmitCommandToHwQueue", "WDDM2_2", "submit_command_to_hw_queue", "PASSIVE_LEVEL or DISPATCH_LEVEL", False,
               "STATUS_SUCCESS; STATUS_INVALID_DEVICE_STATE: no scheduling properties yet, or caught by an engine reset; "
               "STATUS_INVALID_PARAMETER: private data that is not there or too long"),
    of_adapter("SetContextSchedulingProperties", "WDDM2_4", "set_context_scheduling_properties", ANY, False,
               "what the driver's set_scheduling_properties returned"),
    of_adapter("SuspendContext", "WDDM2_4", "suspend_context", ANY, False,
               "STATUS_SUCCESS: it is; STATUS_PENDING: context_suspended() reports it"),
    of_adapter("ResumeContext", "WDDM2_4", "resume_context", ANY, False, "STATUS_SUCCESS, always"),
    of_adapter("ResetHwEngine", "WDDM2_2", "reset_hw_engine", PASSIVE, False,
               f"STATUS_SUCCESS; STATUS_UNSUCCESSFUL: it failed; {NODE}", const=False),
    of_adapter("ResumeHwEngine", "WDDM2_4", "resume_hw_engine", ANY, False,
               f"STATUS_SUCCESS; STATUS_UNSUCCESSFUL: it does not run, the system resets the adapter; {NODE}", const=False),

    of_adapter("QueryEngineStatus", "WIN8", "query_engine_status", PASSIVE, False,
               "STATUS_SUCCESS, always; a node that is not there is not responsive", const=False),
    of_adapter("QueryDependentEngineGroup", "WIN8", "query_dependent_engine_group", PASSIVE, False,
               "STATUS_SUCCESS, always", const=False),
    of_adapter("ResetEngine", "WIN8", "reset_engine", PASSIVE, False,
               f"STATUS_SUCCESS; STATUS_UNSUCCESSFUL: it failed, the system resets the adapter; {NODE}", const=False),
    DdiFunction("DxgkDdiResetFromTimeout", "DXGKDDI_RESETFROMTIMEOUT", "NTSTATUS", (ADAPTER,), "WIN8", "reset_from_timeout",
                PASSIVE, False, "STATUS_SUCCESS, always", "nc-d3dkmddi-dxgkddi_resetfromtimeout"),
    DdiFunction("DxgkDdiRestartFromTimeout", "DXGKDDI_RESTARTFROMTIMEOUT", "NTSTATUS", (ADAPTER,), "WIN8",
                "restart_from_timeout", PASSIVE, False, "STATUS_SUCCESS, always", "nc-d3dkmddi-dxgkddi_restartfromtimeout"),
)

BY_POINTER = {"P" + function.callback: function for function in FUNCTIONS}
