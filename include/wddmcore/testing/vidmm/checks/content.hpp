// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "aperture.hpp"
#include "comparison.hpp"
#include "diagnosis.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Looks at memory after an operation was executed, and makes the expected image follow it.
class content_check {
public:
    content_check(machine& m, operation& op) : m_(m), op_(op), r_(op.asked) {}

    void run() {
        vidmm_operation_statistics& s = m_.report.of(r_.operation);
        ++s.requests;
        count_pages(s);
        count_rules();
        if (r_.is_map() || r_.is_unmap()) {
            aperture_check(m_, op_).run();
        } else if (r_.is_access()) {
            access();
        } else if (op_.own_encoding) {
            encoded();
        } else if (!op_.effect.empty()) {
            content();
        }
        if (!m_.stopped && op_.judge) {
            op_.judge();
        }
        if (!m_.stopped) {
            neighbours();
        }
    }

private:
    void count_pages(vidmm_operation_statistics& s) const {
        std::uint64_t const pages =
            r_.is_map() || r_.is_unmap() ? r_.aperture_pages : (r_.size + page_size - 1) / page_size;
        s.pages += pages;
        if (r_.list.numbers.empty()) {
            s.runs += pages != 0 ? 1U : 0U;
            return;
        }
        for (std::uint64_t k = 0; k < pages && r_.list.first + k < r_.list.numbers.size(); ++k) {
            std::size_t const at = static_cast<std::size_t>(r_.list.first + k);
            bool const begins = k == 0 || r_.list.numbers[at] != r_.list.numbers[at - 1] + 1;
            s.runs += begins ? 1U : 0U;
        }
    }

    // Which rules this request could have shown broken.
    void count_rules() const {
        auto const held = [&](vidmm_rule rule, bool could) {
            if (could) {
                m_.report.exercised(rule);
            }
        };
        bool const physical = r_.is_transfer() && !r_.is_virtual() && r_.size != 0;
        bool const with_base = (physical && (r_.source.segment_base != 0 || r_.destination.segment_base != 0)) ||
                               (r_.operation == paging_operation::fill && r_.destination.segment_base != 0);
        held(vidmm_rule::pgb_22, true);
        held(vidmm_rule::pgb_05, op_.passes > 1);
        held(vidmm_rule::pgb_06, r_.size >> 32 != 0);
        held(vidmm_rule::pgb_21, r_.allocation_handle == nullptr && !op_.effect.empty());
        held(vidmm_rule::op00_01, physical);
        held(vidmm_rule::op00_02, physical && (r_.offset != 0 || r_.list.first != 0));
        held(vidmm_rule::op00_03, with_base);
        held(vidmm_rule::seg_28, with_base);
        held(vidmm_rule::op00_05, r_.operation == paging_operation::transfer && r_.size != 0);
        held(vidmm_rule::op00_06, r_.retried);
        held(vidmm_rule::op00_10, physical && r_.list.numbers.size() > 1 && r_.size > page_size);
        held(vidmm_rule::op01_02, r_.operation == paging_operation::fill);
        held(vidmm_rule::op02_01, r_.operation == paging_operation::discard_content);
        held(vidmm_rule::op07_01, r_.operation == paging_operation::special_lock_transfer);
        held(vidmm_rule::op08_01, r_.operation == paging_operation::virtual_transfer && r_.offset != 0);
        held(vidmm_rule::op09_01, r_.operation == paging_operation::virtual_fill);
        held(vidmm_rule::pgb_09, r_.may_be_busy() && r_.idle);
        held(vidmm_rule::amb_28, !r_.may_be_busy());
    }

    [[nodiscard]] bool hollow() const {
        vidmm_segment const* const s = m_.memory.segment_at(op_.effect.front().destination);
        return s != nullptr && s->hollow;
    }

    // All bytes of the destination as they have to be, from the image before the operation.
    [[nodiscard]] std::vector<std::byte> const& wanted() {
        std::vector<std::byte>& out = m_.scratch;
        std::uint64_t total = 0;
        for (extent const& e : op_.effect) {
            total += e.size;
        }
        out.resize(static_cast<std::size_t>(total));
        std::size_t at = 0;
        for (extent const& e : op_.effect) {
            if (r_.is_fill() && !op_.becomes) {
                for (std::uint64_t i = 0; i < e.size; ++i, ++at) {
                    out[at] = static_cast<std::byte>((r_.pattern >> (8 * (at % 4))) & 0xff);
                }
                continue;
            }
            for (std::uint64_t done = 0; done < e.size;) {
                std::uint64_t const place = op_.becomes ? e.destination : e.source;
                std::span<std::byte> const from = m_.memory.must_be(place + done, e.size - done);
                std::memcpy(out.data() + at, from.data(), from.size());
                done += from.size();
                at += from.size();
            }
        }
        if (op_.becomes) {
            op_.becomes(out);
        }
        return out;
    }

    // The whole destination beside what it has to hold; not of what is only counted.
    [[nodiscard]] differing_memory compared_with(std::span<std::byte const> want) {
        if (m_.cause_of[static_cast<std::size_t>(r_.operation)]) {
            return {};
        }
        comparison out(m_.memory, want.size());
        for (extent const& e : op_.effect) {
            std::span<std::byte const> const is = m_.memory.is(e.destination, e.size);
            out.add(e.destination, want.first(is.size()), is);
            want = want.subspan(is.size());
        }
        return out.result();
    }

    // The first wrong bytes of an operation are its cause; all memory is compared, the expected image follows what
    // really happened, and what the same operation does wrong later is counted, not told again.
    void blame(vidmm_rule rule, std::string sentence, std::string state, differing_memory memory = {}) {
        std::optional<vidmm_rule>& cause = m_.cause_of[static_cast<std::size_t>(r_.operation)];
        std::string const others = resynchronise();
        if (cause) {
            m_.report.broken(*cause, std::move(sentence), std::move(state));
            return;
        }
        cause = rule;
        m_.broken(rule, std::move(sentence), std::move(state) + others, true, std::move(memory));
    }

    [[nodiscard]] std::string resynchronise() {
        std::string text;
        std::size_t count = 0;
        for (auto const& [first, end] : m_.memory.resynchronise()) {
            intervals place;
            place.add(first, end);
            if (intervals const outside = place.without(op_.destination);
                !outside.empty() && outside.sorted().front().begin == first && ++count <= 3) {
                text += (count == 1 ? "; also changed: " : ", ") + m_.memory.name_of(first);
            }
        }
        return text + (count > 3 ? " and " + std::to_string(count - 3) + " more places" : "");
    }

    // What goes through an aperture whose entries are wrong ends elsewhere by no fault of its own.
    [[nodiscard]] bool by_wrong_aperture() const {
        return m_.aperture_is_wrong && r_.is_transfer() && !r_.is_virtual() &&
               (r_.source.segment == m_.aperture.id || r_.destination.segment == m_.aperture.id);
    }

    void content() {
        if (by_wrong_aperture()) {
            static_cast<void>(m_.memory.resynchronise());
            return;
        }
        if (hollow()) {
            covered();
            return;
        }
        std::vector<std::byte> const& want = wanted();
        if (op_.overlaps) {
            m_.report.exercised(vidmm_rule::op08_07);
        }
        std::size_t at = 0;
        std::uint64_t const none = want.size();
        std::uint64_t wrong = none;
        for (extent const& e : op_.effect) {
            std::span<std::byte> const is = m_.memory.is(e.destination, e.size);
            if (wrong == none && std::memcmp(is.data(), want.data() + at, is.size()) != 0) {
                auto const where =
                    std::mismatch(is.begin(), is.end(), want.begin() + static_cast<std::ptrdiff_t>(at)).first;
                wrong = at + static_cast<std::uint64_t>(where - is.begin());
            }
            at += is.size();
        }
        if (wrong != none) {
            finding const f =
                op_.explain ? op_.explain(op_, want)
                : op_.overlaps
                    ? finding{vidmm_rule::op08_07, "the move overlaps itself, and the copy destroyed its own source"}
                    : diagnosis(m_, op_).wrong_bytes(want);
            blame(f.rule, f.sentence,
                  describe(r_) + ", first wrong byte " + hex(wrong) + " of the request, which has to be " +
                      hex(static_cast<std::uint64_t>(want[static_cast<std::size_t>(wrong)])) + ", in " +
                      std::to_string(op_.passes) + " passes",
                  compared_with(want));
        } else {
            repetition();
        }
        at = 0;
        for (extent const& e : op_.effect) {
            std::span<std::byte> const is = m_.memory.is(e.destination, e.size);
            std::memcpy(m_.memory.must_be(e.destination, e.size).data(), is.data(), is.size());
        }
    }

    // The bytes are right, but were moved more than once; on wrong bytes there is more to say.
    void repetition() {
        if (op_.repeated) {
            bool const huge = r_.size >> 32 != 0;
            blame(huge             ? vidmm_rule::pgb_06
                  : op_.begun_anew ? vidmm_rule::pgb_05
                                   : vidmm_rule::pgb_04,
                  (op_.begun_anew ? "a later pass begins anew, at "
                                  : "a later pass moves bytes again that an earlier pass has moved, at ") +
                      hex(*op_.repeated),
                  describe(r_));
        }
    }

    // Page-table entries: what they mean is looked at elsewhere, here only that nothing beside them has changed.
    void encoded() {
        for (extent const& e : op_.effect) {
            std::span<std::byte> const is = m_.memory.is(e.destination, e.size);
            std::span<std::byte> const was = m_.memory.must_be(e.destination, e.size);
            for (std::size_t i = is.size(); i-- != 0 && op_.wrote_until == 0;) {
                op_.wrote_until = is[i] != was[i] ? i + 1 : 0;
            }
            m_.memory.accept(e.destination, e.size);
        }
        for (extent const& e : op_.effect) {
            for (std::uint64_t const page : {e.destination - page_size, e.destination, e.destination + e.size}) {
                if (auto const at = m_.memory.difference(page / page_size * page_size, page_size)) {
                    m_.broken(misplaced(),
                              op_.wrote_until != 0 ? "a byte beside the entries was changed, at " + hex(*at)
                                                   : "the entries are not where they belong, but at " + hex(*at),
                              describe(r_), false, compared_page(m_.memory, *at));
                    return;
                }
            }
        }
    }

    [[nodiscard]] vidmm_rule misplaced() {
        if (!r_.is_table_update()) {
            return op_.wrote_until != 0 ? diagnosis(m_, op_).exactness() : vidmm_rule::op14_01;
        }
        bool const leaves = r_.late.level == 0 && !r_.late.use_64k;
        if (leaves && m_.options.page_tables.gpu_page_bytes != page_size) {
            return vidmm_rule::op11_05;
        }
        return op_.wrote_until != 0 ? vidmm_rule::op11_09 : r_.late.use_64k ? vidmm_rule::amb_22 : vidmm_rule::op11_01;
    }

    // A segment without content: every byte was touched, and no other.
    void covered() {
        intervals const missing = op_.destination.without(op_.done);
        if (!missing.empty()) {
            bool const huge = r_.size >> 32 != 0;
            m_.broken(op_.done.empty() ? vidmm_rule::pgb_22
                      : huge           ? vidmm_rule::pgb_06
                                       : vidmm_rule::op01_02,
                      std::to_string(missing.total()) + " bytes were never written, the first at " +
                          hex(missing.sorted().front().begin),
                      describe(r_) + ", in " + std::to_string(op_.passes) + " passes", true);
        }
        if (missing.empty()) {
            repetition();
        }
        intervals const outside = op_.touched.without(op_.destination);
        if (!outside.empty()) {
            m_.broken(diagnosis(m_, op_).exactness(),
                      "memory outside the request was used, at " + hex(outside.sorted().front().begin), describe(r_),
                      true);
        }
        op_.touched.clear();
    }

    // Operations 3 and 4: up to eight bytes at one address, and nothing else.
    void access() {
        bool const writes = r_.operation == paging_operation::write_physical;
        vidmm_rule const rule = writes ? vidmm_rule::op04_01 : vidmm_rule::op03_01;
        std::uint64_t const address = op_.access;
        if (m_.executes_unseen()) {
            if (writes) {
                m_.memory.accept(address, 8);
            }
            return;
        }
        m_.report.exercised(rule);
        intervals named;
        named.add(address, address + 1);
        if (op_.touched.common(named).empty()) {
            m_.broken(op_.touched.empty() ? vidmm_rule::pgb_22 : rule,
                      op_.touched.empty()
                          ? "success was returned and nothing was accessed"
                          : "the address named was not accessed, but " + hex(op_.touched.sorted().front().begin),
                      describe(r_), true);
        }
        if (writes) {
            m_.memory.accept(address, 8);  // any value, up to eight bytes (OP03-01)
        }
    }

    // What was touched beside the destination has to be as it was.
    void neighbours() {
        if (auto const at = m_.executes_unseen() ? m_.memory.difference() : std::nullopt) {
            blame(diagnosis(m_, op_).exactness(), "a byte outside the request was changed",
                  describe(r_) + ", " + m_.memory.name_of(*at), compared_page(m_.memory, *at));
            return;
        }
        intervals const others = op_.touched.without(op_.destination);
        for (interval const& i : others.sorted()) {
            if (auto const at = m_.memory.difference(i.begin, i.end - i.begin)) {
                diagnosis d(m_, op_);
                vidmm_segment const* const s = m_.memory.segment_at(*at);
                blame(d.exactness(), "a byte outside the request was changed, at " + hex(*at),
                      describe(r_) + (s != nullptr
                                          ? ", byte " + hex(*at - s->base) + " of segment " + std::to_string(s->id)
                                          : ", in system memory"),
                      compared(m_.memory, i.begin, i.end - i.begin));
                return;
            }
        }
    }

    machine& m_;
    operation& op_;
    request const& r_;
};

}  // namespace wddmcore::testing::vidmm_parts
