// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../adl/cursor.hpp"
#include "../hw/limits.hpp"
#include "../hw/promises/address_space.hpp"
#include "virtual_range.hpp"

/// Where the two sides of a transfer lie. The one place that knows what is added to which side.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The member of the union that is an operation's own, of those operations that share an algorithm with another.
template <paging_operation Operation>
[[nodiscard]] WDDMCORE_INLINE constexpr auto const& request_of(auto const& args) noexcept {
    using enum paging_operation;
    if constexpr (Operation == transfer) {
        return args.Transfer;
    } else if constexpr (Operation == special_lock_transfer) {
        return args.SpecialLockTransfer;
    } else if constexpr (Operation == fill) {
        return args.Fill;
    } else if constexpr (Operation == virtual_fill) {
        return args.FillVirtual;
    } else if constexpr (Operation == read_physical) {
        return args.ReadPhysical;
    } else if constexpr (Operation == write_physical) {
        return args.WritePhysical;
    } else if constexpr (Operation == map_aperture_segment) {
        return args.MapApertureSegment;
    } else if constexpr (Operation == unmap_aperture_segment) {
        return args.UnmapApertureSegment;
    } else {
        static_assert(Operation == map_aperture_segment2);
        return args.MapApertureSegment2;
    }
}

/// One side: a place in the hardware's address space, or a sequence of pages.
template <class Hw>
struct endpoint {
    typename Hw::address base;  ///< of the first byte, when not paged
    usize const* list;          ///< the numbers of exactly the pages that move; NULL when not paged
    u64 place;                  ///< the DDI's own address of the first byte, to judge overlap; 0 when paged
    u32 segment;                ///< the segment's id; 0 for pages and for virtual addresses

    [[nodiscard]] constexpr bool paged() const noexcept { return list != nullptr; }
};

/// The address of page `index` of an endpoint.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr typename Hw::address page_of(Hw const& hw, endpoint<Hw> const& where,
                                                                     u64 index) noexcept {
    if constexpr (hw::page_addresses<Hw>) {
        if (where.paged()) {
            return hw.from_page(page_number{u64{where.list[static_cast<usize>(index)]}});
        }
    }
    return where.base + to_bytes(pages{index});
}

/// The last page that a list may name.
template <class Hw>
inline constexpr u64 last_visible_page_of = hw::last_visible_page(Hw::caps.highest_visible_address);

/// Judges pages of one side that commands were written for: every one within the device's reach (ADL-06).
///
/// @param list        page numbers; NULL when the side has none
/// @param first, end  indices of pages
/// @return list_wraps with the first page that is not, or nothing wrong
template <class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr finding check_pages(usize const* list, u32 first, u32 end) noexcept {
    for (u32 index = first; list != nullptr && index != end; ++index) {
        if (u64{list[index]} > last_visible_page_of<Hw>) {
            return found(paging_rule::list_wraps, list[index], last_visible_page_of<Hw>);
        }
    }
    return nothing_wrong;
}

/// Judges a place in a segment of this adapter.
///
/// @param size  bytes that are known to be there, at least 1
/// @return unknown_segment, outside_segment or nothing wrong
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_segment_place(auto const& hw, segment_id id,
                                                                    segment_offset offset, u64 size) noexcept {
    segment_place const place = hw.place(id);
    if (fits(offset.n, size, place.size.n)) [[likely]] {  // not even one byte does where there is no segment
        return nothing_wrong;
    }
    return place.size.n == 0 ? found(paging_rule::unknown_segment, id.n)
                             : found(paging_rule::outside_segment, offset.n, place.size.n);
}

/// The address in a segment that a request names, base included.
[[nodiscard]] WDDMCORE_INLINE constexpr segment_address address_of(auto const& named) noexcept {
    if constexpr (requires { named.SegmentAddress; }) {
        return {static_cast<u64>(named.SegmentAddress.QuadPart)};
    } else {
        return {static_cast<u64>(named.PhysicalAddress.QuadPart)};
    }
}

/// A range inside a reported segment. `SegmentAddress` has the segment's base in it (OP00-03); the library takes the
/// base off again because hardware is asked by offset (SEG-28).
///
/// @param named   what has SegmentId, and the place's SegmentAddress or PhysicalAddress, base included, bytes
/// @param offset  bytes to add, TransferOffset (OP00-02); 0 where the operation has none
/// @param size    bytes that are touched, at least 1
/// @param where   written only when nothing is wrong
/// @return unknown_segment, offset_wraps, outside_segment or nothing wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding resolve_segment(Hw const& hw, auto const& named, bytes offset,
                                                                bytes size, endpoint<Hw>& where) noexcept {
    segment_id const id{static_cast<u32>(named.SegmentId)};
    segment_address const address = address_of(named);
    segment_place const place = hw.place(id);
    checked<u64> const first = checked_add(address.n, offset.n);
    u64 const inside = first.value - place.base.n;  // below the base it wraps, to more than any segment has
    // Not even one byte fits where there is no segment. What is wrong is asked only when there is something to report.
    if (first.ok && fits(inside, size.n, place.size.n)) [[likely]] {
        where.list = nullptr;
        where.base = hw.from_segment(id, segment_offset{inside});
        where.place = first.value;
        where.segment = id.n;
        return nothing_wrong;
    }
    if (place.size.n == 0) {
        return found(paging_rule::unknown_segment, id.n);
    }
    return first.ok ? found(paging_rule::outside_segment, first.value, place.base.n + place.size.n)
                    : found(paging_rule::offset_wraps, address.n, offset.n);
}

/// `count` pages of an MDL from page `first` on. TransferOffset is not added here (OP00-02).
///
/// @param where  written only when nothing is wrong
/// @return missing_list, outside_list or nothing wrong
template <class Hw, class Mdl>
[[nodiscard]] WDDMCORE_INLINE constexpr finding resolve_mdl(Mdl const* mdl, pages first, pages count,
                                                            endpoint<Hw>& where) noexcept {
    if (mdl == nullptr) {
        return found(paging_rule::missing_list, first.n);
    }
    result<adl::source> const all = adl::from_mdl(*mdl, casts::mdl_pages(mdl));
    if (!all.ok()) {
        return found(paging_rule::missing_list, first.n);
    }
    result<adl::source> const part = adl::window(all.value, first, count);
    if (!part.ok()) {
        return found(paging_rule::outside_list, first.n + count.n, all.value.count);
    }
    where.list = part.value.list;
    where.place = 0;
    where.segment = 0;
    return nothing_wrong;
}

/// One side of a physical transfer, judged and resolved: SegmentId 0 selects the MDL member of the union (OP00-01).
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding resolve_side(Hw const& hw, auto const& side, bytes offset, bytes size,
                                                             pages mdl_first, endpoint<Hw>& where) noexcept {
    return static_cast<u32>(side.SegmentId) == 0 ? resolve_mdl<Hw>(side.pMdl, mdl_first, pages_spanned(size), where)
                                                 : resolve_segment(hw, side, offset, size, where);
}

/// An address of the paging process. It already accounts for the chunk: no offset is ever added (OP08-01).
///
/// @param size   bytes, at least 1; the range may end with the last byte of the address space (CHK-15)
/// @param where  written only when nothing is wrong
/// @return address_wraps or nothing wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding resolve_virtual(Hw const& hw, gpu_virtual_address va, bytes size,
                                                                endpoint<Hw>& where) noexcept {
    if (!in_address_space(hw, va, size.n)) {
        return found(paging_rule::address_wraps, va.n, size.n);
    }
    where.list = nullptr;
    where.base = hw.from_virtual(va);
    where.place = va.n;
    where.segment = 0;
    return nothing_wrong;
}

}  // namespace wddmcore::paging::detail
