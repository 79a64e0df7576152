// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ranges.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// What entries ranges of pages are copied by: whole ones, of large pages and of 64 KiB too, as long as both sides can
/// have them; what cannot is made small before.
///
/// A range of operation 14 says where two tables are, where to begin and how many entries there are, and neither their
/// level nor their size (OP14-01). So its indices count entries of the tables that it names, as those of an update do
/// (AMB-22), and only such tables are copied between as have entries of the leaf tables' size, and no index that a leaf
/// table has not: of no other could a driver know what is meant.
class copy_plan {
public:
    copy_plan(machine const& m, table_keeper& tables, address_space& space) : m_(m), tables_(tables), space_(space) {}

    /// Plans the ranges in their order, and lets every table of theirs have memory and its entries.
    /// @return false: no memory
    [[nodiscard]] bool make(std::vector<vidmm_copied_range> const& ranges) {
        while (!cut(ranges)) {
            bool const only_planned = tables_.large_above(space_, refused_) == 0 && !has_64k(refused_);
            if (m_.stopped || !(only_planned ? all_small(ranges) : tables_.make_small(space_, refused_))) {
                return false;
            }
        }
        for (copied_entries const& c : out_) {
            if (!is_there(c.from) || !is_there(c.to)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] std::vector<copied_entries> const& entries() const { return out_; }

    [[nodiscard]] page_table* table_of(entry_place const& at) const {
        std::uint64_t const first = tables_.geometry().table_start(at.level, at.page);
        return at.of_64k ? space_.find_64k(first) : space_.find(at.level, first);
    }

    [[nodiscard]] std::uint64_t unit_of(entry_place const& at) const {
        return at.of_64k ? pages_of_64k : tables_.geometry().entry_pages(at.level);
    }

    /// The entry itself, before anything is copied.
    [[nodiscard]] pte entry(entry_place const& at) const {
        page_table const* const table = table_of(at);
        std::uint32_t const index = table == nullptr ? 0 : tables_.geometry().index_in(*table, at.page);
        return table == nullptr || index >= table->entries.size() ? pte{} : table->entries[index];
    }

private:
    // The entry once what was planned so far is copied.
    [[nodiscard]] pte planned(entry_place at) const {
        at.page -= at.page % unit_of(at);
        auto const found = planned_.find(at);
        return found == planned_.end() ? entry(at) : found->second;
    }

    [[nodiscard]] std::uint32_t large_above(std::uint64_t page) const {
        for (std::uint32_t level = tables_.geometry().top(); level != 0; --level) {
            if (is_large(planned({level, false, page}))) {
                return level;
            }
        }
        return 0;
    }

    [[nodiscard]] static bool is_large(pte const& e) { return e.Valid != 0 && e.LargePage != 0; }

    // Whether entries of such tables can be copied.
    [[nodiscard]] bool is_known(std::uint32_t level, bool of_64k, std::uint64_t page) const {
        table_geometry const& g = tables_.geometry();
        std::uint32_t const size = of_64k ? m_.options.page_tables.entry_bytes_64k : g.at(level).entry_bytes;
        bool const pair = g.is_dual() && level == 1;
        return size == g.at(0).entry_bytes && !pair && (level == 0 || g.index(level, page) < g.entries(0));
    }

    [[nodiscard]] bool cut(std::vector<vidmm_copied_range> const& ranges) {
        out_.clear();
        planned_.clear();
        for (vidmm_copied_range const& r : ranges) {
            bool begins = true;
            for (std::uint64_t done = 0; done < r.count; begins = false) {
                std::optional<copied_entries> const next =
                    begin_at(r.from_page + done, r.to_page + done, r.count - done, !begins);
                if (!next) {
                    return false;
                }
                done += next->count * unit_of(next->from);
                add(*next, !begins);
            }
        }
        return true;
    }

    // Joins those before it where it can.
    void add(copied_entries const& next, bool may_join) {
        std::vector<pte> taken;
        std::uint64_t const unit = unit_of(next.from);
        for (std::uint32_t i = 0; i < next.count; ++i) {
            taken.push_back(planned({next.from.level, next.from.of_64k, next.from.page + i * unit}));
        }
        for (std::uint32_t i = 0; i < next.count; ++i) {
            planned_[{next.to.level, next.to.of_64k, next.to.page + i * unit}] = taken[i];
        }
        if (may_join && follows(next)) {
            out_.back().count += next.count;
        } else {
            out_.push_back(next);
        }
    }

    [[nodiscard]] bool follows(copied_entries const& next) const {
        copied_entries const& last = out_.back();
        auto const start = [&](entry_place const& at) { return tables_.geometry().table_start(at.level, at.page); };
        return last.from.level == next.from.level && last.from.of_64k == next.from.of_64k &&
               start(last.from) == start(next.from) && start(last.to) == start(next.to);
    }

    // Whatever can be copied at these pages; nothing: `refused_` has to be small.
    [[nodiscard]] std::optional<copied_entries> begin_at(std::uint64_t from, std::uint64_t to, std::uint64_t left,
                                                         bool joins) {
        if (std::uint32_t const level = large_above(from); level != 0) {
            std::uint64_t const unit = tables_.geometry().entry_pages(level);
            bool const whole = from % unit == 0 && to % unit == 0 && left >= unit;
            bool const fits = whole && is_known(level, false, from) && is_known(level, false, to) &&
                              (large_above(to) == level || (large_above(to) == 0 && is_empty(level, to)));
            return fits ? one({level, false, from}, {level, false, to}) : refuse(from);
        }
        if (large_above(to) != 0) {
            return refuse(to);
        }
        if (!tables_.geometry().has_64k()) {
            return small(from, to, left);
        }
        return tables_.geometry().is_dual() ? of_two(from, to, left, joins) : of_either(from, to, left);
    }

    [[nodiscard]] static bool is_whole_64k(std::uint64_t from, std::uint64_t to, std::uint64_t left) {
        return from % pages_of_64k == 0 && to % pages_of_64k == 0 && left >= pages_of_64k;
    }

    // Each side has one leaf table: both have to be of one kind (GVA-11).
    [[nodiscard]] std::optional<copied_entries> of_either(std::uint64_t from, std::uint64_t to, std::uint64_t left) {
        if (is_used(from, true)) {
            bool const fits = is_whole_64k(from, to, left) && is_known(0, true, from) && !is_used(to, false);
            return fits ? one({0, true, from}, {0, true, to}) : refuse(from);
        }
        return is_used(to, true) ? refuse(to) : small(from, to, left);
    }

    // Each side has up to two: of one piece of 64 KiB only one has valid entries, before and afterwards (GVA-12).
    [[nodiscard]] std::optional<copied_entries> of_two(std::uint64_t from, std::uint64_t to, std::uint64_t left,
                                                       bool joins) {
        bool const from_64k = planned({0, true, from}).Valid != 0;
        bool const to_64k = planned({0, true, to}).Valid != 0;
        bool const goes_on = joins && out_.back().from.of_64k && !has_small(from) && !has_small(to);
        if (!from_64k && !to_64k && !(goes_on && is_whole_64k(from, to, left))) {
            return small(from, to, left);
        }
        bool const whole =
            is_whole_64k(from, to, left) && !has_small(from) && !has_small(to) && is_known(0, true, from);
        return whole ? one({0, true, from}, {0, true, to}) : refuse(from_64k ? from : to);
    }

    [[nodiscard]] bool has_small(std::uint64_t page) const {
        std::uint64_t const first = page - page % pages_of_64k;
        for (std::uint64_t k = 0; k < pages_of_64k; ++k) {
            if (planned({0, false, first + k}).Valid != 0) {
                return true;
            }
        }
        return false;
    }

    // 4-KiB pages as far as one table has them, and as far as both sides lie in one piece of 64 KiB.
    [[nodiscard]] std::optional<copied_entries> small(std::uint64_t from, std::uint64_t to, std::uint64_t left) const {
        table_geometry const& g = tables_.geometry();
        std::uint64_t const unit = g.has_64k() ? pages_of_64k : g.table_reach(0);
        std::uint64_t const n = std::min({left, unit - from % unit, unit - to % unit});
        return copied_entries{{0, false, from}, {0, false, to}, static_cast<std::uint32_t>(n)};
    }

    [[nodiscard]] static std::optional<copied_entries> one(entry_place const& from, entry_place const& to) {
        return copied_entries{from, to, 1};
    }

    [[nodiscard]] std::optional<copied_entries> refuse(std::uint64_t page) {
        refused_ = page;
        return std::nullopt;
    }

    // Whether the leaf table is of this kind: of one that is evicted and maps nothing the kind may be chosen anew.
    [[nodiscard]] bool is_used(std::uint64_t page, bool of_64k) const {
        std::uint64_t const first = tables_.geometry().table_start(0, page);
        auto const found = planned_.lower_bound({0, of_64k, first});
        bool const is_planned = found != planned_.end() && found->first.level == 0 && found->first.of_64k == of_64k &&
                                found->first.page - first < tables_.geometry().table_reach(0);
        page_table const* const table = table_of({0, of_64k, page});
        return is_planned || (table != nullptr && (table->resident() || table->maps()));
    }

    // Whether nothing is mapped behind an entry, so that its tables can go.
    [[nodiscard]] bool is_empty(std::uint32_t level, std::uint64_t page) const {
        page_range const range{page, tables_.geometry().entry_pages(level)};
        auto const is_mapped = [](std::uint32_t of, pte const& e) { return of == 0 ? e.Valid != 0 : is_large(e); };
        for (auto const& [at, e] : planned_) {
            if (at.level < level && range.contains(at.page) && is_mapped(at.level, e)) {
                return false;
            }
        }
        for (auto const* const table : tables_.behind(space_, level, page)) {
            for (std::size_t i = 0; i < table->entries.size(); ++i) {
                std::uint64_t const first = table->first_page + i * tables_.geometry().unit_of(*table);
                if (is_mapped(table->level, planned({table->level, table->of_64k, first}))) {
                    return false;
                }
            }
        }
        return true;
    }

    [[nodiscard]] bool has_64k(std::uint64_t page) const {
        return tables_.geometry().is_dual() ? tables_.has_64k_page(space_, page) : table_of({0, true, page}) != nullptr;
    }

    [[nodiscard]] bool all_small(std::vector<vidmm_copied_range> const& ranges) {
        std::uint64_t const reach = tables_.geometry().table_reach(0);
        for (vidmm_copied_range const& r : ranges) {
            for (std::uint64_t const first : {r.from_page, r.to_page}) {
                for (std::uint64_t page = first; page < first + r.count; page = page / reach * reach + reach) {
                    if (!tables_.make_small(space_, page)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    [[nodiscard]] bool is_there(entry_place const& at) {
        page_table const* table = table_of(at);
        if (at.level == 0 && !at.of_64k && (table == nullptr || !table->resident())) {
            tables_.write(space_, at.page, {entry(at)});
        } else if (table == nullptr || !table->resident()) {
            static_cast<void>(tables_.table_for_entry(space_, at.page, at.level, at.of_64k));
        }
        table = table_of(at);
        return !m_.stopped && table != nullptr && table->resident();
    }

    machine const& m_;
    table_keeper& tables_;
    address_space& space_;
    std::vector<copied_entries> out_;
    std::map<entry_place, pte> planned_;  ///< what entries become
    std::uint64_t refused_ = 0;           ///< the page that stands in the way
};

}  // namespace wddmcore::testing::vidmm_parts
