// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// The boundary between a simulator and a driver: plain C, no includes, so that either side may be built with any
// compiler, any headers and any C++ library.
//
// A driver built on the host fills the table directly. A driver built from its own sources for Windows fills it in one
// file compiled with its own headers; the pointers then follow the Windows calling convention of the machine.

// On x86-64 outside Windows the two conventions differ; everywhere else the platform's own is the right one.
#if defined(__x86_64__) && !defined(_WIN32) && (defined(__GNUC__) || defined(__clang__))
#    define WDDMCORE_DRIVER_CALL __attribute__((ms_abi))
#else
#    define WDDMCORE_DRIVER_CALL
#endif

#if defined(__cplusplus)
extern "C" {
#endif

// Defined in scheduler_table.h.
struct wddmcore_system_services;
struct wddmcore_gpu;
struct wddmcore_context_arguments;
// Defined in memory_table.h.
struct wddmcore_memory_services;

// What a driver offers. Status values are NTSTATUS: 32 bits, negative for failures.
//
// Fill `size` with sizeof(struct wddmcore_driver_table) and everything unknown with zero: members past `size` are
// taken as absent, so a table of today works with a simulator of tomorrow.
struct wddmcore_driver_table {
    unsigned int size;     // bytes of this structure as the driver's side knows it
    unsigned int version;  // DXGKDDI_INTERFACE_VERSION that the driver registered with
    void* adapter;         // the miniport device context; passed through, never looked at

    // DxgkDdiBuildPagingBuffer; args is DXGKARG_BUILDPAGINGBUFFER of `version`. Required.
    int(WDDMCORE_DRIVER_CALL* build_paging_buffer)(void* adapter, void* args);
    // DxgkDdiPatch; args is DXGKARG_PATCH. May be null: then paging buffers are not patched.
    int(WDDMCORE_DRIVER_CALL* patch)(void* adapter, void const* args);
    // DxgkDdiSubmitCommand; args is DXGKARG_SUBMITCOMMAND. May be null when the virtual form is given.
    int(WDDMCORE_DRIVER_CALL* submit_command)(void* adapter, void const* args);
    // DxgkDdiSubmitCommandVirtual; args is DXGKARG_SUBMITCOMMANDVIRTUAL, WDDM 2.0. May be null.
    int(WDDMCORE_DRIVER_CALL* submit_command_virtual)(void* adapter, void const* args);

    // sizeof of the argument structures as the driver was compiled; 0: not told. Compared before the first call.
    unsigned int build_paging_buffer_size;
    unsigned int patch_size;
    unsigned int submit_command_size;
    unsigned int submit_command_virtual_size;

    // Observers, each optional: they tell what cannot be seen from outside, or tell the hardware's model something.

    // The page number that entry `index` of aperture segment `segment` points at. Returns 0, or nonzero for no answer.
    int(WDDMCORE_DRIVER_CALL* aperture_page)(void* adapter, unsigned int segment, unsigned long long index,
                                             unsigned long long* page_number);
    // The GPU begins (busy 1) or ends (busy 0) to use the allocation, as far as the hardware's model can know it.
    void(WDDMCORE_DRIVER_CALL* set_allocation_busy)(void* adapter, void* allocation, int busy);

    // Scheduling, all of it WDDM 1.2 and later; null in the table of a driver that is only asked about memory.

    // The device starts: the services that the system gives (the part of DXGKRNL_INTERFACE that scheduling needs) and
    // the registers of the simulated GPU, both in scheduler_table.h, both valid until the run ends.
    int(WDDMCORE_DRIVER_CALL* start_device)(void* adapter, struct wddmcore_system_services const* services,
                                            struct wddmcore_gpu const* gpu);
    // DxgkDdiCreateContext, as far as scheduling is concerned; args is struct wddmcore_context_arguments.
    int(WDDMCORE_DRIVER_CALL* create_context)(void* adapter, struct wddmcore_context_arguments* args);
    // DxgkDdiDestroyContext; context is the driver's own handle.
    int(WDDMCORE_DRIVER_CALL* destroy_context)(void* adapter, void* context);
    // DxgkDdiPreemptCommand; args is DXGKARG_PREEMPTCOMMAND.
    int(WDDMCORE_DRIVER_CALL* preempt_command)(void* adapter, void const* args);
    // DxgkDdiCancelCommand; args is DXGKARG_CANCELCOMMAND. May be null: then nothing is cancelled (CancelCommandAware).
    int(WDDMCORE_DRIVER_CALL* cancel_command)(void* adapter, void const* args);
    // DxgkDdiQueryCurrentFence; args is DXGKARG_QUERYCURRENTFENCE.
    int(WDDMCORE_DRIVER_CALL* query_current_fence)(void* adapter, void* args);
    // DxgkDdiInterruptRoutine: nonzero when the interrupt was the driver's.
    int(WDDMCORE_DRIVER_CALL* interrupt_routine)(void* adapter, unsigned int message_number);
    // DxgkDdiDpcRoutine.
    void(WDDMCORE_DRIVER_CALL* dpc_routine)(void* adapter);
    // DxgkDdiQueryEngineStatus; args is DXGKARG_QUERYENGINESTATUS.
    int(WDDMCORE_DRIVER_CALL* query_engine_status)(void* adapter, void* args);
    // DxgkDdiQueryDependentEngineGroup; args is DXGKARG_QUERYDEPENDENTENGINEGROUP.
    int(WDDMCORE_DRIVER_CALL* query_dependent_engine_group)(void* adapter, void* args);
    // DxgkDdiResetEngine; args is DXGKARG_RESETENGINE. Null, with the two before: only the adapter is reset.
    int(WDDMCORE_DRIVER_CALL* reset_engine)(void* adapter, void* args);
    // DxgkDdiResetFromTimeout and DxgkDdiRestartFromTimeout.
    int(WDDMCORE_DRIVER_CALL* reset_from_timeout)(void* adapter);
    int(WDDMCORE_DRIVER_CALL* restart_from_timeout)(void* adapter);

    // sizeof of their argument structures as the driver was compiled; 0: not told.
    unsigned int preempt_command_size;
    unsigned int cancel_command_size;
    unsigned int query_current_fence_size;
    unsigned int query_engine_status_size;
    unsigned int query_dependent_engine_group_size;
    unsigned int reset_engine_size;
    unsigned int notify_interrupt_data_size;  // of DXGKARGCB_NOTIFY_INTERRUPT_DATA

    // Observers of page tables, each optional. A root is named as operation 12 names it: segment and offset, segment 0
    // for an address in system memory.

    // What the hardware makes of a GPU virtual address in the address space of this root: the address that its engine
    // uses on the bus, and the bits CacheCoherent, ReadOnly and NoExecute at their places in DXGK_PTE. past_caches 1:
    // by the page tables alone, changing nothing; 0: with cached translations, and asking counts as an access. Returns
    // 0, or nonzero for a page fault.
    int(WDDMCORE_DRIVER_CALL* translate)(void* adapter, unsigned int root_segment, unsigned long long root_offset,
                                         unsigned long long virtual_address, int past_caches,
                                         unsigned long long* address, unsigned int* attributes);
    // The engine is about to execute commands in the address space of this root.
    void(WDDMCORE_DRIVER_CALL* enter_address_space)(void* adapter, unsigned int root_segment,
                                                    unsigned long long root_offset);
    // The power was gone: registers, caches and memory segments have lost what they held.
    void(WDDMCORE_DRIVER_CALL* lose_power)(void* adapter);

    // An adapter's start, its answers and its memory; each may be null, query_adapter_info only where nobody asks.

    // DxgkDdiAddDevice: the adapter is there, nothing of it was started.
    int(WDDMCORE_DRIVER_CALL* add_device)(void* adapter);
    // DxgkDdiStartDevice, as far as memory is concerned; the services are valid until the adapter is removed. The
    // simulator of the scheduler calls start_device above instead.
    int(WDDMCORE_DRIVER_CALL* start_adapter)(void* adapter, struct wddmcore_memory_services const* services);
    // DxgkDdiStopDevice and DxgkDdiRemoveDevice.
    int(WDDMCORE_DRIVER_CALL* stop_device)(void* adapter);
    int(WDDMCORE_DRIVER_CALL* remove_device)(void* adapter);
    // DxgkDdiQueryAdapterInfo; args is DXGKARG_QUERYADAPTERINFO of `version`.
    int(WDDMCORE_DRIVER_CALL* query_adapter_info)(void* adapter, void const* args);
    // DxgkDdiCreateContext, for the DXGK_CONTEXTINFO that it gives; args is DXGKARG_CREATECONTEXT of `version`. The
    // context goes with destroy_context above.
    int(WDDMCORE_DRIVER_CALL* create_context_with_info)(void* adapter, void* args);
    // DxgkDdiCreateAllocation for one allocation; args is DXGKARG_CREATEALLOCATION of `version`.
    int(WDDMCORE_DRIVER_CALL* create_allocation)(void* adapter, void* args);
    // DxgkDdiDestroyAllocation for one allocation, by the driver's own handle.
    int(WDDMCORE_DRIVER_CALL* destroy_allocation)(void* adapter, void* allocation);
    // DxgkDdiMapCpuHostAperture and DxgkDdiUnmapCpuHostAperture, WDDM 2.0.
    int(WDDMCORE_DRIVER_CALL* map_cpu_host_aperture)(void* adapter, void const* args);
    int(WDDMCORE_DRIVER_CALL* unmap_cpu_host_aperture)(void* adapter, void const* args);
    // DxgkDdiBeginExclusiveAccess and DxgkDdiEndExclusiveAccess, WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* begin_exclusive_access)(void* adapter, void const* args);
    int(WDDMCORE_DRIVER_CALL* end_exclusive_access)(void* adapter, void const* args);
    // DxgkDdiGetRootPageTableSize: bytes; args is DXGKARG_GETROOTPAGETABLESIZE, NumberOfPte is in and out. WDDM 2.0.
    unsigned long long(WDDMCORE_DRIVER_CALL* get_root_page_table_size)(void* adapter, void* args);
    // DxgkDdiSetRootPageTable; args is DXGKARG_SETROOTPAGETABLE. WDDM 2.0. Its contexts are those that
    // create_context_with_info made: without that function nobody calls this one.
    void(WDDMCORE_DRIVER_CALL* set_root_page_table)(void* adapter, void const* args);

    // sizeof of their argument structures as the driver was compiled; 0: not told.
    unsigned int query_adapter_info_size;
    unsigned int create_context_size;
    unsigned int create_allocation_size;
    unsigned int map_cpu_host_aperture_size;
    unsigned int unmap_cpu_host_aperture_size;

    // Observers of them, each optional.

    // Where the CPU ends up that touches this byte of a segment's CPU host aperture: a byte offset in the segment.
    // Returns 0, or nonzero where nothing is mapped.
    int(WDDMCORE_DRIVER_CALL* host_aperture_target)(void* adapter, unsigned int physical_adapter, unsigned int segment,
                                                    unsigned long long aperture_offset,
                                                    unsigned long long* segment_offset);
    // Time passes: the hardware's model does what it does without being asked (scan-out, fences, write-back).
    void(WDDMCORE_DRIVER_CALL* let_time_pass)(void* adapter);
    // How often the device has read or written system memory since it was made.
    unsigned long long(WDDMCORE_DRIVER_CALL* system_memory_accesses)(void* adapter);
    // Whether the device may still reach the page with this number: nonzero for yes.
    int(WDDMCORE_DRIVER_CALL* reaches_page)(void* adapter, unsigned long long page_number);
    // What the hardware makes of a GPU virtual address when this context runs: as `translate` above, but by the root
    // and the number of entries that the driver was told last for the context, which is its own handle.
    int(WDDMCORE_DRIVER_CALL* translate_in_context)(void* adapter, void* context, unsigned long long virtual_address,
                                                    int past_caches, unsigned long long* address,
                                                    unsigned int* attributes);
};

#if defined(__cplusplus)
}
#endif
