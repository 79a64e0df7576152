// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/aperture.hpp"
#include "endpoint.hpp"
#include "pass.hpp"

/// Operations 5 MAP_APERTURE_SEGMENT, 6 UNMAP_APERTURE_SEGMENT and 17 MAP_APERTURE_SEGMENT2.
///
/// Entries are 4-KiB pages. With a buffer and hardware that can, they are written by command; otherwise at once, because
/// these operations also come without a buffer and then must be complete on return (OBS-02, PGB-11).
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// A range of aperture entries.
struct aperture_range {
    segment_id segment;
    u64 first;  ///< index of the first entry
    u32 count;  ///< entries
};

/// What the entries of a range are pointed at: a page each, or one page for all of them.
struct aperture_target {
    adl::source list;  ///< a page each, when `dummy` is not set
    page_number page;  ///< the one page, when `dummy` is set (OP06-01)
    bool dummy;
    bool coherent;  ///< CacheCoherent (OP05-03)

    [[nodiscard]] constexpr page_number at(u32 index) const noexcept { return dummy ? page : list.at(index); }
};

/// Judges a range: a reported aperture, and inside it, computed without wrap (OP05-02).
///
/// @param offset, count  in 4-KiB pages
/// @return unknown_segment, not_an_aperture, outside_aperture, too_many_pages or nothing wrong
template <class Hw>
[[nodiscard]] constexpr finding check_aperture(Hw const& hw, segment_id id, u64 offset, u64 count) noexcept {
    segment_place const place = hw.place(id);
    if (place.size.n == 0) {
        return found(paging_rule::unknown_segment, id.n);
    }
    if (!hw.is_aperture(id)) {
        return found(paging_rule::not_an_aperture, id.n);
    }
    u64 const size = whole_pages(place.size).n;
    if (!fits(offset, count, size)) {
        return found(paging_rule::outside_aperture, offset, size);
    }
    return count <= ~u32{0} ? nothing_wrong : found(paging_rule::too_many_pages, count, ~u32{0});
}

/// The pages of a list from index `first` on, judged before they are stored at once: every one within reach (ADL-06).
template <class Hw>
[[nodiscard]] constexpr finding check_reach(aperture_target const& target, u32 first, u32 count) noexcept {
    u64 highest = 0;
    for (u32 index = first; index != count; ++index) {
        highest = greater(highest, target.at(index).n);
    }
    return highest <= last_visible_page_of<Hw> ? nothing_wrong
                                               : found(paging_rule::list_wraps, highest, last_visible_page_of<Hw>);
}

/// Points a judged range at its target, by command where there is a buffer and hardware that can, else at once.
///
/// Elements of a list are judged while commands are written, because bytes that were never committed do not exist for the
/// OS; stores at once are seen at once, so there they are judged first.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus write_aperture(Hw& hw, Args& args, paging_operation operation, aperture_range range,
                                                aperture_target const& target) noexcept {
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_token(token, range.count); problem.any) {
        return fault(hw, operation, problem);
    }
    if constexpr (hw::aperture_by_command<Hw>) {
        if (has_buffer(args) && token != range.count) {
            if (finding const buffer = check_buffer<Hw>(args); buffer.any) {
                return fault(hw, operation, buffer);
            }
            dma_writer writer = open<Hw>(args);
            u64 highest = 0;
            u32 index = token;
            for (; index != range.count && writer.has(Hw::aperture_entry_dwords); ++index) {
                page_number const page = target.at(index);
                highest = greater(highest, page.n);
                hw.encode_aperture_entry(writer.take(Hw::aperture_entry_dwords), range.segment, range.first + index,
                                         page, target.coherent);
            }
            if (highest > last_visible_page_of<Hw>) {
                return fault(hw, operation, found(paging_rule::list_wraps, highest, last_visible_page_of<Hw>));
            }
            bool const whole = index == range.count;
            return commit(hw, args, writer, progress{whole ? outcome::done : outcome::need_buffer, index});
        }
    }
    if (finding const problem = check_reach<Hw>(target, token, range.count); problem.any) {
        return fault(hw, operation, problem);
    }
    for (u32 index = token; index != range.count; ++index) {
        hw.store_aperture_entry(range.segment, range.first + index, target.at(index), target.coherent);
    }
    args.MultipassOffset = range.count;
    return status::success;
}

/// Maps pages of a judged list: aperture page `offset + k` gets list page `list_first + k` (OP05-01, OP17-02).
///
/// @param list_base  the first page number of a contiguous list, to name it when it wraps; else 0
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus map_pages(Hw& hw, Args& args, paging_operation operation, segment_id id, u64 offset,
                                           u64 count, result<adl::source> const& all, u64 list_first, u64 list_base,
                                           bool coherent) noexcept {
    finding problem = check_aperture(hw, id, offset, count);
    if (!problem.any && count == 0) {
        problem = found(paging_rule::nothing_to_map, 0);
    }
    if (!problem.any && !all.ok()) {
        problem = all.error == errc::missing ? found(paging_rule::missing_list, list_first)
                                             : found(paging_rule::list_wraps, list_base, last_visible_page_of<Hw>);
    }
    result<adl::source> const part =
        problem.any ? good(adl::no_pages) : adl::window(all.value, pages{list_first}, pages{count});
    if (!problem.any && !part.ok()) {
        problem = found(paging_rule::outside_list, list_first, all.value.count);
    }
    if (!problem.any && !adl::within_reach(part.value, page_number{last_visible_page_of<Hw>})) {
        problem = found(paging_rule::list_wraps, part.value.base, last_visible_page_of<Hw>);
    }
    if (problem.any) {
        return fault(hw, operation, problem);
    }
    return write_aperture(hw, args, operation, aperture_range{id, offset, static_cast<u32>(count)},
                          aperture_target{part.value, page_number{0}, false, coherent});
}

/// Operation 5, MAP_APERTURE_SEGMENT: aperture page OffsetInPages + k gets page MdlOffset + k of the MDL (OP05-01).
///
/// @return success; graphics_insufficient_dma_buffer when work is left and there is a buffer; invalid_parameter when the
///         fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0. Source page: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_map_aperture_segment(Hw& hw, Args& args) noexcept {
    auto const& map = args.MapApertureSegment;
    result<adl::source> const all =
        map.pMdl == nullptr ? refused<adl::source>(errc::missing) : adl::from_mdl(*map.pMdl, edge::mdl_pages(map.pMdl));
    return map_pages(hw, args, paging_operation::map_aperture_segment, segment_id{static_cast<u32>(map.SegmentId)},
                     static_cast<u64>(map.OffsetInPages), static_cast<u64>(map.NumberOfPages), all,
                     static_cast<u32>(map.MdlOffset), 0, map.Flags.CacheCoherent != 0);
}

/// Operation 17, MAP_APERTURE_SEGMENT2: the same from an address descriptor list, of either form (OP17-02 to OP17-04).
///
/// CpuVisibleAddress is the driver's to keep until the matching unmap (OP17-05); the library does not use it.
/// @return as build_map_aperture_segment
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.9 by the header, 3.0 by the prose (AMB-25).
/// Source pages: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md, iommu-dma-remapping.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_map_aperture_segment2(Hw& hw, Args& args) noexcept {
    auto const& map = args.MapApertureSegment2;
    u64 const base = map.Adl.Flags.Contiguous ? static_cast<u64>(map.Adl.BasePageNumber) : 0;
    return map_pages(hw, args, paging_operation::map_aperture_segment2, segment_id{static_cast<u32>(map.SegmentId)},
                     static_cast<u64>(map.OffsetInPages), static_cast<u64>(map.NumberOfPages), adl::from_adl(map.Adl),
                     static_cast<u32>(map.AdlOffset), base, map.Flags.CacheCoherent != 0);
}

/// Operation 6, UNMAP_APERTURE_SEGMENT: every page of the range gets the dummy page and stays accessible (OP06-01).
///
/// It undoes operation 17 as well (OP17-06).
/// @return as build_map_aperture_segment
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0. Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_unmap_aperture_segment(Hw& hw, Args& args) noexcept {
    auto const& unmap = args.UnmapApertureSegment;
    segment_id const id{static_cast<u32>(unmap.SegmentId)};
    u64 const offset = static_cast<u64>(unmap.OffsetInPages);
    u64 const count = static_cast<u64>(unmap.NumberOfPages);
    finding problem = check_aperture(hw, id, offset, count);
    if (!problem.any && count == 0) {
        problem = found(paging_rule::nothing_to_map, 0);
    }
    page_number const dummy{static_cast<u64>(unmap.DummyPage.QuadPart) >> page_shift_lg2};
    if (!problem.any && dummy.n > last_visible_page_of<Hw>) {
        problem = found(paging_rule::list_wraps, dummy.n, last_visible_page_of<Hw>);
    }
    if (problem.any) {
        return fault(hw, paging_operation::unmap_aperture_segment, problem);
    }
    return write_aperture(hw, args, paging_operation::unmap_aperture_segment,
                          aperture_range{id, offset, static_cast<u32>(count)},
                          aperture_target{adl::no_pages, dummy, true, false});
}

}  // namespace wddmcore::paging
