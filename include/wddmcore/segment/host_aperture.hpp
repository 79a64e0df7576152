// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "query/memory_state.hpp"

/// DxgkDdiMapCpuHostAperture and DxgkDdiUnmapCpuHostAperture: a list of pages is checked as a whole, then stored page
/// by page.
///
/// Both work as soon as the segments are reported, because the starting system uses them to reach the page tables of
/// its paging process (SEG-35). Pages have the size of the segment's pages, 4 or 64 KiB, so the last one may reach past
/// the end of its allocation (SEG-36). `hAllocation` may be NULL and is never looked at (SEG-38).
///
/// All functions here: PASSIVE_LEVEL like the two DDI functions, pageable, touch no OS state. DDI: WDDM 2.0.
/// Source pages: cpu-host-aperature.md, ns-d3dkmddi-_dxgkarg_mapcpuhostaperture.md,
/// ns-d3dkmddi-_dxgkarg_unmapcpuhostaperture.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// Writes the entries of a CPU host aperture.
///
/// For hardware authors: `void store_host_aperture_entry(segment_id, u32 aperture_page, u64 memory_page)` makes a page
/// of the aperture show a page of the segment; the CPU sees it when the function returns. `void
/// clear_host_aperture_entry(segment_id, u32 aperture_page)` makes a page show nothing. The optional `void
/// finish_host_aperture_stores(segment_id)` is called once, after the last entry of a request.
template <class Hw>
concept host_aperture_mapper = requires(Hw& hw, segment_id segment, u32 aperture_page, u64 memory_page) {
    hw.store_host_aperture_entry(segment, aperture_page, memory_page);
    hw.clear_host_aperture_entry(segment, aperture_page);
};

namespace detail {

/// Tells, as one compile error, that a hardware type cannot do it.
template <class Hw>
consteval void host_aperture_sentence() {
    static_assert(host_aperture_mapper<Hw>,
                  "host_aperture_mapper: `store_host_aperture_entry` or `clear_host_aperture_entry` is missing or not "
                  "public: write "
                  "`void store_host_aperture_entry(wddmcore::segment_id, wddmcore::u32 aperture_page, wddmcore::u64 "
                  "memory_page)` and `void clear_host_aperture_entry(wddmcore::segment_id, wddmcore::u32 "
                  "aperture_page)`");
}

/// The row of the segment that a request names, NULL unless it is memory behind a host aperture.
[[nodiscard]] constexpr entry const* host_aperture_row(view const& table, u32 id) noexcept {
    entry const* const row = find(table, {id});
    return row != nullptr && row->flags.has(flag::supports_cpu_host_aperture) && is_placed(*row) ? row : nullptr;
}

/// Whether an array of a request is there, and names no page past the end of what it counts in.
template <class T>
[[nodiscard]] constexpr bool are_below(T const* pages, u64 count, u64 limit) noexcept {
    if (count != 0 && pages == nullptr) {
        return false;
    }
    for (u64 i = 0; i < count; ++i) {
        if (pages[i] >= limit) {
            return false;
        }
    }
    return true;
}

/// Whether the pages that a request names are in the host aperture (SEG-37), and those of a map request in the segment.
template <members::cpu_host_aperture_pages Args>
[[nodiscard]] constexpr bool names_pages(view const& table, Args const& args) noexcept {
    entry const* const row = host_aperture_row(table, args.SegmentId);
    if (row == nullptr ||
        !are_below(args.pCpuHostAperturePages, args.NumberOfPages, row->host_aperture.size_in_pages)) {
        return false;
    }
    if constexpr (members::map_cpu_host_aperture<Args>) {
        return are_below(args.pMemorySegmentPages, args.NumberOfPages, row->size.n / segment_page(*row).n);
    } else {
        return true;
    }
}

/// Checks all pages of a request, then stores their entries: `store(hw, segment_id, index of the page)`.
template <class Hw, class Args, class Store>
[[nodiscard]] constexpr ntstatus store_host_aperture(view const& table, Hw& hw, Args const& args,
                                                     Store store) noexcept {
    host_aperture_sentence<Hw>();
    if constexpr (!host_aperture_mapper<Hw>) {
        return status::not_supported;
    } else {
        segment_id const segment{args.SegmentId};
        if (!names_pages(table, args)) {
            return status::invalid_parameter;
        }
        for (u64 i = 0; i < args.NumberOfPages; ++i) {
            store(hw, segment, i);
        }
        if constexpr (requires { hw.finish_host_aperture_stores(segment); }) {
            hw.finish_host_aperture_stores(segment);
        }
        return status::success;
    }
}

}  // namespace detail

/// Maps pages. All of them are checked before the first store, because the CPU sees each store at once (SEG-37).
///
/// @param table  of the physical adapter that `args` names
/// @param hw     a host_aperture_mapper; any other type is one compile error
/// @param args   DXGKARG_MAPCPUHOSTAPERTURE; neither array is contiguous in general
/// @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER, with nothing stored, when a check fails
template <class Hw, members::map_cpu_host_aperture Args>
[[nodiscard]] constexpr ntstatus map_cpu_host_aperture(view const& table, Hw& hw, Args const& args) noexcept {
    return detail::store_host_aperture(table, hw, args, [&args](auto& gpu, segment_id segment, u64 i) {
        gpu.store_host_aperture_entry(segment, args.pCpuHostAperturePages[i], args.pMemorySegmentPages[i]);
    });
}

/// Unmaps pages. All of them are checked before the first store.
///
/// @param table  of the physical adapter that `args` names
/// @param hw     a host_aperture_mapper; any other type is one compile error
/// @param args   DXGKARG_UNMAPCPUHOSTAPERTURE
/// @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER, with nothing stored, when the check fails
template <class Hw, members::cpu_host_aperture_pages Args>
[[nodiscard]] constexpr ntstatus unmap_cpu_host_aperture(view const& table, Hw& hw, Args const& args) noexcept {
    return detail::store_host_aperture(table, hw, args, [&args](auto& gpu, segment_id segment, u64 i) {
        gpu.clear_host_aperture_entry(segment, args.pCpuHostAperturePages[i]);
    });
}

}  // namespace wddmcore::segment
