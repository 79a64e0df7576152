// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "members.hpp"
#include "placement/placement.hpp"

/// DXGKQAITYPE_PAGETABLELEVELDESC: the answer for a level.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state. DDI: WDDM 2.0.
/// Source page: ns-d3dkmddi-_dxgk_page_table_level_desc.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// @return the size of a table as the descriptor of its level gives it; for a resizable root, its size at the start
[[nodiscard]] constexpr bytes first_table_bytes(page_table_geometry const& g, u32 level) noexcept {
    page_table_level const& one = g.levels[level];
    if (level == 0) {
        return table_bytes(g, level);
    }
    return one.index_bits == 0 ? bytes{0}
                               : to_bytes(pages_spanned((u64{1} << one.index_bits) * bytes{one.entry_bytes}));
}

/// Fills all members of DXGK_PAGE_TABLE_LEVEL_DESC (GVA-02, GVA-04, GVA-05). For a resizable root, index bits and size
/// are those at its start, which may be 0.
///
/// @param g          page tables that `judge` accepts
/// @param placement  a placement that `judge_placement` accepts
/// @param level      a level of the page tables; 0 is the leaf
/// @param answer     DXGK_PAGE_TABLE_LEVEL_DESC of the included header, or the mirror
template <members::page_table_level_desc Description>
constexpr void fill_page_table_level_desc(page_table_geometry const& g, page_table_placement const& placement,
                                          u32 level, Description& answer) noexcept {
    promise(level < g.level_count);
    level_placement const& home = placement.levels[level];
    answer.PageTableIndexBitCount = g.levels[level].index_bits;
    answer.PageTableSegmentId = home.tables.segment.n;
    answer.PagingProcessPageTableSegmentId = home.paging_process.segment.n;
    answer.PageTableSizeInBytes = static_cast<u32>(first_table_bytes(g, level).n);
    answer.PageTableAlignmentInBytes = static_cast<u32>(home.alignment.n);
}

}  // namespace wddmcore::gpuva
