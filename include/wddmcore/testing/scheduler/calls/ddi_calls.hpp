// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/ntstatus.hpp"
#include "bindings.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// One window of a DMA buffer on its way to the engine.
struct submission_arguments {
    void* context = nullptr;
    std::uint64_t buffer = 0;          ///< simulated address of the whole buffer
    std::uint32_t buffer_size = 0;     ///< bytes
    std::byte* host_buffer = nullptr;  ///< what a patch function may write into
    std::uint32_t start = 0;           ///< bytes from the buffer's start
    std::uint32_t end = 0;
    void* private_data = nullptr;
    std::uint32_t private_size = 0;
    std::uint32_t fence = 0;
    std::uint32_t flags = 0;  ///< the bits of DXGK_SUBMITCOMMANDFLAGS
    std::uint32_t node = 0;
    bool paging = false;
};

/// Bits of DXGK_SUBMITCOMMANDFLAGS.
namespace submit_flags {
inline constexpr std::uint32_t paging = 1;
inline constexpr std::uint32_t null_rendering = 8;
inline constexpr std::uint32_t context_switch = 64;
inline constexpr std::uint32_t resubmission = 128;  // WDDM 2.0 (PRE-19)
}  // namespace submit_flags

/// Values of DXGK_INTERRUPT_TYPE and a bit of DXGK_PAGE_FAULT_FLAGS.
namespace interrupt_type {
inline constexpr std::uint32_t dma_completed = 1;
inline constexpr std::uint32_t dma_preempted = 2;
inline constexpr std::uint32_t crtc_vsync = 3;
inline constexpr std::uint32_t dma_faulted = 4;
inline constexpr std::uint32_t dma_page_faulted = 9;
inline constexpr std::uint32_t newest = 20;

/// Whether a record of this type tells of a display, a fence, a hardware queue or progress, and so of no packet. Such
/// interrupts come whenever the device has something to say, and no rule of packets is about them.
[[nodiscard]] constexpr bool is_of_no_packet(std::uint32_t type) {
    return type > dma_preempted && type <= newest && type != dma_faulted && type != dma_page_faulted;
}
}  // namespace interrupt_type
inline constexpr std::uint32_t page_fault_fence_invalid = 2;

/// DXGKARGCB_NOTIFY_INTERRUPT_DATA as far as it concerns engines and vsyncs.
struct record {
    std::uint32_t type = 0;
    std::uint32_t fence = 0;  ///< SubmissionFenceId, PreemptionFenceId or FaultedFenceId
    std::uint32_t last = 0;   ///< LastCompletedFenceId of a preemption
    std::uint32_t node = 0;
    std::uint32_t engine = 0;
    std::uint32_t fault_flags = 0;
    std::uint32_t target = 0;   ///< VidPnTargetId of a vsync
    std::uint64_t address = 0;  ///< PhysicalAddress of a vsync
    bool known = false;
};

/// What the simulator does with the structures, for one version chosen at run time.
struct ddi_calls {
    ntstatus (*patch)(wddmcore_driver_table const&, submission_arguments const&);
    ntstatus (*submit)(wddmcore_driver_table const&, submission_arguments const&);
    ntstatus (*submit_virtual)(wddmcore_driver_table const&, submission_arguments const&);  ///< null below 2.0
    ntstatus (*cancel)(wddmcore_driver_table const&, submission_arguments const&);
    record (*read)(void const*);
};

/// Arguments with room behind them: a driver that is compiled with newer headers may copy a larger structure.
template <class Args>
struct with_room {
    Args args{};
    std::byte behind[512]{};
};

template <class Args>
void fill_window(Args& to, submission_arguments const& s) {
    to.hContext = s.context;
    to.DmaBufferSegmentId = 0;
    to.DmaBufferPhysicalAddress.QuadPart = static_cast<i64>(s.buffer);
    to.DmaBufferSize = s.buffer_size;
    to.DmaBufferSubmissionStartOffset = s.start;
    to.DmaBufferSubmissionEndOffset = s.end;
    to.pDmaBufferPrivateData = s.private_data;
    to.DmaBufferPrivateDataSize = s.private_size;
    to.DmaBufferPrivateDataSubmissionStartOffset = 0;
    to.DmaBufferPrivateDataSubmissionEndOffset = s.private_size;
    to.SubmissionFenceId = s.fence;
    to.EngineOrdinal = 0;  // reserved in both structures
}

template <class Args>
ntstatus call_patch(wddmcore_driver_table const& table, submission_arguments const& s) {
    with_room<Args> whole;
    Args& args = whole.args;
    fill_window(args, s);
    args.pDmaBuffer = s.host_buffer;
    args.Flags.Value = s.flags & (submit_flags::paging | submit_flags::null_rendering);
    return table.patch(table.adapter, &args);
}

template <class Args>
ntstatus call_submit(wddmcore_driver_table const& table, submission_arguments const& s) {
    with_room<Args> whole;
    Args& args = whole.args;
    fill_window(args, s);
    args.Flags.Value = s.flags;
    args.NodeOrdinal = s.node;
    return table.submit_command(table.adapter, &args);
}

template <class Args>
ntstatus call_submit_virtual(wddmcore_driver_table const& table, submission_arguments const& s) {
    with_room<Args> whole;
    Args& args = whole.args;
    args.hContext = s.context;
    args.DmaBufferVirtualAddress = s.paging ? 0 : s.buffer + s.start;  // OBS-08
    args.DmaBufferSize = s.end - s.start;
    args.pDmaBufferPrivateData = s.private_data;
    args.DmaBufferPrivateDataSize = s.private_size;
    args.SubmissionFenceId = s.fence;
    args.Flags.Value = s.flags;
    args.NodeOrdinal = s.node;
    return table.submit_command_virtual(table.adapter, &args);
}

template <class Args>
ntstatus call_cancel(wddmcore_driver_table const& table, submission_arguments const& s) {
    with_room<Args> whole;
    Args& args = whole.args;
    args.hContext = s.context;
    args.pDmaBuffer = s.host_buffer;
    args.DmaBufferSize = s.buffer_size;
    args.DmaBufferSubmissionStartOffset = s.start;
    args.DmaBufferSubmissionEndOffset = s.end;
    args.pDmaBufferPrivateData = s.private_data;
    args.DmaBufferPrivateDataSize = s.private_size;
    args.DmaBufferPrivateDataSubmissionEndOffset = s.private_size;
    if constexpr (requires { args.DmaBufferVirtualAddress; }) {
        args.DmaBufferVirtualAddress = s.buffer + s.start;
    }
    return table.cancel_command(table.adapter, &args);
}

template <class Args>
record read_record(void const* from) {
    auto const& data = *static_cast<Args const*>(from);
    record r;
    r.type = static_cast<std::uint32_t>(data.InterruptType);
    switch (r.type) {
        case interrupt_type::dma_completed:
            r.fence = data.DmaCompleted.SubmissionFenceId;
            r.node = data.DmaCompleted.NodeOrdinal;
            r.engine = data.DmaCompleted.EngineOrdinal;
            r.known = true;
            break;
        case interrupt_type::dma_preempted:
            r.fence = data.DmaPreempted.PreemptionFenceId;
            r.last = data.DmaPreempted.LastCompletedFenceId;
            r.node = data.DmaPreempted.NodeOrdinal;
            r.engine = data.DmaPreempted.EngineOrdinal;
            r.known = true;
            break;
        case interrupt_type::crtc_vsync:
            r.target = data.CrtcVsync.VidPnTargetId;
            r.address = static_cast<std::uint64_t>(data.CrtcVsync.PhysicalAddress.QuadPart);
            break;
        case interrupt_type::dma_page_faulted:
            if constexpr (requires { data.DmaPageFaulted; }) {
                r.fence = data.DmaPageFaulted.FaultedFenceId;
                r.node = data.DmaPageFaulted.NodeOrdinal;
                r.engine = data.DmaPageFaulted.EngineOrdinal;
                r.fault_flags = static_cast<std::uint32_t>(data.DmaPageFaulted.PageFaultFlags);
                r.known = true;
            }
            break;
        case interrupt_type::dma_faulted:
            r.fence = data.DmaFaulted.FaultedFenceId;
            r.node = data.DmaFaulted.NodeOrdinal;
            r.engine = data.DmaFaulted.EngineOrdinal;
            r.known = true;
            break;
        default: break;
    }
    return r;
}

/// The table with what its driver does not know set to null.
[[nodiscard]] inline wddmcore_driver_table whole(wddmcore_driver_table const& given) {
    wddmcore_driver_table full{};
    auto const* const from = reinterpret_cast<std::byte const*>(&given);
    auto* const to = reinterpret_cast<std::byte*>(&full);
    for (std::size_t i = 0; i < sizeof full && i < given.size; ++i) {
        to[i] = from[i];
    }
    return full;
}

/// A function that a simulator calls, and whether a driver's table has it.
struct needed_function {
    char const* name;
    bool is_there;
};

/// @return the first one that is missing, in words; nullptr: none is
[[nodiscard]] inline char const* first_missing(std::initializer_list<needed_function> functions) {
    for (needed_function const& one : functions) {
        if (!one.is_there) {
            return one.name;
        }
    }
    return nullptr;
}

// A driver may register an old version and be compiled with newer headers, whose structures begin with the old ones.
inline void compare_size(char const* what, unsigned told, std::size_t mirrored) {
    if (told != 0 && told < mirrored) {
        throw std::invalid_argument("driver table: the driver's " + std::string(what) + " has " + std::to_string(told) +
                                    " bytes, its interface version's has " + std::to_string(mirrored));
    }
}

/// The functions for the version of a driver's table.
/// @throws std::invalid_argument  a structure of the driver's is smaller than its version's, a required function is
///                                missing, or the version knows no preemption (PRE-01)
[[nodiscard]] inline ddi_calls calls_for(wddmcore_driver_table const& table) {
    wddm const version = interface_version_of(table.version);
    if (!at_least(version, wddm::win8)) {
        throw std::invalid_argument("driver table: preemption needs interface version win8 or later");
    }
    if (table.start_device == nullptr || table.create_context == nullptr || table.destroy_context == nullptr ||
        (table.submit_command == nullptr && table.submit_command_virtual == nullptr) ||
        table.preempt_command == nullptr || table.query_current_fence == nullptr ||
        table.interrupt_routine == nullptr || table.dpc_routine == nullptr || table.reset_from_timeout == nullptr ||
        table.restart_from_timeout == nullptr) {
        throw std::invalid_argument("driver table: a function that scheduling requires is missing");
    }
    return with_ddi_types(version, [&](auto chosen) {
        using types = typename decltype(chosen)::type;
        compare_size("DXGKARG_PATCH", table.patch_size, sizeof(typename types::patch));
        compare_size("DXGKARG_SUBMITCOMMAND", table.submit_command_size, sizeof(typename types::submit));
        compare_size("DXGKARG_PREEMPTCOMMAND", table.preempt_command_size, sizeof(typename types::preempt));
        compare_size("DXGKARG_CANCELCOMMAND", table.cancel_command_size, sizeof(typename types::cancel));
        compare_size("DXGKARG_QUERYCURRENTFENCE", table.query_current_fence_size, sizeof(typename types::query_fence));
        compare_size("DXGKARG_QUERYENGINESTATUS", table.query_engine_status_size,
                     sizeof(typename types::engine_status));
        compare_size("DXGKARG_QUERYDEPENDENTENGINEGROUP", table.query_dependent_engine_group_size,
                     sizeof(typename types::dependents));
        compare_size("DXGKARG_RESETENGINE", table.reset_engine_size, sizeof(typename types::reset_engine));
        compare_size("DXGKARGCB_NOTIFY_INTERRUPT_DATA", table.notify_interrupt_data_size,
                     sizeof(typename types::notify));
        ddi_calls calls{};
        calls.patch = &call_patch<typename types::patch>;
        calls.submit = &call_submit<typename types::submit>;
        calls.cancel = &call_cancel<typename types::cancel>;
        calls.read = &read_record<typename types::notify>;
        if constexpr (!meta::is_same<typename types::submit_virtual, void>) {
            compare_size("DXGKARG_SUBMITCOMMANDVIRTUAL", table.submit_command_virtual_size,
                         sizeof(typename types::submit_virtual));
            calls.submit_virtual = &call_submit_virtual<typename types::submit_virtual>;
        }
        return calls;
    });
}

}  // namespace wddmcore::testing::scheduler::parts
