// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "chain.hpp"
#include "page_forms.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Gives pages behind one leaf table their entries: of 4 KiB, or of 64 KiB as the dice say where there is a choice.
///
/// In the paging process a leaf table keeps its kind (see window_layout): with one table behind an entry, what is
/// mapped has been given addresses that it can have.
class leaf_forms : public table_chain {
public:
    leaf_forms(machine& m, land& l, request_maker& maker, builder& b)
        : table_chain(m, l, maker, b), forms_(m, geometry_) {}

protected:
    struct progress {
        bool cached = false;          ///< the hardware may remember what was there before
        bool failed = false;          ///< no memory
        std::vector<placement> gone;  ///< of tables that nothing leads to any more
    };

    /// Pages behind one leaf table.
    void put_small(address_space& space, std::uint64_t page, std::span<pte const> part, progress& done) {
        bool const paging = space.number == 0;
        bool const of_64k = paging && space.find_64k(geometry_.table_start(0, page)) != nullptr;
        if (!geometry_.has_64k() || (paging && !of_64k)) {
            put_4k(space, page, {part.begin(), part.end()}, done);
        } else if (geometry_.is_dual()) {
            put_in_two(space, page, part, done);
        } else if (paging) {
            put_64k(space, page, part, done);
        } else {
            put_in_either(space, page, part, done);
        }
    }

    /// A leaf table of 64-KiB entries becomes one of 4-KiB entries: these first, then the entry of level 1, while no
    /// context of the process runs (GVA-13).
    /// @return false: no memory
    [[nodiscard]] bool convert(address_space& space, std::uint64_t page) {
        page_table const& old = *space.find_64k(geometry_.table_start(0, page));
        page_table& table = table_for(space, 0, page, false);
        for (std::uint32_t k = 0; k < geometry_.entries(0); ++k) {
            table.entries[k] = part_of(old.entries[k / pages_of_64k], k % pages_of_64k);
        }
        std::uint64_t const start = table.first_page;
        table.moved = old.moved;
        if (old.resident()) {
            builder_.drain();
            converting_ = true;
            bool const entered = enter(space, table, false);
            converting_ = false;
            if (!entered) {
                space.tables.erase({0U, start});
                return false;
            }
            if (!m_.stopped) {
                flush(space, {start, geometry_.table_reach(0)}, false);
            }
            builder_.drain();
            land_.give_back(old.where);
        }
        space.tables_64k.erase(start);
        return !m_.stopped;
    }

    void put_4k(address_space& space, std::uint64_t page, std::vector<pte> const& entries, progress& done) {
        page_table* const table = chain(space, page, false);
        done.failed = table == nullptr;
        if (table != nullptr) {
            put(space, *table, geometry_.index(0, page), entries, done);
        }
    }

    /// @param part  as entries of 4 KiB, whole pieces of 64 KiB
    void put_64k(address_space& space, std::uint64_t page, std::span<pte const> part, progress& done) {
        page_table* const table = chain(space, page, false, true);
        done.failed = table == nullptr;
        std::vector<pte> entries;
        for (std::size_t k = 0; k < part.size(); k += pages_of_64k) {
            entries.push_back(part[k]);
        }
        if (table != nullptr) {
            put(space, *table, geometry_.index_in(*table, page), entries, done);
        }
    }

    /// Forgets a leaf table that is evicted and maps nothing: nothing is lost when its kind is chosen anew.
    void choose_anew(address_space& space, std::uint64_t page) const {
        std::uint64_t const start = geometry_.table_start(0, page);
        for (page_table const* const table : leaf_tables(space, page)) {
            if (!table->resident() && !table->maps()) {
                table->of_64k ? space.tables_64k.erase(start) : space.tables.erase({0U, start});
            }
        }
    }

    page_forms forms_;

private:
    /// Where a leaf table has one kind of entries: of 64 KiB as long as everything in it can be (GVA-13 to GVA-15).
    void put_in_either(address_space& space, std::uint64_t page, std::span<pte const> part, progress& done) {
        std::uint64_t const start = geometry_.table_start(0, page);
        bool const fits = forms_.is_64k(page, part);
        choose_anew(space, page);
        bool const fresh = leaf_tables(space, page).empty();
        bool const begins =
            fresh && fits && page_forms::any_valid(part) && m_.random.chance(m_.options.chances.larger_pages);
        if (begins || (fits && space.find_64k(start) != nullptr)) {
            put_64k(space, page, part, done);
            return;
        }
        if (space.find_64k(start) != nullptr && !convert(space, page)) {
            done.failed = true;
            return;
        }
        put_4k(space, page, {part.begin(), part.end()}, done);
    }

    /// Where an address has two leaf tables: each piece of 64 KiB in one of them (GVA-12). What goes from one table
    /// goes before anything comes into the other.
    void put_in_two(address_space& space, std::uint64_t page, std::span<pte const> part, progress& done) {
        std::uint64_t const first = page / pages_of_64k * pages_of_64k;
        std::uint64_t const end = (page + part.size() + pages_of_64k - 1) / pages_of_64k * pages_of_64k;
        std::vector<piece> pieces;
        for (std::uint64_t at = first; at < end; at += pages_of_64k) {
            pieces.push_back(piece_at(space, at, page, part));
        }
        auto const each = [&](auto const& chosen, auto const& use) {
            for (piece const& p : pieces) {
                if (chosen(p) && !m_.stopped && !done.failed) {
                    use(p);
                }
            }
        };
        std::vector<pte> const none(pages_of_64k);
        each([](piece const& p) { return p.was_64k && !p.as_64k; },
             [&](piece const& p) { put_64k(space, p.first, none, done); });
        each([](piece const& p) { return p.was_4k && p.as_64k; },
             [&](piece const& p) { put_4k(space, p.first, none, done); });
        put_pieces(space, pieces, true, done);
        put_pieces(space, pieces, false, done);
    }

    struct piece {
        std::uint64_t first;  ///< page
        bool as_64k;
        bool was_64k;
        bool was_4k;
        std::uint64_t from;        ///< first page that has to be written
        std::vector<pte> entries;  ///< from there on
    };

    [[nodiscard]] piece piece_at(address_space& space, std::uint64_t at, std::uint64_t page,
                                 std::span<pte const> part) {
        page_table const* const of_64k = space.find_64k(geometry_.table_start(0, at));
        page_table const* const of_4k = space.find(0, geometry_.table_start(0, at));
        piece p{at, false, false, false, std::max(at, page), {}};
        p.was_64k = of_64k != nullptr && of_64k->entries[geometry_.index_in(*of_64k, at)].Valid != 0;
        for (std::uint64_t k = 0; of_4k != nullptr && k < pages_of_64k; ++k) {
            p.was_4k = p.was_4k || of_4k->entries[geometry_.index(0, at + k)].Valid != 0;
        }
        p.from = p.was_64k ? at : p.from;
        std::uint64_t const end = page + part.size();
        for (std::uint64_t k = p.from; k < at + pages_of_64k && (p.was_64k || k < end); ++k) {
            p.entries.push_back(k >= page && k < end ? part[static_cast<std::size_t>(k - page)]
                                                     : small_entry(space, k));
        }
        bool const whole = page <= at && end >= at + pages_of_64k;
        p.as_64k = whole && page_forms::any_valid(p.entries) && forms_.is_64k(at, p.entries) &&
                   m_.random.chance(m_.options.chances.larger_pages);
        // Where nothing was but 64 KiB, nothing has to be made of nothing.
        if (!p.as_64k && p.was_64k && !p.was_4k && !page_forms::any_valid(p.entries)) {
            p.entries.clear();
        }
        return p;
    }

    /// The pieces of one kind, those that follow each other in one update.
    void put_pieces(address_space& space, std::vector<piece> const& pieces, bool as_64k, progress& done) {
        std::uint64_t from = 0;
        std::vector<pte> run;
        auto const write_run = [&] {
            if (!run.empty() && !m_.stopped && !done.failed) {
                as_64k ? put_64k(space, from, run, done) : put_4k(space, from, run, done);
            }
            run.clear();
        };
        for (piece const& p : pieces) {
            if (p.as_64k != as_64k || p.entries.empty()) {
                continue;
            }
            if (p.from != from + run.size()) {
                write_run();
            }
            from = run.empty() ? p.from : from;
            run.insert(run.end(), p.entries.begin(), p.entries.end());
        }
        write_run();
    }

    /// Entries of one table, in one word where they are all the same. An update may end and begin inside a page of the
    /// GPU (OP11-05).
    void put(address_space& space, page_table& table, std::uint32_t start, std::vector<pte> const& entries,
             progress& done) {
        auto const count = static_cast<std::uint32_t>(entries.size());
        bool const cut = geometry_.shared_by(table) > 1 && count > 1 && m_.random.chance(30);
        auto const first = cut ? static_cast<std::uint32_t>(m_.random.between(1, count - 1)) : count;
        for (std::uint32_t k = 0; k < count && !m_.stopped; k += first) {
            std::uint32_t const n = std::min(first, count - k);
            auto const from = entries.begin() + static_cast<std::ptrdiff_t>(k);
            for (std::uint32_t i = 0; i < n; ++i) {
                done.cached = done.cached || table.entries[start + k + i].Valid != 0;
            }
            bool const same = std::all_of(from, from + n, [&](pte const& e) {
                return e.Flags == from->Flags && e.PageAddress == from->PageAddress;
            });
            update(space, table, {start + k, n, {from, same ? from + 1 : from + n}, same, false, false});
        }
    }
};

}  // namespace wddmcore::testing::vidmm_parts
