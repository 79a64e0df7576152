// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>

/// What a form of the segment query cannot say, one condition at a time, run by the program as well as by the compiler.
namespace query_corners_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using segment::query_subject;

namespace {

namespace now = mirror::v3_2;
using form1 = mirror::win7::dxgk_segmentdescriptor;
using form3 = mirror::v1_3::dxgk_segmentdescriptor3;
using form4 = now::dxgk_segmentdescriptor4;
using form5 = now::dxgk_segmentdescriptor5;

/// A header whose SIZE_T has 32 bits, as far as the members go.
struct narrow_descriptor {
    struct word {
        u32 Value;
    };
    struct quad {
        i64 QuadPart;
    };
    word Flags;
    quad BaseAddress;
    quad CpuTranslatedAddress;
    u32 Size;
    u32 CommitLimit;
    u32 SystemMemoryEndAddress;
    struct {
        u64 PhysicalAddress;
        u32 SizeInPages;
    } CpuHostAperture;
    u32 NumInvalidMemoryRanges;
    u32 VprRangeStartOffset;
    u32 VprRangeSize;
    u32 VprAlignment;
    u32 NumVprSupported;
    u32 NbOfBanks;
    u32* pBankRangeTable;
};

/// 4 MiB of plain memory.
constexpr entry small_row{.kind = kind::memory, .id = {2}, .size = 4 * mib, .commit_limit = 4 * mib};

template <class Descriptor, class Change>
query_reason judged(Change change, wddm version = wddm::v3_2, entry row = small_row) {
    change(row);
    return segment::detail::judge_descriptor<Descriptor>(row, version, {});
}

constexpr bytes large = 4 * gib;
constexpr usize ends[] = {1 << 20, 2 << 20};

}  // namespace

TEST_CASE("SEG-04: each thing that a form has no member for is refused by itself") {
    constexpr auto cannot = query_reason::form_cannot_express;
    auto const plain = [](entry&) {};
    auto const behind = [](entry& row) { row.flags = row.flags.with(flag::supports_cpu_host_aperture); };
    auto const pierced = [](entry& row) { row.invalid = {holes, 1}; };
    auto const guarded = [](entry& row) { row.flags = row.flags.with(flag::vpr_supported); };
    auto const partly = [](entry& row) { row.flags = row.flags.with(flag::partially_preserved_during_hibernate); };
    auto const banked = [](entry& row) { row.flags = row.flags.with(flag::use_banking); };
    auto const with_ends = [](entry& row) { row.banks = {ends, 2}; };

    CHECK(judged<form1>(plain) == query_reason::none);
    CHECK(judged<form1>(behind) == cannot);
    CHECK(judged<form1>(pierced) == cannot);
    CHECK(judged<form1>(guarded) == cannot);
    CHECK(judged<form1>(partly) == cannot);
    CHECK(judged<form1>(banked) == query_reason::none);
    CHECK(judged<form3>(plain) == query_reason::none);
    CHECK(judged<form3>(behind) == cannot);
    CHECK(judged<form3>(pierced) == cannot);
    CHECK(judged<form3>(guarded) == cannot);
    CHECK(judged<form3>(partly) == query_reason::none);
    CHECK(judged<form3>(with_ends) == query_reason::none);
    CHECK(judged<form4>(plain) == query_reason::none);
    CHECK(judged<form4>(behind) == query_reason::none);
    CHECK(judged<form4>(pierced) == query_reason::none);
    CHECK(judged<form4>(guarded) == query_reason::none);
    CHECK(judged<form4>(banked) == cannot);
    CHECK(judged<form4>(with_ends) == cannot);
    CHECK(judged<form5>(banked) == cannot);
    CHECK(judged<form5>([](entry& row) { row.slab = {5}; }) == query_reason::inconsistent);
    CHECK(judged<form4>([](entry& row) { row.slab = {5}; }) == query_reason::none);
    // A form that has neither a host aperture nor banks as wide as the table's.
    CHECK(judged<narrow_descriptor>(plain) == query_reason::none);
    CHECK(judged<narrow_descriptor>(behind) == query_reason::none);
    CHECK(judged<narrow_descriptor>(with_ends) == (sizeof(usize) == 4 ? query_reason::none : cannot));
    CHECK(judged<narrow_descriptor>(banked) == (sizeof(usize) == 4 ? query_reason::none : cannot));
    // Several at once, and a flag that the version does not have.
    CHECK(judged<form1>([&](entry& row) { behind(row), pierced(row), guarded(row), partly(row); }) == cannot);
    CHECK(judged<form4>([&](entry& row) { banked(row), with_ends(row); }) == cannot);
    CHECK(judged<form4>(guarded, wddm::v1_3) == cannot);
    CHECK(judged<form4>([](entry& row) { row.base = segment::at_start; }) == query_reason::not_placed);
}

TEST_CASE("SEG-43: each number that a narrow member cannot hold is refused by itself") {
    constexpr auto too_large = query_reason::too_large;
    CHECK(judged<narrow_descriptor>([](entry&) {}) == query_reason::none);
    CHECK(judged<narrow_descriptor>([](entry& row) { row.size = large; }) == too_large);
    CHECK(judged<narrow_descriptor>([](entry& row) { row.commit_limit = large; }) == too_large);
    CHECK(judged<narrow_descriptor>([](entry& row) { row.system_memory_end = large; }) == too_large);
    CHECK(judged<narrow_descriptor>([](entry& row) { row.vpr.start = {large.n}; }) == too_large);
    CHECK(judged<narrow_descriptor>([](entry& row) { row.vpr.size = large; }) == too_large);
    // END offsets as wide as this system's: no array of narrow ones to point at.
    CHECK(judged<narrow_descriptor>([](entry& row) { row.banks = {ends, 2}; }) ==
          (sizeof(usize) == 4 ? query_reason::none : query_reason::form_cannot_express));
    entry const agp{.kind = kind::agp_aperture, .id = {1}, .flags = flags{}.with(flag::agp)};
    CHECK(segment::detail::judge_descriptor<narrow_descriptor>(agp, wddm::win7, {0, large}) == too_large);
    CHECK(segment::detail::judge_descriptor<narrow_descriptor>(agp, wddm::win7, {0, 256 * mib}) == query_reason::none);
    CHECK(segment::detail::make_descriptor<narrow_descriptor>(small_row, wddm::win7, {}).Size == 0x40'0000);
}

TEST_CASE("SEG-03: a stride that would cut off protected memory is refused, without a hole too") {
    entry row = window_row;
    row.invalid = {nullptr, 0};
    entry const rows[] = {aperture_row, row};
    segment::view const table{{rows, 2}, {nullptr, 0}, {1}};
    usize const shortest = offsetof(form4, NumInvalidMemoryRanges);
    CHECK(segment::detail::judge_stride<form4>(table, 2, shortest) == query_reason::form_cannot_express);
    CHECK(segment::detail::judge_stride<form4>(table, 2, sizeof(form4)) == query_reason::none);
    CHECK(segment::detail::judge_stride<form4>(table, 1, shortest) == query_reason::none);
    CHECK(segment::detail::judge_stride<form4>(table, 2, shortest - 1) == query_reason::stride);
    row.flags.value &= ~static_cast<u32>(flag::vpr_supported);
    entry const without[] = {aperture_row, row};
    CHECK(segment::detail::judge_stride<form4>({{without, 2}, {nullptr, 0}, {1}}, 2, shortest) == query_reason::none);
    row.invalid = {holes, 2};
    entry const pierced[] = {aperture_row, row};
    CHECK(segment::detail::judge_stride<form4>({{pierced, 2}, {nullptr, 0}, {1}}, 2, shortest) ==
          query_reason::form_cannot_express);
}

TEST_CASE("SEG-04: form 4 refuses in both calls what it cannot say") {
    entry row = visible_row;
    row.size = segment::at_start;
    entry const rows[] = {aperture_row, row};
    query_subject const subject{{{rows, 2}, {nullptr, 0}, {1}}, wddm::v3_2, {}};
    now::dxgk_querysegmentout4 output{};
    query_answer const answer = segment::answer_query_segment4<form4>(subject, output);
    CHECK(answer == query_refused(query_reason::not_placed));
    CHECK(output.NbSegment == 0);
}

TEST_CASE("SEG-21: the end of the memory that hibernation keeps is said with its flag only") {
    entry row = small_row;
    row.system_memory_end = bytes{0x20'0000};
    CHECK(segment::detail::make_descriptor<narrow_descriptor>(row, wddm::win7, {}).SystemMemoryEndAddress == 0);
    row.flags = row.flags.with(flag::partially_preserved_during_hibernate);
    CHECK(segment::detail::make_descriptor<narrow_descriptor>(row, wddm::win7, {}).SystemMemoryEndAddress == 0x20'0000);
}

TEST_CASE("SEG-03: a stride that would cut off the holes of the first segment is refused") {
    entry const rows[] = {window_row, aperture_row};
    segment::view const table{{rows, 2}, {nullptr, 0}, {2}};
    CHECK(segment::detail::judge_stride<form4>(table, 1, offsetof(form4, NumInvalidMemoryRanges)) ==
          query_reason::form_cannot_express);
}

}  // namespace query_corners_test
