// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "operation.hpp"
#include "placement.hpp"

#include <map>
#include <set>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

using pte = mirror::vista::dxgk_pte;

inline constexpr std::uint64_t pte_zero = 0x2;         ///< Zero in DXGK_PTE
inline constexpr std::uint64_t pte_attributes = 0x1C;  ///< CacheCoherent, ReadOnly and NoExecute in DXGK_PTE

/// Number and reach of entries, from the levels that the adapter reported.
class table_geometry {
public:
    explicit table_geometry(std::vector<vidmm_page_level> const& levels) : levels_(levels) {}

    [[nodiscard]] std::uint32_t top() const { return static_cast<std::uint32_t>(levels_.size()) - 1; }
    [[nodiscard]] vidmm_page_level const& at(std::uint32_t level) const { return levels_[level]; }
    [[nodiscard]] std::uint32_t entries(std::uint32_t level) const { return 1U << levels_[level].index_bits; }
    [[nodiscard]] std::uint64_t table_pages(std::uint32_t level) const {
        return levels_[level].table_bytes / page_size;
    }

    /// 4-KiB pages of address space behind one entry.
    [[nodiscard]] std::uint64_t entry_pages(std::uint32_t level) const {
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < level; ++i) {
            bits += levels_[i].index_bits;
        }
        return std::uint64_t{1} << bits;
    }
    /// 4-KiB pages of address space behind one table.
    [[nodiscard]] std::uint64_t table_reach(std::uint32_t level) const { return entry_pages(level) * entries(level); }

    [[nodiscard]] std::uint32_t index(std::uint32_t level, std::uint64_t page) const {
        return static_cast<std::uint32_t>(page / entry_pages(level) % entries(level));
    }
    /// The first page behind the table that has the entry of a page.
    [[nodiscard]] std::uint64_t table_start(std::uint32_t level, std::uint64_t page) const {
        return level == top() ? 0 : page / table_reach(level) * table_reach(level);
    }

private:
    std::vector<vidmm_page_level> levels_;
};

/// One page table: where it lies, and its entries as far as they were asked for.
struct page_table {
    std::uint32_t level = 0;
    std::uint64_t first_page = 0;  ///< of the address space behind entry 0
    placement where;               ///< nowhere while it is evicted
    bool moved = false;            ///< it has lain somewhere else before
    bool initialised = false;      ///< its first update was executed, and its parent's entry leads to it
    std::vector<pte> entries;
    std::shared_ptr<operation const> filled;  ///< by what it was initialised last

    [[nodiscard]] bool resident() const { return where.is != placement::kind::none; }
};

/// A page as the hardware has to see it.
using leaf = vidmm_translation;

/// One address space: its tables as they were asked for, and its pages as the commands executed so far made them.
struct address_space {
    std::uint32_t number = 0;                                              ///< 0: the paging process
    void* handle = nullptr;                                                ///< hProcess
    std::uint64_t protection = 0;                                          ///< DriverProtection of all its entries
    std::map<std::pair<std::uint32_t, std::uint64_t>, page_table> tables;  ///< by level and first page
    std::map<std::uint64_t, leaf> now;                                     ///< by page
    std::set<std::uint64_t> stale;  ///< pages that changed and were not flushed: the hardware may see old and new
    [[nodiscard]] page_table* find(std::uint32_t level, std::uint64_t first_page) {
        auto const found = tables.find({level, first_page});
        return found == tables.end() ? nullptr : &found->second;
    }
};

/// A placement's first byte as (segment, offset): what root addresses and page-table entries are made of.
[[nodiscard]] inline vidmm_location location_of(placement const& p) {
    return p.is == placement::kind::segment
               ? vidmm_location{p.segment, p.first * page_size}
               : vidmm_location{0, p.pages.front() * page_size};  // GVA-18: an address in system memory
}

/// What an operation changes in an address space: pages, and what they become.
using page_changes = std::vector<std::pair<std::uint64_t, std::optional<leaf>>>;

/// Pages that an operation may have touched, for looking beside them too.
struct page_range {
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    [[nodiscard]] bool contains(std::uint64_t page) const { return page >= first && page - first < count; }
};

}  // namespace wddmcore::testing::vidmm_parts
