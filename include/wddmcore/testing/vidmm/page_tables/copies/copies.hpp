// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "plan.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Operation 14, in the companion context of a process: an address space that shows nothing but page tables (OP14-04).
class table_copies {
public:
    table_copies(machine& m, land& l, builder& b, table_keeper& tables)
        : m_(m), land_(l), builder_(b), tables_(tables) {}

    /// Copies entries, range after range (OBS-11), and flushes what they map.
    /// @return false: no memory for page tables
    bool run(address_space& space, std::vector<vidmm_copied_range> const& ranges) {
        copy_plan plan(m_, tables_, space);
        if (!plan.make(ranges)) {
            return false;
        }
        if (companion_ == nullptr) {
            companion_ = &tables_.create_process();
        }
        auto op = std::make_shared<operation>();
        op->asked.operation = paging_operation::copy_page_table_entries;
        op->in = companion_;
        std::vector<shown> const seen = show(plan);
        predict(*op, space, plan);
        for (copied_entries const& c : plan.entries()) {
            page_table const& from = *plan.table_of(c.from);
            page_table const& to = *plan.table_of(c.to);
            mirror::v2_0::dxgk_buildpagingbuffer_copy_range raw{};
            raw.NumPageTableEntries = c.count;
            raw.SrcPageTableAddress = address_of(seen, &from);
            raw.DstPageTableAddress = address_of(seen, &to);
            raw.SrcStartPteIndex = tables_.geometry().index_in(from, c.from.page);
            raw.DstStartPteIndex = tables_.geometry().index_in(to, c.to.page);
            op->asked.late.ranges.push_back(raw);
            op->asked.late.copies_64k = op->asked.late.copies_64k || c.from.of_64k;
            op->asked.late.copies_large = op->asked.late.copies_large || c.from.level != 0;
        }
        op->asked.array.assign(op->asked.late.ranges, "the ranges", vidmm_rule::op14_01);
        builder_.run(op);
        for (auto const& [table, va] : seen) {
            tables_.write(*companion_, va / page_size, std::vector<pte>(pages_of(*table)));
        }
        std::vector<placement> const gone = drop(space, plan);
        for (vidmm_copied_range const& r : ranges) {
            if (!m_.stopped) {
                tables_.flush(space, {r.to_page, r.count}, false);
            }
        }
        if (!gone.empty()) {
            builder_.drain();  // nobody looks at these tables any more
            for (placement const& where : gone) {
                land_.give_back(where);
            }
        }
        return !m_.stopped;
    }

private:
    static constexpr std::uint64_t unit = 16;  // pages: table addresses are 64-KiB aligned (OP14-01)

    struct shown {
        page_table const* table;
        std::uint64_t va;
    };

    [[nodiscard]] static std::uint64_t address_of(std::vector<shown> const& seen, page_table const* table) {
        auto const found = std::find_if(seen.begin(), seen.end(), [&](shown const& s) { return s.table == table; });
        return found == seen.end() ? 0 : found->va;
    }

    [[nodiscard]] std::size_t pages_of(page_table const& table) const {
        return static_cast<std::size_t>(tables_.geometry().bytes_of(table) / page_size);
    }

    // The tables of all ranges, side by side in the companion's address space, in the order in which they are named.
    [[nodiscard]] std::vector<shown> show(copy_plan const& plan) {
        table_geometry const& g = tables_.geometry();
        std::vector<shown> seen;
        std::uint64_t next = (g.entry_pages(g.top()) + unit - 1) / unit * unit;
        for (copied_entries const& c : plan.entries()) {
            for (entry_place const& at : {c.from, c.to}) {
                page_table const* const table = plan.table_of(at);
                if (address_of(seen, table) != 0) {
                    continue;
                }
                std::vector<pte> entries;
                for (std::uint64_t k = 0; k < pages_of(*table); ++k) {
                    entries.push_back(tables_.entry_for(land_.address(table->where, k), 0));
                }
                tables_.write(*companion_, next, entries);
                seen.push_back({table, next * page_size});
                next += (pages_of(*table) + unit - 1) / unit * unit;
            }
        }
        return seen;
    }

    // Large pages have taken the places of tables that mapped nothing.
    [[nodiscard]] std::vector<placement> drop(address_space& space, copy_plan const& plan) {
        std::vector<placement> out;
        for (copied_entries const& c : plan.entries()) {
            for (std::uint32_t i = 0; c.to.level != 0 && i < c.count; ++i) {
                std::vector<placement> const gone = tables_.drop(space, c.to.level, c.to.page + i * plan.unit_of(c.to));
                out.insert(out.end(), gone.begin(), gone.end());
            }
        }
        return out;
    }

    using image = std::map<entry_place, pte>;

    [[nodiscard]] static entry_place nth(entry_place at, std::uint64_t i, std::uint64_t pages) {
        at.page += i * pages;
        return at;
    }

    // What ranges make of entries: each reads from `source` if there is one, else from what those before it made.
    static void copy(image& to, image const* source, copied_entries const& c, std::uint64_t pages) {
        std::vector<pte> taken;
        for (std::uint32_t i = 0; i < c.count; ++i) {
            taken.push_back((source != nullptr ? *source : to).at(nth(c.from, i, pages)));
        }
        for (std::uint32_t i = 0; i < c.count; ++i) {
            to[nth(c.to, i, pages)] = taken[i];
        }
    }

    // What a page means by an entry that is copied.
    [[nodiscard]] std::optional<leaf> meant(address_space const& space, image const& by, entry_place const& at,
                                            std::uint64_t page) const {
        pte const& e = by.at(at);
        bool const leads = at.level != 0 && e.LargePage == 0;  // to a table that maps nothing
        return leads ? std::nullopt : tables_.leaf_of(space, table_keeper::part_of(e, page - at.page));
    }

    void predict(operation& op, address_space& space, copy_plan const& plan) {
        image before;
        std::map<std::uint64_t, entry_place> written;  // by page
        for (copied_entries const& c : plan.entries()) {
            std::uint64_t const pages = plan.unit_of(c.to);
            for (std::uint32_t i = 0; i < c.count; ++i) {
                entry_place const to = nth(c.to, i, pages);
                before[nth(c.from, i, pages)] = plan.entry(nth(c.from, i, pages));
                before[to] = plan.entry(to);
                for (std::uint64_t k = 0; k < pages; ++k) {
                    written[to.page + k] = to;
                }
            }
            page_table const& table = *plan.table_of(c.to);
            std::uint64_t const size = tables_.geometry().entry_bytes_of(table);
            std::uint64_t const first = tables_.geometry().index_in(table, c.to.page);
            op.effect.push_back({land_.address(table.where, 0) + first * size, 0, c.count * size});
        }
        op.own_encoding = true;
        image right = before;
        image independent = before;
        image backwards = before;
        for (copied_entries const& c : plan.entries()) {
            copy(right, nullptr, c, plan.unit_of(c.to));
            copy(independent, &before, c, plan.unit_of(c.to));
        }
        for (auto c = plan.entries().rbegin(); c != plan.entries().rend(); ++c) {
            copy(backwards, nullptr, *c, plan.unit_of(c->to));
        }
        for (auto const& [page, at] : written) {
            page_table& table = *plan.table_of(at);
            table.entries[tables_.geometry().index_in(table, at.page)] = right.at(at);
        }
        page_changes changes;
        for (auto const& [page, at] : written) {
            changes.emplace_back(page, tables_.meaning(space, page));
            op.independent.push_back(meant(space, independent, at, page));
            op.backwards.push_back(meant(space, backwards, at, page));
        }
        at_build(op, space, plan, written);
        op.judge = [this, &space, changes, o = &op] {
            table_check(m_, tables_.geometry(), space).updated(*o, changes);
            root_check(m_, tables_.geometry(), space).changed(changes, vidmm_parts::describe(o->asked));
        };
    }

    // Sources as the commands executed so far have made them.
    static void at_build(operation& op, address_space const& space, copy_plan const& plan,
                         std::map<std::uint64_t, entry_place> const& written) {
        auto const now = [&space](std::uint64_t page) {
            auto const found = space.now.find(page);
            return found == space.now.end() ? std::nullopt : std::optional(found->second);
        };
        std::map<std::uint64_t, std::optional<leaf>> made;
        for (copied_entries const& c : plan.entries()) {
            for (std::uint64_t k = 0; k < c.count * plan.unit_of(c.to); ++k) {
                made[c.to.page + k] = now(c.from.page + k);
            }
        }
        for (auto const& [page, at] : written) {
            op.at_build.push_back(made.at(page));
        }
    }

    machine& m_;
    land& land_;
    builder& builder_;
    table_keeper& tables_;
    address_space* companion_ = nullptr;
};

}  // namespace wddmcore::testing::vidmm_parts
