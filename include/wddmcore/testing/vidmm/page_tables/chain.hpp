// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "root_updates.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Tables below the root: makes them, fills them, enters them in their parents, and takes all that back.
class table_chain : public root_updates {
public:
    using root_updates::root_updates;

    /// A leaf table goes, and with it what it maps; the next write to it brings it back elsewhere. Where an address
    /// has two of them, one by the dice.
    bool evict(address_space& space, std::uint64_t page) {
        std::vector<page_table*> resident;
        for (page_table* const table : leaf_tables(space, page)) {
            if (table->resident()) {
                resident.push_back(table);
            }
        }
        if (resident.empty() || m_.stopped) {
            return false;
        }
        evict_table(space, *resident[resident.size() == 1 ? 0 : static_cast<std::size_t>(m_.random.below(2))]);
        return true;
    }

    /// A table that went comes back with all its entries.
    bool restore(address_space& space, std::uint64_t page) {
        bool all = true;
        for (page_table const* const table : leaf_tables(space, page)) {
            all = chain(space, page, false, table->of_64k) != nullptr && all;
        }
        return all;
    }

    [[nodiscard]] bool is_evicted(address_space& space, std::uint64_t page) const {
        std::vector<page_table*> const tables = leaf_tables(space, page);
        return std::any_of(tables.begin(), tables.end(), [](page_table const* t) { return !t->resident(); });
    }

protected:
    /// The leaf tables that an address has, resident or not.
    [[nodiscard]] std::vector<page_table*> leaf_tables(address_space& space, std::uint64_t page) const {
        std::vector<page_table*> out;
        std::uint64_t const first = geometry_.table_start(0, page);
        for (page_table* const table : {space.find(0, first), space.find_64k(first)}) {
            if (table != nullptr) {
                out.push_back(table);
            }
        }
        return out;
    }

    /// All tables above a page, from the root on; those that are missing are made, filled, and entered in their parent.
    /// @param down_to  level of the lowest one
    /// @return that one; nullptr: no memory
    [[nodiscard]] page_table* chain(address_space& space, std::uint64_t page, bool by_cpu, bool of_64k = false,
                                    std::uint32_t down_to = 0) {
        if (!root_for(space, page, by_cpu)) {
            return nullptr;
        }
        for (std::uint32_t level = geometry_.top(); level-- != down_to;) {
            page_table& table = table_for(space, level, page, level == 0 && of_64k);
            if (table.initialised) {
                continue;
            }
            if (!enter(space, table, by_cpu)) {
                return nullptr;
            }
            if (table.maps() && !m_.stopped && !m_.options.page_tables.invalid_not_cached) {
                flush(space, {table.first_page, geometry_.table_reach(level)}, false);
            }
        }
        std::uint64_t const first = geometry_.table_start(down_to, page);
        return of_64k ? space.find_64k(first) : space.find(down_to, first);
    }

    /// The table of a level for a page, made without memory and without entries if there is none.
    [[nodiscard]] page_table& table_for(address_space& space, std::uint32_t level, std::uint64_t page, bool of_64k) {
        std::uint64_t const first = geometry_.table_start(level, page);
        page_table& table = of_64k ? space.tables_64k[first] : space.tables[{level, first}];
        if (table.entries.empty()) {
            table.level = level;
            table.of_64k = of_64k;
            table.first_page = first;
            table.entries.resize(geometry_.entries_of(table));
        }
        return table;
    }

    /// A table gets memory and its first update, and its parent's entry leads to it.
    /// @return false: no memory
    [[nodiscard]] bool enter(address_space& space, page_table& table, bool by_cpu) {
        if (!table.resident() && !place(table)) {
            return false;
        }
        // The first update: all entries, in one word where there are none (GVA-23, OP11-08).
        std::vector<pte> const entries = table.maps() ? table.entries : std::vector<pte>{pte{}};
        update(space, table, {0, geometry_.entries_of(table), entries, !table.maps(), true, by_cpu});
        table.initialised = true;
        linked_child_ = &table;
        lead(space, table, entry_to(&table), false, by_cpu);
        linked_child_ = nullptr;
        return true;
    }

    /// An entry that leads to a table; one that is not valid where there is none.
    [[nodiscard]] pte entry_to(page_table const* table) const {
        pte entry = table == nullptr ? pte{} : entry_for(land_.address(table->where, 0), 0);
        // GVA-11: with dual tables the field is ignored, and which array has the entry says the same.
        entry.PageTablePageSize = table != nullptr && table->of_64k && !geometry_.is_dual() ? 1 : 0;
        return entry;
    }

    /// The parent's entry for a table; what it says of the other half of dual tables stays (GVA-12).
    void lead(address_space& space, page_table const& table, pte entry, bool repeat, bool by_cpu) {
        page_table& parent = *space.find(table.level + 1, geometry_.table_start(table.level + 1, table.first_page));
        std::uint32_t const index = geometry_.index(table.level + 1, table.first_page);
        if (!has_second_half(parent)) {
            update(space, parent, {index, 1, {entry}, repeat, false, by_cpu});
            return;
        }
        parent.entries_64k.resize(parent.entries.size());
        pte const small = table.of_64k ? parent.entries[index] : entry;
        pte const other = table.of_64k ? entry : parent.entries_64k[index];
        update(space, parent, {index, 1, {small}, repeat, false, by_cpu, false, {other}});
    }

    void evict_table(address_space& space, page_table& table) {
        std::vector<pte> const kept = table.entries;
        if (m_.options.page_tables.explicit_invalidation) {
            empty(space, table);
        }
        lead(space, table, pte{}, true, false);
        flush(space, {table.first_page, geometry_.table_reach(0)}, false);
        builder_.drain();
        land_.give_back(table.where);
        table.where = {};
        table.initialised = false;
        table.moved = true;
        table.entries = kept;
    }

    /// Every entry of a table becomes one that is not valid, because the table goes (GVA-24).
    void empty(address_space& space, page_table& table) {
        update(space, table, {0, geometry_.entries_of(table), {pte{}}, true, false, false, true});
    }

    [[nodiscard]] bool place(page_table& table) {
        std::optional<placement> const where =
            memory_for_table(geometry_.at(table.level).segment, geometry_.bytes_of(table) / page_size);
        if (!where) {
            return false;
        }
        table.where = *where;
        return true;
    }
};

}  // namespace wddmcore::testing::vidmm_parts
