// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "page_size_findings.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Tries the usual mistakes on addresses that mean something else than was asked for.
class table_findings : protected page_size_findings {
public:
    using page_size_findings::page_size_findings;

protected:
    [[nodiscard]] finding explain(operation const& op, page_changes const& changes, std::size_t wrong) const {
        request const& r = op.asked;
        bool const untouched = fits(changes, [&](std::size_t k) { return old_[k]; });
        bool const large = r.late.entries.front().LargePage != 0 && r.late.entries.front().Valid != 0;
        if (large) {
            return untouched && op.wrote_until == 0 ? nothing_done(r) : explain_leaves(op, changes);
        }
        if (r.late.level != 0 && (r.late.initial || r.late.entries.front().Valid != 0)) {
            return explain_link(op, changes[wrong], untouched);
        }
        if (untouched) {
            return op.wrote_until == 0 ? nothing_done(r) : not_found(r.late);
        }
        if (r.late.level != 0) {
            return {vidmm_rule::op11_01, "the directory's entry still leads somewhere"};
        }
        return explain_leaves(op, changes);
    }

    [[nodiscard]] static finding nothing_done(request const& r) {
        return {r.is_immediate() ? vidmm_rule::op11_04 : vidmm_rule::pgb_22,
                r.is_immediate() ? "the update is not complete when the call returns"
                                 : "success was returned and nothing was written"};
    }

    [[nodiscard]] finding not_found(wddm2_request const& late) const {
        if (late.use_64k || (late.level == 0 && has_second_table(late.first_address / page_size))) {
            return second_table(geometry_.is_dual());
        }
        for (std::uint32_t level = late.level; level < geometry_.top(); ++level) {
            page_table const* const table =
                space_.find(level, geometry_.table_start(level, late.first_address / page_size));
            if (table != nullptr && table->moved) {
                return {vidmm_rule::gva_39, "no entry above the table leads to where it has moved"};
            }
        }
        return {vidmm_rule::op11_01,
                is_reached(late.level, late.first_address / page_size)
                    ? "the hardware finds no valid entry where the update belongs"
                    : "no entry above the table leads to it, or the hardware finds no valid one in it"};
    }

    // Whether the hardware finds what else the table has.
    [[nodiscard]] bool is_reached(std::uint32_t level, std::uint64_t page) const {
        std::uint64_t const first = geometry_.table_start(level, page);
        for (auto at = space_.now.lower_bound(first); at != space_.now.end(); ++at) {
            if (at->first - first >= geometry_.table_reach(level)) {
                return false;
            }
            if (look(at->first, true) == at->second) {
                return true;
            }
        }
        return false;
    }

    // A table's first content is seen when its parent's entry leads to it.
    [[nodiscard]] finding explain_link(operation const& op, page_changes::value_type const& wrong,
                                       bool untouched) const {
        request const& r = op.asked;
        auto const is = look(wrong.first, true);
        if (auto const found = explain_second_table(r.late)) {
            return *found;
        }
        if (untouched && !r.late.initial) {
            return r.late.moved_child
                       ? finding{vidmm_rule::gva_39, "the parent's entry does not lead to the table that has moved"}
                       : nothing_done(r);
        }
        if (is && space_.number == 0 && m_.power_losses != 0) {
            return {vidmm_rule::chk_16, "after a power loss a page table of the paging process was not initialised"};
        }
        std::uint64_t const page = r.late.first_address / page_size;
        page_table const* const child = r.late.initial ? nullptr : space_.find(r.late.level - 1, page);
        if (child != nullptr && child->filled && child->filled->wrote_until != 0) {
            operation const& filled = *child->filled;
            if (filled.asked.late.repeat && filled.wrote_until <= geometry_.at(child->level).entry_bytes) {
                return {vidmm_rule::op11_02, "with Repeat only the first entry of a new table was written"};
            }
            if (filled.asked.is_immediate()) {
                return {vidmm_rule::op11_04, "the update of a new table was not complete when the call returned"};
            }
            if (filled.passes > 1) {
                return {vidmm_rule::op11_12, "a new table's entries of a later pass are not where they belong"};
            }
        }
        if (r.late.moved_child) {
            return {vidmm_rule::op11_08, "entries were taken to be in the table already"};
        }
        return is ? finding{vidmm_rule::gva_23, "a new page table has junk in it"}
                  : finding{vidmm_rule::op11_01, "the directory's entry does not lead to the table"};
    }

    [[nodiscard]] finding explain_leaves(operation const& op, page_changes const& changes) const {
        wddm2_request const& late = op.asked.late;
        auto const base = [this](pte const& entry) {
            vidmm_segment const* const s = m_.memory.segment(static_cast<std::uint32_t>(entry.Segment));
            return s != nullptr ? s->base : m_.memory.page_address(0);
        };
        auto const by = [&](auto const& change) { return moved_by(late, changes, change); };
        if (by([&](std::uint64_t a, pte const& e, std::uint64_t) { return a - base(e); })) {
            return {vidmm_rule::gva_18, "the segment's base was not added to the entry's page"};
        }
        if (by([&](std::uint64_t a, pte const& e, std::uint64_t) {
                return e.Segment == 0 ? a : a - base(e) + m_.memory.page_address(0);
            })) {
            return {vidmm_rule::gva_18, "the entry's segment was ignored: its page was taken for one of system memory"};
        }
        if (by([&](std::uint64_t a, pte const& e, std::uint64_t) { return a + base(e); })) {
            return {vidmm_rule::gva_18, "the segment's base was added twice"};
        }
        if (by([&](std::uint64_t, pte const& e, std::uint64_t within) {
                return (base(e) + e.PageAddress) / page_size * page_size + within;
            })) {
            return {vidmm_rule::amb_08, "PageAddress was taken for an address"};
        }
        if (auto const found = explain_page_size(late, changes, base)) {
            return *found;
        }
        if (auto const found = explain_shift(late, changes, base)) {
            return *found;
        }
        if (fits(changes, [&](std::size_t k) {
                std::optional<leaf> value = changes[k].second;
                if (value && value->attributes != pte_zero) {
                    value->attributes = 0;
                }
                return value;
            })) {
            return {vidmm_rule::gva_20, "ReadOnly, NoExecute or CacheCoherent was dropped"};
        }
        if (auto const found = explain_zero(late, changes)) {
            return *found;
        }
        if (auto const found = explain_protection(late, changes)) {
            return *found;
        }
        if (late.repeat && op.passes == 1 && look(changes.front().first, true) == changes.front().second) {
            return {vidmm_rule::op11_02, "with Repeat only the first entry was written"};
        }
        if (op.passes > 1 && late.count > 1) {
            return {vidmm_rule::op11_12, "entries of a later pass are not where they belong"};
        }
        return otherwise(late);
    }

    /// @param base  of what an entry's page counts from, which may be shifted with it or not
    template <class Base>
    [[nodiscard]] std::optional<finding> explain_shift(wddm2_request const& late, page_changes const& changes,
                                                       Base const& base) const {
        auto const zero = [](pte const&) { return std::uint64_t{0}; };
        for (unsigned bits = 1; bits <= 16; ++bits) {
            auto const to_the_left = [bits](std::uint64_t number) { return number << bits; };
            auto const to_the_right = [bits](std::uint64_t number) { return number >> bits; };
            bool const left =
                are_shifted(late, changes, to_the_left, zero) || are_shifted(late, changes, to_the_left, base);
            if (left || are_shifted(late, changes, to_the_right, zero) ||
                are_shifted(late, changes, to_the_right, base)) {
                return finding{vidmm_rule::amb_08, "the page's number is " + std::to_string(bits) +
                                                       " bits too far to the " + (left ? "left" : "right") +
                                                       " in the entries"};
            }
        }
        return std::nullopt;
    }

    // Whether every page's number is as a formula makes it from what it has to be, but for upper bits that an entry has
    // no room for. A page that leads to the beginning of 4 GiB shows nothing.
    template <class Shift, class From>
    [[nodiscard]] bool are_shifted(wddm2_request const& late, page_changes const& changes, Shift const& shift,
                                   From const& from) const {
        constexpr std::uint64_t surely_kept = std::uint64_t{1} << 32;
        bool any = false;
        for (auto const& [page, wanted] : changes) {
            pte const* const entry = entry_of(late, page);
            if (!wanted || entry == nullptr || entry->Zero != 0) {
                continue;
            }
            auto const is = look(page, true);
            std::uint64_t const within = page % std::max(unit_of(late), share_of(late)) * page_size;
            std::uint64_t const start = from(*entry);
            std::uint64_t const number = (wanted->address - within - start) / page_size;
            std::uint64_t const shifted = start + shift(number) * page_size + within;
            if (!is || is->address == wanted->address || (is->address - within) % surely_kept == 0) {
                return false;
            }
            std::uint64_t const lost = is->address ^ shifted;
            if ((lost & is->address) != 0 || lost % surely_kept != 0) {
                return false;
            }
            any = true;
        }
        return any;
    }

    [[nodiscard]] std::optional<finding> explain_zero(wddm2_request const& late, page_changes const& changes) const {
        auto const with = [&](std::optional<leaf> const& instead) {
            return fits(changes, [&](std::size_t k) {
                pte const* const entry = entry_of(late, changes[k].first);
                return entry != nullptr && entry->Zero != 0 ? instead : changes[k].second;
            });
        };
        if (with(std::nullopt)) {
            return finding{vidmm_rule::gva_19, "an address that reads as zero faults"};
        }
        leaf const first_page{m_.memory.page_address(0), 0, late.protection & m_.options.page_tables.protection_bits};
        return with(first_page) ? std::optional(finding{vidmm_rule::gva_19, "Zero was ignored: the entry means a page"})
                                : std::nullopt;
    }

    [[nodiscard]] std::optional<finding> explain_protection(wddm2_request const& late,
                                                            page_changes const& changes) const {
        // Bits that mean nothing, put over others: every address has its own bits, and more.
        bool stray = (late.protection & ~m_.options.page_tables.protection_bits) != 0;
        for (auto const& [page, wanted] : changes) {
            auto const is = look(page, true);
            stray = stray && (!wanted || (is && (is->address & wanted->address) == wanted->address));
        }
        if (stray) {
            return finding{vidmm_rule::op11_10, "bits of DriverProtection that mean nothing are in the entries"};
        }
        bool const dropped = fits(changes, [&](std::size_t k) {
            std::optional<leaf> value = changes[k].second;
            if (value) {
                value->protection = 0;
            }
            return value;
        });
        return dropped ? std::optional(finding{vidmm_rule::op11_10, "DriverProtection was dropped"}) : std::nullopt;
    }

    [[nodiscard]] finding explain_copy(operation const& op, page_changes const& changes, std::size_t) const {
        wddm2_request const& late = op.asked.late;
        auto const same_as = [&](std::vector<std::optional<leaf>> const& other) {
            return other.size() == changes.size() && fits(changes, [&](std::size_t k) { return other[k]; });
        };
        if (same_as(old_)) {
            return {vidmm_rule::pgb_22, "success was returned and no entry was copied"};
        }
        if (op.passes > 1) {
            return {vidmm_rule::op14_05, "entries were lost or repeated between two passes"};
        }
        if (late.ranges.size() > 1 && (same_as(op.independent) || same_as(op.backwards))) {
            return {vidmm_rule::obs_11, "a range did not see what the ranges before it had copied"};
        }
        if (same_as(op.at_build)) {
            return {vidmm_rule::op14_02, "the entries were read when the commands were built"};
        }
        return {vidmm_rule::op14_01, "the entries do not follow the ranges' indices"};
    }
};

}  // namespace wddmcore::testing::vidmm_parts
