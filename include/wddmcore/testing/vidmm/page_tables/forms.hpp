// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "leaf_forms.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Gives pages of address spaces their entries, in large pages where the dice say so, and behind leaf tables.
class table_forms : public leaf_forms {
public:
    using leaf_forms::leaf_forms;

    /// Gives pages of an address space their entries, table by table, and flushes what may be cached.
    void write(address_space& space, std::uint64_t first, std::vector<pte> const& entries, bool flushes = true) {
        progress done{!m_.options.page_tables.invalid_not_cached, false, {}};
        std::span<pte const> left(entries);
        for (std::uint64_t page = first; !left.empty() && !m_.stopped && !done.failed;) {
            std::uint64_t n = put_large(space, page, left, done);
            if (n == 0 && !done.failed) {
                std::uint64_t const reach = geometry_.table_reach(0);
                n = std::min<std::uint64_t>(left.size(), reach - page % reach);
                put_small(space, page, left.first(static_cast<std::size_t>(n)), done);
            }
            page += n;
            left = left.subspan(static_cast<std::size_t>(n));
        }
        bool const needed = (flushes && done.cached) || !done.gone.empty();
        if (needed && !m_.stopped && space.find(geometry_.top(), 0) != nullptr) {
            flush(space, {first, entries.size()}, false);
        }
        if (!done.gone.empty()) {
            builder_.drain();  // nobody looks at these tables any more
            for (placement const& where : done.gone) {
                land_.give_back(where);
            }
        }
    }

    /// Whatever an address and its neighbours behind the same leaf table are mapped in, 4-KiB pages are it from now on.
    /// @return false: no memory
    bool make_small(address_space& space, std::uint64_t page) {
        for (std::uint32_t level = large_above(space, page); level != 0; level = large_above(space, page)) {
            if (m_.stopped || !split(space, level, page)) {
                return false;
            }
        }
        std::uint64_t const start = geometry_.table_start(0, page);
        page_table* const of_64k = space.find_64k(start);
        if (of_64k == nullptr || m_.stopped) {
            return !m_.stopped;
        }
        if (!geometry_.is_dual()) {
            return convert(space, page);
        }
        std::vector<pte> small;
        for (std::uint64_t k = 0; k < geometry_.entries(0); ++k) {
            small.push_back(small_entry(space, start + k));
        }
        progress done{};
        put_64k(space, start, std::vector<pte>(small.size()), done);
        put_4k(space, start, small, done);
        flush(space, {start, small.size()}, false);
        return !done.failed;
    }

    /// The table with the entry of a page at a level, with memory and all its entries; made if there is none. Where an
    /// address has one leaf table, no other kind of it may be in use.
    /// @return nullptr: no memory
    [[nodiscard]] page_table* table_for_entry(address_space& space, std::uint64_t page, std::uint32_t level,
                                              bool of_64k) {
        if (level == 0 && !geometry_.is_dual()) {
            choose_anew(space, page);
        }
        return chain(space, page, false, of_64k, level);
    }

    /// The tables of lower levels that translate the range of an entry, resident or not, leaf tables first.
    [[nodiscard]] std::vector<page_table*> behind(address_space& space, std::uint32_t level, std::uint64_t page) const {
        page_range const range{page, geometry_.entry_pages(level)};
        std::vector<page_table*> out;
        for (auto& [first, table] : space.tables_64k) {
            if (range.contains(first)) {
                out.push_back(&table);
            }
        }
        for (auto& [key, table] : space.tables) {  // by level, from 0 on
            if (key.first < level && range.contains(key.second)) {
                out.push_back(&table);
            }
        }
        return out;
    }

    /// Forgets the tables behind an entry that leads to them no more.
    /// @return their memory, which is free once nobody looks at it
    [[nodiscard]] std::vector<placement> drop(address_space& space, std::uint32_t level, std::uint64_t page) const {
        std::vector<placement> out;
        page_range const range{page, geometry_.entry_pages(level)};
        for (page_table const* const table : behind(space, level, page)) {
            if (table->resident()) {
                out.push_back(table->where);
            }
        }
        std::erase_if(space.tables,
                      [&](auto const& t) { return t.first.first < level && range.contains(t.second.first_page); });
        std::erase_if(space.tables_64k, [&](auto const& t) { return range.contains(t.first); });
        return out;
    }

private:
    /// What can be written above the leaf.
    /// @return pages that were; 0: none
    [[nodiscard]] std::uint64_t put_large(address_space& space, std::uint64_t page, std::span<pte const> left,
                                          progress& done) {
        std::uint32_t const highest = space.number == 0 ? window_.highest_large : geometry_.top();
        if (!geometry_.at(1).large_pages || highest == 0) {
            return 0;
        }
        std::uint32_t above = large_above(space, page);
        std::uint64_t const unit = geometry_.entry_pages(above);
        if (above != 0 && page % unit == 0 && left.size() >= unit &&
            !page_forms::any_valid(left.first(static_cast<std::size_t>(unit)))) {
            if (space.number == 0) {
                lead_back(space, above, page);
            } else {
                page_table& table = *space.find(above, geometry_.table_start(above, page));
                update(space, table, {geometry_.index(above, page), 1, {pte{}}, false, false, false});
            }
            done.cached = true;
            return unit;
        }
        std::uint32_t level = std::min(forms_.large_level(page, left), highest);
        while (level != 0 && !m_.random.chance(m_.options.chances.larger_pages)) {
            --level;  // what can be a large page can be several smaller ones
        }
        for (; above > level && !m_.stopped; above = large_above(space, page)) {
            if (!split(space, above, page)) {
                done.failed = true;
                return 0;
            }
        }
        return level != 0 && put_large_page(space, level, page, left.front(), done) ? geometry_.entry_pages(level) : 0;
    }

    /// One large page takes the place of whatever translated its range (GVA-16). The paging process's tables stay, with
    /// no valid entry: they are pinned, and its window is mapped where nothing was.
    [[nodiscard]] bool put_large_page(address_space& space, std::uint32_t level, std::uint64_t page, pte entry,
                                      progress& done) {
        page_table* const table = chain(space, page, false, false, level);
        if (table == nullptr || m_.stopped) {
            done.failed = true;
            return false;
        }
        std::uint32_t const index = geometry_.index(level, page);
        // An entry that led to a table was valid, whatever that table says: hardware may remember it (OP12-02).
        done.cached = done.cached || leads_anywhere(*table, index);
        bool const stays = space.number == 0;
        if (m_.options.page_tables.explicit_invalidation && !stays) {
            for (page_table* const below : behind(space, level, page)) {
                if (below->resident()) {
                    empty(space, *below);
                }
            }
        }
        entry.LargePage = 1;
        update(space, *table, {index, 1, {entry}, false, false, false});
        if (stays) {
            return true;
        }
        std::vector<placement> const gone = drop(space, level, page);
        done.gone.insert(done.gone.end(), gone.begin(), gone.end());
        return true;
    }

    /// A large page of the paging process's window goes: the entry leads to what it led to before.
    void lead_back(address_space& space, std::uint32_t level, std::uint64_t page) {
        std::uint64_t const first = geometry_.table_start(level - 1, page);
        page_table const* const small = space.find(level - 1, first);
        page_table const* const of_64k = level == 1 ? space.find_64k(first) : nullptr;
        page_table& table = *space.find(level, geometry_.table_start(level, page));
        update_words words{geometry_.index(level, page), 1, {entry_to(small)}, false, false, false};
        if (geometry_.is_dual()) {
            words.entries_64k = {entry_to(of_64k)};
        } else if (of_64k != nullptr) {
            words.entries = {entry_to(of_64k)};
        }
        update(space, table, words);
    }

    /// A large page becomes a table of the next smaller pages, which say the same.
    /// @return false: no memory
    [[nodiscard]] bool split(address_space& space, std::uint32_t level, std::uint64_t page) {
        page_table const& table = *space.find(level, geometry_.table_start(level, page));
        pte const whole = table.entries[geometry_.index(level, page)];
        page_table& below = table_for(space, level - 1, page, false);
        for (std::uint32_t i = 0; i < geometry_.entries(level - 1); ++i) {
            below.entries[i] = part_of(whole, i * geometry_.entry_pages(level - 1));
            below.entries[i].LargePage = level == 1 ? 0 : 1;
        }
        if (!enter(space, below, false)) {
            space.tables.erase({level - 1, below.first_page});
            return false;
        }
        if (!m_.stopped) {
            flush(space, {below.first_page, geometry_.entry_pages(level)}, false);
        }
        return true;
    }
};

}  // namespace wddmcore::testing::vidmm_parts
