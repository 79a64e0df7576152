// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../members.hpp"
#include "../range.hpp"

/// The root table: how large it must be, and where the root of a context is now. DDI: WDDM 2.0.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiGetRootPageTableSize and pageable if about sizes; if about the state
/// of a context any IRQL, nonpaged.
/// Source pages: nc-d3dkmddi-dxgkddi_getrootpagetablesize.md, ns-d3dkmddi-_dxgkarg_setrootpagetable.md,
/// nc-d3dkmddi-dxgkddi_setrootpagetable.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The size of a root.
struct root_size {
    bytes size;   ///< a multiple of the page size of the segment that holds it
    u32 entries;  ///< how many fit, possibly more than were asked for; at most as many as addresses can use
};

/// The smallest root with at least this many entries (GVA-26).
///
/// @param g             page tables that `judge` accepts, with two levels
/// @param entries       how many are asked for; 0 gives the smallest possible root
/// @param segment_page  the page size of the segment that holds the root: 4096 bytes or 64 KiB
/// @return size and entries; errc::inconsistent for more than two levels, whose root has a fixed size; errc::misaligned
///         for any other page size; errc::out_of_range for more entries than addresses can use
[[nodiscard]] constexpr result<root_size> root_size_for(page_table_geometry const& g, u64 entries,
                                                        bytes segment_page) noexcept {
    if (!root_is_resizable(g)) {
        return refused<root_size>(errc::inconsistent);
    }
    if (segment_page.n != page_bytes && segment_page.n != page_bytes << pages_of_64k_lg2) {
        return refused<root_size>(errc::misaligned);
    }
    u64 const most = entry_count(g, 1);
    if (entries > most) {
        return refused<root_size>(errc::out_of_range);
    }
    u64 const entry = g.levels[1].entry_bytes;
    u64 const units = divide_up(greater<u64>(entries, 1) * entry, segment_page.n);
    u64 const size = units * segment_page.n;
    return good(root_size{{size}, static_cast<u32>(lesser(size / entry, most))});
}

/// Answers DxgkDdiGetRootPageTableSize: writes the entries that fit into NumberOfPte (GVA-26).
///
/// @param g             page tables that `judge` accepts, with two levels
/// @param segment_page  the page size of the segment that holds the root
/// @param args          NumberOfPte goes in as the number asked for and comes out as the number that fits; unchanged on
///                      a refusal
/// @return the bytes to return; errc::out_of_range when the page tables, or SIZE_T, do not allow so many entries;
///         errc::inconsistent and errc::misaligned as from root_size_for
template <members::get_root_page_table_size Args>
[[nodiscard]] constexpr result<bytes> answer_root_page_table_size(page_table_geometry const& g, bytes segment_page,
                                                                  Args& args) noexcept {
    result<root_size> const found = root_size_for(g, args.NumberOfPte, segment_page);
    if (!found.ok()) {
        return refused<bytes>(found.error);
    }
    if (found.get().size.n > ~usize{0}) {
        return refused<bytes>(errc::out_of_range);
    }
    args.NumberOfPte = found.get().entries;
    return good(found.get().size);
}

/// Where the root of a context is, according to the last DxgkDdiSetRootPageTable.
struct root_table {
    segment_id segment{0};     ///< 0: system memory
    u32 entries = 0;           ///< 0: no root was set
    segment_offset offset{0};  ///< from the segment's start
    friend constexpr bool operator==(root_table const&, root_table const&) = default;

    /// @return whether a root was set
    [[nodiscard]] constexpr bool is_set() const noexcept { return entries != 0; }
};

/// What a new root changes. If any of these is true, what the context has kept of the old root is stale (GVA-28).
struct root_change {
    root_table now;
    bool moved;    ///< it lies elsewhere
    bool resized;  ///< it has another number of entries
    /// @return whether the hardware has to be told
    [[nodiscard]] constexpr bool any() const noexcept { return moved || resized; }
};

/// Processes a DXGKARG_SETROOTPAGETABLE, which may come again whenever the root moves or is resized (GVA-28).
///
/// @param g                page tables that `judge` accepts
/// @param before           the context's root until now
/// @param args             DXGKARG_SETROOTPAGETABLE of the included header, or the mirror
/// @param context_is_idle  whether the context is idle, as far as the driver knows; the system calls only if it is
/// @return the new root; errc::inconsistent when the context is busy; errc::out_of_range for no entries, or for more
///         than addresses can use
template <members::set_root_page_table Args>
[[nodiscard]] constexpr result<root_change> set_root(page_table_geometry const& g, root_table const& before,
                                                     Args const& args, bool context_is_idle) noexcept {
    if (!context_is_idle) {
        return refused<root_change>(errc::inconsistent);
    }
    if (args.NumEntries == 0 || args.NumEntries > entry_count(g, root_level(g))) {
        return refused<root_change>(errc::out_of_range);
    }
    root_table const now{{args.Address.SegmentId}, args.NumEntries, {args.Address.SegmentOffset}};
    bool const moved = now.segment != before.segment || now.offset != before.offset || !before.is_set();
    return good(root_change{now, moved, now.entries != before.entries});
}

/// @return whether the hardware must fault on an address, because its index in the root is not below NumEntries
///         (GVA-27)
[[nodiscard]] constexpr bool faults_at_root(page_table_geometry const& g, root_table const& root,
                                            gpu_virtual_address at) noexcept {
    return (at.n >> page_shift_lg2) >> entry_pages_lg2(g, root_level(g)) >= root.entries;
}

}  // namespace wddmcore::gpuva
