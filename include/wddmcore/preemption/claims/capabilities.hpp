// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/capabilities.hpp"

/// What a driver claims for scheduling, beside `capabilities caps`.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// What an adapter is for.
enum class adapter_kind : u32 {
    full,          ///< renders and displays
    render_only,   ///< renders, has no display
    compute_only,  ///< MCDM: computes only
};

/// The bits of DXGK_FLIPCAPS; a set. The library checks them and never fills them in.
///
/// Source page: ns-d3dkmddi-_dxgk_flipcaps.md.
enum class flip_caps : u32 {
    none = 0,
    on_vsync_with_no_wait = 1u << 0,
    on_vsync_mmio = 1u << 1,  ///< FlipOnVSyncMmIo
    interval = 1u << 2,
    immediate_mmio = 1u << 3,
    independent = 1u << 4,            ///< from WDDM 1.3
    ddi_present_for_iflip = 1u << 5,  ///< from WDDM 2.0
    immediate_on_hsync = 1u << 6,     ///< from WDDM 2.0
};

/// The union of two sets. @return what either holds
[[nodiscard]] constexpr flip_caps operator|(flip_caps a, flip_caps b) noexcept {
    return static_cast<flip_caps>(static_cast<u32>(a) | static_cast<u32>(b));
}

/// The functions of timeout recovery that a driver has; a set.
///
/// Source page: tdr-changes-in-windows-8.md (TDR-01).
enum class recovery_functions : u32 {
    none = 0,
    query_dependent_engine_group = 1u << 0,
    query_engine_status = 1u << 1,
    reset_engine = 1u << 2,
    reset_from_timeout = 1u << 3,
    restart_from_timeout = 1u << 4,
    per_adapter = reset_from_timeout | restart_from_timeout,
    per_engine = per_adapter | query_dependent_engine_group | query_engine_status | reset_engine,
};

/// The union of two sets. @return what either holds
[[nodiscard]] constexpr recovery_functions operator|(recovery_functions a, recovery_functions b) noexcept {
    return static_cast<recovery_functions>(static_cast<u32>(a) | static_cast<u32>(b));
}

/// The most that a driver ever claims for scheduling:
/// `static constexpr wddmcore::scheduling_capabilities scheduling{...}` in its hardware type.
///
/// Versions come from its `capabilities caps`. A choice that is left to AddDevice is `claim::at_run_time`; the driver
/// then keeps a `scheduling_capabilities chosen` in which each of them is yes or no. Keeping the behaviour of Windows 7
/// is such a choice: `preemption_aware` at no (PRE-03).
///
/// Source pages: ns-d3dkmddi-_dxgk_vidschcaps.md, gpu-preemption.md, mcdm-implementation-guidelines.md.
struct scheduling_capabilities {
    adapter_kind kind = adapter_kind::render_only;

    claim multi_engine_aware = claim::no;    ///< contexts are created and used
    claim preemption_aware = claim::no;      ///< the preemption model of Windows 8 (PRE-01)
    claim cancel_command_aware = claim::no;  ///< cleans up after removed commands: a must where state is saved inside
                                             ///< DMA buffers, since nothing else tells that it is not needed any more
    /// Every context addresses memory through page tables, from WDDM 2.0: no DMA buffer holds a physical address.
    claim virtual_addressing = claim::no;
    claim no_dma_patching = claim::no;           ///< opts out of the binding-leak check of split buffers (SPL-13)
    claim no_64_bit_atomics = claim::no;         ///< from WDDM 2.0: the GPU updates at most 32 bits at once
    claim low_irql_preempt_command = claim::no;  ///< from WDDM 2.0: preempt is called at low IRQL (PRE-28)
    u32 hw_queue_packet_cap = 0;  ///< from WDDM 2.3: at most so many packets are queued to a node, 1 to 15; 0: no claim

    claim native_gpu_fence = claim::no;                           ///< from WDDM 3.1, never before the OS was asked
    claim optimized_native_fence_signaled_interrupt = claim::no;  ///< from WDDM 3.1, with native_gpu_fence

    claim support_per_engine_tdr = claim::no;                       ///< from Windows 8
    recovery_functions recovery = recovery_functions::per_adapter;  ///< what DRIVER_INITIALIZATION_DATA will name

    flip_caps flips = flip_caps::none;  ///< DXGK_FLIPCAPS as the driver fills it in
    u32 paging_node = 0;                ///< the node of a physical adapter that runs paging buffers (LDA-08)

    claim live_migration = claim::no;      ///< of virtual functions between hosts
    claim dirty_bit_tracking = claim::no;  ///< of what a virtual function writes (HWS-13)
};

}  // namespace wddmcore
