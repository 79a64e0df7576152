// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "allocation_samples.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace allocation_places_test {

using namespace wddmcore;
using namespace allocation_samples;
using segment::allocation;
using segment::allocation_is_good;
using segment::prefer;
using segment::set_of;
using rule = segment::allocation_rule;
using broken = segment::broken_allocation_rule;

static_assert(judged([](allocation&) {}) == allocation_is_good);
static_assert(judged_earlier([](allocation&) {}) == allocation_is_good);

TEST_CASE("PREF-01: bit i of a set is the segment with id i + 1") {
    for (u32 id = 1; id <= 32; ++id) {
        CHECK(set_of(segment_id{id}).value == u32{1} << (id - 1));
        CHECK(set_of(segment_id{id}).has({id}));
        CHECK(!set_of(segment_id{id}).has({id + 1}));
        CHECK(!set_of(segment_id{id}).has({id - 1}));
    }
    expect_both(set_of(gart, vram).value == 3);
    expect_both(set_of(dark).with(gart).value == 5);
    expect_both(!segment::segment_set{~0u}.has({0}) && !segment::segment_set{~0u}.has({33}));
}

TEST_CASE("PREF-01: sets name reported segments") {
    expect_both(judged([](allocation& a) { a.supported = {}; }) == broken{rule::no_segment, 0, 0});
    // The fifth segment of four; the bit that would be system memory's.
    expect_both(judged([](allocation& a) { a.supported = a.supported.with({5}); }) ==
                broken{rule::supported_unknown, 0, 0x13});
    expect_both(judged([](allocation& a) { a.supported = a.supported.with({31}); }).what == rule::supported_unknown);
    expect_both(judged([](allocation& a) { a.supported.value |= 0x8000'0000; }).what == rule::supported_unknown);
    expect_both(judged([](allocation& a) { a.eviction = set_of(segment_id{5}); }) ==
                broken{rule::eviction_unknown, 0, 0x10});
    expect_both(judged([](allocation& a) { a.supported = set_of(gart, vram, dark, behind); }) == allocation_is_good);
}

TEST_CASE("PREF-02: every preferred segment is supported") {
    expect_both(judged([](allocation& a) { a.preferred = prefer(dark); }) ==
                broken{rule::preferred_not_supported, 0, 3});
    expect_both(judged([](allocation& a) { a.preferred = prefer(vram, segment_id{0}, gart, vram, behind); }) ==
                broken{rule::preferred_not_supported, 4, 4});
    expect_both(judged([](allocation& a) { a.preferred = {}; }) == allocation_is_good);
    expect_both(judged([](allocation& a) { a.preferred = prefer(segment_id{0}, vram); }) == allocation_is_good);
}

TEST_CASE("PREF-04: an id of a preference has five bits") {
    expect_both(judged([](allocation& a) { a.preferred = prefer(vram, segment_id{32}); }) ==
                broken{rule::preferred_too_large, 1, 32});
    // 34 cut to five bits would be segment 2.
    expect_both(judged([](allocation& a) { a.preferred = prefer(segment_id{34}); }).what == rule::preferred_too_large);
    expect_both(judged([](allocation& a) { a.preferred = prefer(segment_id{31}); }).what ==
                rule::preferred_not_supported);
}

TEST_CASE("PREF-05: a hinted bank is one of the segment in the first slot, below WDDM 2.0") {
    using slots = segment::bank_preference;
    expect_both(judged_earlier([](allocation& a) { a.hinted_bank = slots{{{1}, {4, true}}}; }) == allocation_is_good);
    expect_both(judged_earlier([](allocation& a) { a.hinted_bank = slots{{{1}, {5}}}; }) ==
                broken{rule::bank_unknown, 1, 5});
    // All four ends are listed: there is no fifth bank behind the last.
    static constexpr auto in_all = [](allocation& a) {
        a.supported = a.supported.with(all_banks);
        a.preferred = prefer(all_banks, banks);
    };
    expect_both(judged_earlier([](allocation& a) {
                    in_all(a);
                    a.hinted_bank = slots{{{4}}};
                }) == allocation_is_good);
    expect_both(judged_earlier([](allocation& a) {
                    in_all(a);
                    a.hinted_bank = slots{{{5}}};
                }) == broken{rule::bank_unknown, 0, 5});
    expect_both(judged_earlier([](allocation& a) {
                    a.preferred = prefer(gart, banks);
                    a.hinted_bank = slots{{{1}}};
                }) == broken{rule::bank_unknown, 0, 1});
    expect_both(judged_earlier([](allocation& a) {
                    a.preferred = prefer(segment_id{0}, banks);
                    a.hinted_bank = slots{{{}, {1}}};
                }) == broken{rule::bank_without_segment, 1, 1});
    expect_both(judged_earlier([](allocation& a) { a.hinted_bank = slots{{{128}}}; }) ==
                broken{rule::bank_too_large, 0, 128});
    expect_both(judged_earlier([](allocation& a) { a.hinted_bank = slots{{{127}}}; }).what == rule::bank_unknown);
    expect_both(judged([](allocation& a) { a.hinted_bank = slots{{{}, {}, {1}}}; }) ==
                broken{rule::bank_from_v2_0, 2, 1});
    expect_both(judged([](allocation& a) { a.hinted_bank = slots{{{1}}}; }, {.version = wddm::v2_0}).what ==
                rule::bank_from_v2_0);
}

TEST_CASE("PREF-06: only apertures are evicted to; none is allowed") {
    expect_both(judged([](allocation& a) { a.eviction = {}; }) == allocation_is_good);
    for (segment_id const id : {vram, dark, behind}) {
        CHECK(judged([id](allocation& a) { a.eviction = set_of(gart, id); }) ==
              broken{rule::eviction_not_aperture, 0, set_of(gart, id).value});
    }
}

TEST_CASE("SEG-18: a pitch-aligned segment is sized by PitchAlignedSize, and never evicted to") {
    static constexpr auto in_pitched = [](allocation& a, bytes size) {
        a.supported = set_of(gart, pitched);
        a.preferred = prefer(pitched);
        a.pitch_aligned_size = size;
    };
    expect_both(judged_earlier([](allocation& a) { in_pitched(a, 2 * mib); }) == allocation_is_good);
    expect_both(judged_earlier([](allocation& a) { in_pitched(a, {0}); }).what == rule::pitch_size_missing);
    expect_both(judged_earlier([](allocation& a) { a.eviction = set_of(pitched_aperture); }) ==
                broken{rule::eviction_pitch_aligned, 0, 0x10});
}

TEST_CASE("PREF-07, AMB-41: where a supported segment has 64-KiB pages the alignment is a multiple of 64 KiB") {
    expect_both(judged([](allocation& a) { a.alignment = bytes{4096}; }) == broken{rule::alignment_64k, 0, 4096});
    expect_both(judged([](allocation& a) { a.alignment = bytes{0}; }) == broken{rule::alignment_64k, 0, 0});
    expect_both(judged([](allocation& a) { a.alignment = 128 * kib; }) == allocation_is_good);
    expect_both(judged([](allocation& a) { a.alignment = 96 * kib; }).what == rule::alignment_64k);
    expect_both(judged([](allocation& a) { a.alignment = 4 * gib; }).what == rule::alignment_too_large);
    expect_both(judged([](allocation& a) { a.alignment = 4 * gib - bytes{1}; }).what == rule::alignment_64k);
    // Not there: any alignment.
    static constexpr auto elsewhere = [](allocation& a) {
        a.supported = set_of(gart, dark);
        a.preferred = prefer(dark);
        a.alignment = bytes{256};
    };
    expect_both(judged([](allocation& a) { elsewhere(a); }) == allocation_is_good);
    // With an MMU set in use the word holds page sizes that came in, and is not the driver's.
    segment::allocation_profile with_mmus = newest;
    with_mmus.mmu_set_in_use = true;
    CHECK(judged([](allocation& a) { a.alignment = bytes{4096}; }, with_mmus) == allocation_is_good);

    constexpr segment::view table = discrete.all();
    expect_both(segment::alignment_for(table, set_of(gart), {256}).get() == bytes{256});
    expect_both(segment::alignment_for(table, set_of(gart), {0}).get() == bytes{0});
    expect_both(segment::alignment_for(table, set_of(gart), {0xFFFF'FFFF}).get() == bytes{0xFFFF'FFFF});
    expect_both(segment::alignment_for(table, set_of(gart), 4 * gib).error == errc::overflow);
    expect_both(segment::alignment_for(table, set_of(gart, vram), {0}).get() == 64 * kib);
    expect_both(segment::alignment_for(table, set_of(gart, vram), {65537}).get() == 128 * kib);
    expect_both(segment::alignment_for(table, set_of(vram), {0xFFFF'0001}).error == errc::overflow);
    expect_both(segment::alignment_for(table, set_of(vram), {~u64{0}}).error == errc::overflow);
}

TEST_CASE("PREF-08: a size, and a pitch-aligned size that is not smaller, or 0 where no segment asks for it") {
    expect_both(judged([](allocation& a) { a.size = bytes{0}; }).what == rule::size_missing);
    expect_both(judged([](allocation& a) { a.pitch_aligned_size = 2 * mib; }).what == rule::pitch_size_unwanted);
    static constexpr auto in_pitched = [](allocation& a, bytes size) {
        a.supported = set_of(pitched);
        a.preferred = {};
        a.pitch_aligned_size = size;
    };
    expect_both(judged_earlier([](allocation& a) { in_pitched(a, 1 * mib); }) == allocation_is_good);
    constexpr segment::allocation_profile narrow_earlier{.version = wddm::win7, .wide_sizes = false};
    expect_both(judged_earlier([](allocation& a) { in_pitched(a, 4 * gib - bytes{1}); }, narrow_earlier) ==
                allocation_is_good);
    expect_both(judged_earlier([](allocation& a) { in_pitched(a, 4 * gib); }, narrow_earlier) ==
                broken{rule::size_above_size_t, 0, 0x1'0000'0000});
    expect_both(judged_earlier([](allocation& a) { in_pitched(a, 1 * mib - bytes{1}); }) ==
                broken{rule::pitch_size_too_small, 0, 0xF'FFFF});
    // SIZE_T of a 32-bit system.
    expect_both(segment::allocation_profile{}.wide_sizes == (sizeof(void*) == 8));
    segment::allocation_profile narrow = newest;
    narrow.wide_sizes = false;
    CHECK(judged([](allocation& a) { a.size = 4 * gib; }, narrow).what == rule::size_above_size_t);
    CHECK(judged([](allocation& a) { a.size = 4 * gib; }) == allocation_is_good);
    CHECK(judged([](allocation& a) { a.size = 4 * gib - bytes{1}; }, narrow) == allocation_is_good);
}

TEST_CASE("PREF-09: a priority of 0 is invalid, and the default is normal") {
    expect_both(judged([](allocation& a) { a.priority = 0; }) == broken{rule::priority_missing, 0, 0});
    // D3DDDI_ALLOCATIONPRIORITY_NORMAL of tests/abi/ddi_abi.json.
    expect_both(allocation{}.priority == 2013265920);
}

TEST_CASE("PREF-18: an AGP aperture is not the aperture that must be listed: it may not be there") {
    static constexpr segment_id plain{1};
    static constexpr segment_id agp{3};
    static constexpr auto table = segment::table_of(
        segment_id{0}, segment::memory{.id = plain, .base = segment::at(0x8000'0000), .size = 16 * mib},
        segment::aperture{.id = {2}, .base = segment::at(0), .size = 16 * mib}, segment::agp_aperture{.id = agp});
    static constexpr auto found = [](segment::segment_set supported) {
        allocation a{.size = 1 * mib, .supported = supported, .eviction = set_of(agp)};
        a.flags = a.flags.with(segment::allocation_flag::cpu_visible);
        return segment::judge_allocation(a, table.all(), oldest);
    };
    expect_both(found(set_of(plain, agp)) == broken{rule::aperture_missing, 0, 5});
    expect_both(found(set_of(plain, segment_id{2})) == allocation_is_good);
    expect_both(found(set_of(agp)) == allocation_is_good);  // nowhere out of the CPU's reach
    expect_both(segment::detail::aperture_segments(table.all()).value == 2);
    expect_both(segment::detail::aperture_segments_with_agp(table.all()).value == 6);
}

TEST_CASE("PREF-18: what the CPU sees and may lie out of its reach can also lie in the aperture") {
    static constexpr auto visible = [](allocation& a, segment::segment_set where) {
        a.supported = where;
        a.preferred = {};
        a.flags_wddm2 = a.flags_wddm2.with(segment::allocation_flag_wddm2::cpu_visible);
    };
    expect_both(judged([](allocation& a) { visible(a, set_of(vram)); }) == allocation_is_good);
    expect_both(judged([](allocation& a) { visible(a, set_of(vram, dark)); }) == broken{rule::aperture_missing, 0, 6});
    expect_both(judged([](allocation& a) { visible(a, set_of(dark)); }).what == rule::aperture_missing);
    expect_both(judged([](allocation& a) { visible(a, set_of(behind)); }).what == rule::aperture_missing);
    expect_both(judged([](allocation& a) { visible(a, set_of(gart, dark, behind)); }) == allocation_is_good);
    expect_both(judged([](allocation& a) {
                    a.supported = set_of(dark);
                    a.preferred = {};
                }) == allocation_is_good);
    expect_both(judged_earlier([](allocation& a) {
                    a.supported = set_of(all_banks);
                    a.preferred = {};
                    a.flags = a.flags.with(segment::allocation_flag::cpu_visible);
                }).what == rule::aperture_missing);
}

}  // namespace allocation_places_test
