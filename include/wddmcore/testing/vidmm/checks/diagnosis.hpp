// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../calls/operation.hpp"
#include "../machine.hpp"
#include "formulas.hpp"

#include <bit>
#include <set>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Tries the usual wrong formulas on wrong bytes or on an access that found nothing.
class diagnosis {
public:
    diagnosis(machine& m, operation const& op) : m_(m), op_(op), r_(op.asked), book_(m.memory, op.asked) {}

    /// The rule of a request's content when no formula explains more.
    [[nodiscard]] vidmm_rule general() const {
        switch (r_.operation) {
            case paging_operation::special_lock_transfer: return vidmm_rule::op07_01;
            case paging_operation::virtual_transfer: return vidmm_rule::op08_01;
            case paging_operation::virtual_fill: return vidmm_rule::op09_01;
            case paging_operation::fill: return vidmm_rule::op01_02;
            case paging_operation::discard_content: return vidmm_rule::op02_01;
            case paging_operation::read_physical: return vidmm_rule::op03_01;
            case paging_operation::write_physical: return vidmm_rule::op04_01;
            case paging_operation::unmap_aperture_segment: return vidmm_rule::op06_01;
            case paging_operation::map_aperture_segment: return vidmm_rule::op05_01;
            case paging_operation::map_aperture_segment2: return vidmm_rule::op17_02;
            case paging_operation::init_context_resource: return vidmm_rule::op10_01;
            case paging_operation::update_page_table: return vidmm_rule::op11_03;
            case paging_operation::flush_tlb: return vidmm_rule::op12_01;
            case paging_operation::update_context_allocation: return vidmm_rule::op13_01;
            case paging_operation::copy_page_table_entries: return vidmm_rule::op14_01;
            case paging_operation::signal_monitored_fence: return vidmm_rule::op16_01;
            case paging_operation::notify_alloc: return vidmm_rule::ntf_04;
            default: return vidmm_rule::op00_02;
        }
    }

    /// Explains wrong bytes; `wanted` is what the destination has to hold, the expected image is not changed yet.
    [[nodiscard]] finding wrong_bytes(std::vector<std::byte> const& wanted) {
        if (destination_is_untouched() && !elsewhere() && !used_elsewhere()) {
            return coverage(wanted);  // bytes that lie somewhere since earlier prove no formula
        }
        for (formula const& f : book_.wrong) {
            if (fits(f)) {
                return {f.rule, f.sentence};
            }
        }
        if (r_.is_fill()) {
            if (auto const named = other_pattern()) {
                return *named;
            }
        }
        return coverage(wanted);
    }

    /// Explains an access to `address` that found nothing.
    [[nodiscard]] std::optional<finding> missing(std::uint64_t address) {
        if (r_.operation == paging_operation::notify_alloc) {
            return noticed(address);
        }
        if ((!r_.is_transfer() && !r_.is_fill()) || r_.size == 0) {
            return std::nullopt;
        }
        if (reaches(book_.right, address)) {
            return std::nullopt;
        }
        for (formula const& f : book_.wrong) {
            if (reaches(f, address)) {
                return finding{f.rule, f.sentence};
            }
        }
        std::uint64_t const last = book_.right.destination(r_.size - 1);
        if (address == last + 1 || (book_.right.source && address == book_.right.source(r_.size - 1) + 1)) {
            return finding{exactness(), "the commands go on past the last byte"};
        }
        return std::nullopt;
    }

    /// The rule about exactly the bytes asked for.
    [[nodiscard]] vidmm_rule exactness() const {
        switch (r_.operation) {
            case paging_operation::transfer: return vidmm_rule::op00_05;
            case paging_operation::update_page_table: return vidmm_rule::op11_09;
            case paging_operation::notify_alloc: return vidmm_rule::ntf_06;
            default: return general();
        }
    }

private:
    using word = std::array<std::byte, 4>;

    [[nodiscard]] std::optional<word> load(bool image, std::uint64_t address) {
        auto const physical = address == nowhere ? std::nullopt : m_.bus.translate(address);
        if (!physical) {
            return std::nullopt;
        }
        std::span<std::byte> const at = image ? m_.memory.must_be(*physical, 4) : m_.memory.is(*physical, 4);
        if (at.size() < 4) {
            return std::nullopt;
        }
        return word{at[0], at[1], at[2], at[3]};
    }

    [[nodiscard]] std::optional<finding> noticed(std::uint64_t address) const {
        std::uint64_t const start = r_.late.address;
        auto const in = [&](std::uint64_t first) { return address >= first && address - first < r_.size; };
        if (!r_.late.eviction && in(start)) {
            return finding{vidmm_rule::ntf_10,
                           "the address of an unmap notice was accessed in the paging process (AMB-39)"};
        }
        if (in(start)) {
            return std::nullopt;
        }
        if (r_.offset != 0 && in(start + r_.offset)) {
            return finding{vidmm_rule::ntf_05, "OffsetInBytes was added to an address that has it already"};
        }
        return finding{vidmm_rule::ntf_06, "the commands leave the part of the allocation that the notice is for"};
    }

    [[nodiscard]] std::vector<std::uint64_t> samples() const {
        std::vector<std::uint64_t> out;
        for (std::uint64_t i = 0; i + 4 <= r_.size; i += page_size) {
            out.push_back(i);
        }
        if (r_.size >= 4) {
            out.push_back(r_.size - 4);
        }
        return out;
    }

    [[nodiscard]] word pattern() const { return std::bit_cast<word>(r_.pattern); }

    // The bytes lie where the formula says, and the right one would have put others there.
    [[nodiscard]] bool fits(formula const& f) {
        bool differs = false;
        std::vector<std::uint64_t> const all = samples();
        std::set<std::uint64_t> overwritten;
        for (auto at = all.rbegin(); at != all.rend(); ++at) {
            std::uint64_t const i = *at;
            if (!overwritten.insert(f.destination(i)).second) {
                continue;  // a later byte went to the same place
            }
            auto const want = f.source ? load(true, f.source(i)) : std::optional(pattern());
            auto const have = load(false, f.destination(i));
            if (!want || !have || *want != *have) {
                return false;
            }
            // Equal bytes prove nothing: somewhere this formula must have changed a place that the right one does not,
            // or put other bytes there.
            if (f.destination(i) != book_.right.destination(i)) {
                differs = differs || load(true, f.destination(i)) != have ||
                          (was_touched(f.destination(i)) && !was_touched(book_.right.destination(i)));
            } else if (f.source) {
                differs = differs || load(true, book_.right.source(i)) != want;
            }
        }
        return differs;
    }

    [[nodiscard]] bool was_touched(std::uint64_t address) {
        auto const physical = m_.bus.translate(address);
        intervals one;
        one.add(physical.value_or(0), physical.value_or(0) + 1);
        return physical && !op_.touched.common(one).empty();
    }

    [[nodiscard]] bool reaches(formula const& f, std::uint64_t address) const {
        for (std::uint64_t i = 0; i < r_.size; i += page_size) {
            for (formula::place const* const p : {&f.source, &f.destination}) {
                if (*p && (*p)(i) != nowhere && (*p)(i) / page_size == address / page_size) {
                    return true;
                }
            }
        }
        return false;
    }

    [[nodiscard]] std::optional<finding> other_pattern() {
        auto const all_are = [&](word const& w) {
            for (std::uint64_t const i : samples()) {
                if (load(false, book_.right.destination(i)) != std::optional(w)) {
                    return false;
                }
            }
            return true;
        };
        word const p = pattern();
        if (all_are({p[0], p[0], p[0], p[0]})) {
            return finding{general(), "only the lowest byte of the pattern was repeated (AMB-09)"};
        }
        if (all_are({p[3], p[2], p[1], p[0]})) {
            return finding{general(), "the pattern's bytes are in the opposite order"};
        }
        if (all_are({})) {
            return finding{general(), "zero was written instead of the pattern"};
        }
        return std::nullopt;
    }

    [[nodiscard]] bool destination_is_untouched() {
        for (extent const& e : op_.effect) {
            if (m_.memory.difference(e.destination, e.size)) {
                return false;
            }
        }
        return true;
    }

    // Where the commands used memory that is neither source nor destination, if anywhere.
    [[nodiscard]] std::optional<std::uint64_t> used_elsewhere() const {
        intervals own;
        for (extent const& e : op_.effect) {
            own.add(e.destination, e.destination + e.size);
            if (r_.is_transfer()) {
                own.add(e.source, e.source + e.size);
            }
        }
        intervals const others = op_.touched.without(own);
        return others.empty() ? std::nullopt : std::optional(others.sorted().front().begin);
    }

    // Where memory outside the request has changed, if anywhere.
    [[nodiscard]] std::optional<std::uint64_t> elsewhere() {
        intervals const others = op_.touched.without(op_.destination);
        for (interval const& i : others.sorted()) {
            if (auto const at = m_.memory.difference(i.begin, i.end - i.begin)) {
                return at;
            }
        }
        return m_.memory.difference_elsewhere([&](std::uint64_t at) {
            intervals one;
            one.add(at, at + 1);
            return !op_.destination.common(one).empty();
        });
    }

    // No formula: which part was left as it was tells how the bytes were lost.
    [[nodiscard]] finding coverage(std::vector<std::byte> const& wanted) {
        std::uint64_t offset = 0;
        std::uint64_t first_wrong = r_.size;
        std::uint64_t last_wrong = 0;
        bool all_stale = true;
        bool none_written = true;
        for (extent const& e : op_.effect) {
            for (std::uint64_t i = 0; i < e.size; ++i, ++offset) {
                std::byte const is = m_.memory.is(e.destination + i, 1)[0];
                std::byte const was = m_.memory.must_be(e.destination + i, 1)[0];
                none_written = none_written && is == was;
                if (is != wanted[static_cast<std::size_t>(offset)]) {
                    all_stale = all_stale && is == was;
                    first_wrong = std::min(first_wrong, offset);
                    last_wrong = offset;
                }
            }
        }
        std::string const range = "bytes " + hex(first_wrong) + " to " + hex(last_wrong);
        if (none_written) {
            if (auto const at = elsewhere()) {
                return {general(), "the bytes went elsewhere: " + m_.memory.name_of(*at) + " was changed"};
            }
            if (auto const at = used_elsewhere()) {
                return {general(), "the commands used other memory: " + m_.memory.name_of(*at)};
            }
            if (op_.skipped) {
                return {vidmm_rule::pgb_05,
                        "MultipassOffset was moved by a pass that did nothing, and the work was lost"};
            }
            if (r_.retried) {
                return {vidmm_rule::op00_06, "a transfer that began again was not done again"};
            }
            return {r_.allocation_handle == nullptr && r_.allocation != 0 ? vidmm_rule::pgb_21 : vidmm_rule::pgb_22,
                    "success was returned and nothing was moved"};
        }
        // A token that counts these pages as done lost them; else they are a tail that was never looked at.
        bool const counted = op_.passes > 1 && op_.last_token > first_wrong / page_size;
        bool const tail = op_.passes == 1 || (r_.size - first_wrong < page_size && !counted);
        if (all_stale && last_wrong + 1 == r_.size && tail) {
            return {exactness(), range + ", the last ones, were left as they were"};
        }
        if (all_stale) {
            return {op_.passes > 1 ? vidmm_rule::pgb_05 : general(),
                    range + " were left as they were" + (op_.passes > 1 ? ": lost between two passes" : "")};
        }
        return {general(), range + " are wrong, and no known mistake explains them"};
    }

    machine& m_;
    operation const& op_;
    request const& r_;
    formula_book book_;
};

/// Names what made the engine stop: an access by a wrong formula, or commands that cannot be decoded.
inline void explain_failure(machine& m, operation const& op, execution const& x, std::string const& state) {
    diagnosis d(m, op);
    std::string const engine_says = "the engine stops at dword " + std::to_string(x.dword) + ": " + x.why;
    if (auto const& access = m.bus.failed()) {
        std::string const where = state + ", " + access->verb + " of " + std::to_string(access->size) + " bytes at " +
                                  hex(access->address) + "; " + engine_says;
        if (auto const found = d.missing(access->address)) {
            m.broken(found->rule, found->sentence, where, false);
        } else {
            m.broken(d.general(), "the commands use an address at which there is nothing", where, false);
        }
        return;
    }
    m.broken(vidmm_rule::pgb_07, "the engine refuses a command of this pass: " + x.why,
             state + "; dword " + std::to_string(x.dword) + " of the pass", false);
}

}  // namespace wddmcore::testing::vidmm_parts
