// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../calls/operation.hpp"
#include "../memory/placement.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

using pte = mirror::vista::dxgk_pte;

inline constexpr std::uint64_t pages_of_64k = 16;
inline constexpr std::uint64_t pte_zero = 0x2;         ///< Zero in DXGK_PTE
inline constexpr std::uint64_t pte_attributes = 0x1C;  ///< CacheCoherent, ReadOnly and NoExecute in DXGK_PTE

/// One page table: where it lies, and its entries as far as they were asked for.
struct page_table {
    std::uint32_t level = 0;
    bool of_64k = false;           ///< a leaf table of 64-KiB entries; its indices count those (AMB-22)
    std::uint64_t first_page = 0;  ///< of the address space behind entry 0
    placement where;               ///< nowhere while it is evicted
    std::uint64_t bytes = 0;       ///< of a root that the driver told the size of; 0: as its level says
    bool moved = false;            ///< it has lain somewhere else before
    bool initialised = false;      ///< its first update was executed, and its parent's entry leads to it
    std::vector<pte> entries;
    std::vector<pte> entries_64k;  ///< of level 1 with dual tables: to which tables of 64-KiB entries they lead
    std::shared_ptr<operation const> filled;  ///< by what it was initialised last
    std::uint64_t seen_at = 0;                ///< of the paging process: its first page there

    [[nodiscard]] bool resident() const { return where.is != placement::kind::none; }
    [[nodiscard]] bool maps() const { return any_valid(entries); }
    [[nodiscard]] bool leads_to_64k() const { return any_valid(entries_64k); }

    [[nodiscard]] static bool any_valid(std::vector<pte> const& of) {
        return std::any_of(of.begin(), of.end(), [](pte const& e) { return e.Valid != 0; });
    }
};

/// Number and reach of entries, from what the adapter reported.
class table_geometry {
public:
    explicit table_geometry(vidmm_page_tables const& o)
        : levels_(o.levels),
          bytes_64k_(o.table_bytes_64k),
          entry_bytes_64k_(o.entry_bytes_64k),
          gpu_page_(o.gpu_page_bytes / page_size),
          dual_(o.dual_tables) {}

    [[nodiscard]] std::uint32_t top() const { return static_cast<std::uint32_t>(levels_.size()) - 1; }
    [[nodiscard]] vidmm_page_level const& at(std::uint32_t level) const { return levels_[level]; }
    [[nodiscard]] std::uint32_t entries(std::uint32_t level) const { return 1U << levels_[level].index_bits; }
    [[nodiscard]] std::uint64_t table_pages(std::uint32_t level) const {
        return levels_[level].table_bytes / page_size;
    }

    /// 4-KiB pages of a page of the GPU: as many entries of a leaf table are one of the hardware's (OP11-05).
    [[nodiscard]] std::uint64_t gpu_page() const { return gpu_page_; }
    /// Whether there are leaf tables of 64-KiB entries, and whether they stand beside those of 4-KiB entries.
    [[nodiscard]] bool has_64k() const { return bytes_64k_ != 0; }
    [[nodiscard]] bool is_dual() const { return dual_; }

    [[nodiscard]] std::uint32_t entries_of(page_table const& t) const {
        return t.of_64k ? entries(0) / static_cast<std::uint32_t>(pages_of_64k) : entries(t.level);
    }
    [[nodiscard]] std::uint64_t bytes_of(page_table const& t) const {
        return t.bytes != 0 ? t.bytes : t.of_64k ? bytes_64k_ : levels_[t.level].table_bytes;
    }
    [[nodiscard]] std::uint32_t entry_bytes_of(page_table const& t) const {
        return t.of_64k ? entry_bytes_64k_ : levels_[t.level].entry_bytes;
    }
    /// 4-KiB pages of address space behind one entry.
    [[nodiscard]] std::uint64_t unit_of(page_table const& t) const {
        return t.of_64k ? pages_of_64k : entry_pages(t.level);
    }
    [[nodiscard]] std::uint64_t entry_pages(std::uint32_t level) const {
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < level; ++i) {
            bits += levels_[i].index_bits;
        }
        return std::uint64_t{1} << bits;
    }
    /// 4-KiB pages of address space behind one table.
    [[nodiscard]] std::uint64_t table_reach(std::uint32_t level) const { return entry_pages(level) * entries(level); }

    /// The entries of the DDI that are one of the hardware's in this table (OP11-05).
    [[nodiscard]] std::uint64_t shared_by(page_table const& t) const {
        return t.level == 0 && !t.of_64k ? gpu_page_ : 1;
    }

    [[nodiscard]] std::uint32_t index(std::uint32_t level, std::uint64_t page) const {
        return static_cast<std::uint32_t>(page / entry_pages(level) % entries(level));
    }
    [[nodiscard]] std::uint32_t index_in(page_table const& t, std::uint64_t page) const {
        return static_cast<std::uint32_t>((page - t.first_page) / unit_of(t));
    }
    /// The first page past the table that has the entry of a page.
    [[nodiscard]] std::uint64_t table_start(std::uint32_t level, std::uint64_t page) const {
        return level == top() ? 0 : page / table_reach(level) * table_reach(level);
    }

private:
    std::vector<vidmm_page_level> levels_;
    std::uint64_t bytes_64k_ = 0;
    std::uint32_t entry_bytes_64k_ = 8;
    std::uint64_t gpu_page_ = 1;
    bool dual_ = false;
};

/// A page as the hardware has to see it.
using leaf = vidmm_translation;

/// One address space: its tables as they were asked for, and its pages as the commands executed so far made them.
struct address_space {
    std::uint32_t number = 0;                                              ///< 0: the paging process
    void* handle = nullptr;                                                ///< hProcess
    std::uint64_t protection = 0;                                          ///< DriverProtection of all its entries
    std::map<std::pair<std::uint32_t, std::uint64_t>, page_table> tables;  ///< by level and first page
    std::map<std::uint64_t, page_table> tables_64k;  ///< leaf tables of 64-KiB entries, by first page
    std::map<std::uint64_t, leaf> now;               ///< by page
    std::set<std::uint64_t> stale;  ///< pages that changed and were not flushed: the hardware may see old and new
    std::vector<void*> contexts;    ///< the driver's handles; none where contexts do not hear of their roots
    bool root_told = false;         ///< they know where it is now

    [[nodiscard]] page_table* find(std::uint32_t level, std::uint64_t first_page) {
        auto const found = tables.find({level, first_page});
        return found == tables.end() ? nullptr : &found->second;
    }
    [[nodiscard]] page_table* find_64k(std::uint64_t first_page) {
        auto const found = tables_64k.find(first_page);
        return found == tables_64k.end() ? nullptr : &found->second;
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
