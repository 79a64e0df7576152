// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "copy_list.hpp"
#include "copy_pages.hpp"
#include "copy_window.hpp"
#include "pass.hpp"

/// Operations 0 TRANSFER and 7 SPECIAL_LOCK_TRANSFER, and what 8 shares with them.
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// Whether a contiguous side suits the engine; pages always do (OP08-06).
template <class Hw>
[[nodiscard]] constexpr finding check_copy_alignment(u64 value) noexcept {
    constexpr u64 unit = Hw::copy_alignment.n;
    return value % unit == 0 ? nothing_wrong : found(paging_rule::misaligned_for_engine, value, unit);
}

/// Copies between a list of pages and one contiguous place, through a page window where the hardware has one.
template <bool ListIsSource, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_paged(Hw const& hw, dma_writer& writer, usize const* list,
                                                            typename Hw::address other, extent work,
                                                            u32 first) noexcept {
    if constexpr (hw::page_window<Hw>) {
        return copy_by_window<ListIsSource>(hw, writer, list, other, work, first);
    } else {
        return copy_list<ListIsSource>(hw, writer, list, other, work, first);
    }
}

/// Emits a plain copy between two endpoints, each in the form that costs least to walk.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_endpoints(Hw const& hw, dma_writer& writer,
                                                                endpoint<Hw> const& destination,
                                                                endpoint<Hw> const& source, extent work, u32 first,
                                                                copy_order order) noexcept {
    if (!source.paged() && !destination.paged()) {
        return copy_linear(hw, writer, destination.base, source.base, work, first, order);
    }
    if constexpr (hw::page_addresses<Hw> && hw::chunk_pages(Hw::copy_max).n != 0) {
        // What an MDL describes is always a list.
        if (!destination.paged()) {
            return copy_paged<true>(hw, writer, source.list, destination.base, work, first);
        }
        if (!source.paged()) {
            return copy_paged<false>(hw, writer, destination.list, source.base, work, first);
        }
    }
    return copy_pages(hw, writer, destination, source, work, first);
}

/// Whether and in which order the two sides can be copied by this engine (OP08-06, OP08-07).
///
/// @param promised  what one command of this kind promises for places that overlap
/// @param order     written when nothing is wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_copy(endpoint<Hw> const& source, endpoint<Hw> const& destination,
                                                           bytes size, hw::overlap promised,
                                                           copy_order& order) noexcept {
    if constexpr (Hw::copy_alignment.n != 1) {
        // One test for all three; which of them it was is asked only when there is something to report.
        if ((source.place | destination.place | size.n) % Hw::copy_alignment.n != 0) {
            finding const first = check_copy_alignment<Hw>(source.place);
            finding const second = check_copy_alignment<Hw>(destination.place);
            return first.any ? first : second.any ? second : check_copy_alignment<Hw>(size.n);
        }
    }
    // Only two places in one space can share bytes; pages and segments are different memory, and no page is on both sides.
    if (source.paged() || destination.paged() || source.segment != destination.segment) {
        order = largest_chunks<Hw>();
        return nothing_wrong;
    }
    return choose_order<Hw>(source.place, destination.place, size, promised, order);
}

/// Emits and commits a transfer whose sides are known to be good.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus copy_and_commit(Hw& hw, Args& args, paging_operation operation,
                                                                 endpoint<Hw> const& source,
                                                                 endpoint<Hw> const& destination, bytes size,
                                                                 swizzle_request const* layout) noexcept {
    copy_order order{};
    // What a layout change does with bytes that it still has to read, no engine promises.
    bool const is_plain = layout == nullptr || !hw::swizzle_copy_engine<Hw>;
    hw::overlap const promised = is_plain ? Hw::copy_overlap : hw::overlap::by_direction;
    if (finding const problem = check_copy<Hw>(source, destination, size, promised, order); problem.any) {
        return fault(hw, operation, problem);
    }
    extent const work = extent_of(size.n);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_token(token, work.count); problem.any) {
        return fault(hw, operation, problem);
    }
    if (token == work.count) {
        return status::success;
    }
    if (finding const problem = check_buffer<Hw>(args); problem.any) {
        return fault(hw, operation, problem);
    }
    dma_writer writer = open<Hw>(args);
    progress reached{};
    if constexpr (hw::swizzle_copy_engine<Hw>) {
        reached = layout != nullptr
                      ? copy_swizzled(hw, writer, destination, source, work, token, *layout, order.descending)
                      : copy_endpoints(hw, writer, destination, source, work, token, order);
    } else {
        reached = copy_endpoints(hw, writer, destination, source, work, token, order);
    }
    if (reached.what == outcome::perhaps_out_of_reach) [[unlikely]] {
        finding const first_side = check_pages(source, token, reached.token);
        finding const problem = first_side.any ? first_side : check_pages(destination, token, reached.token);
        if (problem.any) {
            return fault(hw, operation, problem);
        }
        reached.what = reached.token == work.count ? outcome::done : outcome::need_buffer;
    }
    return commit(hw, args, writer, reached);
}

/// The shared part of operations 0 and 7.
///
/// @param transfer   the operation's own member of the union
/// @param mdl_first  pages to skip on an MDL side: MdlOffset, or 0 where the operation has none
/// @param layout     ids for a layout change; the rest of it is filled in here
template <class Hw, class Args, class Transfer>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus physical_transfer(Hw& hw, Args& args, paging_operation operation,
                                                                   Transfer const& transfer, pages mdl_first,
                                                                   swizzle_request layout) noexcept {
    bytes const size{static_cast<u64>(transfer.TransferSize)};
    bytes const offset{static_cast<u32>(transfer.TransferOffset)};
    // OP00-09: after a reset this tells that the allocation left its segment; the GPU must not be touched.
    if (size.n == 0) {
        return status::success;
    }
    if (must_wait(hw, args, transfer.hAllocation, transfer.Flags.AllocationIsIdle != 0)) {
        return status::graphics_allocation_busy;
    }
    if (finding const problem = check_count(size.n); problem.any) {
        return fault(hw, operation, problem);
    }
    endpoint<Hw> source{};
    if (finding const problem = resolve_side(hw, transfer.Source, offset, size, mdl_first, source); problem.any) {
        return fault(hw, operation, problem);
    }
    endpoint<Hw> destination{};
    if (finding const problem = resolve_side(hw, transfer.Destination, offset, size, mdl_first, destination);
        problem.any) {
        return fault(hw, operation, problem);
    }
    // OP00-07: without an allocation nobody knows a layout, and the copy is raw.
    bool const changes_layout =
        transfer.hAllocation != nullptr && (transfer.Flags.Swizzle != 0 || transfer.Flags.Unswizzle != 0);
    layout.direction = transfer.Flags.Swizzle != 0 ? hw::swizzle::to_swizzled : hw::swizzle::to_linear;
    layout.allocation = transfer.hAllocation;
    layout.allocation_offset = offset.n;
    return copy_and_commit(hw, args, operation, source, destination, size, changes_layout ? &layout : nullptr);
}

/// Operation 0, TRANSFER: moves a part of an allocation between a segment and an MDL, or two segments.
///
/// @return success; graphics_insufficient_dma_buffer when work is left; graphics_allocation_busy while the idle flag is
///         clear and the hardware says so; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0. Source page: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_transfer(Hw& hw, Args& args) noexcept {
    return physical_transfer(hw, args, paging_operation::transfer, args.Transfer,
                             pages{static_cast<u32>(args.Transfer.MdlOffset)}, swizzle_request{});
}

/// Operation 7, SPECIAL_LOCK_TRANSFER: as TRANSFER, towards an allocation's alternate address (OP07-01).
///
/// It has no MdlOffset: an MDL side begins at its first page.
/// @return as build_transfer
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.x. Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_special_lock_transfer(Hw& hw, Args& args) noexcept {
    return physical_transfer(
        hw, args, paging_operation::special_lock_transfer, args.SpecialLockTransfer, pages{0},
        swizzle_request{.range_id = static_cast<u32>(args.SpecialLockTransfer.SwizzlingRangeId),
                        .range_data = static_cast<u32>(args.SpecialLockTransfer.SwizzlingRangeData)});
}

/// Operation 8, VIRTUAL_TRANSFER: copies between two ranges of the paging process.
///
/// The addresses already account for the chunk: AllocationOffsetInBytes is never added (OP08-01); it only tells a
/// layout-aware engine which part moves (OP08-02). SourcePageTable and DestinationPageTable are not read (OP08-04). The
/// page-size flags (OP08-05) change nothing for an engine that goes through the GPU's own translation.
///
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0. Source page: ns-d3dkmddi-_dxgk_buildpagingbuffer_transfervirtual.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_virtual_transfer(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::virtual_transfer;
    auto const& transfer = args.TransferVirtual;
    bytes const size{static_cast<u64>(transfer.TransferSizeInBytes)};
    if (size.n == 0) {
        return fault(hw, operation, found(paging_rule::nothing_to_transfer, 0));
    }
    if (finding const problem = check_count(size.n); problem.any) {
        return fault(hw, operation, problem);
    }
    gpu_virtual_address const from{static_cast<u64>(transfer.SourceVirtualAddress)};
    gpu_virtual_address const to{static_cast<u64>(transfer.DestinationVirtualAddress)};
    endpoint<Hw> source{};
    if (finding const problem = resolve_virtual(hw, from, size, source); problem.any) {
        return fault(hw, operation, problem);
    }
    endpoint<Hw> destination{};
    if (finding const problem = resolve_virtual(hw, to, size, destination); problem.any) {
        return fault(hw, operation, problem);
    }
    return copy_and_commit(hw, args, operation, source, destination, size, nullptr);
}

}  // namespace wddmcore::paging
