// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../pass.hpp"
#include "copy_list.hpp"
#include "copy_pages.hpp"
#include "copy_window.hpp"
#include "plan.hpp"

/// Operations 0 TRANSFER and 7 SPECIAL_LOCK_TRANSFER, and what 8 shares with them.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Copies between a list of pages and one contiguous place, through a page window where the hardware has one.
template <bool FromList, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_paged(Hw const& hw, dma_writer& writer, usize const* list,
                                                            typename Hw::address other, list_extent work,
                                                            u32 first) noexcept {
    if constexpr (hw::page_window<Hw>) {
        return copy_by_window<FromList>(hw, writer, list, other, work, first);
    } else {
        return copy_list<FromList>(hw, writer, list, other, work, first);
    }
}

/// Emits a plain copy between two endpoints, each in the form that costs least to walk.
///
/// @tparam FromList, ToList  which sides are lists of pages: known where a request is decoded, and asked only there
template <bool FromList, bool ToList, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_endpoints(Hw const& hw, dma_writer& writer,
                                                                transfer_plan<Hw> const& plan, extent work,
                                                                u32 first) noexcept {
    constexpr bool takes_lists = [] {
        if constexpr (hw::page_addresses<Hw>) {
            return hw::chunk_pages(Hw::copy_max).n != 0;
        } else {
            return false;
        }
    }();
    if constexpr (!FromList && !ToList) {
        return copy_linear(hw, writer, plan.destination.base, plan.source.base, work, first, plan.order);
    } else if constexpr (FromList && !ToList && takes_lists) {
        // What an MDL describes is always a list.
        return copy_paged<true>(hw, writer, plan.source.list, plan.destination.base, of_list(work), first);
    } else if constexpr (!FromList && ToList && takes_lists) {
        return copy_paged<false>(hw, writer, plan.destination.list, plan.source.base, of_list(work), first);
    } else {
        return copy_pages(hw, writer, plan.destination, plan.source, work, first);
    }
}

/// Emits and commits a transfer that is known to be good.
///
/// @param layout  what a layout change needs to know; NULL for a plain copy
template <bool FromList, bool ToList, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus copy_and_commit(Hw& hw, Args& args, paging_operation operation,
                                                                 transfer_plan<Hw> const& plan, bytes size,
                                                                 swizzle_request const* layout) noexcept {
    extent const work = extent_of(size.n);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (token >= work.count) [[unlikely]] {
        return nothing_left(hw, operation, token, work.count);
    }
    if (!can_begin<Hw>(args, dwords{1})) [[unlikely]] {
        return cannot_begin(hw, args, operation);
    }
    dma_writer writer = open<Hw>(args);
    progress reached{};
    if constexpr (hw::swizzle_copy_engine<Hw>) {
        reached = layout != nullptr ? copy_swizzled(hw, writer, plan.destination, plan.source, work, token, *layout,
                                                    plan.order.descending)
                                    : copy_endpoints<FromList, ToList>(hw, writer, plan, work, token);
    } else {
        static_cast<void>(layout);
        reached = copy_endpoints<FromList, ToList>(hw, writer, plan, work, token);
    }
    if (reached.what == outcome::perhaps_out_of_reach) [[unlikely]] {
        finding problem = check_pages<Hw>(plan.source.list, token, reached.token);
        if (!problem.any) {
            problem = check_pages<Hw>(plan.destination.list, token, reached.token);
        }
        if (problem.any) {
            return fault(hw, operation, problem);
        }
        reached.what = reached.token == work.count ? outcome::done : outcome::need_buffer;
    }
    return commit(hw, args, writer, reached);
}

/// Answers a transfer that asks for no command: one of a place to itself is done, at every token (AMB-57).
///
/// @param size     bytes, of which a token can count the pages
/// @param problem  what is wrong with it
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus refuse_copy(Hw& hw, Args const& args, paging_operation operation, u64 size,
                                             finding const& problem) noexcept {
    if (!is_copy_to_itself(problem)) {
        return fault(hw, operation, problem);
    }
    return nothing_left(hw, operation, static_cast<u32>(args.MultipassOffset), extent_of(size).count);
}

/// Tells what is wrong with a transfer, judged anew: a good one then only has to know that nothing is.
template <paging_operation Operation, bool FromList, bool ToList, class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus refuse_transfer(Hw& hw, Args const& args) noexcept {
    auto const& transfer = transfer_of<Operation>(args);
    transfer_plan<Hw> plan{};
    finding const problem = plan_transfer<FromList, ToList>(hw, transfer, plan);
    // A layout that changes in its place is no copy.
    if (hw::swizzle_copy_engine<Hw> && changes_layout(transfer)) {
        return fault(hw, Operation, problem);
    }
    return refuse_copy(hw, args, Operation, static_cast<u64>(transfer.TransferSize), problem);
}

/// What a layout-changing copy of operation 0 or 7 needs to know; only the latter brings ids.
template <paging_operation Operation, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr swizzle_request layout_of(Args const& args) noexcept {
    auto const& transfer = transfer_of<Operation>(args);
    swizzle_request request{
        .direction = transfer.Flags.Swizzle != 0 ? hw::swizzle::to_swizzled : hw::swizzle::to_linear,
        .allocation = transfer.hAllocation,
        .allocation_offset = static_cast<u32>(transfer.TransferOffset),
    };
    if constexpr (Operation == paging_operation::special_lock_transfer) {
        request.range_id = static_cast<u32>(transfer.SwizzlingRangeId);
        request.range_data = static_cast<u32>(transfer.SwizzlingRangeData);
    }
    return request;
}

/// A transfer between sides of known kinds, judged and copied.
///
/// @tparam ChangesLayout  whether it goes through the hardware's layout change
template <paging_operation Operation, bool FromList, bool ToList, bool ChangesLayout, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus planned_transfer(Hw& hw, Args& args) noexcept {
    auto const& transfer = transfer_of<Operation>(args);
    transfer_plan<Hw> plan{};
    if (plan_transfer<FromList, ToList>(hw, transfer, plan).any) [[unlikely]] {
        return refuse_transfer<Operation, FromList, ToList>(hw, args);
    }
    bytes const size{static_cast<u64>(transfer.TransferSize)};
    if constexpr (ChangesLayout) {
        swizzle_request const layout = layout_of<Operation>(args);
        return copy_and_commit<FromList, ToList>(hw, args, Operation, plan, size, &layout);
    } else {
        return copy_and_commit<FromList, ToList>(hw, args, Operation, plan, size, nullptr);
    }
}

/// The same through the hardware's layout change: a function of its own, so that no plain copy pays for its stack (law 8).
template <paging_operation Operation, bool FromList, bool ToList, class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus change_layout(Hw& hw, Args& args) noexcept {
    return planned_transfer<Operation, FromList, ToList, true>(hw, args);
}

/// The shared part of operations 0 and 7, for sides of known kinds: each pair of kinds is decoded in registers.
template <paging_operation Operation, bool FromList, bool ToList, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus transfer_between(Hw& hw, Args& args) noexcept {
    if constexpr (hw::swizzle_copy_engine<Hw>) {
        if (changes_layout(transfer_of<Operation>(args))) {
            return change_layout<Operation, FromList, ToList>(hw, args);
        }
    }
    return planned_transfer<Operation, FromList, ToList, false>(hw, args);
}

/// A transfer whose flags are known to be good: SegmentId 0 selects the MDL member of a side's union (OP00-01).
template <paging_operation Operation, class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus judged_transfer(Hw& hw, Args& args) noexcept {
    auto const& transfer = transfer_of<Operation>(args);
    // OP00-09: after a reset this tells that the allocation left its segment; the GPU must not be touched.
    if (static_cast<u64>(transfer.TransferSize) == 0) {
        return status::success;
    }
    if (must_wait(hw, args, transfer.hAllocation, transfer.Flags.AllocationIsIdle != 0)) {
        return status::graphics_allocation_busy;
    }
    bool const to_mdl = static_cast<u32>(transfer.Destination.SegmentId) == 0;
    if (static_cast<u32>(transfer.Source.SegmentId) == 0) {
        return to_mdl ? transfer_between<Operation, true, true>(hw, args)
                      : transfer_between<Operation, true, false>(hw, args);
    }
    return to_mdl ? transfer_between<Operation, false, true>(hw, args)
                  : transfer_between<Operation, false, false>(hw, args);
}

/// The same with Swizzle, which may not come with Unswizzle (AMB-59) where there is anything to move: apart, so that a
/// plain copy only pays for a look at one bit.
template <paging_operation Operation, class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus swizzling_transfer(Hw& hw, Args& args) noexcept {
    auto const& transfer = transfer_of<Operation>(args);
    finding const problem = check_layouts(transfer);
    if (problem.any && static_cast<u64>(transfer.TransferSize) != 0) {
        return fault(hw, Operation, problem);
    }
    return judged_transfer<Operation>(hw, args);
}

/// The shared part of operations 0 and 7.
template <paging_operation Operation, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus physical_transfer(Hw& hw, Args& args) noexcept {
    if (transfer_of<Operation>(args).Flags.Swizzle != 0) [[unlikely]] {
        return swizzling_transfer<Operation>(hw, args);
    }
    return judged_transfer<Operation>(hw, args);
}

/// Operation 0, TRANSFER: moves a part of an allocation between a segment and an MDL, or two segments.
///
/// A plain copy of a place to itself needs no command from an engine that asks for a direction (AMB-57). The MDL may be
/// read until this call returns, and is not kept (AMB-60).
/// @return success; graphics_insufficient_dma_buffer when work is left; graphics_allocation_busy while the idle flag is
///         clear and the hardware says so; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0. Source page: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus build_transfer(Hw& hw, Args& args) noexcept {
    return physical_transfer<paging_operation::transfer>(hw, args);
}

/// Operation 7, SPECIAL_LOCK_TRANSFER: as TRANSFER, towards an allocation's alternate address (OP07-01).
///
/// It has no MdlOffset: an MDL side begins at its first page.
/// @return as build_transfer
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.x. Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus build_special_lock_transfer(Hw& hw, Args& args) noexcept {
    return physical_transfer<paging_operation::special_lock_transfer>(hw, args);
}

/// Tells what is wrong with operation 8, judged anew.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus refuse_virtual_transfer(Hw& hw, Args const& args) noexcept {
    transfer_plan<Hw> plan{};
    finding const problem = plan_virtual_transfer(hw, args.TransferVirtual, plan);
    return refuse_copy(hw, args, paging_operation::virtual_transfer,
                       static_cast<u64>(args.TransferVirtual.TransferSizeInBytes), problem);
}

/// Operation 8, VIRTUAL_TRANSFER: copies between two ranges of the paging process.
///
/// The addresses already account for the chunk: AllocationOffsetInBytes is never added (OP08-01). It would tell a
/// layout-aware engine which part moves (OP08-02), but no engine is asked for a layout here. SourcePageTable and DestinationPageTable are not read (OP08-04). The
/// page-size flags (OP08-05) change nothing for an engine that goes through the GPU's own translation. A copy of a
/// place to itself is done with no command where the engine asks for a direction (AMB-57).
///
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0. Source page: ns-d3dkmddi-_dxgk_buildpagingbuffer_transfervirtual.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_virtual_transfer(Hw& hw, Args& args) noexcept {
    transfer_plan<Hw> plan{};
    if (plan_virtual_transfer(hw, args.TransferVirtual, plan).any) [[unlikely]] {
        return refuse_virtual_transfer(hw, args);
    }
    bytes const size{static_cast<u64>(args.TransferVirtual.TransferSizeInBytes)};
    return copy_and_commit<false, false>(hw, args, paging_operation::virtual_transfer, plan, size, nullptr);
}

}  // namespace wddmcore::paging::detail
