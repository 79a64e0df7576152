// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "model.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Refuses options about page sizes that contradict each other.
/// @throws std::invalid_argument  with a sentence
inline void check_page_sizes(vidmm_options const& o) {
    vidmm_page_tables const& p = o.page_tables;
    auto const require = [](bool holds, char const* sentence) {
        if (!holds) {
            throw std::invalid_argument(std::string("vidmm_options: ") + sentence);
        }
    };
    std::uint64_t const page = p.gpu_page_bytes;
    require(page >= page_size && page <= pages_of_64k * page_size && (page & (page - 1)) == 0,
            "the GPU's page is 4 KiB * 2^n, at most 64 KiB");
    bool whole = page == page_size || (o.frames.empty() && o.first_page * page_size % page == 0 && !p.copies);
    for (vidmm_segment const& s : o.segments) {
        whole = whole && (s.aperture || s.base % page == 0);
    }
    require(whole, "with large pages of the GPU, memory begins with such a page, and no entries are copied");
    require(page >> p.levels.front().index_bits < page_size, "a page of the GPU is in one leaf table");
    std::uint64_t const in_64k = (std::uint64_t{1} << p.levels.front().index_bits) / pages_of_64k;
    require(p.table_bytes_64k % page_size == 0 && (p.table_bytes_64k == 0 || in_64k != 0) &&
                (p.table_bytes_64k == 0 || in_64k * p.entry_bytes_64k <= p.table_bytes_64k),
            "a table of 64-KiB entries is whole pages, holds its entries, and has some");
    require(p.table_bytes_64k <= page_size || p.levels.front().segment != 0,
            "a table of 64-KiB entries in system memory is one page");
    require(!p.levels.front().large_pages, "a leaf has no large pages");
    for (std::size_t level = 2; level < p.levels.size(); ++level) {
        require(!p.levels[level].large_pages || p.levels[level - 1].large_pages,
                "a level with large pages wants them of all levels between it and the leaf");
    }
}

/// Which pages larger than 4 KiB a mapping can have: what the adapter's claims, both addresses and the memory allow.
class page_forms {
public:
    page_forms(machine const& m, table_geometry const& geometry) : m_(m), geometry_(geometry) {}

    /// The highest level whose entry can be the first of these pages and some after it as one large page; 0: none.
    [[nodiscard]] std::uint32_t large_level(std::uint64_t page, std::span<pte const> entries) const {
        std::uint32_t found = 0;
        for (std::uint32_t level = 1; level <= geometry_.top() && geometry_.at(level).large_pages; ++level) {
            std::uint64_t const unit = geometry_.entry_pages(level);
            if (page % unit != 0 || entries.size() < unit) {
                break;
            }
            found = is_large(entries.first(static_cast<std::size_t>(unit))) ? level : found;
        }
        return found;
    }

    /// Whether pieces of 64 KiB, from a multiple of it on, can each be one entry: of such a page, of one that reads as
    /// zero, or of nothing.
    [[nodiscard]] bool is_64k(std::uint64_t page, std::span<pte const> entries) const {
        if (page % pages_of_64k != 0 || entries.size() % pages_of_64k != 0) {
            return false;
        }
        for (std::size_t i = 0; i < entries.size(); i += pages_of_64k) {
            if (!is_one_64k(entries.subspan(i, pages_of_64k))) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] static bool any_valid(std::span<pte const> entries) {
        return std::any_of(entries.begin(), entries.end(), [](pte const& e) { return e.Valid != 0; });
    }

private:
    // GVA-16, GVA-17: the range's data lies side by side, in memory that has such pages. AMB-65: or all reads as zero.
    [[nodiscard]] bool is_large(std::span<pte const> entries) const {
        vidmm_page_tables const& tables = m_.options.page_tables;
        pte const& e = entries.front();
        if (e.Valid != 0 && e.Zero != 0) {
            return tables.zero_above_leaf && std::all_of(entries.begin(), entries.end(),
                                                         [&e](pte const& other) { return other.Flags == e.Flags; });
        }
        std::uint64_t const base =
            e.Segment == 0 ? 0 : m_.memory.segment(static_cast<std::uint32_t>(e.Segment))->base / page_size;
        bool const aligned = e.PageAddress % entries.size() == 0 && base % entries.size() == 0;
        return e.Valid != 0 && (aligned || tables.large_pages_anywhere) &&
               (e.Segment != 0 || tables.system_large_pages) && rises(entries);
    }

    // GVA-14, GVA-15: both addresses share their low 16 bits, in memory of 64-KiB pages.
    [[nodiscard]] bool is_one_64k(std::span<pte const> entries) const {
        pte const& e = entries.front();
        if (e.Valid == 0 || e.Zero != 0) {
            return std::all_of(entries.begin(), entries.end(),
                               [&e](pte const& other) { return other.Flags == e.Flags; });
        }
        vidmm_segment const* const s = m_.memory.segment(static_cast<std::uint32_t>(e.Segment));
        bool const has = e.Segment == 0 ? m_.options.page_tables.system_64k_pages : s != nullptr && s->pages_64k;
        return has && e.PageAddress % pages_of_64k == 0 && rises(entries);
    }

    [[nodiscard]] static bool rises(std::span<pte const> entries) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i].Flags != entries.front().Flags ||
                entries[i].PageAddress != entries.front().PageAddress + i) {
                return false;
            }
        }
        return true;
    }

    machine const& m_;
    table_geometry const& geometry_;
};

}  // namespace wddmcore::testing::vidmm_parts
