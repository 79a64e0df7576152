// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../adl/cursor.hpp"
#include "../hw/address_space.hpp"
#include "../hw/segment_map.hpp"
#include "edge.hpp"
#include "plan.hpp"

/// Where the two sides of a transfer lie. The one place that knows what is added to which side.
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// One side: a place in the hardware's address space, or a sequence of pages.
template <class Hw>
struct endpoint {
    typename Hw::address base;  ///< of the first byte, when not paged
    adl::source list;           ///< of exactly the pages that move, when paged
    u64 place;                  ///< the DDI's own address of the first byte, when not paged, to judge overlap
    u32 segment;                ///< the segment's id; 0 for pages and for virtual addresses
    bool paged;
};

/// An endpoint or what is wrong with it.
template <class Hw>
struct resolved {
    endpoint<Hw> where;
    finding problem;
};

/// A range inside a reported segment. `SegmentAddress` has the segment's base in it (OP00-03); the library takes the base
/// off again because hardware is asked by offset (SEG-28).
///
/// @param address  base included, bytes
/// @param offset   bytes to add, TransferOffset (OP00-02); 0 where the operation has none
/// @param size     bytes that are touched; 0 when only the place counts
/// @return unknown_segment, offset_wraps, outside_segment or nothing wrong
template <class Hw>
[[nodiscard]] constexpr resolved<Hw> resolve_segment(Hw const& hw, segment_id id, segment_address address, bytes offset,
                                                     bytes size) noexcept {
    segment_place const place = hw.place(id);
    checked<u64> const first = checked_add(address.n, offset.n);
    finding problem = nothing_wrong;
    if (place.size.n == 0) {
        problem = found(paging_rule::unknown_segment, id.n);
    } else if (!first.ok) {
        problem = found(paging_rule::offset_wraps, address.n, offset.n);
    } else if (!range_contains(place.base.n, place.size.n, first.value, size.n)) {
        problem = found(paging_rule::outside_segment, first.value, place.base.n + place.size.n);
    }
    // The hardware is asked only about ids and offsets that it reported.
    typename Hw::address const base =
        problem.any ? typename Hw::address{} : hw.from_segment(id, segment_offset{first.value - place.base.n});
    return {{base, adl::no_pages, first.value, id.n, false}, problem};
}

/// `count` pages of an MDL from page `first` on. TransferOffset is not added here (OP00-02).
///
/// @return missing_list, outside_list or nothing wrong
template <class Hw, class Mdl>
[[nodiscard]] constexpr resolved<Hw> resolve_mdl(Mdl const* mdl, pages first, pages count) noexcept {
    resolved<Hw> answer{{typename Hw::address{}, adl::no_pages, 0, 0, true}, nothing_wrong};
    if (mdl == nullptr) {
        answer.problem = found(paging_rule::missing_list, first.n);
        return answer;
    }
    result<adl::source> const all = adl::from_mdl(*mdl, edge::mdl_pages(mdl));
    result<adl::source> const part = all.ok() ? adl::window(all.value, first, count) : all;
    if (!part.ok()) {
        answer.problem = found(paging_rule::outside_list, first.n + count.n, all.value.count);
    }
    answer.where.list = part.ok() ? part.value : adl::no_pages;
    return answer;
}

/// One side of a physical transfer: SegmentId 0 selects the MDL member of the union (OP00-01).
template <class Hw, class Side>
[[nodiscard]] constexpr resolved<Hw> resolve_side(Hw const& hw, Side const& side, bytes offset, bytes size, pages mdl_first,
                                                  pages count) noexcept {
    if (static_cast<u32>(side.SegmentId) == 0) {
        return resolve_mdl<Hw>(side.pMdl, mdl_first, count);
    }
    return resolve_segment(hw, segment_id{static_cast<u32>(side.SegmentId)},
                           segment_address{static_cast<u64>(side.SegmentAddress.QuadPart)}, offset, size);
}

/// An address of the paging process. It already accounts for the chunk: no offset is ever added (OP08-01).
///
/// @return address_wraps or nothing wrong
template <class Hw>
[[nodiscard]] constexpr resolved<Hw> resolve_virtual(Hw const& hw, gpu_virtual_address va, bytes size) noexcept {
    bool const inside = checked_add(va.n, size.n).ok;
    return {{hw.from_virtual(va), adl::no_pages, va.n, 0, false},
            inside ? nothing_wrong : found(paging_rule::address_wraps, va.n, size.n)};
}

}  // namespace wddmcore::paging
