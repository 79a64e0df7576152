// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// @file
/// The boundary between a simulator and a driver: plain C, no includes, so that either side may be built with any
/// compiler, any headers and any C++ library.
///
/// A driver built on the host fills the table directly. A driver built from its own sources for Windows fills it in one
/// file compiled with its own headers; the pointers then follow the Windows calling convention of the machine.

/// @def WDDMCORE_DRIVER_CALL
/// The Windows calling convention of the machine: on x86-64 outside Windows it is not the platform's own, which is the
/// right one everywhere else.

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
struct wddmcore_source_visibility;
// Defined in memory_table.h.
struct wddmcore_memory_services;
// Defined in scheduler/hardware_queue_table.h.
struct wddmcore_queue_services;
struct wddmcore_queue_gpu;
struct wddmcore_queue_claims;

/// What a driver offers: its DDI functions, and observers that tell what cannot be seen from outside.
///
/// Fill `size` with sizeof(struct wddmcore_driver_table) and everything unknown with zero: members past `size` are
/// taken as absent, so a table of today works with a simulator of tomorrow.
///
/// The first argument of each function is `adapter`, `args` is the argument structure of the DDI in the layout of
/// `version`, and what a function returns is an NTSTATUS, 32 bits and negative for failures, unless it says otherwise.
/// Observers may be NULL, and so may the functions of what is not simulated: start_device to restart_from_timeout are
/// for scheduling (WDDM 1.2 and later), add_device to set_root_page_table for an adapter's start and its memory. Of the
/// latter only query_adapter_info is required.
struct wddmcore_driver_table {
    unsigned int size;     ///< bytes of this structure as the driver's side knows it
    unsigned int version;  ///< DXGKDDI_INTERFACE_VERSION that the driver registered with
    void* adapter;         ///< the miniport device context; passed through, never looked at

    /// DxgkDdiBuildPagingBuffer: writes the commands of one pass; `args` is DXGKARG_BUILDPAGINGBUFFER. Required for
    /// paging. Returns STATUS_SUCCESS, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER when it goes on in another buffer, or
    /// STATUS_GRAPHICS_ALLOCATION_BUSY when the allocation has to be idle first (PGB-08, PGB-09).
    int(WDDMCORE_DRIVER_CALL* build_paging_buffer)(void* adapter, void* args);
    /// DxgkDdiPatch, before a buffer goes to submit_command; `args` is DXGKARG_PATCH. NULL: nothing is patched.
    int(WDDMCORE_DRIVER_CALL* patch)(void* adapter, void const* args);
    /// DxgkDdiSubmitCommand: gives a buffer to the engine by physical address; `args` is DXGKARG_SUBMITCOMMAND. May be
    /// NULL when the virtual form is given.
    int(WDDMCORE_DRIVER_CALL* submit_command)(void* adapter, void const* args);
    /// DxgkDdiSubmitCommandVirtual: the same by GPU virtual address; `args` is DXGKARG_SUBMITCOMMANDVIRTUAL, WDDM 2.0.
    /// May be NULL when the physical form is given.
    int(WDDMCORE_DRIVER_CALL* submit_command_virtual)(void* adapter, void const* args);

    // Bytes of the argument structures as the driver was compiled. Compared before the first call: fewer than those of
    // `version` are refused.
    unsigned int build_paging_buffer_size;     ///< sizeof(DXGKARG_BUILDPAGINGBUFFER) in the driver; 0: not told
    unsigned int patch_size;                   ///< sizeof(DXGKARG_PATCH) in the driver; 0: not told
    unsigned int submit_command_size;          ///< sizeof(DXGKARG_SUBMITCOMMAND) in the driver; 0: not told
    unsigned int submit_command_virtual_size;  ///< sizeof(DXGKARG_SUBMITCOMMANDVIRTUAL) in the driver; 0: not told

    // Observers, each optional: they tell what cannot be seen from outside, or tell the hardware's model something.

    /// Observer: which page an entry of an aperture points at.
    /// @param segment      id of the aperture segment, 1 to 31
    /// @param index        of the entry: 4-KiB pages from the segment's start
    /// @param page_number  [out] number of the 4-KiB page of system memory
    /// @return 0, or nonzero for no answer
    int(WDDMCORE_DRIVER_CALL* aperture_page)(void* adapter, unsigned int segment, unsigned long long index,
                                             unsigned long long* page_number);
    /// Observer: the GPU begins (`busy` 1) or ends (`busy` 0) to use an allocation, as far as the hardware's model can
    /// know it; `allocation` is the driver's own handle.
    void(WDDMCORE_DRIVER_CALL* set_allocation_busy)(void* adapter, void* allocation, int busy);

    // Scheduling, all of it WDDM 1.2 and later; null in the table of a driver that is only asked about memory.

    /// The device starts: the services that the system gives (the part of DXGKRNL_INTERFACE that scheduling needs) and
    /// the registers of the simulated GPU, both in scheduler_table.h, both valid until the run ends.
    int(WDDMCORE_DRIVER_CALL* start_device)(void* adapter, struct wddmcore_system_services const* services,
                                            struct wddmcore_gpu const* gpu);
    /// DxgkDdiCreateContext, as far as scheduling is concerned: the driver stores its handle in `args->context`.
    int(WDDMCORE_DRIVER_CALL* create_context)(void* adapter, struct wddmcore_context_arguments* args);
    /// DxgkDdiDestroyContext; `context` is the driver's own handle, of create_context or create_context_with_info.
    int(WDDMCORE_DRIVER_CALL* destroy_context)(void* adapter, void* context);
    /// DxgkDdiPreemptCommand: starts a preemption and returns at once, with success only (PRE-08, PRE-09); `args` is
    /// DXGKARG_PREEMPTCOMMAND.
    int(WDDMCORE_DRIVER_CALL* preempt_command)(void* adapter, void const* args);
    /// DxgkDdiCancelCommand: frees what belongs to a packet that will never come to the hardware (TDR-14); `args` is
    /// DXGKARG_CANCELCOMMAND. NULL: the driver does not hear of such packets, as one without CancelCommandAware.
    int(WDDMCORE_DRIVER_CALL* cancel_command)(void* adapter, void const* args);
    /// DxgkDdiQueryCurrentFence: stores the id that completed last on an engine, and reports it where that was not done
    /// yet (INT-08); `args` is DXGKARG_QUERYCURRENTFENCE.
    int(WDDMCORE_DRIVER_CALL* query_current_fence)(void* adapter, void* args);
    /// DxgkDdiInterruptRoutine, at device level; `message_number` is 0 unless a device model has interrupted with
    /// another. Returns nonzero when the interrupt was the driver's, else 0.
    int(WDDMCORE_DRIVER_CALL* interrupt_routine)(void* adapter, unsigned int message_number);
    /// DxgkDdiDpcRoutine, at dispatch level, after the driver has queued it.
    void(WDDMCORE_DRIVER_CALL* dpc_routine)(void* adapter);
    /// DxgkDdiQueryEngineStatus: stores whether an engine still makes progress (TDR-03); `args` is
    /// DXGKARG_QUERYENGINESTATUS.
    int(WDDMCORE_DRIVER_CALL* query_engine_status)(void* adapter, void* args);
    /// DxgkDdiQueryDependentEngineGroup: stores the mask of the nodes that a reset of one disturbs, itself included
    /// (TDR-02); `args` is DXGKARG_QUERYDEPENDENTENGINEGROUP.
    int(WDDMCORE_DRIVER_CALL* query_dependent_engine_group)(void* adapter, void* args);
    /// DxgkDdiResetEngine: empties and restarts one engine and stores the id that was aborted (TDR-04, TDR-05); `args`
    /// is DXGKARG_RESETENGINE. When it fails, the adapter is reset (TDR-08). NULL, with the two before: it always is.
    int(WDDMCORE_DRIVER_CALL* reset_engine)(void* adapter, void* args);
    /// DxgkDdiResetFromTimeout: stops all engines; the GPU touches no memory from its return on (TDR-11).
    int(WDDMCORE_DRIVER_CALL* reset_from_timeout)(void* adapter);
    /// DxgkDdiRestartFromTimeout: all engines are empty and take packets again when it returns (TDR-11).
    int(WDDMCORE_DRIVER_CALL* restart_from_timeout)(void* adapter);

    // Bytes of their argument structures as the driver was compiled.
    unsigned int preempt_command_size;               ///< sizeof(DXGKARG_PREEMPTCOMMAND) in the driver; 0: not told
    unsigned int cancel_command_size;                ///< sizeof(DXGKARG_CANCELCOMMAND) in the driver; 0: not told
    unsigned int query_current_fence_size;           ///< sizeof(DXGKARG_QUERYCURRENTFENCE) in the driver; 0: not told
    unsigned int query_engine_status_size;           ///< sizeof(DXGKARG_QUERYENGINESTATUS) in the driver; 0: not told
    unsigned int query_dependent_engine_group_size;  ///< sizeof(DXGKARG_QUERYDEPENDENTENGINEGROUP); 0: not told
    unsigned int reset_engine_size;                  ///< sizeof(DXGKARG_RESETENGINE) in the driver; 0: not told
    unsigned int notify_interrupt_data_size;         ///< sizeof(DXGKARGCB_NOTIFY_INTERRUPT_DATA); 0: not told

    // Observers of page tables, each optional. A root is named as operation 12 names it: segment and offset, segment 0
    // for an address in system memory.

    /// Observer: what the hardware makes of a GPU virtual address in the address space of a root.
    /// @param root_segment     id of the segment that holds the root, 1 to 31; 0: system memory
    /// @param root_offset      bytes from the segment's start; in system memory the physical address
    /// @param virtual_address  the address, in bytes
    /// @param past_caches      1: by the page tables alone, changing nothing; 0: with cached translations, and asking
    ///                         counts as an access
    /// @param address          [out] the address that the engine uses on the bus, in bytes
    /// @param attributes       [out] bits CacheCoherent, ReadOnly and NoExecute at their places in DXGK_PTE; or Zero
    ///                         alone, where the address reads as zero and leads nowhere
    /// @return 0, or nonzero for a page fault
    int(WDDMCORE_DRIVER_CALL* translate)(void* adapter, unsigned int root_segment, unsigned long long root_offset,
                                         unsigned long long virtual_address, int past_caches,
                                         unsigned long long* address, unsigned int* attributes);
    /// Observer: the engine is about to execute commands in the address space of this root, named as in `translate`.
    void(WDDMCORE_DRIVER_CALL* enter_address_space)(void* adapter, unsigned int root_segment,
                                                    unsigned long long root_offset);
    /// Observer: the power was gone, so registers, caches and memory segments have lost what they held.
    void(WDDMCORE_DRIVER_CALL* lose_power)(void* adapter);

    // An adapter's start, its answers and its memory; each may be null, query_adapter_info only where nobody asks.

    /// DxgkDdiAddDevice: the adapter is there, nothing of it was started.
    int(WDDMCORE_DRIVER_CALL* add_device)(void* adapter);
    /// DxgkDdiStartDevice, as far as memory is concerned; the services are valid until the adapter is removed. The
    /// simulator of the scheduler calls start_device above instead. This one brings no wddmcore_system_services and no
    /// wddmcore_gpu: a driver that needs them to page has them from its hardware's model.
    int(WDDMCORE_DRIVER_CALL* start_adapter)(void* adapter, struct wddmcore_memory_services const* services);
    /// DxgkDdiStopDevice: undoes the start.
    int(WDDMCORE_DRIVER_CALL* stop_device)(void* adapter);
    /// DxgkDdiRemoveDevice: undoes add_device; by now the driver has given back what the services gave it.
    int(WDDMCORE_DRIVER_CALL* remove_device)(void* adapter);
    /// DxgkDdiQueryAdapterInfo: writes the answer into the buffer that `args` names, DXGKARG_QUERYADAPTERINFO.
    int(WDDMCORE_DRIVER_CALL* query_adapter_info)(void* adapter, void const* args);
    /// DxgkDdiCreateContext, for the DXGK_CONTEXTINFO that it gives; `args` is DXGKARG_CREATECONTEXT. The context goes
    /// with destroy_context above.
    int(WDDMCORE_DRIVER_CALL* create_context_with_info)(void* adapter, void* args);
    /// DxgkDdiCreateAllocation for one allocation: stores its handle and what it asks for; `args` is
    /// DXGKARG_CREATEALLOCATION.
    int(WDDMCORE_DRIVER_CALL* create_allocation)(void* adapter, void* args);
    /// DxgkDdiDestroyAllocation for one allocation, by the driver's own handle.
    int(WDDMCORE_DRIVER_CALL* destroy_allocation)(void* adapter, void* allocation);
    /// DxgkDdiMapCpuHostAperture: lets pages of the aperture show pages of its segment (SEG-36, SEG-37); `args` is
    /// DXGKARG_MAPCPUHOSTAPERTURE. WDDM 2.0.
    int(WDDMCORE_DRIVER_CALL* map_cpu_host_aperture)(void* adapter, void const* args);
    /// DxgkDdiUnmapCpuHostAperture: the same pages show nothing any more; `args` is DXGKARG_UNMAPCPUHOSTAPERTURE.
    /// WDDM 2.0.
    int(WDDMCORE_DRIVER_CALL* unmap_cpu_host_aperture)(void* adapter, void const* args);
    /// DxgkDdiBeginExclusiveAccess: the device leaves system memory alone until the end (IOM-09); `args` is
    /// DXGKARG_BEGINEXCLUSIVEACCESS. WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* begin_exclusive_access)(void* adapter, void const* args);
    /// DxgkDdiEndExclusiveAccess: the device may use it again; `args` is DXGKARG_ENDEXCLUSIVEACCESS. WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* end_exclusive_access)(void* adapter, void const* args);
    /// DxgkDdiGetRootPageTableSize; `args` is DXGKARG_GETROOTPAGETABLESIZE, whose NumberOfPte is the entries that are
    /// wanted and then those that fit. Returns bytes, whole pages of the root's segment (GVA-26). WDDM 2.0.
    unsigned long long(WDDMCORE_DRIVER_CALL* get_root_page_table_size)(void* adapter, void* args);
    /// DxgkDdiSetRootPageTable: a context, which is idle, has its root here from now on (GVA-28); `args` is
    /// DXGKARG_SETROOTPAGETABLE. WDDM 2.0. Its contexts are those that create_context_with_info made, or that
    /// vidmm_page_tables::context_of names: without either nobody calls this function.
    void(WDDMCORE_DRIVER_CALL* set_root_page_table)(void* adapter, void const* args);

    // Bytes of their argument structures as the driver was compiled.
    unsigned int query_adapter_info_size;       ///< sizeof(DXGKARG_QUERYADAPTERINFO) in the driver; 0: not told
    unsigned int create_context_size;           ///< sizeof(DXGKARG_CREATECONTEXT) in the driver; 0: not told
    unsigned int create_allocation_size;        ///< sizeof(DXGKARG_CREATEALLOCATION) in the driver; 0: not told
    unsigned int map_cpu_host_aperture_size;    ///< sizeof(DXGKARG_MAPCPUHOSTAPERTURE) in the driver; 0: not told
    unsigned int unmap_cpu_host_aperture_size;  ///< sizeof(DXGKARG_UNMAPCPUHOSTAPERTURE) in the driver; 0: not told

    // Observers of them, each optional.

    /// Observer: where the CPU ends up that touches a byte of a segment's CPU host aperture.
    /// @param physical_adapter  index in the link, 0 to 63
    /// @param segment           id of the segment, 1 to 31
    /// @param aperture_offset   bytes from the aperture's start
    /// @param segment_offset    [out] bytes from the segment's start
    /// @return 0, or nonzero where nothing is mapped
    int(WDDMCORE_DRIVER_CALL* host_aperture_target)(void* adapter, unsigned int physical_adapter, unsigned int segment,
                                                    unsigned long long aperture_offset,
                                                    unsigned long long* segment_offset);
    /// Observer: time passes, and the hardware's model does what it does without being asked (scan-out, fences,
    /// write-back).
    void(WDDMCORE_DRIVER_CALL* let_time_pass)(void* adapter);
    /// Observer: how often the device has read or written system memory since it was made.
    unsigned long long(WDDMCORE_DRIVER_CALL* system_memory_accesses)(void* adapter);
    /// Observer: whether the device may still reach the 4-KiB page with this number. Returns nonzero for yes, else 0.
    int(WDDMCORE_DRIVER_CALL* reaches_page)(void* adapter, unsigned long long page_number);
    /// Observer: what the hardware makes of a GPU virtual address when this context runs: as `translate` above, but by
    /// the root and the number of entries that the driver was told last for the context, which is its own handle.
    int(WDDMCORE_DRIVER_CALL* translate_in_context)(void* adapter, void* context, unsigned long long virtual_address,
                                                    int past_caches, unsigned long long* address,
                                                    unsigned int* attributes);

    // Flips by registers, for the simulator of the scheduler; NULL where the driver shows nothing.

    /// DxgkDdiSetVidPnSourceAddress, at device level, as with FlipOnVSyncMmIo (FLP-01, FLP-03): programs the address of
    /// a primary before it returns (FLP-04); `args` is DXGKARG_SETVIDPNSOURCEADDRESS. NULL: no flip is played.
    int(WDDMCORE_DRIVER_CALL* set_vidpn_source_address)(void* adapter, void const* args);
    /// DxgkDdiSetVidPnSourceVisibility: a source is blanked or shown. NULL: none is blanked.
    int(WDDMCORE_DRIVER_CALL* set_vidpn_source_visibility)(void* adapter,
                                                           struct wddmcore_source_visibility const* args);
    /// DxgkDdiPresent of a flip, which has no DMA buffer (FLP-02); `context` is the driver's own handle, `args` is
    /// DXGKARG_PRESENT. NULL: flips come without a present.
    int(WDDMCORE_DRIVER_CALL* present)(void* adapter, void* context, void* args);
    unsigned int set_vidpn_source_address_size;  ///< sizeof(DXGKARG_SETVIDPNSOURCEADDRESS) in the driver; 0: not told
    unsigned int present_size;                   ///< sizeof(DXGKARG_PRESENT) in the driver; 0: not told

    // Hardware scheduling (WDDM 2.2 and later) and native fences (WDDM 3.2); with start_hardware_queues null nobody
    // asks for them. Interrupts, DPCs and the reset of the adapter go to the functions above.

    /// The device starts: the services and the registers of a GPU that schedules by itself, both in
    /// scheduler/hardware_queue_table.h, both valid until the run ends. The driver says in `claims` what it has.
    int(WDDMCORE_DRIVER_CALL* start_hardware_queues)(void* adapter, struct wddmcore_queue_services const* services,
                                                     struct wddmcore_queue_gpu const* gpu,
                                                     struct wddmcore_queue_claims* claims);
    /// DxgkDdiCreateHwContext: a context, resumed (HWS-04); `args` is DXGKARG_CREATEHWCONTEXT. Private data is
    /// wddmcore_hw_context_private_data.
    int(WDDMCORE_DRIVER_CALL* create_hw_context)(void* adapter, void* args);
    /// DxgkDdiDestroyHwContext, by the driver's own handle.
    int(WDDMCORE_DRIVER_CALL* destroy_hw_context)(void* adapter, void* context);
    /// DxgkDdiCreateHwQueue: a queue of a context; `args` is DXGKARG_CREATEHWQUEUE. Private data is
    /// wddmcore_hw_queue_private_data.
    int(WDDMCORE_DRIVER_CALL* create_hw_queue)(void* adapter, void* context, void* args);
    /// DxgkDdiDestroyHwQueue, by the driver's own handle.
    int(WDDMCORE_DRIVER_CALL* destroy_hw_queue)(void* adapter, void* queue);
    /// DxgkDdiSubmitCommandToHwQueue: a DMA buffer goes to a queue; `args` is DXGKARG_SUBMITCOMMANDTOHWQUEUE. Private
    /// data is wddmcore_hw_submission_private_data, which is gone when this returns (HWS-05).
    int(WDDMCORE_DRIVER_CALL* submit_command_to_hw_queue)(void* adapter, void const* args);
    /// DxgkDdiSwitchToHwContextList: which contexts a node runs (HWS-07); `args` is DXGKARG_SWITCHTOHWCONTEXTLIST.
    int(WDDMCORE_DRIVER_CALL* switch_to_hw_context_list)(void* adapter, void const* args);
    /// DxgkDdiResetHwEngine: a node stands still until it is resumed (HWS-08); `args` is DXGKARG_RESETHWENGINE.
    int(WDDMCORE_DRIVER_CALL* reset_hw_engine)(void* adapter, void* args);
    /// DxgkDdiSuspendContext: returns success for a context that is suspended already, else STATUS_PENDING, and an
    /// interrupt follows (HWS-01); `args` is DXGKARG_SUSPENDCONTEXT. WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* suspend_context)(void* adapter, void const* args);
    /// DxgkDdiResumeContext; `args` is DXGKARG_RESUMECONTEXT. WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* resume_context)(void* adapter, void const* args);
    /// DxgkDdiSetContextSchedulingProperties, before the first submission (HWS-04); `args` is
    /// DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES. WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* set_context_scheduling_properties)(void* adapter, void const* args);
    /// DxgkDdiSetSchedulingLogBuffer: a node has a new log when this returns (HWS-09); `args` is
    /// DXGKARG_SETSCHEDULINGLOGBUFFER. WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* set_scheduling_log_buffer)(void* adapter, void const* args);
    /// DxgkDdiResumeHwEngine: a node that was reset runs again; when it fails, the adapter is reset (HWS-08); `args` is
    /// DXGKARG_RESUMEHWENGINE. WDDM 2.4.
    int(WDDMCORE_DRIVER_CALL* resume_hw_engine)(void* adapter, void* args);
    /// DxgkDdiCreateNativeFence; `args` is DXGKARG_CREATENATIVEFENCE. WDDM 3.2.
    int(WDDMCORE_DRIVER_CALL* create_native_fence)(void* adapter, void* args);
    /// DxgkDdiDestroyNativeFence; `args` is DXGKARG_DESTROYNATIVEFENCE. WDDM 3.2.
    int(WDDMCORE_DRIVER_CALL* destroy_native_fence)(void* adapter, void const* args);
    /// DxgkDdiUpdateMonitoredValues, at device level, when the interrupt routine does not run (HWS-10, HWS-15); `args`
    /// is DXGKARG_UPDATEMONITOREDVALUES. WDDM 3.2.
    int(WDDMCORE_DRIVER_CALL* update_monitored_values)(void* adapter, void const* args);

    // Bytes of those of their argument structures that were larger or smaller in older headers.
    unsigned int submit_command_to_hw_queue_size;  ///< sizeof(DXGKARG_SUBMITCOMMANDTOHWQUEUE); 0: not told
    unsigned int create_native_fence_size;         ///< sizeof(DXGKARG_CREATENATIVEFENCE); 0: not told
    unsigned int update_monitored_values_size;     ///< sizeof(DXGKARG_UPDATEMONITOREDVALUES); 0: not told
};

#if defined(__cplusplus)
}
#endif
