// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What a table must be to be reported at all, whoever made its rows, and what its rows become.
#include "query_samples.hpp"

#include <wddmcore/segment/allocation/judge.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace query_rows_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

namespace win8 = mirror::win8;

constexpr mirror::vista::dxgk_querysegmentin no_agp{{.QuadPart = 0}, {.QuadPart = 0}, {}};

constexpr query_reason why(query_answer const& answer) {
    return answer.what == query_outcome::refused && answer.status == status::invalid_parameter ? answer.reason
                                                                                               : query_reason::none;
}

}  // namespace

TEST_CASE("SEG-06: more rows than ids are not reported, 31 below WDDM 2.0 and 30 from there on") {
    entry rows[32];
    for (u32 index = 0; index < 32; ++index) {
        rows[index] = visible_row;
        rows[index].id = {index + 1};
    }
    auto const reportable = [&](usize count, wddm version) {
        return segment::detail::is_reportable({{rows, count}, {nullptr, 0}, {0}}, version);
    };
    CHECK(reportable(31, wddm::v1_3));
    CHECK_FALSE(reportable(32, wddm::v1_3));
    CHECK(reportable(30, wddm::v2_0));
    CHECK_FALSE(reportable(31, wddm::v2_0));
    win8::dxgk_querysegmentout3 out{};
    CHECK(why(segment::answer_query_segment({{{rows, 32}, {nullptr, 0}, {0}}, wddm::win8, sample_sizes}, no_agp,
                                            out)) == query_reason::inconsistent);
    CHECK(out.NbSegment == 0);
}

TEST_CASE("OBS-04: the segment behind a CPU host aperture is reported last, the aperture of paging buffers first") {
    entry const behind_first[] = {aperture_row, window_row, [] {
                                      entry last = visible_row;
                                      last.id = {3};
                                      return last;
                                  }()};
    CHECK(segment::detail::is_reportable({{behind_first, 2}, {nullptr, 0}, {1}}, wddm::v2_0));
    CHECK_FALSE(segment::detail::is_reportable({{behind_first, 3}, {nullptr, 0}, {1}}, wddm::v2_0));
    entry late[] = {visible_row, aperture_row};
    late[0].id = {1};
    late[1].id = {2};
    CHECK(segment::detail::is_reportable({{late, 2}, {nullptr, 0}, {2}}, wddm::v1_3));
    CHECK_FALSE(segment::detail::is_reportable({{late, 2}, {nullptr, 0}, {2}}, wddm::v2_0));
    // A kind that the flags do not say.
    late[0].kind = kind::memory;
    CHECK_FALSE(segment::detail::is_reportable({{late, 2}, {nullptr, 0}, {2}}, wddm::v1_3));
}

TEST_CASE("SEG-22: a flag without which the segment is another one is not left out") {
    using newest = mirror::v3_2::dxgk_segmentdescriptor4;
    // 11 64-KiB pages, 13 host aperture, 16 VPR, 17 VPR preserved, 18 encrypted paging; the others say nothing that an
    // older system would misunderstand.
    constexpr u32 essential = 1u << 11 | 1u << 13 | 1u << 16 | 1u << 17 | 1u << 18;
    for (u32 number = 0; number < 22; ++number) {
        entry row = visible_row;
        row.flags.value |= 1u << number;
        CAPTURE(number);
        bool const banked = number == 3;
        bool const is_essential = (essential >> number & 1) != 0;
        CHECK(segment::detail::judge_descriptor<newest>(row, wddm::v2_0, {}) ==
              (banked ? query_reason::form_cannot_express : query_reason::none));
        CHECK(segment::detail::judge_descriptor<newest>(row, wddm::v1_3, {}) ==
              (banked || is_essential ? query_reason::form_cannot_express : query_reason::none));
    }
    entry rows[] = {aperture_row, visible_row};
    rows[1].flags = rows[1].flags.with(flag::use_64kb_pages);
    win8::dxgk_querysegmentout3 out{};
    CHECK(why(segment::answer_query_segment({{{rows, 2}, {nullptr, 0}, {1}}, wddm::win8, sample_sizes}, no_agp, out)) ==
          query_reason::form_cannot_express);
}

TEST_CASE("SEG-23: the commit limit of an AGP aperture is its row's, cut to the system's size; 0 is the size") {
    constexpr auto limit_of = [](bytes limit, bytes size) {
        entry row = old_rows[2];
        row.commit_limit = limit;
        return segment::detail::make_descriptor<win8::dxgk_segmentdescriptor3>(row, wddm::win8, {0xE000'0000, size})
            .CommitLimit;
    };
    expect_both(limit_of({0}, 128 * mib) == 0x800'0000);
    expect_both(limit_of(64 * mib, 128 * mib) == 0x400'0000);
    expect_both(limit_of(256 * mib, 128 * mib) == 0x800'0000);
    // Of a hand-made aperture too.
    constexpr auto of_aperture = [](bytes limit) {
        entry row = aperture_row;
        row.commit_limit = limit;
        return segment::detail::make_descriptor<win8::dxgk_segmentdescriptor3>(row, wddm::win8, {}).CommitLimit;
    };
    expect_both(of_aperture({0}) == 0x2000'0000 && of_aperture(1 * mib) == 0x10'0000);
}

TEST_CASE("SEG-24: a bank whose end is left out of the table counts (SEG-25, PREF-05)") {
    // Two ends; 256 MiB are the second, 320 MiB are behind it.
    for (bytes size : {256 * mib, 320 * mib}) {
        CAPTURE(size.n);
        entry row = old_rows[0];
        row.size = row.commit_limit = size;
        auto const made = segment::detail::make_descriptor<win8::dxgk_segmentdescriptor3>(row, wddm::win8, {});
        CHECK(made.NbOfBanks == (size == 256 * mib ? 2 : 3));
        segment::view const table{{&row, 1}, {nullptr, 0}, {0}};
        CHECK(made.NbOfBanks == segment::detail::banks_of(table, {1}));
        CHECK(made.pBankRangeTable == static_cast<void const*>(bank_ends));
    }
}

}  // namespace query_rows_test
