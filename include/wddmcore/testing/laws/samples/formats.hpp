// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../gpuva/gpu_mmu_caps.hpp"
#include "../../../hw/promises/page_table/format.hpp"
#include "../../../paging/operations.hpp"
#include "places.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

/// What page-table entries can be asked to say.
namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// Whether operation 11 can arrive, and how its commands name tables.
template <class Hw>
inline constexpr bool has_page_tables = reachable(Hw::caps, paging_operation::update_page_table);
template <class Hw>
inline constexpr bool tables_by_command =
    has_page_tables<Hw> && contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical);

/// A kind of page, and the table that its entries stand in.
struct page_kind {
    leaf_kind leaf;
    u32 level;
    u64 pages;        ///< 4-KiB pages that one entry stands for
    u32 entry_bytes;  ///< of the table
};

/// All kinds of pages that this object has, the smallest first.
template <class Hw>
[[nodiscard]] std::vector<page_kind> page_kinds(Hw const& hw) {
    auto const& tables = hw::geometry_of(hw);
    std::vector<page_kind> found{
        {leaf_kind::gpu_page, 0, u64{1} << gpuva::gpu_page_lg2(tables), tables.levels[0].entry_bytes}};
    if (gpuva::has_64k_tables(tables)) {
        found.push_back({leaf_kind::page_64k, 0, u64{1} << gpuva::pages_of_64k_lg2, gpuva::entry_bytes_64k(tables)});
    }
    for (u32 level = 1; level != tables.level_count; ++level) {
        if ((gpuva::refused_pte_flags(tables, Hw::mmu_caps, level) & pte_flags::large_page_bit) == 0) {
            found.push_back({leaf_kind::large_page, level, u64{1} << gpuva::entry_pages_lg2(tables, level),
                             tables.levels[level].entry_bytes});
        }
    }
    return found;
}

/// Memory that entries can name: a segment, and its pages from number 0 on.
struct nameable {
    segment_id id;
    u64 pages;
};

/// System memory and the memory segments that have a place.
template <class Hw>
[[nodiscard]] std::vector<nameable> nameable_memory(Hw const& hw) {
    u64 const most = u64{1} << hw::entry_limits_of(hw).page_number_bits;
    std::vector<nameable> found{{segment_id{0}, lesser(most, last_page<Hw>() + 1)}};
    for (segment_id const id : placed_segments(hw)) {
        if (!hw.is_aperture(id)) {
            found.push_back({id, lesser(most, whole_pages(hw.place(id).size).n)});
        }
    }
    return found;
}

/// Whether pages of a kind may lie in this memory (GVA-15).
template <class Hw>
[[nodiscard]] bool may_lie(page_kind const& kind, nameable const& memory) {
    bool const claimed = memory.id.n != 0 || kind.leaf == leaf_kind::gpu_page ||
                         (kind.leaf == leaf_kind::page_64k ? Hw::mmu_caps.system_memory_64k_pages
                                                           : Hw::mmu_caps.system_memory_large_pages);
    return claimed && memory.pages >= kind.pages;
}

/// The flags of a valid page.
[[nodiscard]] constexpr u64 valid_flags(segment_id id, page_kind const& kind) {
    return pte_flags::valid_bit | pte_flags::segment_field::place(id.n) |
           (kind.leaf == leaf_kind::large_page ? pte_flags::large_page_bit : 0);
}

/// The rights and ways of access that are claimed.
template <class Hw>
inline constexpr u64 claimed_rights =
    (pte_flags::read_only_bit | pte_flags::no_execute_bit | pte_flags::cache_coherent_bit) &
    ~gpuva::refused_pte_flags(hw::any_geometry<Hw>(), Hw::mmu_caps, 0);

/// Entries, each made from a number and of a group, to find two that are the same.
class entry_list {
public:
    struct item {
        page_table_entry entry;
        u64 number;
        u32 group;
    };

    void add(page_table_entry entry, u64 number, u32 group = 0) { items_.push_back({entry, number, group}); }

    /// Two items of one entry: of different groups, or with `numbers_too` of different numbers.
    [[nodiscard]] std::optional<std::pair<item, item>> same(bool numbers_too) const {
        std::vector<item> sorted = items_;
        std::sort(sorted.begin(), sorted.end(), [](item const& a, item const& b) {
            return std::pair(a.entry.low, a.entry.high) < std::pair(b.entry.low, b.entry.high);
        });
        for (std::size_t first = 0; first < sorted.size(); ++first) {
            for (std::size_t i = first + 1; i < sorted.size() && sorted[i].entry == sorted[first].entry; ++i) {
                item const& a = sorted[first];
                item const& b = sorted[i];
                if (a.group != b.group || (numbers_too && a.number != b.number)) {
                    return std::pair(a, b);
                }
            }
        }
        return std::nullopt;
    }

private:
    std::vector<item> items_;
};

}  // namespace wddmcore::testing::law_parts
