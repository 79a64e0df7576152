// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/page_table/format.hpp"
#include "../finding.hpp"

/// Which entries of a table a request names: the DDI counts 4 KiB at the leaf, the hardware its own pages.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The table of a request.
struct table_kind {
    u32 level;
    leaf_kind leaf;   ///< of a leaf table: what its entries cover
    u32 entry_bytes;  ///< 4, 8 or 16
    u64 entries;      ///< as the DDI counts them
    u32 share_lg2;    ///< log2 of the DDI's entries that share one of the hardware's (OP11-05)
};

/// The table of a level.
///
/// AMB-22: in a table of 64-KiB entries the DDI's indices count its own entries. Above the leaf Use64KBPages changes
/// nothing here: which table an entry of level 1 names is said by the entry (GVA-11) or by the array (GVA-12).
/// @return level_out_of_range, no_64k_tables or nothing wrong; `table` is written only then
template <class Hw>
[[nodiscard]] constexpr finding find_table(Hw const& hw, u32 level, bool use_64k, table_kind& table) noexcept {
    gpuva::page_table_geometry const& tables = hw::geometry_of(hw);
    if (level >= tables.level_count) {
        return found(paging_rule::level_out_of_range, level, tables.level_count);
    }
    bool const of_64k = level == 0 && use_64k;
    if constexpr (gpuva::has_64k_tables(hw::any_geometry<Hw>())) {
        if (of_64k) {
            table = {0, leaf_kind::page_64k, gpuva::entry_bytes_64k(tables), gpuva::entry_count_64k(tables), 0};
            return nothing_wrong;
        }
    } else {
        if (of_64k) {
            return found(paging_rule::no_64k_tables, level);
        }
    }
    table = {level, leaf_kind::gpu_page, tables.levels[level].entry_bytes, gpuva::entry_count(tables, level),
             level == 0 ? gpuva::gpu_page_lg2(tables) : 0};
    return nothing_wrong;
}

/// The hardware entries, slots, that a range of the DDI's entries fills: those whose page begins inside the range.
struct slot_range {
    u32 first;      ///< index of the first slot in its table
    u32 count;      ///< slots; none when no page of the GPU begins in the range
    u32 skipped;    ///< DDI entries before the first page start: a range may begin inside a GPU page (OP11-05)
    u32 requested;  ///< DDI entries, what the token counts to (OP11-12)
    u32 share_lg2;

    /// The DDI's entry that the k-th slot is made from, counted from the first of the request.
    [[nodiscard]] constexpr u32 entry_of(u32 k) const noexcept { return skipped + (k << share_lg2); }

    /// The slots done when a token of entries is reached.
    [[nodiscard]] constexpr u32 slots_at(u32 token) const noexcept {
        return token <= skipped ? 0 : divide_up<u32>(token - skipped, 1u << share_lg2);
    }

    /// The token when so many slots are done: after the last one, the whole request.
    [[nodiscard]] constexpr u32 token_at(u32 done) const noexcept { return done == count ? requested : entry_of(done); }
};

/// The slots of entries [start, start + count), which lie inside their table.
[[nodiscard]] constexpr slot_range slots_of(u32 start, u32 count, u32 share_lg2) noexcept {
    u32 const share = 1u << share_lg2;
    u32 const skipped = lesser((share - start % share) % share, count);
    return {(start + skipped) >> share_lg2, divide_up<u32>(count - skipped, share), skipped, count, share_lg2};
}
static_assert(slots_of(5, 10, 2).first == 2 && slots_of(5, 10, 2).count == 2 && slots_of(5, 10, 2).skipped == 3);
static_assert(slots_of(1, 2, 2).count == 0 && slots_of(1, 2, 2).token_at(0) == 2);

}  // namespace wddmcore::paging::detail
