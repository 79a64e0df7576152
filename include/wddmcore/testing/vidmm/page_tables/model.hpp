// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "tables.hpp"

#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// What entries mean: made for an address, read back, and followed from the root down as hardware does it.
class table_model {
public:
    explicit table_model(machine& m) : m_(m), geometry_(m.options.page_tables) {}

    [[nodiscard]] table_geometry const& geometry() const { return geometry_; }

    /// The entry for a page at this address of memory_model.
    [[nodiscard]] pte entry_for(std::uint64_t address, std::uint64_t attributes) const {
        pte e{};
        e.Flags = attributes & pte_attributes & m_.options.page_tables.attributes;
        e.Valid = 1;
        vidmm_segment const* const s = m_.memory.segment_at(address);
        bool const local = s != nullptr && !s->aperture;
        e.Segment = local ? s->id & 0x1f : 0;
        e.PhysicalAdapterIndex = local ? m_.options.physical_adapter.value_or(0) & 0x3f : 0;
        e.PageAddress = (address - (local ? s->base : m_.memory.page_address(0))) / page_size;
        return e;
    }

    /// The entry for a page that reads as zero (GVA-19).
    [[nodiscard]] static pte zero_entry() {
        pte e{};
        e.Valid = 1;
        e.Zero = 1;
        return e;
    }

    [[nodiscard]] std::optional<leaf> leaf_of(address_space const& space, pte const& e) const {
        if (e.Valid == 0) {
            return std::nullopt;
        }
        if (e.Zero != 0) {
            return leaf{0, pte_zero};
        }
        return leaf{base_of(e) + e.PageAddress * page_size, e.Flags & pte_attributes,
                    space.protection & m_.options.page_tables.protection_bits};
    }

    /// The address of what an entry's page counts from (GVA-18).
    [[nodiscard]] std::uint64_t base_of(pte const& e) const {
        vidmm_segment const* const s = m_.memory.segment(static_cast<std::uint32_t>(e.Segment));
        return e.Segment == 0 || s == nullptr ? m_.memory.page_address(0) : s->base;
    }

    /// The level of the large page that an address lies in; 0: none.
    [[nodiscard]] std::uint32_t large_above(address_space& space, std::uint64_t page) const {
        for (std::uint32_t level = geometry_.top(); level != 0; --level) {
            page_table const* const table = space.find(level, geometry_.table_start(level, page));
            if (table == nullptr || geometry_.index(level, page) >= table->entries.size()) {
                return 0;
            }
            pte const& e = table->entries[geometry_.index(level, page)];
            if (e.Valid != 0 && e.LargePage != 0) {
                return level;
            }
        }
        return 0;
    }

    /// Whether a page is part of one of 64 KiB.
    [[nodiscard]] bool has_64k_page(address_space& space, std::uint64_t page) const {
        page_table const* const t = space.find_64k(geometry_.table_start(0, page));
        return t != nullptr && large_above(space, page) == 0 && t->entries[geometry_.index_in(*t, page)].Valid != 0;
    }

    /// The 4-KiB entry that says of a page what its tables say, resident or not; one that is not valid for no page.
    [[nodiscard]] pte small_entry(address_space& space, std::uint64_t page) const {
        if (std::uint32_t const level = large_above(space, page); level != 0) {
            page_table const& table = *space.find(level, geometry_.table_start(level, page));
            return part_of(table.entries[geometry_.index(level, page)], page % geometry_.entry_pages(level));
        }
        std::uint64_t const first = geometry_.table_start(0, page);
        if (page_table const* const t = space.find_64k(first); t != nullptr) {
            pte const& e = t->entries[geometry_.index_in(*t, page)];
            if (e.Valid != 0) {
                return part_of(e, page % pages_of_64k);
            }
        }
        page_table const* const t = space.find(0, first);
        std::uint64_t const within = page % geometry_.gpu_page();
        // OP11-05: the GPU sees the entry at its page's start, and what follows in memory.
        return t == nullptr ? pte{} : part_of(t->entries[geometry_.index(0, page - within)], within);
    }

    /// What a page of a larger page is alone.
    /// @param pages  of 4 KiB, from the larger page's start
    [[nodiscard]] static pte part_of(pte e, std::uint64_t pages) {
        e.LargePage = 0;
        e.PageAddress += e.Valid != 0 && e.Zero == 0 ? pages : 0;
        return e;
    }

    /// What the hardware makes of an address once all that was asked for is executed.
    [[nodiscard]] std::optional<leaf> meaning(address_space& space, std::uint64_t page) const {
        for (std::uint32_t level = geometry_.top(); level != 0; --level) {
            page_table const* const table = space.find(level, geometry_.table_start(level, page));
            if (table == nullptr || geometry_.index(level, page) >= table->entries.size()) {
                return std::nullopt;  // GVA-27: nor is there anything past the last entry of a root
            }
            pte const& e = table->entries[geometry_.index(level, page)];
            bool const second = level == 1 && !table->entries_64k.empty() &&
                                table->entries_64k[geometry_.index(level, page)].Valid != 0;
            if (e.Valid != 0 && e.LargePage != 0) {
                return leaf_of(space, part_of(e, page % geometry_.entry_pages(level)));
            }
            if (e.Valid == 0 && !second) {
                return std::nullopt;
            }
            if (level == 1) {
                bool const of_64k = second || (!geometry_.is_dual() && e.PageTablePageSize == 1);
                return leaf_behind(space, page, e.Valid != 0, of_64k);
            }
        }
        return std::nullopt;
    }

protected:
    machine& m_;
    table_geometry geometry_;

private:
    // GVA-12: of one piece of 64 KiB only one table has valid entries.
    [[nodiscard]] std::optional<leaf> leaf_behind(address_space& space, std::uint64_t page, bool of_4k,
                                                  bool of_64k) const {
        std::uint64_t const first = geometry_.table_start(0, page);
        page_table const* const t = of_64k ? space.find_64k(first) : nullptr;
        if (t != nullptr && t->entries[geometry_.index_in(*t, page)].Valid != 0) {
            return leaf_of(space, part_of(t->entries[geometry_.index_in(*t, page)], page % pages_of_64k));
        }
        page_table const* const small = of_4k && (geometry_.is_dual() || !of_64k) ? space.find(0, first) : nullptr;
        std::uint64_t const within = page % geometry_.gpu_page();
        return small == nullptr ? std::nullopt
                                : leaf_of(space, part_of(small->entries[geometry_.index(0, page - within)], within));
    }
};

}  // namespace wddmcore::testing::vidmm_parts
