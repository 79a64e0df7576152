// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/span.hpp"
#include "page_size.hpp"

/// The rules for leaf tables of 4-KiB and of 64-KiB entries that cover the same addresses.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: support-for-64kb-pages.md, ns-d3dukmdt-_dxgk_pte.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The leaf tables that an entry of level 1 names.
enum class named_leaf : u32 { of_4k, of_64k, both };

/// Which leaf an entry of level 1 names (GVA-11).
///
/// @param page_table_page_size  PageTablePageSize of the entry: 0 4 KiB, 1 64 KiB; ignored in dual-PTE mode
/// @return the leaf; errc::inconsistent for 64 KiB without such tables; errc::out_of_range for 2 and 3
[[nodiscard]] constexpr result<named_leaf> leaf_named_by(page_table_geometry const& g,
                                                         u32 page_table_page_size) noexcept {
    if (g.leaf == leaf_tables::both) {
        return good(named_leaf::both);
    }
    if (page_table_page_size > 1) {
        return refused<named_leaf>(errc::out_of_range);
    }
    if (page_table_page_size == 0) {
        return good(named_leaf::of_4k);
    }
    return has_64k_tables(g) ? good(named_leaf::of_64k) : refused<named_leaf>(errc::inconsistent);
}

/// 64 KiB of address space that both leaf tables translate.
struct double_mapping {
    bool found;
    u32 index_64k;  ///< the index of the 64-KiB entry; meaningful only when found
};

/// The first 64 KiB for which both leaf tables have a valid entry, although only one of them may (GVA-12).
///
/// @param entries_4k  DXGK_PTEs, the first of them for index `first_4k`
/// @param entries_64k DXGK_PTEs, the first of them for index `first_64k`; an index counts entries of its table (AMB-22)
/// @return the first such 64 KiB, by the index of its 64-KiB entry; or not found
template <class Pte>
[[nodiscard]] constexpr double_mapping find_double_mapping(span<Pte const> entries_4k, u32 first_4k,
                                                           span<Pte const> entries_64k, u32 first_64k) noexcept {
    for (usize i = 0; i < entries_4k.count; ++i) {
        u64 const group = (u64{first_4k} + i) >> pages_of_64k_lg2;
        // A group below the first one becomes a number past the last one.
        if (!entries_4k[i].Valid || group - first_64k >= entries_64k.count) {
            continue;
        }
        if (entries_64k[static_cast<usize>(group - first_64k)].Valid) {
            return {true, static_cast<u32>(group)};
        }
    }
    return {false, 0};
}

/// Which entries become valid when an allocation moves. Those of the other table are made invalid first, so that both
/// are never valid at once (GVA-12).
///
/// AMB-40: the page says that a 64-KiB entry is lost on a move to a segment "with 64 KB page size". The context shows
/// that a segment of 4-KiB pages, or system memory, is meant: in memory with 64-KiB pages the entry remains a 64-KiB
/// entry.
///
/// @param range  what moves: 64 KiB or a multiple of it
/// @param to     the first page number of the new place
/// @param now    the memory it moves to
/// @return page_form::leaf_64k or page_form::leaf
[[nodiscard]] constexpr page_form leaf_after_move(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                                  page_range range, page_number to, mapped_memory now) noexcept {
    return uses_64k_pages(g, caps, now, range, to) ? page_form::leaf_64k : page_form::leaf;
}

/// What happens, in this order, when a leaf table of 64-KiB entries becomes one of 4-KiB entries (GVA-13, GVA-15).
enum class conversion_event : u32 {
    contexts_suspended,         ///< all contexts of the process
    leaf_entries_rewritten,     ///< to 4-KiB entries
    directory_entry_rewritten,  ///< PageTablePageSize of the entry in level 1
    contexts_resumed,
};

/// A conversion of one leaf table as the driver sees it.
struct leaf_conversion {
    u32 done = 0;  ///< how many of the events have happened; 0: no conversion
    friend constexpr bool operator==(leaf_conversion, leaf_conversion) = default;

    /// @return whether the table is being converted, with all contexts suspended
    [[nodiscard]] constexpr bool under_way() const noexcept { return done != 0; }

    /// The conversion after an event.
    ///
    /// @return the next state; errc::inconsistent when the event is out of order (GVA-13)
    [[nodiscard]] constexpr result<leaf_conversion> after(conversion_event event) const noexcept {
        if (static_cast<u32>(event) != done) {
            return refused<leaf_conversion>(errc::inconsistent);
        }
        return good(leaf_conversion{event == conversion_event::contexts_resumed ? 0 : done + 1});
    }
};

/// @return whether a leaf table can be converted like this: only from 64 KiB to 4 KiB, and only where a table has one
///         kind of entries (GVA-13)
[[nodiscard]] constexpr bool converts(page_table_geometry const& g, page_form from, page_form to) noexcept {
    return g.leaf == leaf_tables::either && from == page_form::leaf_64k && to == page_form::leaf;
}

}  // namespace wddmcore::gpuva
