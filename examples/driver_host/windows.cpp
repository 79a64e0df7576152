// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "windows.hpp"

#include "play.hpp"

#include <dispmprt.h>

#include <wddmcore/wdk/functions/device.hpp>

#include <c_driver/registers.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" DRIVER_INITIALIZE DriverEntry;  // of the driver that this program is linked with

namespace wddmcore::examples::host {

namespace {

struct state {
    DRIVER_INITIALIZATION_DATA functions{};
    bool registered = false;
    void* adapter = nullptr;
    void* device = nullptr;
    machine_resources found{};  // from the next StartDevice on, as what follows
    wddmcore_system_services const* services = nullptr;
    wddmcore_gpu const* registers = nullptr;
    std::vector<ULONGLONG> host_aperture = std::vector<ULONGLONG>(256, ~ULONGLONG{0});
    long blocks = 0;
    long locks = 0;
};
state the;

/// The routine goes through the simulators' calling convention.
struct synchronized_call {
    PKSYNCHRONIZE_ROUTINE routine;
    void* argument;
    static int WDDMCORE_DRIVER_CALL run(void* call) {
        auto const& c = *static_cast<synchronized_call*>(call);
        return c.routine(c.argument);
    }
};

DXGKRNL_INTERFACE callbacks() {
    DXGKRNL_INTERFACE i{};
    i.Size = sizeof i;
    i.DeviceHandle = &the;
    i.DxgkCbNotifyInterrupt = [](HANDLE, DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) {
        the.services->notify_interrupt(the.services->system, data);
    };
    i.DxgkCbNotifyDpc = [](HANDLE) { the.services->notify_dpc(the.services->system); };
    i.DxgkCbQueueDpc = [](HANDLE) -> BOOLEAN { return the.services->queue_dpc(the.services->system) != 0; };
    i.DxgkCbSynchronizeExecution = [](HANDLE, PKSYNCHRONIZE_ROUTINE routine, PVOID argument, ULONG message,
                                      BOOLEAN* returned) -> NTSTATUS {
        synchronized_call call{routine, argument};
        int answer = 0;
        NTSTATUS const status =
            the.services->synchronize_execution(the.services->system, &synchronized_call::run, &call, message, &answer);
        *returned = answer != 0;
        return status;
    };
    return i;
}

/// A DDI function with an adapter and a structure, as a function of the simulators' table.
template <auto Function>
struct entry;
template <class Args, NTSTATUS (*DRIVER_INITIALIZATION_DATA::*Function)(HANDLE, Args*)>
struct entry<Function> {
    static constexpr unsigned size = sizeof(Args);
    static int WDDMCORE_DRIVER_CALL writes(void*, void* args) {
        return (the.functions.*Function)(the.adapter, static_cast<Args*>(args));
    }
    static int WDDMCORE_DRIVER_CALL reads(void*, void const* args) {
        return (the.functions.*Function)(the.adapter, static_cast<Args*>(const_cast<void*>(args)));
    }
};
template <NTSTATUS (*DRIVER_INITIALIZATION_DATA::*Function)(HANDLE)>
struct entry<Function> {
    static int WDDMCORE_DRIVER_CALL call(void*) { return (the.functions.*Function)(the.adapter); }
};

int create_context(DXGKARG_CREATECONTEXT& args) { return the.functions.DxgkDdiCreateContext(the.device, &args); }

int WDDMCORE_DRIVER_CALL remove_device(void*) {
    NTSTATUS const device = the.device != nullptr ? the.functions.DxgkDdiDestroyDevice(the.device) : STATUS_SUCCESS;
    NTSTATUS const removed = the.functions.DxgkDdiRemoveDevice(the.adapter);
    the.device = the.adapter = nullptr;
    return device != STATUS_SUCCESS ? device : removed;
}

/// DxgkDdiStartDevice with what is connected, and a DxgkDdiCreateDevice for the contexts.
int start_device() {
    DXGK_START_INFO info{};
    DXGKRNL_INTERFACE with = callbacks();
    ULONG sources = 1;
    ULONG children = 1;
    NTSTATUS const started = the.functions.DxgkDdiStartDevice(the.adapter, &info, &with, &sources, &children);
    if (!NT_SUCCESS(started) || the.device != nullptr) {
        return started;
    }
    DXGKARG_CREATEDEVICE args{};
    NTSTATUS const made = the.functions.DxgkDdiCreateDevice(the.adapter, &args);
    the.device = args.hDevice;
    return made;
}

/// What the CPU finds behind a byte of the host aperture, by the table that the driver has written.
int WDDMCORE_DRIVER_CALL host_aperture_target(void*, unsigned, unsigned, unsigned long long aperture_offset,
                                              unsigned long long* segment_offset) {
    ULONGLONG const shown = the.host_aperture.at(aperture_offset / page_bytes);
    *segment_offset = shown * page_bytes + aperture_offset % page_bytes;
    return shown != ~ULONGLONG{0} ? 0 : 1;
}

using data = DRIVER_INITIALIZATION_DATA;

void add_memory_functions(wddmcore_driver_table& t) {
    t.add_device = [](void*)
                       WDDMCORE_DRIVER_CALL -> int { return the.functions.DxgkDdiAddDevice(nullptr, &the.adapter); };
    t.start_adapter = [](void*, wddmcore_memory_services const*) WDDMCORE_DRIVER_CALL -> int { return start_device(); };
    t.stop_device = entry<&data::DxgkDdiStopDevice>::call;
    t.remove_device = remove_device;
    t.query_adapter_info = entry<&data::DxgkDdiQueryAdapterInfo>::reads;
    t.query_adapter_info_size = sizeof(DXGKARG_QUERYADAPTERINFO);
    t.begin_exclusive_access = entry<&data::DxgkDdiBeginExclusiveAccess>::reads;
    t.end_exclusive_access = entry<&data::DxgkDdiEndExclusiveAccess>::reads;
    if (the.functions.DxgkDdiMapCpuHostAperture != nullptr) {
        t.map_cpu_host_aperture = entry<&data::DxgkDdiMapCpuHostAperture>::reads;
        t.map_cpu_host_aperture_size = sizeof(DXGKARG_MAPCPUHOSTAPERTURE);
        t.unmap_cpu_host_aperture = entry<&data::DxgkDdiUnmapCpuHostAperture>::reads;
        t.unmap_cpu_host_aperture_size = sizeof(DXGKARG_UNMAPCPUHOSTAPERTURE);
        t.host_aperture_target = host_aperture_target;
    }
    t.create_allocation = entry<&data::DxgkDdiCreateAllocation>::writes;
    t.create_allocation_size = sizeof(DXGKARG_CREATEALLOCATION);
    t.destroy_allocation = [](void*, void* handle) WDDMCORE_DRIVER_CALL -> int {
        DXGKARG_DESTROYALLOCATION const args{1, &handle, nullptr, 0};
        return the.functions.DxgkDdiDestroyAllocation(the.adapter, &args);
    };
    t.create_context_with_info = [](void*, void* args) WDDMCORE_DRIVER_CALL -> int {
        return create_context(*static_cast<DXGKARG_CREATECONTEXT*>(args));
    };
    t.create_context_size = sizeof(DXGKARG_CREATECONTEXT);
    t.destroy_context = [](void*, void* context)
                            WDDMCORE_DRIVER_CALL -> int { return the.functions.DxgkDdiDestroyContext(context); };
    t.set_root_page_table = [](void*, void const* args) WDDMCORE_DRIVER_CALL {
        the.functions.DxgkDdiSetRootPageTable(the.adapter, static_cast<DXGKARG_SETROOTPAGETABLE const*>(args));
    };
    t.build_paging_buffer = entry<&data::DxgkDdiBuildPagingBuffer>::writes;
    t.build_paging_buffer_size = sizeof(DXGKARG_BUILDPAGINGBUFFER);
    t.submit_command_virtual = entry<&data::DxgkDdiSubmitCommandVirtual>::reads;
    t.submit_command_virtual_size = sizeof(DXGKARG_SUBMITCOMMANDVIRTUAL);
}

void add_scheduling_functions(wddmcore_driver_table& t) {
    t.start_device = [](void*, wddmcore_system_services const* services, wddmcore_gpu const* registers)
                         WDDMCORE_DRIVER_CALL -> int {
        the.services = services;
        the.registers = registers;
        return start_device();
    };
    t.create_context = [](void*, wddmcore_context_arguments* args) WDDMCORE_DRIVER_CALL -> int {
        context_request request{args->save_area};
        DXGKARG_CREATECONTEXT made{};
        made.NodeOrdinal = args->node_ordinal;
        made.EngineAffinity = args->engine_affinity;
        made.Flags.SystemContext = args->system_context != 0;
        made.Flags.VirtualAddressing = 1;
        made.pPrivateDriverData = &request;
        made.PrivateDriverDataSize = sizeof request;
        int const status = create_context(made);
        args->context = made.hContext;
        return status;
    };
    // Every context addresses memory through page tables: nobody submits this way.
    t.submit_command = [](void*, void const*) WDDMCORE_DRIVER_CALL -> int { return STATUS_NOT_SUPPORTED; };
    t.preempt_command = entry<&data::DxgkDdiPreemptCommand>::reads;
    t.preempt_command_size = sizeof(DXGKARG_PREEMPTCOMMAND);
    t.cancel_command = entry<&data::DxgkDdiCancelCommand>::reads;
    t.cancel_command_size = sizeof(DXGKARG_CANCELCOMMAND);
    t.query_current_fence = entry<&data::DxgkDdiQueryCurrentFence>::writes;
    t.query_current_fence_size = sizeof(DXGKARG_QUERYCURRENTFENCE);
    t.interrupt_routine = [](void*, unsigned message) WDDMCORE_DRIVER_CALL -> int {
        return the.functions.DxgkDdiInterruptRoutine(the.adapter, message);
    };
    t.dpc_routine = [](void*) WDDMCORE_DRIVER_CALL { the.functions.DxgkDdiDpcRoutine(the.adapter); };
    t.query_engine_status = entry<&data::DxgkDdiQueryEngineStatus>::writes;
    t.query_engine_status_size = sizeof(DXGKARG_QUERYENGINESTATUS);
    t.query_dependent_engine_group = entry<&data::DxgkDdiQueryDependentEngineGroup>::writes;
    t.query_dependent_engine_group_size = sizeof(DXGKARG_QUERYDEPENDENTENGINEGROUP);
    t.reset_engine = entry<&data::DxgkDdiResetEngine>::writes;
    t.reset_engine_size = sizeof(DXGKARG_RESETENGINE);
    t.reset_from_timeout = entry<&data::DxgkDdiResetFromTimeout>::call;
    t.restart_from_timeout = entry<&data::DxgkDdiRestartFromTimeout>::call;
    t.notify_interrupt_data_size = sizeof(DXGKARGCB_NOTIFY_INTERRUPT_DATA);
}

wddmcore_driver_table driver_table() {
    wddmcore_driver_table t{};
    t.size = sizeof t;
    t.version = DXGKDDI_INTERFACE_VERSION;
    add_memory_functions(t);
    add_scheduling_functions(t);
    return t;
}

void connect(machine& around) {
    the.found = around.found();
    the.services = &around.services();
    the.registers = &around.registers();
}

gpuva::root_table root_of(void* context) {
    auto const& own = *static_cast<own_context const*>(static_cast<wdk::context const*>(context)->own);
    return {{own.RootSegment}, own.RootEntries, {own.RootOffset}};
}

[[noreturn]] void broken(char const* what) {
    std::printf("the driver broke a rule of the kernel: %s\n", what);
    std::exit(1);
}

}  // namespace

int play_windows_driver() {
    if (!NT_SUCCESS(DriverEntry(nullptr, nullptr)) || !the.registered) {
        std::printf("DriverEntry does not register a driver\n");
        return 1;
    }
    return play({driver_table(), connect, root_of, [] { return the.blocks == 0 && the.locks == 0; }});
}

}  // namespace wddmcore::examples::host

using wddmcore::examples::host::the;

extern "C" {

NTSTATUS DxgkInitialize(PDRIVER_OBJECT, PUNICODE_STRING, DRIVER_INITIALIZATION_DATA* data) {
    the.functions = *data;
    the.registered = data->Version == DXGKDDI_INTERFACE_VERSION;
    return the.registered ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

BOOLEAN FindHardware(HANDLE, found_hardware* found) {
    *found = {the.found.memory_bytes,
              the.found.bar,
              the.found.system_base,
              the.found.aperture_entries,
              the.registers,
              {0x2000, 0x3000},
              the.host_aperture.data(),
              static_cast<UINT>(the.host_aperture.size())};
    return 1;
}

VOID KeInitializeSpinLock(KSPIN_LOCK* lock) { *lock = 0; }
VOID KeAcquireSpinLock(KSPIN_LOCK* lock, KIRQL* before) {
    if (*lock != 0) {
        wddmcore::examples::host::broken("a spin lock is taken twice");
    }
    *lock = 1;
    *before = 0;
    ++the.locks;
}
VOID KeReleaseSpinLock(KSPIN_LOCK* lock, KIRQL) {
    if (*lock != 1) {
        wddmcore::examples::host::broken("a spin lock is released that nobody holds");
    }
    *lock = 0;
    --the.locks;
}
PVOID ExAllocatePool2(ULONG64, SIZE_T size, ULONG) {
    void* const memory = std::calloc(1, size);
    the.blocks += memory != nullptr;
    return memory;
}
VOID ExFreePoolWithTag(PVOID memory, ULONG) {
    --the.blocks;
    std::free(memory);
}
}
