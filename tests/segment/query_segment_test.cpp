// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>

#include "../base/expect_both.hpp"

namespace query_segment_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using segment::query_subject;

namespace {

namespace vista = mirror::vista;
namespace win8 = mirror::win8;

constexpr vista::dxgk_querysegmentin no_agp{{.QuadPart = 0}, {.QuadPart = 0}, {}};
constexpr vista::dxgk_querysegmentin with_agp{{.QuadPart = 0xE000'0000}, {.QuadPart = 0x800'0000}, {}};

constexpr query_subject old_subject{old_table, wddm::win8, sample_sizes};
constexpr query_subject plain_subject{plain_table, wddm::win8, sample_sizes};

constexpr query_reason why(query_answer const& answer) {
    return answer.what == query_outcome::refused && answer.status == status::invalid_parameter ? answer.reason
                                                                                               : query_reason::none;
}

/// What a descriptor of form 3 says, without its unions.
struct told {
    u32 flags;
    i64 base, cpu;
    u64 size, commit_limit, system_memory_end;
    u32 banks;
};
constexpr told told_by(win8::dxgk_segmentdescriptor3 const& d) {
    return {d.Flags.Value, d.BaseAddress.QuadPart, d.CpuTranslatedAddress.QuadPart,
            d.Size,        d.CommitLimit,          d.SystemMemoryEndAddress,
            d.NbOfBanks};
}

/// The second call of form 3 with an array of two, as a value.
struct answered3 {
    query_answer answer;
    u32 count, paging_segment, paging_size, paging_private;
    told first, second;
};
constexpr answered3 second_call(query_subject const& subject, u32 count) {
    win8::dxgk_segmentdescriptor3 array[2]{};
    for (auto& one : array) {
        one.Flags.Value = ~0u;
        one.BaseAddress.QuadPart = one.CpuTranslatedAddress.QuadPart = -1;
    }
    win8::dxgk_querysegmentout3 out{count, array, 0, 0, 0};
    query_answer const answer = segment::answer_query_segment(subject, no_agp, out);
    return {answer,
            out.NbSegment,
            out.PagingBufferSegmentId,
            out.PagingBufferSize,
            out.PagingBufferPrivateDataSize,
            told_by(array[0]),
            told_by(array[1])};
}

/// What a driver for 32-bit Windows has: SIZE_T of 32 bits.
struct narrow_descriptor {
    struct {
        u32 Value;
    } Flags;
    vista::large_integer BaseAddress;
    vista::large_integer CpuTranslatedAddress;
    u32 Size;
    u32 NbOfBanks;
    u32* pBankRangeTable;
    u32 CommitLimit;
};

}  // namespace

TEST_CASE("SEG-01: the first call of forms 1 and 3 writes the count and touches no other member") {
    vista::dxgk_querysegmentout out;
    vista::dxgk_querysegmentout before;
    std::memset(&out, 0x5A, sizeof out);
    out.pSegmentDescriptor = nullptr;
    std::memcpy(&before, &out, sizeof out);
    entry rows[] = {aperture_row, visible_row, old_rows[2]};
    query_subject const subject{{{rows, 3}, {nullptr, 0}, {1}}, wddm::vista, sample_sizes};
    CHECK(segment::answer_query_segment(subject, with_agp, out) == query_answered);
    CHECK(out.NbSegment == 3);
    before.NbSegment = 3;
    CHECK(std::memcmp(&before, &out, sizeof out) == 0);

    win8::dxgk_querysegmentout3 later;
    win8::dxgk_querysegmentout3 later_before;
    std::memset(&later, 0xA5, sizeof later);
    later.pSegmentDescriptor = nullptr;
    std::memcpy(&later_before, &later, sizeof later);
    CHECK(segment::answer_query_segment(plain_subject, no_agp, later) == query_answered);
    later_before.NbSegment = 2;
    CHECK(std::memcmp(&later_before, &later, sizeof later) == 0);
}

TEST_CASE("SEG-01: the second call fills every member of the output") {
    constexpr answered3 second = second_call(plain_subject, 2);
    expect_both(second.answer == query_answered);
    expect_both(second.count == 2 && second.paging_segment == 1);
    expect_both(second.paging_size == 0x3'5000 && second.paging_private == 0x77);
    expect_both(second.first.size == 512 * mib.n && second.first.commit_limit == 300 * mib.n);
    expect_both(second.first.flags == 0x11);  // aperture, coherent; application target has no name before 2.0
    expect_both(second.first.base == 0x7FFF'0000'0000 && second.first.cpu == 0);
    expect_both(second.first.system_memory_end == 0 && second.first.banks == 0);
    expect_both(second.second.size == 3 * gib.n && second.second.commit_limit == 3 * gib.n);
    expect_both(second.second.flags == 0x404);  // CPU visible, direct flip
    expect_both(second.second.base == 0x80'0000'0000 && second.second.cpu == 0x38'0000'0000);
    expect_both(second.second.system_memory_end == 0 && second.second.banks == 0);
}

TEST_CASE("SEG-02: another count than the first call gave is refused, and nothing is written") {
    for (u32 count : {0u, 1u, 3u, ~0u}) {
        CAPTURE(count);
        win8::dxgk_segmentdescriptor3 array[3];
        win8::dxgk_segmentdescriptor3 untouched[3];
        std::memset(array, 0x77, sizeof array);
        std::memset(untouched, 0x77, sizeof untouched);
        win8::dxgk_querysegmentout3 out{count, array, 9, 0, 0};
        CHECK(why(segment::answer_query_segment(plain_subject, no_agp, out)) == query_reason::count_changed);
        CHECK(std::memcmp(array, untouched, sizeof array) == 0);
        CHECK(out.NbSegment == count);
        CHECK(out.PagingBufferSegmentId == 9);
    }
    expect_both(why(second_call(plain_subject, 1).answer) == query_reason::count_changed);
}

TEST_CASE("SEG-04: a CPU host aperture, holes and protected memory have no member in forms 1 and 3") {
    constexpr query_subject windowed{window_table, wddm::win8, sample_sizes};
    vista::dxgk_querysegmentout first{};
    win8::dxgk_querysegmentout3 third{};
    CHECK(why(segment::answer_query_segment(windowed, no_agp, first)) == query_reason::form_cannot_express);
    CHECK(why(segment::answer_query_segment(windowed, no_agp, third)) == query_reason::form_cannot_express);
    CHECK(third.NbSegment == 0);
    entry holed = visible_row;
    holed.invalid = {holes, 2};
    CHECK(segment::detail::judge_descriptor<win8::dxgk_segmentdescriptor3>(holed, wddm::win8, {}) ==
          query_reason::form_cannot_express);
    entry protected_row = visible_row;
    protected_row.flags = protected_row.flags.with(flag::vpr_supported);
    CHECK(segment::detail::judge_descriptor<win8::dxgk_segmentdescriptor3>(protected_row, wddm::win8, {}) ==
          query_reason::form_cannot_express);
    CHECK(segment::detail::judge_descriptor<win8::dxgk_segmentdescriptor3>(visible_row, wddm::win8, {}) ==
          query_reason::none);
}

TEST_CASE("SEG-21: the end of reserved system memory is told where a part is preserved, and form 1 cannot") {
    constexpr told made =
        told_by(segment::detail::make_descriptor<win8::dxgk_segmentdescriptor3>(old_rows[1], wddm::win8, {}));
    expect_both(made.system_memory_end == 0x12'3FFF && made.flags == 0x284);
    vista::dxgk_querysegmentout form1{};
    CHECK(why(segment::answer_query_segment({{{old_rows, 2}, {nullptr, 0}, {0}}, wddm::win7, sample_sizes}, no_agp,
                                            form1)) == query_reason::form_cannot_express);
    // The flag without the end, or the end without the flag, is no table that may be reported.
    entry rows[] = {old_rows[0], old_rows[1]};
    rows[1].system_memory_end = {0};
    CHECK_FALSE(segment::detail::is_reportable({{rows, 2}, {nullptr, 0}, {0}}, wddm::win8));
    rows[1] = old_rows[1];
    rows[1].flags = flags{}.with(flag::cpu_visible);
    CHECK_FALSE(segment::detail::is_reportable({{rows, 2}, {nullptr, 0}, {0}}, wddm::win8));
}

TEST_CASE("SEG-24: banks are a pointer to the END offsets of the table, in forms 1 and 3 only") {
    auto const made = segment::detail::make_descriptor<vista::dxgk_segmentdescriptor>(old_rows[0], wddm::vista, {});
    CHECK(made.NbOfBanks == 2);
    REQUIRE(made.pBankRangeTable != nullptr);
    CHECK(made.pBankRangeTable[0] == 64 * mib.n);
    CHECK(made.pBankRangeTable[1] == 256 * mib.n);
    CHECK(segment::detail::judge_descriptor<mirror::v2_0::dxgk_segmentdescriptor4>(old_rows[0], wddm::v2_0, {}) ==
          query_reason::form_cannot_express);
    CHECK(segment::detail::judge_descriptor<mirror::v3_2::dxgk_segmentdescriptor5>(old_rows[0], wddm::v3_2, {}) ==
          query_reason::form_cannot_express);
    CHECK(segment::detail::judge_descriptor<narrow_descriptor>(old_rows[0], wddm::win8, {}) ==
          query_reason::form_cannot_express);
}

TEST_CASE("SEG-11: an AGP row is left out where QUERYSEGMENTIN reports no aperture, and no id moves") {
    win8::dxgk_querysegmentout3 out{};
    CHECK(segment::answer_query_segment(old_subject, no_agp, out) == query_answered);
    CHECK(out.NbSegment == 2);
    win8::dxgk_segmentdescriptor3 array[3]{};
    out.pSegmentDescriptor = array;
    CHECK(segment::answer_query_segment(old_subject, no_agp, out) == query_answered);
    CHECK(array[2].Flags.Value == 0);
    // An AGP row before others is no table that may be reported.
    entry rows[] = {old_rows[2], old_rows[1]};
    rows[0].id = {1};
    CHECK(why(segment::answer_query_segment({{{rows, 2}, {nullptr, 0}, {0}}, wddm::win8, sample_sizes}, with_agp,
                                            out)) == query_reason::inconsistent);
}

TEST_CASE("SEG-12: base and size of the AGP row are the system's") {
    win8::dxgk_segmentdescriptor3 array[3]{};
    win8::dxgk_querysegmentout3 out{3, array, 0, 0, 0};
    CHECK(segment::answer_query_segment(old_subject, with_agp, out) == query_answered);
    CHECK(array[2].Flags.Value == 2);
    CHECK(array[2].BaseAddress.QuadPart == i64{0xE000'0000});
    CHECK(array[2].Size == 0x800'0000);
    CHECK(array[2].CommitLimit == 0x800'0000);
}

TEST_CASE("SEG-40: a paging-buffer segment that is no aperture is not reported") {
    for (u32 id : {2u, 3u, 31u}) {
        CAPTURE(id);
        vista::dxgk_querysegmentout out{};
        query_subject const wrong{{{plain_rows, 2}, {nullptr, 0}, {id}}, wddm::vista, sample_sizes};
        CHECK(why(segment::answer_query_segment(wrong, no_agp, out)) == query_reason::inconsistent);
    }
    expect_both(segment::detail::is_reportable({{plain_rows, 2}, {nullptr, 0}, {0}}, wddm::win8));
    // An AGP row may be left out: the judge of tables refuses it, and so do all answers.
    expect_both(!segment::detail::is_reportable({{old_rows, 3}, {nullptr, 0}, {3}}, wddm::win8));
    expect_both(segment::detail::judge_paging_buffer({{old_rows, 3}, {nullptr, 0}, {3}}, wddm::win8) !=
                segment::no_rule_broken);
}

TEST_CASE("SEG-05: rows whose ids are not their positions are not reported") {
    entry rows[] = {aperture_row, visible_row};
    rows[1].id = {3};
    CHECK_FALSE(segment::detail::is_reportable({{rows, 2}, {nullptr, 0}, {1}}, wddm::win8));
    rows[1].id = {2};
    CHECK(segment::detail::is_reportable({{rows, 2}, {nullptr, 0}, {1}}, wddm::win8));
    rows[1].kind = kind::hidden;
    CHECK_FALSE(segment::detail::is_reportable({{rows, 2}, {nullptr, 0}, {1}}, wddm::win8));
}

TEST_CASE("SEG-43: a size, or a commit limit, above SIZE_T is refused") {
    expect_both(segment::detail::judge_descriptor<narrow_descriptor>(aperture_row, wddm::win8, {}) ==
                query_reason::none);
    entry large = visible_row;
    large.size = 4 * gib;
    CHECK(segment::detail::judge_descriptor<narrow_descriptor>(large, wddm::win8, {}) == query_reason::too_large);
    large.size = 4 * gib - bytes{page_bytes};
    large.commit_limit = large.size;
    CHECK(segment::detail::judge_descriptor<narrow_descriptor>(large, wddm::win8, {}) == query_reason::none);
    large.commit_limit = 4 * gib;
    CHECK(segment::detail::judge_descriptor<narrow_descriptor>(large, wddm::win8, {}) == query_reason::too_large);
    CHECK(segment::detail::judge_descriptor<narrow_descriptor>(old_rows[2], wddm::win8, {0, 4 * gib}) ==
          query_reason::too_large);
    large.size = 16 * gib;
    CHECK(segment::detail::judge_descriptor<vista::dxgk_segmentdescriptor>(large, wddm::vista, {}) ==
          query_reason::none);
}

TEST_CASE("SEG-08: a row that is not placed is refused in both calls") {
    entry rows[] = {aperture_row, visible_row};
    query_subject const subject{{{rows, 2}, {nullptr, 0}, {1}}, wddm::win8, sample_sizes};
    rows[1].size = segment::at_start;
    win8::dxgk_querysegmentout3 out{};
    CHECK(why(segment::answer_query_segment(subject, no_agp, out)) == query_reason::not_placed);
    rows[1] = visible_row;
    rows[1].cpu = segment::at_start;
    CHECK(why(segment::answer_query_segment(subject, no_agp, out)) == query_reason::not_placed);
    rows[1] = visible_row;
    rows[1].base = segment::at_start;
    CHECK(why(segment::answer_query_segment(subject, no_agp, out)) == query_reason::not_placed);
    rows[1] = visible_row;
    CHECK(segment::answer_query_segment(subject, no_agp, out) == query_answered);
}

}  // namespace query_segment_test
