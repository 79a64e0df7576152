// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/meta.hpp"
#include "../engine/ids.hpp"

/// Interrupt records: DXGKARGCB_NOTIFY_INTERRUPT_DATA filled in place, for DxgkCbNotifyInterrupt.
///
/// Each function sets InterruptType, every member of its record, and Flags; nothing else of the union. `id` is the
/// engine to report: as_reported() of routing.hpp makes it 0 outside a link (LDA-04). A record that the structure's
/// version does not have is a compile error with a sentence. `data` is DXGKARGCB_NOTIFY_INTERRUPT_DATA of the
/// included header, or a mirror.
///
/// All functions here: any IRQL up to device IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
/// Source: ns-d3dkmddi-_dxgkargcb_notify_interrupt_data.md, ne-d3dkmddi-_dxgk_interrupt_type.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// DXGK_INTERRUPT_TYPE, the values that the functions here report.
enum class interrupt_type : u32 {
    dma_completed = 1,
    dma_preempted = 2,
    crtc_vsync = 3,
    dma_faulted = 4,                      ///< reserved, never reported (INT-10)
    dma_page_faulted = 9,                 ///< from WDDM 2.0
    hwcontextlist_switch_completed = 13,  ///< from WDDM 2.2
    suspend_context_completed = 17,       ///< from WDDM 2.4
};

/// DXGK_PAGE_FAULT_FLAGS.
namespace page_fault_flag {
inline constexpr u32 write = 1;
inline constexpr u32 fence_invalid = 2;
inline constexpr u32 adapter_reset_required = 4;
inline constexpr u32 engine_reset_required = 8;
inline constexpr u32 fatal_hardware_error = 16;
inline constexpr u32 iommu = 32;
inline constexpr u32 hw_context_valid = 64;       ///< from WDDM 2.2
inline constexpr u32 process_handle_valid = 128;  ///< from WDDM 2.2
}  // namespace page_fault_flag

/// What the driver knows of a page fault; the defaults mean that it knows nothing.
struct fault_details {
    u64 primitive = ~u64{0};  ///< FaultedPrimitiveAPISequenceNumber; all ones: unknown
    u64 address = 0;          ///< FaultedVirtualAddress; 0: unknown, or the fault has another cause
    void* process = nullptr;  ///< FaultedProcessHandle, the system's; NULL: unknown
    u32 stage = 0;            ///< FaultedPipelineStage; 0: unknown
    u32 bind_entry = ~0u;     ///< FaultedBindTableEntry; all ones: unknown
    u32 flags = 0;  ///< page_fault_flag bits, without fence_invalid; if hardware needs a reset after the fault, the
                    ///< bit must be here: nothing else tells the system
    u32 table_level = 0;  ///< PageTableLevel; the DDI has no value for unknown
    u32 error = 0;        ///< 31 bits: a general error code (0 page fault, 1 invalid instruction) or the device's own
    bool error_is_devices_own = false;  ///< which of the two `error` is
};

/// DMA_COMPLETED: everything up to the id on this node and engine has completed (INT-07), so one record with the newest
/// id is enough.
///
/// @param completed  SubmissionFenceId
template <class Data>
constexpr void fill_completed(Data& data, fence_id completed, engine_id id) noexcept {
    data.InterruptType = static_cast<decltype(data.InterruptType)>(interrupt_type::dma_completed);
    data.DmaCompleted.SubmissionFenceId = completed.n;
    data.DmaCompleted.NodeOrdinal = id.node;
    data.DmaCompleted.EngineOrdinal = id.engine;
    data.Flags.Value = 0;
}

/// DMA_PREEMPTED: the request is answered (PRE-11).
///
/// @param request         PreemptionFenceId
/// @param last_completed  LastCompletedFenceId: never a preempted packet (PRE-14), and reported as completed before
///                        (PRE-13)
template <class Data>
constexpr void fill_preempted(Data& data, fence_id request, fence_id last_completed, engine_id id) noexcept {
    data.InterruptType = static_cast<decltype(data.InterruptType)>(interrupt_type::dma_preempted);
    data.DmaPreempted.PreemptionFenceId = request.n;
    data.DmaPreempted.LastCompletedFenceId = last_completed.n;
    data.DmaPreempted.NodeOrdinal = id.node;
    data.DmaPreempted.EngineOrdinal = id.engine;
    data.Flags.Value = 0;
}

/// Whether the structure can tell of a page fault: from WDDM 2.0.
///
/// Older versions have no record for it: DMA_FAULTED is reserved (INT-10). There a faulted packet stays unreported and
/// timeout recovery resets its engine, so such a driver gives the engine machine no fault events.
template <class Data>
concept reports_page_faults = requires(Data& data) {
    data.DmaPageFaulted.FaultedFenceId;
    data.DmaPageFaulted.PageFaultFlags;
    data.DmaPageFaulted.FaultErrorCode.IsDeviceSpecificCodeReservedBit;
    data.DmaPageFaulted.FaultErrorCode.DeviceSpecificCode;
};

namespace detail {

/// The PageFaultFlags of a fault (INT-09): one without a packet must ask for a reset, so it asks for that of the engine
/// where the driver names none.
///
/// @param packet_known  whether FaultedFenceId means something; then the system takes everything below it as completed
/// Source: ne-d3dkmdt-_dxgk_page_fault_flags.md.
[[nodiscard]] constexpr u32 page_fault_flags(fault_details const& details, bool packet_known) noexcept {
    namespace flag = page_fault_flag;
    u32 const flags = details.flags & ~flag::fence_invalid;
    if (packet_known) {
        return flags;
    }
    constexpr u32 recoveries = flag::adapter_reset_required | flag::engine_reset_required | flag::fatal_hardware_error;
    return flags | flag::fence_invalid | ((flags & recoveries) != 0 ? 0u : flag::engine_reset_required);
}

template <class Data>
constexpr void fill_page_faulted(Data& data, fence_id faulted, u32 flags, fault_details const& details,
                                 engine_id id) noexcept {
    static_assert(reports_page_faults<Data>,
                  "interrupt record: this interface version has no DmaPageFaulted (it begins with WDDM 2.0): leave a "
                  "faulted packet to timeout recovery");
    if constexpr (reports_page_faults<Data>) {
        using flags_type = meta::bare<decltype(data.DmaPageFaulted.PageFaultFlags)>;
        using stage_type = meta::bare<decltype(data.DmaPageFaulted.FaultedPipelineStage)>;
        meta::bare<decltype(data.DmaPageFaulted.FaultErrorCode)> code{};
        // The general code has the same 31 bits, but is an enumeration: not every number may be converted to it.
        code.IsDeviceSpecificCodeReservedBit = details.error_is_devices_own ? 1u : 0u;
        code.DeviceSpecificCode = details.error & 0x7FFF'FFFFu;
        data.InterruptType = static_cast<decltype(data.InterruptType)>(interrupt_type::dma_page_faulted);
        data.DmaPageFaulted.FaultedFenceId = faulted.n;
        data.DmaPageFaulted.FaultedPrimitiveAPISequenceNumber = details.primitive;
        data.DmaPageFaulted.FaultedPipelineStage = static_cast<stage_type>(details.stage);
        data.DmaPageFaulted.FaultedBindTableEntry = details.bind_entry;
        data.DmaPageFaulted.PageFaultFlags = static_cast<flags_type>(flags);
        data.DmaPageFaulted.FaultedVirtualAddress = details.address;
        data.DmaPageFaulted.NodeOrdinal = id.node;
        data.DmaPageFaulted.EngineOrdinal = id.engine;
        data.DmaPageFaulted.PageTableLevel = details.table_level;
        data.DmaPageFaulted.FaultErrorCode = code;
        data.DmaPageFaulted.FaultedProcessHandle = details.process;
        data.Flags.Value = 0;
    }
}

}  // namespace detail

/// DMA_PAGE_FAULTED, never DMA_FAULTED (INT-10), for a packet that is known: the system takes everything below it as
/// completed, and the engine machine's last completed id is this one now (INT-09). From WDDM 2.0.
///
/// @param faulted  FaultedFenceId
/// @param details  what else the driver knows of the fault
template <class Data>
constexpr void fill_faulted(Data& data, fence_id faulted, fault_details const& details, engine_id id) noexcept {
    detail::fill_page_faulted(data, faulted, detail::page_fault_flags(details, true), details, id);
}

/// DMA_PAGE_FAULTED for a fault whose packet is not known: id 0 and FENCE_INVALID. From WDDM 2.0.
///
/// @param details  what the driver knows of the fault; asks for an engine reset if its flags ask for no reset
template <class Data>
constexpr void fill_fault_unknown(Data& data, fault_details const& details, engine_id id) noexcept {
    detail::fill_page_faulted(data, fence_id{0}, detail::page_fault_flags(details, false), details, id);
}

/// Whether the structure has the record of a suspended hardware context: from WDDM 2.4.
template <class Data>
concept reports_suspensions = requires(Data& data) { data.SuspendContextCompleted.ContextSuspendFence; };

/// SUSPEND_CONTEXT_COMPLETED: nothing on the GPU refers to the context any more (HWS-01, HWS-03). From WDDM 2.4.
///
/// @param context  what the system expects in hContext; the page does not say whose handle. DxgkDdiSuspendContext gets
///                 the driver's, so a driver keeps both until this is known
/// @param fence    of the newest request (HWS-02)
template <class Data>
constexpr void fill_suspended(Data& data, void* context, u64 fence) noexcept {
    static_assert(reports_suspensions<Data>,
                  "interrupt record: this interface version has no SuspendContextCompleted (it begins with WDDM 2.4)");
    if constexpr (reports_suspensions<Data>) {
        data.InterruptType = static_cast<decltype(data.InterruptType)>(interrupt_type::suspend_context_completed);
        data.SuspendContextCompleted.hContext = context;
        data.SuspendContextCompleted.ContextSuspendFence = fence;
        data.Flags.Value = 0;
    }
}

/// Whether the structure has the record of a switched context list, with its fence: from WDDM 2.2, and from the
/// header of build 16299 on (that of build 15063 has the record without the fence).
template <class Data>
concept reports_list_switches = requires(Data& data) { data.HwContextListSwitchCompleted.ContextSwitchFence; };

/// HWCONTEXTLIST_SWITCH_COMPLETED: the engine works on the newest list (HWS-07). From WDDM 2.2.
///
/// @param fence  ContextSwitchFence of that list
template <class Data>
constexpr void fill_list_switched(Data& data, u64 fence, engine_id id) noexcept {
    static_assert(
        reports_list_switches<Data>,
        "interrupt record: the included header has no HwContextListSwitchCompleted.ContextSwitchFence: it begins with "
        "WDDM 2.2 and build 16299");
    if constexpr (reports_list_switches<Data>) {
        data.InterruptType = static_cast<decltype(data.InterruptType)>(interrupt_type::hwcontextlist_switch_completed);
        data.HwContextListSwitchCompleted.NodeOrdinal = id.node;
        data.HwContextListSwitchCompleted.EngineOrdinal = id.engine;
        data.HwContextListSwitchCompleted.ContextSwitchFence = fence;
        data.Flags.Value = 0;
    }
}

/// CRTC_VSYNC: the address that is really scanned out (FLP-04), never NULL, even while the source is blanked (FLP-05).
///
/// @param target        VidPnTargetId
/// @param scanned_out   what pending_flip says; not NULL
/// @param adapter_mask  one bit for each physical adapter of a link where the vsync occurred; 0 outside a link
template <class Data>
constexpr void fill_vsync(Data& data, u32 target, u64 scanned_out, u32 adapter_mask) noexcept {
    data.InterruptType = static_cast<decltype(data.InterruptType)>(interrupt_type::crtc_vsync);
    data.CrtcVsync.VidPnTargetId = target;
    data.CrtcVsync.PhysicalAddress.QuadPart =
        static_cast<decltype(data.CrtcVsync.PhysicalAddress.QuadPart)>(scanned_out);
    data.CrtcVsync.PhysicalAdapterMask = adapter_mask;
    data.Flags.Value = adapter_mask != 0 ? 1u : 0u;  // ValidPhysicalAdapterMask
}

}  // namespace wddmcore::preemption
