// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../ddi/ntstatus.hpp"
#include "query/memory_state.hpp"

/// DxgkDdiMapCpuHostAperture and DxgkDdiUnmapCpuHostAperture: lists of pages, checked whole and then stored one by one.
///
/// They work as soon as segments were reported, because the system reaches the page tables of its paging process
/// through them while it starts (SEG-35). Pages are those of the segment, 4 or 64 KiB, so that the last one may reach
/// behind its allocation (SEG-36). `hAllocation` may be NULL and is never looked at (SEG-38).
///
/// All functions here: PASSIVE_LEVEL as the two DDI functions, pageable, touch no OS state. DDI: WDDM 2.0.
/// Source pages: cpu-host-aperature.md, ns-d3dkmddi-_dxgkarg_mapcpuhostaperture.md,
/// ns-d3dkmddi-_dxgkarg_unmapcpuhostaperture.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// Writes the entries of a CPU host aperture.
///
/// For hardware authors: `void store_host_aperture_entry(segment_id, u32 aperture_page, u64 memory_page)` makes a page
/// of the aperture show a page of the segment, seen by the CPU when it returns;
/// `void clear_host_aperture_entry(segment_id, u32 aperture_page)` makes it show nothing. Optional:
/// `void finish_host_aperture_stores(segment_id)` is called once after the last entry of a request.
template <class Hw>
concept host_aperture_mapper = requires(Hw& hw, segment_id segment, u32 aperture_page, u64 memory_page) {
    hw.store_host_aperture_entry(segment, aperture_page, memory_page);
    hw.clear_host_aperture_entry(segment, aperture_page);
};

/// One compile error where a hardware type cannot do it.
template <class Hw>
consteval bool host_aperture_sentence() {
    static_assert(host_aperture_mapper<Hw>,
                  "host_aperture_mapper: `store_host_aperture_entry` or `clear_host_aperture_entry` is missing or not "
                  "public: write "
                  "`void store_host_aperture_entry(wddmcore::segment_id, wddmcore::u32 aperture_page, wddmcore::u64 "
                  "memory_page)` and `void clear_host_aperture_entry(wddmcore::segment_id, wddmcore::u32 "
                  "aperture_page)`");
    return true;
}

/// The row behind a host aperture that a request names, NULL when there is none.
[[nodiscard]] constexpr entry const* host_aperture_row(view const& table, u32 id) noexcept {
    if (id == 0 || id > table.reported.count) {
        return nullptr;
    }
    entry const& e = table.reported.data[id - 1];
    return e.flags.has(flag::supports_cpu_host_aperture) && is_placed(e) ? &e : nullptr;
}

/// Judges the pages of the aperture that a request names (SEG-37): each below the aperture's size.
///
/// @return none; missing: pages are counted but not named; out_of_range: no such segment, or a page behind the aperture
template <members::cpu_host_aperture_pages Args>
[[nodiscard]] constexpr errc judge_host_aperture_pages(view const& table, Args const& args) noexcept {
    entry const* const row = host_aperture_row(table, args.SegmentId);
    if (row == nullptr) {
        return errc::out_of_range;
    }
    if (args.NumberOfPages != 0 && args.pCpuHostAperturePages == nullptr) {
        return errc::missing;
    }
    for (u64 i = 0; i < args.NumberOfPages; ++i) {
        if (args.pCpuHostAperturePages[i] >= row->host_aperture.size_in_pages) {
            return errc::out_of_range;
        }
    }
    return errc::none;
}

/// Judges the pages of the segment that a request to map names: each inside the segment.
///
/// @param args  what judge_host_aperture_pages accepts
/// @return none; missing; out_of_range: a page behind the segment
template <members::map_cpu_host_aperture Args>
[[nodiscard]] constexpr errc judge_memory_pages(view const& table, Args const& args) noexcept {
    entry const& e = *host_aperture_row(table, args.SegmentId);
    if (args.NumberOfPages != 0 && args.pMemorySegmentPages == nullptr) {
        return errc::missing;
    }
    u64 const pages_of_segment = e.size.n / segment_page(e).n;
    for (u64 i = 0; i < args.NumberOfPages; ++i) {
        if (args.pMemorySegmentPages[i] >= pages_of_segment) {
            return errc::out_of_range;
        }
    }
    return errc::none;
}

/// Tells the hardware type that the last entry of a request was stored, if it wants to know.
///
/// @param hw       a host_aperture_mapper
/// @param segment  whose aperture was written
template <class Hw>
constexpr void finish_host_aperture(Hw& hw, segment_id segment) noexcept {
    if constexpr (requires { hw.finish_host_aperture_stores(segment); }) {
        hw.finish_host_aperture_stores(segment);
    }
}

/// Maps pages: all of them are judged before the first store, which the CPU sees at once (SEG-37).
///
/// @param table  of the physical adapter that `args` names
/// @param hw     a host_aperture_mapper; one compile error when it is none
/// @param args   DXGKARG_MAPCPUHOSTAPERTURE; neither array is contiguous in general
/// @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER, with nothing stored, for what the judges refuse
template <class Hw, members::map_cpu_host_aperture Args>
[[nodiscard]] constexpr ntstatus map_cpu_host_aperture(view const& table, Hw& hw, Args const& args) noexcept {
    static_cast<void>(host_aperture_sentence<Hw>());
    if constexpr (host_aperture_mapper<Hw>) {
        if (judge_host_aperture_pages(table, args) != errc::none || judge_memory_pages(table, args) != errc::none) {
            return status::invalid_parameter;
        }
        segment_id const segment{args.SegmentId};
        for (u64 i = 0; i < args.NumberOfPages; ++i) {
            hw.store_host_aperture_entry(segment, args.pCpuHostAperturePages[i], args.pMemorySegmentPages[i]);
        }
        finish_host_aperture(hw, segment);
    }
    return status::success;
}

/// Unmaps pages: all of them are judged before the first store.
///
/// @param args  DXGKARG_UNMAPCPUHOSTAPERTURE
/// @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER, with nothing stored, for what the judge refuses
template <class Hw, members::cpu_host_aperture_pages Args>
[[nodiscard]] constexpr ntstatus unmap_cpu_host_aperture(view const& table, Hw& hw, Args const& args) noexcept {
    static_cast<void>(host_aperture_sentence<Hw>());
    if constexpr (host_aperture_mapper<Hw>) {
        if (judge_host_aperture_pages(table, args) != errc::none) {
            return status::invalid_parameter;
        }
        segment_id const segment{args.SegmentId};
        for (u64 i = 0; i < args.NumberOfPages; ++i) {
            hw.clear_host_aperture_entry(segment, args.pCpuHostAperturePages[i]);
        }
        finish_host_aperture(hw, segment);
    }
    return status::success;
}

}  // namespace wddmcore::segment
