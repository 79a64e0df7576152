// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/check.hpp"
#include "aperture.hpp"
#include "notices/context.hpp"
#include "notices/fence.hpp"
#include "notices/fence_residency.hpp"
#include "notices/mmu.hpp"
#include "notices/notify_alloc.hpp"
#include "notices/residency.hpp"
#include "page_table/copy.hpp"
#include "page_table/tlb.hpp"
#include "page_table/update.hpp"
#include "smallest_paging_buffer.hpp"
#include "transfer/fill.hpp"
#include "transfer/one_place.hpp"
#include "transfer/transfer.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

namespace paging::detail {

/// Builds one operation that the capabilities make reachable; check_hardware has proven that it can be done.
template <paging_operation Operation, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus build_operation(Hw& hw, Args& args) noexcept {
    using enum paging_operation;
    // What the CPU does must not be acknowledged here: nobody has done it.
    if constexpr (!reachable(Hw::caps, Operation) || hw::left_to_cpu<Hw>(Operation)) {
        return fault(hw, Operation, found(paging_rule::operation_not_claimed, static_cast<u32>(Operation)));
    } else if constexpr (Operation == transfer) {
        return build_transfer(hw, args);
    } else if constexpr (Operation == fill) {
        return build_fill(hw, args);
    } else if constexpr (Operation == discard_content) {
        return build_discard_content(hw, args);
    } else if constexpr (Operation == read_physical) {
        return build_read_physical(hw, args);
    } else if constexpr (Operation == write_physical) {
        return build_write_physical(hw, args);
    } else if constexpr (Operation == map_aperture_segment) {
        return build_map_aperture_segment(hw, args);
    } else if constexpr (Operation == unmap_aperture_segment) {
        return build_unmap_aperture_segment(hw, args);
    } else if constexpr (Operation == special_lock_transfer) {
        return build_special_lock_transfer(hw, args);
    } else if constexpr (Operation == virtual_transfer) {
        return build_virtual_transfer(hw, args);
    } else if constexpr (Operation == virtual_fill) {
        return build_virtual_fill(hw, args);
    } else if constexpr (Operation == init_context_resource) {
        return build_init_context_resource(hw, args);
    } else if constexpr (Operation == update_page_table) {
        return build_update_page_table(hw, args);
    } else if constexpr (Operation == copy_page_table_entries) {
        return build_copy_page_table_entries(hw, args);
    } else if constexpr (Operation == flush_tlb) {
        return build_flush_tlb(hw, args);
    } else if constexpr (Operation == update_context_allocation) {
        return build_update_context_allocation(hw, args);
    } else if constexpr (Operation == notify_residency) {
        return build_notify_residency(hw, args);
    } else if constexpr (Operation == signal_monitored_fence) {
        return build_signal_monitored_fence(hw, args);
    } else if constexpr (Operation == notify_fence_residency) {
        return build_notify_fence_residency(hw, args);
    } else if constexpr (Operation == map_mmu) {
        return build_map_mmu(hw, args);
    } else if constexpr (Operation == unmap_mmu) {
        return build_unmap_mmu(hw, args);
    } else if constexpr (Operation == notify_residency2) {
        return build_notify_residency2(hw, args);
    } else if constexpr (Operation == notify_alloc) {
        return build_notify_alloc(hw, args);
    } else {
        static_assert(Operation == map_aperture_segment2);
        return build_map_aperture_segment2(hw, args);
    }
}

/// Whether a request is the news, after an adapter reset, that an allocation left its segment: it comes to every driver,
/// whatever way it moves memory, and asks for nothing (OP00-09, AMB-02).
template <class Args>
[[nodiscard]] constexpr bool is_empty_transfer(Args const& args) noexcept {
    return args.Transfer.TransferSize == 0;
}

/// Decodes the operation once and goes to its builder.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus dispatch(Hw& hw, Args& args) noexcept {
    using enum paging_operation;
    u32 const code = static_cast<u32>(args.Operation);
    switch (static_cast<paging_operation>(code)) {
        case transfer:
            if constexpr (!reachable(Hw::caps, transfer)) {
                if (is_empty_transfer(args)) {
                    return status::success;
                }
            }
            return build_operation<transfer>(hw, args);
        case fill: return build_operation<fill>(hw, args);
        case discard_content: return build_operation<discard_content>(hw, args);
        case read_physical: return build_operation<read_physical>(hw, args);
        case write_physical: return build_operation<write_physical>(hw, args);
        case map_aperture_segment: return build_operation<map_aperture_segment>(hw, args);
        case unmap_aperture_segment: return build_operation<unmap_aperture_segment>(hw, args);
        case special_lock_transfer: return build_operation<special_lock_transfer>(hw, args);
        case virtual_transfer: return build_operation<virtual_transfer>(hw, args);
        case virtual_fill: return build_operation<virtual_fill>(hw, args);
        case map_aperture_segment2: return build_operation<map_aperture_segment2>(hw, args);
        case init_context_resource: return build_operation<init_context_resource>(hw, args);
        case flush_tlb: return build_operation<flush_tlb>(hw, args);
        case update_context_allocation: return build_operation<update_context_allocation>(hw, args);
        case notify_residency: return build_operation<notify_residency>(hw, args);
        case signal_monitored_fence: return build_operation<signal_monitored_fence>(hw, args);
        case notify_fence_residency: return build_operation<notify_fence_residency>(hw, args);
        case map_mmu: return build_operation<map_mmu>(hw, args);
        case unmap_mmu: return build_operation<unmap_mmu>(hw, args);
        case notify_residency2: return build_operation<notify_residency2>(hw, args);
        case notify_alloc: return build_operation<notify_alloc>(hw, args);
        case update_page_table: return build_operation<update_page_table>(hw, args);
        case copy_page_table_entries: return build_operation<copy_page_table_entries>(hw, args);
    }
    return fault(hw, static_cast<paging_operation>(code),
                 found(paging_rule::unknown_operation, code, paging_operation_count));
}

/// Whether what a build commits can be stored: pDmaBuffer, the private data and MultipassOffset are [in, out].
template <class Args>
[[nodiscard]] consteval bool can_be_committed() {
    constexpr bool writable = !meta::is_const<Args>;
    static_assert(writable, "build_paging_buffer: the arguments are const, but pDmaBuffer, pDmaBufferPrivateData and "
                            "MultipassOffset have to be written: hand over DXGKARG_BUILDPAGINGBUFFER&");
    return writable;
}

}  // namespace paging::detail

/// DxgkDdiBuildPagingBuffer, all of it: decodes the request, judges it, writes commands, commits.
///
/// What can be told from the arguments is found before the first store. What a list or an array says (pages, entries,
/// ranges, writes) is judged while commands are written for it, in the pass that comes to it, and what that pass wrote
/// is then not committed. A pass resumes from MultipassOffset alone, writes whole
/// commands, pads to the stream's grain, then commits pDmaBuffer, the private-data pointer and MultipassOffset together
/// (PGB-02, PGB-04). No [in] member is written; DmaSize stays as it came (AMB-06). hAllocation may be NULL (PGB-21).
/// The arguments, an MDL, an address descriptor list and every array are read during this call only: of an MDL no page
/// says how long it may be read, so that nothing here relies on more, and the commands hold what they need (AMB-60).
/// A wrong hardware type, or const arguments, are one compile error: a sentence.
///
/// @param hw    the hardware: its encoders, its state, its fault hook
/// @param args  DXGKARG_BUILDPAGINGBUFFER, the header's own or a mirror
/// @return STATUS_SUCCESS: the operation is complete in the commands written so far.
///         STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER: the buffer, or its private data, is full; call again with another and
///         the same arguments.
///         Never without a buffer (OBS-02).
///         STATUS_GRAPHICS_ALLOCATION_BUSY: operations 0, 2 and 7, while AllocationIsIdle is clear and the hardware's
///         busy_reporter says so (PGB-09).
///         STATUS_INVALID_PARAMETER: a malformed request, and the fault hook said stop; this pass committed nothing; the system
///         bugchecks (0x10E or 0x119; OBS-01).
/// IRQL PASSIVE_LEVEL; may be pageable, touches no OS state, and calls the hardware's encoders and hooks at the same
/// level. One call at a time per adapter (PGB-17). WDDM 1.0 to 3.2.
/// Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus build_paging_buffer(Hw& hw, Args& args) noexcept {
    if constexpr (!paging::detail::can_be_committed<Args>()) {
        return status::invalid_parameter;
    } else if constexpr (check_hardware<Hw, Args>()) {
        return paging::detail::dispatch(hw, args);
    } else {
        return status::invalid_parameter;
    }
}

}  // namespace wddmcore
