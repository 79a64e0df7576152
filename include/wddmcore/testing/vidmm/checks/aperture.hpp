// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "diagnosis.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Looks at the aperture's entries after a map or unmap: those of the range, and all others.
class aperture_check {
public:
    aperture_check(machine& m, operation const& op) : m_(m), op_(op), r_(op.asked) {}

    void run() {
        rule_ = diagnosis(m_, op_).general();
        m_.report.exercised(rule_);
        if (r_.is_map() && (r_.allocation_handle == nullptr || r_.device_handle == nullptr)) {
            m_.report.exercised(vidmm_rule::op05_05);
        }
        if (r_.is_map() && r_.operation == paging_operation::map_aperture_segment2) {
            m_.report.exercised(vidmm_rule::op17_04);
        }
        if (r_.first_aperture_page + r_.aperture_pages == m_.aperture_must_be.size()) {
            m_.report.exercised(vidmm_rule::op05_02);  // the last page of the aperture is part of it
        }
        std::vector<std::uint64_t> want;
        for (std::uint64_t k = 0; k < r_.aperture_pages; ++k) {
            want.push_back(r_.is_unmap() ? r_.dummy_page : listed(r_.list.first + k));
        }
        inside(want);
        outside();
        coherency();
        for (std::uint64_t k = 0; k < m_.aperture_must_be.size(); ++k) {
            m_.aperture_must_be[static_cast<std::size_t>(k)] = m_.options.page_of(k);
        }
    }

private:
    [[nodiscard]] std::uint64_t entry(std::uint64_t k) const { return m_.options.page_of(k); }
    [[nodiscard]] std::uint64_t listed(std::uint64_t index) const {
        if (index >= r_.list.numbers.size()) {
            return nowhere;
        }
        return r_.list.numbers[static_cast<std::size_t>(index)];
    }

    // A driver may have taken a pointer for a page number, and reports name no host address.
    [[nodiscard]] std::string called(std::uint64_t number) const {
        bool const small = number < 0x1'0000;
        return m_.memory.is_page(number) || small ? "page number " + hex(number) : "a page that does not exist";
    }

    void inside(std::vector<std::uint64_t> const& want) {
        for (std::uint64_t k = 0; k < r_.aperture_pages; ++k) {
            std::uint64_t const index = r_.first_aperture_page + k;
            std::uint64_t const is = entry(index);
            if (is != want[static_cast<std::size_t>(k)]) {
                finding const f = explain(want);
                m_.aperture_is_wrong = true;
                m_.broken(f.rule, f.sentence,
                          describe(r_) + ", aperture page " + std::to_string(index) + " points at " + called(is) +
                              " and has to point at " + called(want[static_cast<std::size_t>(k)]),
                          true);
                return;
            }
        }
    }

    void outside() {
        if (m_.stopped) {
            return;
        }
        if (auto const k = changed_outside()) {
            m_.aperture_is_wrong = true;
            m_.broken(rule_, "an aperture page outside the range was changed",
                      describe(r_) + ", aperture page " + std::to_string(*k) + " points at " + called(entry(*k)) +
                          " instead of " + called(m_.aperture_must_be[static_cast<std::size_t>(*k)]),
                      true);
        }
    }

    [[nodiscard]] std::optional<std::uint64_t> changed_outside() const {
        for (std::uint64_t k = 0; k < m_.aperture_must_be.size(); ++k) {
            bool const in = k >= r_.first_aperture_page && k - r_.first_aperture_page < r_.aperture_pages;
            if (!in && entry(k) != m_.aperture_must_be[static_cast<std::size_t>(k)]) {
                return k;
            }
        }
        return std::nullopt;
    }

    void coherency() {
        if (m_.stopped || !r_.is_map() || !r_.coherent || !m_.options.coherent_of) {
            return;
        }
        m_.report.exercised(vidmm_rule::op05_03);
        for (std::uint64_t k = 0; k < r_.aperture_pages; ++k) {
            if (!m_.options.coherent_of(r_.first_aperture_page + k)) {
                m_.broken(vidmm_rule::op05_03, "CacheCoherent was asked for, and the page is not mapped coherent",
                          describe(r_) + ", aperture page " + std::to_string(r_.first_aperture_page + k), true);
                return;
            }
        }
    }

    template <class Wrong>
    [[nodiscard]] bool all(Wrong const& wrong) const {
        bool differs = false;
        for (std::uint64_t k = 0; k < r_.aperture_pages; ++k) {
            std::uint64_t const is = entry(r_.first_aperture_page + k);
            if (is != wrong(k)) {
                return false;
            }
            differs = differs || wrong(k) != listed(r_.list.first + k);
        }
        return differs;
    }

    // Some pages are as they were, and all others are right.
    [[nodiscard]] bool some_left_out(std::vector<std::uint64_t> const& want) const {
        std::uint64_t right = 0;
        for (std::uint64_t k = 0; k < r_.aperture_pages; ++k) {
            std::uint64_t const index = r_.first_aperture_page + k;
            if (entry(index) == want[static_cast<std::size_t>(k)]) {
                ++right;
            } else if (entry(index) != m_.aperture_must_be[static_cast<std::size_t>(index)]) {
                return false;
            }
        }
        return right != 0;
    }

    // All entries are right but the aperture's very last one, which is as it was.
    [[nodiscard]] bool only_last_missing(std::vector<std::uint64_t> const& want) const {
        if (op_.passes > 1 || r_.first_aperture_page + r_.aperture_pages != m_.aperture_must_be.size() ||
            entry(m_.aperture_must_be.size() - 1) == want.back()) {
            return false;
        }
        for (std::uint64_t k = 0; k + 1 < r_.aperture_pages; ++k) {
            if (entry(r_.first_aperture_page + k) != want[static_cast<std::size_t>(k)]) {
                return false;
            }
        }
        bool const raw = r_.allocation_handle == nullptr || r_.device_handle == nullptr;  // then OP05-05 may explain it
        return entry(m_.aperture_must_be.size() - 1) == m_.aperture_must_be.back() && (r_.aperture_pages > 1 || !raw);
    }

    [[nodiscard]] bool untouched() const {
        for (std::uint64_t k = 0; k < m_.aperture_must_be.size(); ++k) {
            if (entry(k) != m_.aperture_must_be[static_cast<std::size_t>(k)]) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] finding explain(std::vector<std::uint64_t> const& want) const {
        // Of a driver that has not yet mapped or unmapped anything nobody knows whether only the last page is missing.
        if (only_last_missing(want) && (r_.aperture_pages > 1 || m_.report.of(r_.operation).requests > 1)) {
            return {vidmm_rule::op05_02, "the aperture's last page has no entry"};
        }
        if (op_.passes > 1 && some_left_out(want) && !changed_outside()) {
            return {vidmm_rule::pgb_05, "pages were left out between two passes"};
        }
        if (op_.passes > 1 && untouched()) {
            return {vidmm_rule::pgb_05, "all pages were left out between two passes"};
        }
        return r_.is_unmap() ? unmapped_wrong() : mapped_wrong(want);
    }

    [[nodiscard]] finding unmapped_wrong() const {
        if (untouched()) {
            return {vidmm_rule::op06_01, "the pages still point where they were mapped"};
        }
        if (all([](std::uint64_t) { return std::uint64_t{0}; })) {
            return {vidmm_rule::op06_01, "the entries are 0 instead of the dummy page"};
        }
        if (all([&](std::uint64_t) { return r_.dummy_page * page_size; })) {
            return {vidmm_rule::op06_01, "the dummy page's address was taken for its page number"};
        }
        if (entry(r_.first_aperture_page) == r_.dummy_page) {
            return {vidmm_rule::op06_01, "only a part of the range points at the dummy page"};
        }
        return {vidmm_rule::op06_01, "the entries do not point at the dummy page"};
    }

    [[nodiscard]] finding mapped_wrong(std::vector<std::uint64_t> const& want) const {
        bool const adl = r_.operation == paging_operation::map_aperture_segment2;
        std::string const offset = adl ? "AdlOffset" : "MdlOffset";
        if (untouched()) {
            bool const raw = r_.allocation_handle == nullptr || r_.device_handle == nullptr;
            return {raw ? vidmm_rule::op05_05 : vidmm_rule::pgb_22, "success was returned and nothing was mapped"};
        }
        std::uint64_t const first = r_.list.first;
        if (all([&](std::uint64_t k) { return listed(k); })) {
            return {rule_, offset + " was ignored"};
        }
        if (all([&](std::uint64_t k) { return listed(2 * first + k); })) {
            return {rule_, offset + " was added twice"};
        }
        if (all([&](std::uint64_t) { return listed(first); })) {
            return {rule_, "the first page was mapped everywhere"};
        }
        if (all([&](std::uint64_t k) { return listed(first) + k; })) {
            return {adl ? vidmm_rule::op17_04 : rule_, "the list was taken as one run after its first page"};
        }
        if (all([&](std::uint64_t k) { return listed(0) + first + k; })) {
            return {adl ? vidmm_rule::op17_04 : rule_, "the list was taken as one run from its beginning"};
        }
        if (all([&](std::uint64_t k) { return listed(first + k) * page_size; })) {
            return {rule_, "page numbers were taken for addresses"};
        }
        bool at_start = true;
        for (std::uint64_t k = 0; k < r_.aperture_pages; ++k) {
            at_start = at_start && entry(k) == want[static_cast<std::size_t>(k)];
        }
        if (at_start) {
            return {rule_, "OffsetInPages was ignored: the pages are at the aperture's start"};
        }
        if (adl && r_.list.contiguous) {
            return {vidmm_rule::op17_04, "the contiguous form was not followed"};
        }
        if (adl && !m_.memory.is_page(entry(r_.first_aperture_page))) {
            return {vidmm_rule::op17_04, "the list's pointer was taken for a page number"};
        }
        return {rule_, "the entries do not follow the list"};
    }

    machine& m_;
    operation const& op_;
    request const& r_;
    vidmm_rule rule_ = vidmm_rule::op05_01;
};

}  // namespace wddmcore::testing::vidmm_parts
