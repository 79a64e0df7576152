// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "range.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// What page tables cost.
struct table_cost {
    u64 tables;
    bytes size;
    friend constexpr bool operator==(table_cost const&, table_cost const&) = default;
};

/// The tables that translate addresses 0 to `space`: the leaf tables, and their parents up to the root (CHK-08).
///
/// Dual-PTE mode has two leaf tables for each range. Where a leaf table may have 4-KiB or 64-KiB entries, the larger
/// one is counted. A resizable root has as many entries as the space needs.
///
/// Source pages: gpu-virtual-address.md, system-paging-process.md.
///
/// @param g      page tables that `judge` accepts
/// @param space  bytes, inside the address space
/// @return the number of tables and their size; 0 for an empty space
[[nodiscard]] constexpr table_cost cost_of(page_table_geometry const& g, bytes space) noexcept {
    u64 const length = pages_spanned(space).n;
    table_cost sum{0, {0}};
    if (length == 0) {
        return sum;
    }
    for (u32 level = 0; level < g.level_count; ++level) {
        u32 const entry_lg2 = entry_pages_lg2(g, level);
        u64 const tables = ((length - 1) >> (entry_lg2 + index_bits(g, level))) + 1;
        bytes each = table_bytes(g, level);
        if (level == 1 && root_is_resizable(g)) {
            u64 const entries = ((length - 1) >> entry_lg2) + 1;
            each = to_bytes(pages_spanned(entries * bytes{g.levels[1].entry_bytes}));
        }
        sum = {sum.tables + tables, sum.size + tables * each};
        if (level == 0 && g.leaf == leaf_tables::both) {
            sum = {sum.tables + tables, sum.size + tables * table_bytes_64k(g)};
        }
    }
    return sum;
}

}  // namespace wddmcore::gpuva
