// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/segment/allocation/bank_preference.hpp>
#include <wddmcore/segment/allocation/preference.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace preference_test {

using namespace wddmcore;
using segment::from_end;
using segment::prefer;

TEST_CASE("PREF-04: five slots of five bits and a direction, first choice lowest, two reserved bits") {
    for (u32 slot = 0; slot < 5; ++slot) {
        for (u32 id = 0; id < 32; ++id) {
            for (u32 direction = 0; direction < 2; ++direction) {
                segment::preference wanted{};
                wanted.slots[slot] = {{id}, direction == 1};
                CHECK(segment::value_of(wanted) == ((id | direction << 5) << 6 * slot));
            }
        }
    }
    constexpr segment::preference all =
        prefer(segment_id{1}, from_end({31}), segment_id{0}, segment_id{16}, from_end({2}));
    mirror::v3_2::d3dddi_segmentpreference word{};
    word.Value = segment::value_of(all);
    CHECK((word.SegmentId0 == 1 && word.Direction0 == 0));
    CHECK((word.SegmentId1 == 31 && word.Direction1 == 1));
    CHECK((word.SegmentId2 == 0 && word.Direction2 == 0));
    CHECK((word.SegmentId3 == 16 && word.Direction3 == 0));
    CHECK((word.SegmentId4 == 2 && word.Direction4 == 1));
    CHECK((word.Reserved == 0));
    expect_both(segment::value_of(prefer()) == 0);
    expect_both(prefer(segment_id{3}).slots[0] == segment::preferred_segment{{3}, false});
    // What does not fit is refused by the judge, and never reaches a neighbour here.
    expect_both(segment::value_of(prefer(segment_id{0x7F})) == 0x1F);
}

TEST_CASE("PREF-05: four slots of seven bits and a direction, first choice lowest") {
    for (u32 slot = 0; slot < 4; ++slot) {
        for (u32 bank = 0; bank < 128; ++bank) {
            for (u32 direction = 0; direction < 2; ++direction) {
                segment::bank_preference wanted{};
                wanted.slots[slot] = {bank, direction == 1};
                CHECK(segment::value_of(wanted) == ((bank | direction << 7) << 8 * slot));
            }
        }
    }
    mirror::v3_2::dxgk_segmentbankpreference word{};
    word.Value = segment::value_of(segment::bank_preference{{{127}, {1, true}, {}, {64, true}}});
    CHECK((word.Bank0 == 127 && word.Direction0 == 0));
    CHECK((word.Bank1 == 1 && word.Direction1 == 1));
    CHECK((word.Bank2 == 0 && word.Direction2 == 0));
    CHECK((word.Bank3 == 64 && word.Direction3 == 1));
    expect_both(segment::value_of(segment::bank_preference{{{0xFF}}}) == 0x7F);
}

}  // namespace preference_test
