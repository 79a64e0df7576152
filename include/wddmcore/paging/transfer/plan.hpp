// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../endpoint.hpp"
#include "copy_order.hpp"

/// What operations 0 TRANSFER, 7 SPECIAL_LOCK_TRANSFER and 8 VIRTUAL_TRANSFER say, resolved and judged.
///
/// Everything here is inline, so that a good request is decoded in registers and only asks whether anything is wrong;
/// what it is, refuse() finds out a second time, out of line.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Both sides of a transfer, and the order in which they are copied.
template <class Hw>
struct transfer_plan {
    endpoint<Hw> source;
    endpoint<Hw> destination;
    copy_order order;
};

/// Whether a contiguous side suits the engine; pages always do (OP08-06).
[[nodiscard]] constexpr finding check_copy_alignment(u64 value, u64 unit) noexcept {
    return (value & (unit - 1)) == 0 ? nothing_wrong : found(paging_rule::misaligned_for_engine, value, unit);
}

/// Whether and in which order the two sides can be copied by this engine (OP08-06, OP08-07).
///
/// @param promised  what one command of this kind promises for places that overlap
/// @param order     written when nothing is wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_copy(Hw const& hw, endpoint<Hw> const& source,
                                                           endpoint<Hw> const& destination, bytes size,
                                                           hw::overlap promised, copy_order& order) noexcept {
    if constexpr (hw::most_of(Hw::copy_alignment).n != 1) {
        u64 const unit = hw::value_of(hw, Hw::copy_alignment).n;
        // One test for all three; which of them it was is asked only when there is something to report.
        if (((source.place | destination.place | size.n) & (unit - 1)) != 0) {
            finding const first = check_copy_alignment(source.place, unit);
            finding const second = check_copy_alignment(destination.place, unit);
            return first.any ? first : second.any ? second : check_copy_alignment(size.n, unit);
        }
    }
    // Only two places in one space can share bytes: pages and segments are different memory, and no page is on both
    // sides. Pages have segment 0, which no place in a segment has.
    if (source.paged() || source.segment != destination.segment) {
        order = largest_chunks(pages_of_copy(hw));
        return nothing_wrong;
    }
    // Handed on by address, it has to live in memory: this alone, and not the whole plan.
    copy_order chosen{};
    finding const problem =
        choose_order<Hw>(source.place, destination.place, size, promised, pages_of_copy(hw), chosen);
    order = chosen;
    return problem;
}

/// The first page of an MDL side: MdlOffset, or 0 where the operation has none (OP07-01).
[[nodiscard]] WDDMCORE_INLINE constexpr pages mdl_first_of(auto const& transfer) noexcept {
    if constexpr (requires { transfer.MdlOffset; }) {
        return pages{static_cast<u32>(transfer.MdlOffset)};
    } else {
        return pages{0};
    }
}

/// Whether a transfer changes the layout. OP00-07: without an allocation nobody knows one, and the copy is raw.
[[nodiscard]] WDDMCORE_INLINE constexpr bool changes_layout(auto const& transfer) noexcept {
    return transfer.hAllocation != nullptr && (transfer.Flags.Swizzle != 0 || transfer.Flags.Unswizzle != 0);
}

/// What a layout-changing copy needs to know beside its endpoints.
struct swizzle_request {
    hw::swizzle direction = hw::swizzle::to_linear;
    void* allocation = nullptr;
    u64 allocation_offset = 0;  ///< of the transfer's first byte, in bytes
    u32 range_id = 0;
    u32 range_data = 0;
};

/// What a layout-changing copy of operation 0 or 7 needs to know; only the latter brings ids.
[[nodiscard]] WDDMCORE_INLINE constexpr swizzle_request layout_of(auto const& transfer) noexcept {
    swizzle_request request{
        .direction = transfer.Flags.Swizzle != 0 ? hw::swizzle::to_swizzled : hw::swizzle::to_linear,
        .allocation = transfer.hAllocation,
        .allocation_offset = static_cast<u32>(transfer.TransferOffset),
    };
    if constexpr (requires { transfer.SwizzlingRangeId; }) {
        request.range_id = static_cast<u32>(transfer.SwizzlingRangeId);
        request.range_data = static_cast<u32>(transfer.SwizzlingRangeData);
    }
    return request;
}

/// Refuses a transfer that names both layout changes, whether or not there is an allocation or an engine that knows
/// layouts (AMB-59).
[[nodiscard]] constexpr finding check_layouts(auto const& transfer) noexcept {
    bool const both = transfer.Flags.Swizzle != 0 && transfer.Flags.Unswizzle != 0;
    return both ? found(paging_rule::two_layouts, 3) : nothing_wrong;
}

/// One side of a transfer, of which it is known whether it is the MDL member of the union (OP00-01).
template <bool IsMdl, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_side([[maybe_unused]] Hw const& hw, auto const& transfer,
                                                          auto const& side, [[maybe_unused]] pages count,
                                                          endpoint<Hw>& where) noexcept {
    if constexpr (IsMdl) {
        return resolve_mdl<Hw>(side.pMdl, mdl_first_of(transfer), count, where);
    } else {
        bytes const size{static_cast<u64>(transfer.TransferSize)};
        return resolve_segment(hw, side, bytes{static_cast<u32>(transfer.TransferOffset)}, size, where);
    }
}

/// Judges operations 0 and 7, of more than no bytes.
///
/// @param count  the pages of TransferSize; of no meaning where they are too many
/// @param plan  complete only when nothing is wrong
template <bool FromList, bool ToList, class Hw, class Transfer>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_transfer(Hw const& hw, Transfer const& transfer, pages count,
                                                              transfer_plan<Hw>& plan) noexcept {
    bytes const size{static_cast<u64>(transfer.TransferSize)};
    if (finding const problem = check_count(size.n); problem.any) {
        return problem;
    }
    if (finding const problem = plan_side<FromList>(hw, transfer, transfer.Source, count, plan.source); problem.any) {
        return problem;
    }
    if (finding const problem = plan_side<ToList>(hw, transfer, transfer.Destination, count, plan.destination);
        problem.any) {
        return problem;
    }
    // What a layout change does with bytes that it still has to read, no engine promises.
    bool const is_plain = !hw::swizzle_copy_engine<Hw> || !changes_layout(transfer);
    hw::overlap const promised = is_plain ? Hw::copy_overlap : hw::overlap::by_direction;
    return check_copy(hw, plan.source, plan.destination, size, promised, plan.order);
}

/// Judges operation 8, for an engine or for the CPU, which chooses its own order.
///
/// @param plan  complete only when nothing is wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_virtual_transfer(Hw const& hw, auto const& transfer,
                                                                      transfer_plan<Hw>& plan) noexcept {
    bytes const size{static_cast<u64>(transfer.TransferSizeInBytes)};
    if (finding const problem = check_size(size.n, paging_rule::nothing_to_transfer); problem.any) {
        return problem;
    }
    gpu_virtual_address const from{static_cast<u64>(transfer.SourceVirtualAddress)};
    if (finding const problem = resolve_virtual(hw, from, size, plan.source); problem.any) {
        return problem;
    }
    gpu_virtual_address const to{static_cast<u64>(transfer.DestinationVirtualAddress)};
    if (finding const problem = resolve_virtual(hw, to, size, plan.destination); problem.any) {
        return problem;
    }
    if constexpr (hw::copy_engine<Hw>) {
        return check_copy(hw, plan.source, plan.destination, size, Hw::copy_overlap, plan.order);
    } else {
        return nothing_wrong;
    }
}

}  // namespace wddmcore::paging::detail
