// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../pass.hpp"
#include "copy_pages.hpp"
#include "copy_window.hpp"

/// Operations 0 TRANSFER and 7 SPECIAL_LOCK_TRANSFER, and what 8 shares with them.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// In place of a swizzle_request: the layout stays.
struct plain_copy {};

/// Whether an engine copies lists run by run: one that can name pages, and takes at least one of them at once.
template <class Hw>
[[nodiscard]] consteval bool takes_lists() noexcept {
    if constexpr (hw::page_addresses<Hw>) {
        return fewest_pages_of_copy<Hw> != 0;
    } else {
        return false;
    }
}

/// Writes and commits a transfer that is known to be good, in the form that costs least to walk.
///
/// @tparam FromList, ToList  whether that side is a list of pages; the decoder knows, so nothing asks at run time
/// @param layout             plain_copy, or the swizzle_request of a layout change
template <bool FromList, bool ToList, class Hw, class Args, class Layout>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus copy_and_commit(Hw& hw, Args& args, paging_operation operation,
                                                                 transfer_plan<Hw> const& plan, bytes size,
                                                                 [[maybe_unused]] Layout const& layout) noexcept {
    // Counted from the size again: kept since the plan, the work would take registers from what is between.
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
    if constexpr (meta::is_same<Layout, swizzle_request>) {
        reached = copy_swizzled(hw, writer, plan.destination, plan.source, work, token, layout, plan.order.descending);
    } else if constexpr (FromList != ToList && takes_lists<Hw>()) {
        usize const* const list = FromList ? plan.source.list : plan.destination.list;
        typename Hw::address const other = FromList ? plan.destination.base : plan.source.base;
        if constexpr (hw::page_window<Hw>) {
            reached = copy_by_window<FromList>(hw, writer, list, other, of_list(work), token);
        } else {
            reached = copy_whole_list<FromList>(hw, writer, list, other, of_list(work), token);
        }
    } else if constexpr (!FromList && !ToList) {
        reached = copy_contiguous(hw, writer, plan.destination.base, plan.source.base, work, token, plan.order);
    } else {
        reached = copy_pages(hw, writer, plan.destination, plan.source, work, token, plan.order.chunk);
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

/// What is wrong with a plain copy; one of a place to itself is done, at every token: bytes that are copied to where
/// they are do not change (AMB-57).
///
/// @param problem  what was found wrong with it
/// @param size     its bytes
[[nodiscard]] constexpr finding unless_to_itself(finding const& problem, u64 size, u32 token) noexcept {
    bool const to_itself = problem.rule == paging_rule::overlap_below_page && problem.value == 0;
    return to_itself ? check_token(token, extent_of(size).count) : problem;
}

// Declared here because transfer_between may end in it.
template <paging_operation Operation, bool FromList, bool ToList, class Hw, class Args>
[[nodiscard]] constexpr ntstatus change_layout(Hw& hw, Args& args) noexcept;

/// Operations 0 and 7 between sides of known kinds: each pair of kinds is decoded in registers.
///
/// @tparam ChangesLayout  true: it is known to go through the hardware's layout change
template <paging_operation Operation, bool FromList, bool ToList, bool ChangesLayout, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus transfer_between(Hw& hw, Args& args) noexcept {
    auto const& transfer = request_of<Operation>(args);
    if constexpr (!ChangesLayout && hw::swizzle_copy_engine<Hw>) {
        if (changes_layout(transfer)) {
            return change_layout<Operation, FromList, ToList>(hw, args);
        }
    }
    bytes const size{static_cast<u64>(transfer.TransferSize)};
    transfer_plan<Hw> plan{};
    if (plan_transfer<FromList, ToList>(hw, transfer, pages{extent_of(size.n).count}, plan).any) [[unlikely]] {
        return refuse(hw, args, Operation, [](Hw const& device, Args const& request) {
            auto const& again = request_of<Operation>(request);
            transfer_plan<Hw> sides{};
            pages const count{extent_of(static_cast<u64>(again.TransferSize)).count};
            finding const problem = plan_transfer<FromList, ToList>(device, again, count, sides);
            // A layout that changes in its place is no copy.
            return ChangesLayout ? problem
                                 : unless_to_itself(problem, static_cast<u64>(again.TransferSize),
                                                    static_cast<u32>(request.MultipassOffset));
        });
    }
    if constexpr (ChangesLayout) {
        return copy_and_commit<FromList, ToList>(hw, args, Operation, plan, size, layout_of(transfer));
    } else {
        return copy_and_commit<FromList, ToList>(hw, args, Operation, plan, size, plain_copy{});
    }
}

/// The same through the hardware's layout change: a function of its own, so that no plain copy pays for its stack (law
/// 8).
template <paging_operation Operation, bool FromList, bool ToList, class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus change_layout(Hw& hw, Args& args) noexcept {
    return transfer_between<Operation, FromList, ToList, true>(hw, args);
}

/// Operation 0, TRANSFER: moves a part of an allocation between a segment and an MDL, or two segments. Operation 7,
/// SPECIAL_LOCK_TRANSFER: the same, towards an allocation's alternate address (OP07-01); it has no MdlOffset, so an MDL
/// side begins at its first page.
///
/// A plain copy of a place to itself needs no command from an engine that asks for a direction (AMB-57). The MDL is
/// read during this call only (AMB-60).
/// @return success; graphics_insufficient_dma_buffer when work is left; graphics_allocation_busy while the idle flag is
///         clear and the hardware says so; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0; operation 7: WDDM 1.x.
/// Source pages: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md, nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <paging_operation Operation>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_transfer(auto& hw, auto& args) noexcept {
    auto const& transfer = request_of<Operation>(args);
    // Two layouts are no mistake where there is nothing to move (AMB-59).
    if (transfer.Flags.Swizzle != 0) [[unlikely]] {
        if (finding const problem = check_layouts(transfer); problem.any && transfer.TransferSize != 0) {
            return fault(hw, Operation, problem);
        }
    }
    // OP00-09, TDR-12: after a reset this tells that the allocation left its segment; the GPU must not be touched.
    if (static_cast<u64>(transfer.TransferSize) == 0) {
        return status::success;
    }
    if (must_wait(hw, args, transfer.hAllocation, transfer.Flags.AllocationIsIdle != 0)) {
        return status::graphics_allocation_busy;
    }
    bool const to_mdl = static_cast<u32>(transfer.Destination.SegmentId) == 0;
    if (static_cast<u32>(transfer.Source.SegmentId) == 0) {
        return to_mdl ? transfer_between<Operation, true, true, false>(hw, args)
                      : transfer_between<Operation, true, false, false>(hw, args);
    }
    return to_mdl ? transfer_between<Operation, false, true, false>(hw, args)
                  : transfer_between<Operation, false, false, false>(hw, args);
}

/// Operation 8, VIRTUAL_TRANSFER: copies between two ranges of the paging process.
///
/// The addresses already account for the chunk: AllocationOffsetInBytes is never added (OP08-01). It would tell a
/// layout-aware engine which part moves (OP08-02), but no engine is asked for a layout here. SourcePageTable and
/// DestinationPageTable are not read (OP08-04). The page-size flags (OP08-05) change nothing for an engine that goes
/// through the GPU's own translation. A copy of a place to itself needs no command where the engine asks for a
/// direction (AMB-57).
///
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0. Source page: ns-d3dkmddi-_dxgk_buildpagingbuffer_transfervirtual.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_virtual_transfer(Hw& hw, Args& args) noexcept {
    transfer_plan<Hw> plan{};
    bytes const size{static_cast<u64>(args.TransferVirtual.TransferSizeInBytes)};
    if (plan_virtual_transfer(hw, args.TransferVirtual, plan).any) [[unlikely]] {
        return refuse(hw, args, paging_operation::virtual_transfer, [](Hw const& device, Args const& request) {
            transfer_plan<Hw> sides{};
            return unless_to_itself(plan_virtual_transfer(device, request.TransferVirtual, sides),
                                    static_cast<u64>(request.TransferVirtual.TransferSizeInBytes),
                                    static_cast<u32>(request.MultipassOffset));
        });
    }
    return copy_and_commit<false, false>(hw, args, paging_operation::virtual_transfer, plan, size, plain_copy{});
}

}  // namespace wddmcore::paging::detail
