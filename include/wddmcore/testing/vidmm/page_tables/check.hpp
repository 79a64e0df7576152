// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "findings.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Asks the hardware what it makes of addresses, and names the mistake where that is not what was asked for.
class table_check : private table_findings {
public:
    using table_findings::table_findings;

    /// An update or a copy of entries was executed: its pages are what they have to be, and no other has changed.
    /// @param changes  every page of the range, in order, with what it has to be now
    void updated(operation const& op, page_changes const& changes) {
        apply(changes);
        request const& r = op.asked;
        count_rules(r, op);
        std::size_t wrong = changes.size();
        for (std::size_t k = 0; k < changes.size() && wrong == changes.size(); ++k) {
            wrong = look(changes[k].first, true) == changes[k].second ? wrong : k;
        }
        if (wrong != changes.size()) {
            finding const f = r.is_table_update() ? explain(op, changes, wrong) : explain_copy(op, changes, wrong);
            std::uint64_t const page = changes[wrong].first;
            m_.broken(f.rule, f.sentence, state(op, page, changes[wrong].second), false);
            return;
        }
        beside(op, changes);
    }

    /// A flush was executed: nothing of what it had to drop is left.
    void flushed(operation const& op, page_range range, bool whole) {
        bool const paging = space_.number == 0;
        m_.report.exercised(whole ? vidmm_rule::op12_01 : vidmm_rule::op12_03);
        if (!paging) {
            m_.report.exercised(vidmm_rule::op12_04);
        }
        for (auto at = space_.stale.begin(); at != space_.stale.end();) {
            std::uint64_t const page = *at;
            if (!whole && !range.contains(page)) {
                ++at;
                continue;
            }
            auto const wanted = wanted_at(page);
            if (auto const is = look(page, false); is != wanted) {
                m_.broken(flush_rule(paging, whole),
                          whole ? "a flush of the whole address space left an old translation"
                                : "a flush left an old translation inside its range",
                          cached_state(op, page, is, wanted), false);
                return;
            }
            at = space_.stale.erase(at);
        }
        // From now on all pages are in the hardware's caches, as far as it has any: a missing flush will be seen.
        std::uint64_t asked = 0;
        for (auto const& [page, wanted] : space_.now) {
            if (space_.stale.contains(page) || asked++ >= most_looked_at) {
                continue;
            }
            if (auto const is = look(page, false); is != wanted) {
                m_.broken(vidmm_rule::op12_03, "an address outside the flush means something else than before it",
                          cached_state(op, page, is, wanted), false);
                return;
            }
        }
        if (paging) {
            ++m_.paging_flushes[whole ? 1 : 0];
            m_.report.exercised(vidmm_rule::chk_14);
        }
    }

    /// Everything that is mapped is looked at, and some of what is not.
    void all(std::string const& when) {
        for (auto const& [page, wanted] : space_.now) {
            if (look(page, true) != wanted) {
                m_.broken(vidmm_rule::op11_01, "an address means something else than was asked for",
                          when + ", " + describe(page, wanted), false);
                return;
            }
        }
    }

private:
    static constexpr std::uint64_t most_looked_at = 600;

    [[nodiscard]] std::optional<leaf> wanted_at(std::uint64_t page) const {
        auto const found = space_.now.find(page);
        return found == space_.now.end() ? std::nullopt : std::optional(found->second);
    }

    void apply(page_changes const& changes) {
        old_.clear();
        for (auto const& [page, value] : changes) {
            auto const old = wanted_at(page);
            old_.push_back(old);
            if (value) {
                space_.now[page] = *value;
            } else {
                space_.now.erase(page);
            }
            if (old != value && (old || !m_.options.page_tables.invalid_not_cached)) {
                space_.stale.insert(page);
            }
        }
    }

    void count_rules(request const& r, operation const& op) const {
        wddm2_request const& late = r.late;
        auto const held = [&](vidmm_rule rule, bool could) {
            if (could) {
                m_.report.exercised(rule);
            }
        };
        bool const copy = !r.is_table_update();
        held(vidmm_rule::op14_01, copy);
        held(vidmm_rule::op14_02, copy);
        held(vidmm_rule::obs_11, copy && late.ranges.size() > 1);
        held(vidmm_rule::op14_05, copy && op.passes > 1);
        if (copy) {
            held(vidmm_rule::amb_22, late.copies_64k);
            held(vidmm_rule::gva_16, late.copies_large);
            return;
        }
        bool const valid = !late.entries.empty() && late.entries.front().Valid != 0;
        bool const large = valid && late.entries.front().LargePage != 0;
        bool const leaves = valid && (late.level == 0 || large);
        held(vidmm_rule::op11_05, late.level == 0 && !late.use_64k && geometry_.gpu_page() > 1);
        held(vidmm_rule::amb_22, late.use_64k && late.start != 0);
        held(vidmm_rule::gva_11, late.child_64k && !geometry_.is_dual());
        held(vidmm_rule::gva_12, valid && !late.entries_64k.empty() && late.entries_64k.front().Valid != 0);
        held(vidmm_rule::gva_13, late.converted);
        held(vidmm_rule::gva_14, late.use_64k && leaves);
        held(vidmm_rule::gva_16, large);
        held(vidmm_rule::amb_65, large && late.entries.front().Zero != 0);
        held(vidmm_rule::gva_17, large && late.entries.front().PageAddress % geometry_.entry_pages(late.level) != 0);
        held(vidmm_rule::op11_01, !late.repeat);
        held(vidmm_rule::op11_02, late.repeat && late.count > 1);
        held(vidmm_rule::op11_03, true);
        held(vidmm_rule::op11_04, r.no_buffer);
        held(vidmm_rule::op11_08, late.initial);
        held(vidmm_rule::gva_23, late.initial && late.repeat && late.entries.front().Valid == 0);
        held(vidmm_rule::op11_09, true);
        held(vidmm_rule::gva_39, late.moved_child);
        held(vidmm_rule::op11_12, op.passes > 1);
        held(vidmm_rule::gva_18, leaves);
        held(vidmm_rule::amb_08, leaves);
        held(vidmm_rule::gva_19, leaves && late.entries.front().Zero != 0);
        held(vidmm_rule::op11_10, leaves && late.protection != 0);
        held(vidmm_rule::gva_20, leaves && m_.options.page_tables.attributes != 0);
    }

    // The pages next to the range, and a sample of all others.
    void beside(operation const& op, page_changes const& changes) {
        std::uint64_t looked = 0;
        auto const right = [&](std::uint64_t page) { return look(page, true) == wanted_at(page); };
        auto const report = [&](std::uint64_t page) {
            m_.broken(op.asked.is_table_update() ? vidmm_rule::op11_09 : vidmm_rule::op14_01,
                      "an entry outside the range was changed", state(op, page, wanted_at(page)), false);
        };
        if (!changes.empty() && linked(changes.back().first + 1) && !right(changes.back().first + 1)) {
            return report(changes.back().first + 1);
        }
        for (auto const& [page, wanted] : space_.now) {
            if (looked++ == most_looked_at) {
                return;
            }
            if (look(page, true) != wanted) {
                return report(page);
            }
        }
    }

    // Whether every table above a page has been initialised; below others there is nothing to say.
    [[nodiscard]] bool linked(std::uint64_t page) const {
        for (std::uint32_t level = 0; level <= geometry_.top(); ++level) {
            auto const found = space_.tables.find({level, geometry_.table_start(level, page)});
            page_table const* const of_64k = level == 0 ? space_.find_64k(geometry_.table_start(0, page)) : nullptr;
            page_table const* const table = found != space_.tables.end() ? &found->second : of_64k;
            if (table == nullptr || !table->resident() || !table->initialised) {
                return false;
            }
        }
        return page < geometry_.table_reach(geometry_.top());
    }

    [[nodiscard]] static std::string words(std::optional<leaf> const& l) {
        return l ? hex(l->address) + (l->attributes != 0 ? " with attributes " + hex(l->attributes) : std::string{})
                 : std::string("nothing");
    }

    [[nodiscard]] std::string describe(std::uint64_t page, std::optional<leaf> const& wanted) const {
        return "process " + std::to_string(space_.number) + ", VA " + hex(page * page_size) + " means " +
               words(look(page, true)) + " and has to mean " + words(wanted);
    }

    [[nodiscard]] std::string state(operation const& op, std::uint64_t page, std::optional<leaf> const& wanted) const {
        return vidmm_parts::describe(op.asked) + ", in " + std::to_string(op.passes) + " passes; " +
               describe(page, wanted);
    }

    // The caches were asked already, and asking again may change them.
    [[nodiscard]] std::string cached_state(operation const& op, std::uint64_t page, std::optional<leaf> const& is,
                                           std::optional<leaf> const& wanted) const {
        return state(op, page, wanted) + "; to the hardware's caches " + words(is);
    }

    // When the same kind of flush works for the paging process, it is the root that is not looked at.
    [[nodiscard]] vidmm_rule flush_rule(bool paging, bool whole) const {
        if (!paging && m_.paging_flushes[whole ? 1 : 0] != 0) {
            return vidmm_rule::op12_04;
        }
        return whole ? vidmm_rule::op12_01 : vidmm_rule::op12_03;
    }
};

}  // namespace wddmcore::testing::vidmm_parts
