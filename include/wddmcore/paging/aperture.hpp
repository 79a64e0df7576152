// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/promises/aperture.hpp"
#include "endpoint.hpp"
#include "pass.hpp"

/// Operations 5 MAP_APERTURE_SEGMENT, 6 UNMAP_APERTURE_SEGMENT and 17 MAP_APERTURE_SEGMENT2.
///
/// Entries are 4-KiB pages. With a buffer and hardware that can, they are written by command; otherwise at once,
/// because these operations also come without a buffer and then must be complete on return (OBS-02, PGB-11).
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

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

/// Judges a range: at least one page (ADL-09), inside a reported aperture, computed without wrap (OP05-02).
///
/// @param offset, count  in 4-KiB pages
/// @return unknown_segment, not_an_aperture, outside_aperture, too_many_pages, nothing_to_map or nothing wrong
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_aperture(auto const& hw, segment_id id, u64 offset,
                                                               u64 count) noexcept {
    constexpr u64 most = ~u32{0};
    segment_place const place = hw.place(id);
    u64 const size = whole_pages(place.size).n;
    // One test for none and for too many. Pages that fit prove that the segment was reported.
    if (count - 1 < most && fits(offset, count, size) && hw.is_aperture(id)) [[likely]] {
        return nothing_wrong;
    }
    if (place.size.n == 0) {
        return found(paging_rule::unknown_segment, id.n);
    }
    if (!hw.is_aperture(id)) {
        return found(paging_rule::not_an_aperture, id.n);
    }
    if (!fits(offset, count, size)) {
        return found(paging_rule::outside_aperture, offset, size);
    }
    return count == 0 ? found(paging_rule::nothing_to_map, 0) : found(paging_rule::too_many_pages, count, most);
}

/// A request of operation 5, 6 or 17.
struct aperture_plan {
    aperture_range range;
    aperture_target target;
};

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

/// Points a judged range at its target by command, from the token on; a page out of reach is found before anything is
/// committed (ADL-06): bytes that were never committed do not exist for the OS.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus aperture_commands(Hw& hw, Args& args, paging_operation operation,
                                                                   aperture_plan const& plan) noexcept {
    aperture_range const range = plan.range;
    dma_writer writer = open<Hw>(args);
    u64 highest = 0;
    u32 index = static_cast<u32>(args.MultipassOffset);
    for (; index != range.count && writer.has(Hw::aperture_entry_dwords); ++index) {
        page_number const page = plan.target.at(index);
        highest = greater(highest, page.n);
        hw.encode_aperture_entry(writer.take(Hw::aperture_entry_dwords), range.segment, range.first + index, page,
                                 plan.target.coherent);
    }
    if (highest > last_visible_page_of<Hw>) {
        return fault(hw, operation, found(paging_rule::list_wraps, highest, last_visible_page_of<Hw>));
    }
    return commit(hw, args, writer, progress{index == range.count ? outcome::done : outcome::need_buffer, index});
}

/// Judges the list of a map whose range is good: aperture page `offset + k` gets list page `list_first + k` (OP05-01,
/// OP17-02).
///
/// The pages of an array are judged where they are walked; contiguous ones are judged here, by the first and the last.
/// @tparam Contiguous  the form of the list: no test of one form is made for the other
/// @param list_base    the first page number of a contiguous list, to name it when it wraps; else 0
/// @param pages_of     the part of the list that is mapped; written only when nothing is wrong
template <class Hw, bool Contiguous>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_list(result<adl::source> const& all, u64 list_first, u64 list_base,
                                                          u64 count, adl::source& pages_of) noexcept {
    if (!all.ok()) {
        return Contiguous ? found(paging_rule::list_wraps, list_base, last_visible_page_of<Hw>)
                          : found(paging_rule::missing_list, list_first);
    }
    result<adl::source> const part = adl::window(all.value, pages{list_first}, pages{count});
    if (!part.ok()) {
        return found(paging_rule::outside_list, list_first, all.value.count);
    }
    if constexpr (Contiguous) {
        if (!adl::within_reach(part.value, page_number{last_visible_page_of<Hw>})) {
            return found(paging_rule::list_wraps, part.value.base, last_visible_page_of<Hw>);
        }
    }
    pages_of = part.value;
    return nothing_wrong;
}

/// Judges the list of operation 5 or 17; see plan_list.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_list_of(auto const& map, u64 count,
                                                             adl::source& pages_of) noexcept {
    if constexpr (requires { map.Adl; }) {
        u32 const first = static_cast<u32>(map.AdlOffset);
        if (map.Adl.Flags.Contiguous) {
            u64 const base = static_cast<u64>(map.Adl.BasePageNumber);
            return plan_list<Hw, true>(adl::from_adl(map.Adl), first, base, count, pages_of);
        }
        return plan_list<Hw, false>(adl::from_adl(map.Adl), first, 0, count, pages_of);
    } else {
        u32 const first = static_cast<u32>(map.MdlOffset);
        return map.pMdl == nullptr ? found(paging_rule::missing_list, first)
                                   : plan_list<Hw, false>(adl::from_mdl(*map.pMdl, casts::mdl_pages(map.pMdl)), first,
                                                          0, count, pages_of);
    }
}

/// Judges an aperture operation.
///
/// @param plan  complete only when nothing is wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_aperture(Hw const& hw, auto const& request,
                                                              aperture_plan& plan) noexcept {
    segment_id const id{static_cast<u32>(request.SegmentId)};
    u64 const offset = static_cast<u64>(request.OffsetInPages);
    u64 const count = static_cast<u64>(request.NumberOfPages);
    if (finding const problem = check_aperture(hw, id, offset, count); problem.any) {
        return problem;
    }
    plan.range = {id, offset, static_cast<u32>(count)};
    if constexpr (requires { request.DummyPage; }) {
        page_number const dummy{static_cast<u64>(request.DummyPage.QuadPart) >> page_shift_lg2};
        plan.target = {adl::no_pages, dummy, true, false};
        return dummy.n <= last_visible_page_of<Hw> ? nothing_wrong
                                                   : found(paging_rule::list_wraps, dummy.n, last_visible_page_of<Hw>);
    } else {
        plan.target.coherent = request.Flags.CacheCoherent != 0;
        return plan_list_of<Hw>(request, count, plan.target.list);
    }
}

/// Points a judged range at its target at once. What is stored is seen at once, so that the pages are judged first.
///
/// The request is known to be good; it is planned a second time, so that a request with a buffer keeps no plan in
/// memory.
template <paging_operation Operation, class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus aperture_stores(Hw& hw, auto& args) noexcept {
    aperture_plan plan{};
    static_cast<void>(plan_aperture(hw, request_of<Operation>(args), plan));
    aperture_range const range = plan.range;
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_reach<Hw>(plan.target, token, range.count); problem.any) {
        return fault(hw, Operation, problem);
    }
    for (u32 index = token; index != range.count; ++index) {
        hw.store_aperture_entry(range.segment, range.first + index, plan.target.at(index), plan.target.coherent);
    }
    args.MultipassOffset = range.count;
    return status::success;
}

/// Operation 5, MAP_APERTURE_SEGMENT: aperture page OffsetInPages + k gets page MdlOffset + k of the MDL (OP05-01).
///
/// Operation 17, MAP_APERTURE_SEGMENT2: the same from an address descriptor list, of either form (OP17-02 to OP17-04).
/// CpuVisibleAddress is the driver's to keep until the matching unmap (OP17-05); the library does not use it.
///
/// Operation 6, UNMAP_APERTURE_SEGMENT: every page of the range gets the dummy page and stays accessible (OP06-01).
/// DummyPage is an address and means the page that it lies in. Its low 12 bits are ignored: only one page can be meant,
/// so they are no reason for a bugcheck. It undoes operation 17 as well (OP17-06).
///
/// By command where there is a buffer and hardware that can, else at once.
///
/// @return success; graphics_insufficient_dma_buffer when work is left and there is a buffer; invalid_parameter when
///         the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0; operation 17: WDDM 2.9 by the header, 3.0 by the prose (AMB-25).
/// Source pages: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md, nc-d3dkmddi-dxgkddi_buildpagingbuffer.md,
/// iommu-dma-remapping.md.
template <paging_operation Operation, class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_aperture(Hw& hw, auto& args) noexcept {
    aperture_plan plan{};
    if (plan_aperture(hw, request_of<Operation>(args), plan).any) [[unlikely]] {
        return refuse(hw, request_of<Operation>(args), Operation, [](Hw const& device, auto const& request) {
            aperture_plan again{};
            return plan_aperture(device, request, again);
        });
    }
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (token >= plan.range.count) [[unlikely]] {
        return nothing_left(hw, Operation, token, plan.range.count);
    }
    if constexpr (hw::aperture_by_command<Hw>) {
        if (can_begin<Hw>(args, Hw::aperture_entry_dwords)) [[likely]] {
            return aperture_commands(hw, args, Operation, plan);
        }
        if (has_buffer(args)) {
            return cannot_begin(hw, args, Operation);
        }
    }
    return aperture_stores<Operation>(hw, args);
}

}  // namespace wddmcore::paging::detail
