// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace query_segment5_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using descriptor = mirror::v3_2::dxgk_segmentdescriptor5;
using output = mirror::v3_2::dxgk_querysegmentout5;

constexpr query_reason why(query_answer const& answer) {
    return answer.what == query_outcome::refused && answer.status == status::invalid_parameter ? answer.reason
                                                                                               : query_reason::none;
}

constexpr query_answer ask(segment::view const& table, descriptor* array) {
    output out{array, {}};
    return segment::answer_query_segment5({table, wddm::v3_2, {}}, out);
}

constexpr u32 slab_code(bytes slab) {
    entry row = visible_row;
    row.slab = slab;
    return segment::detail::make_descriptor<descriptor>(row, wddm::v3_2, {}).SlabSize;
}

}  // namespace

TEST_CASE("SEG-02: form 5 writes as many descriptors as the count said, whole or not at all") {
    descriptor array[3]{};
    array[2].Size = 77;
    CHECK(ask(window_table, array) == query_answered);
    CHECK(array[1].Size == 5 * gib.n);
    CHECK(array[2].Size == 77);
    CHECK(why(ask(window_table, nullptr)) == query_reason::output_missing);
    CHECK(ask({}, nullptr) == query_answered);

    entry rows[] = {aperture_row, visible_row};
    rows[1].size = segment::at_start;
    descriptor untouched[2]{};
    CHECK(why(ask({{rows, 2}, {nullptr, 0}, {1}}, untouched)) == query_reason::not_placed);
    CHECK(untouched[0].Size == 0);
    // What a segment is was decided when the adapter was added: the count does not wait for places.
    mirror::v3_2::dxgk_querysegmentcountout count{};
    CHECK(segment::answer_query_segment_count({{rows, 2}, {nullptr, 0}, {1}}, count) == query_answered);
    CHECK(count.SegmentCount == 2);
}

TEST_CASE("SEG-04: form 5 has no member for banks") {
    descriptor array[2]{};
    CHECK(why(ask({{old_rows, 2}, {nullptr, 0}, {0}}, array)) == query_reason::form_cannot_express);
    CHECK(array[0].Flags.Value == 0);
}

TEST_CASE("SEG-11: an AGP row is neither counted nor reported in form 5") {
    entry rows[] = {aperture_row, visible_row, old_rows[2]};
    segment::view const table{{rows, 3}, {nullptr, 0}, {1}};
    mirror::v3_2::dxgk_querysegmentcountout count{};
    CHECK(segment::answer_query_segment_count(table, count) == query_answered);
    CHECK(count.SegmentCount == 2);
    descriptor array[3]{};
    CHECK(ask(table, array) == query_answered);
    CHECK(array[2].Flags.Value == 0);
}

TEST_CASE("SEG-05: a table whose ids are not positions has no count either") {
    entry rows[] = {aperture_row, visible_row};
    rows[0].id = {2};
    mirror::v3_2::dxgk_querysegmentcountout count{};
    CHECK(why(segment::answer_query_segment_count({{rows, 2}, {nullptr, 0}, {0}}, count)) ==
          query_reason::inconsistent);
}

TEST_CASE("SEG-43: form 5 has 64-bit sizes; slabs are told as DXGK_PAGESIZE, in powers of two from 4 KiB") {
    static_assert(sizeof(descriptor{}.Size) == 8);
    // DXGK_PAGESIZE_4KB 0, 64KB 4, 2MB 9, 128MB 15 (abi/).
    expect_both(slab_code({0}) == 0 && slab_code(4 * kib) == 0 && slab_code(8 * kib) == 1);
    expect_both(slab_code(64 * kib) == 4 && slab_code(2 * mib) == 9 && slab_code(128 * mib) == 15);
}

TEST_CASE("AMB-11: a slab that DXGK_PAGESIZE cannot say is not reported") {
    for (u64 slab : {u64{0x800}, u64{0x1'8000}, u64{0x1000'0000}}) {
        CAPTURE(slab);
        entry row = visible_row;
        row.slab = {slab};
        CHECK(segment::detail::judge_descriptor<mirror::v3_2::dxgk_segmentdescriptor5>(row, wddm::v3_2, {}) ==
              query_reason::inconsistent);
        CHECK(segment::detail::judge_descriptor<mirror::v3_2::dxgk_segmentdescriptor4>(row, wddm::v3_2, {}) ==
              query_reason::none);
    }
}

}  // namespace query_segment5_test
