// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "allocation_samples.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/segment/allocation/info.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>

#include "../base/expect_both.hpp"

namespace allocation_info_test {

using namespace wddmcore;
using namespace allocation_samples;
using segment::allocation;
using segment::allocation_is_good;
using segment::allocation_profile;
using rule = segment::allocation_rule;

namespace {

/// What a 32-bit build of a header before WDDM 2.0 has: narrow sizes, one name for the flag word.
struct narrow_info {
    struct word {
        u32 Value;
    };
    u32 Alignment;
    u32 Size;
    u32 PitchAlignedSize;
    word HintedBank;
    word PreferredSegment;
    u32 SupportedReadSegmentSet;
    u32 SupportedWriteSegmentSet;
    u32 EvictionSegmentSet;
    u32 MaximumRenamingListLength;
    word Flags;
    u32 AllocationPriority;
};

template <class Info>
Info patterned() {
    Info info;
    std::memset(&info, 0xA5, sizeof info);
    return info;
}

constexpr u32 second_word(wddm version) { return version >= wddm::v3_2 ? 0x30u : version >= wddm::v3_0 ? 1u : 0u; }

/// An allocation with a value in every member that a version has.
constexpr allocation whole(wddm version) {
    allocation a = version >= wddm::v2_0 ? texture : earlier_texture;
    a.alignment = 128 * kib;
    a.priority = 0x5000'0000;
    a.maximum_renaming_list_length = 7;
    if (version >= wddm::v2_0) {
        a.flags_wddm2.value = 0x5;
        a.flags2.value = second_word(version);
        a.is_shared = true;
        if (version == wddm::v3_0 || version == wddm::v3_1) {
            a.supported = segment::set_of(gart);
            a.preferred = segment::prefer(gart);
        }
    } else {
        a.flags.value = 0x85;
        a.hinted_bank.slots[0] = {3, true};
        a.supported = a.supported.with(pitched);
        a.pitch_aligned_size = 2 * mib;
    }
    return a;
}

/// What must stand in every member, written member by member over the pattern.
template <class Info>
Info expected(allocation const& a, allocation_profile const& of) {
    bool const newer = of.version >= wddm::v2_0;
    Info info = patterned<Info>();
    info.Size = 1 << 20;
    info.PitchAlignedSize = newer ? 0 : 2 << 20;
    info.HintedBank.Value = newer ? 0 : 0x83;
    info.PreferredSegment.Value = segment::value_of(a.preferred);
    info.SupportedWriteSegmentSet = a.supported.value;
    info.EvictionSegmentSet = 1;
    info.MaximumRenamingListLength = 7;
    info.AllocationPriority = 0x5000'0000;
    if (!of.mmu_set_in_use) {
        info.SupportedReadSegmentSet = a.supported.value;
        info.Alignment = 0x2'0000;
    }
    if (newer) {
        info.FlagsWddm2.Value = 0x5;
    } else {
        info.Flags.Value = 0x85;
    }
    if constexpr (requires { info.Flags2.Value; }) {
        info.Flags2.Value = second_word(of.version);
    }
    return info;
}

template <class Info>
void check_filled(wddm version) {
    CAPTURE(static_cast<u32>(version));
    segment::view const table = version >= wddm::v2_0 ? discrete.all() : earlier.all();
    for (bool const mmus : {false, true}) {
        allocation_profile of = newest;
        of.version = version;
        of.mmu_set_in_use = mmus;
        allocation const wanted = whole(version);
        Info const right = expected<Info>(wanted, of);
        Info info = patterned<Info>();
        CHECK(segment::fill_allocation_info(wanted, table, of, info) == allocation_is_good);
        CHECK(std::memcmp(&info, &right, sizeof info) == 0);
    }
}

template <class Info>
void check_refused(wddm version) {
    allocation_profile of = newest;
    of.version = version;
    allocation wanted = whole(version);
    wanted.priority = 0;
    Info info = patterned<Info>();
    Info const untouched = patterned<Info>();
    segment::view const table = version >= wddm::v2_0 ? discrete.all() : earlier.all();
    CHECK(segment::fill_allocation_info(wanted, table, of, info).what == rule::priority_missing);
    CHECK(std::memcmp(&info, &untouched, sizeof info) == 0);
}

template <class Info>
void check_version(wddm version) {
    check_filled<Info>(version);
    check_refused<Info>(version);
}

template <class Info>
constexpr Info filled() {
    Info info{};
    promise(segment::fill_allocation_info(texture, discrete.all(), newest, info) == allocation_is_good);
    return info;
}

}  // namespace

TEST_CASE("PREF-03, PREF-07, PREF-10: every member at every version, every other byte kept") {
    check_version<mirror::vista::dxgk_allocationinfo>(wddm::vista);
    check_version<mirror::vista_sp1::dxgk_allocationinfo>(wddm::vista_sp1);
    check_version<mirror::win7::dxgk_allocationinfo>(wddm::win7);
    check_version<mirror::win8::dxgk_allocationinfo>(wddm::win8);
    check_version<mirror::v1_3::dxgk_allocationinfo>(wddm::v1_3);
    check_version<mirror::v1_3_path_independent_rotation::dxgk_allocationinfo>(wddm::v1_3_path_independent_rotation);
    check_version<mirror::v2_0::dxgk_allocationinfo>(wddm::v2_0);
    check_version<mirror::v2_1::dxgk_allocationinfo>(wddm::v2_1);
    check_version<mirror::v2_1_5::dxgk_allocationinfo>(wddm::v2_1_5);
    check_version<mirror::v2_1_6::dxgk_allocationinfo>(wddm::v2_1_6);
    check_version<mirror::v2_2::dxgk_allocationinfo>(wddm::v2_2);
    check_version<mirror::v2_3::dxgk_allocationinfo>(wddm::v2_3);
    check_version<mirror::v2_4::dxgk_allocationinfo>(wddm::v2_4);
    check_version<mirror::v2_5::dxgk_allocationinfo>(wddm::v2_5);
    check_version<mirror::v2_6::dxgk_allocationinfo>(wddm::v2_6);
    check_version<mirror::v2_7::dxgk_allocationinfo>(wddm::v2_7);
    check_version<mirror::v2_8::dxgk_allocationinfo>(wddm::v2_8);
    check_version<mirror::v2_9::dxgk_allocationinfo>(wddm::v2_9);
    check_version<mirror::v3_0::dxgk_allocationinfo_wide>(wddm::v3_0);
    check_version<mirror::v3_0::dxgk_allocationinfo_wide>(wddm::v3_1);
    check_version<mirror::v3_2::dxgk_allocationinfo_wide>(wddm::v3_2);
}

TEST_CASE("PREF-03: both sets are the same word, and neither it nor the alignment is written over an MMU set") {
    mirror::v2_9::dxgk_allocationinfo info{};
    allocation_profile of = newest;
    of.version = wddm::v2_9;
    CHECK(segment::fill_allocation_info(texture, discrete.all(), of, info) == allocation_is_good);
    CHECK(info.SupportedReadSegmentSet == info.SupportedWriteSegmentSet);
    CHECK(info.SupportedReadSegmentSet == 3);
    of.mmu_set_in_use = true;
    info.MmuSet = 0x11;
    info.MinimumPageSize = 1;
    info.RecommendedPageSize = 2;
    CHECK(segment::fill_allocation_info(texture, discrete.all(), of, info) == allocation_is_good);
    CHECK(info.MmuSet == 0x11);
    CHECK(info.MinimumPageSize == 1);
    CHECK(info.RecommendedPageSize == 2);
    CHECK(info.SupportedWriteSegmentSet == 3);
}

TEST_CASE("PREF-10: from WDDM 2.0 on the word of the renaming list is PhysicalAdapterIndex unless a length is given") {
    mirror::v2_0::dxgk_allocationinfo info{};
    allocation_profile of = newest;
    of.version = wddm::v2_0;
    info.PhysicalAdapterIndex = 3;
    CHECK(segment::fill_allocation_info(texture, discrete.all(), of, info) == allocation_is_good);
    CHECK(info.PhysicalAdapterIndex == 3);
    mirror::win7::dxgk_allocationinfo before{};
    before.MaximumRenamingListLength = 3;
    CHECK(segment::fill_allocation_info(earlier_texture, earlier.all(), oldest, before) == allocation_is_good);
    CHECK(before.MaximumRenamingListLength == 0);
}

TEST_CASE("PREF-03: below WDDM 2.0 an allocation may be read where it cannot be written") {
    // An AGP aperture that is only read: bit 5 of the read set alone.
    constexpr segment_id agp{6};
    constexpr auto with_agp = segment::table_of(gart, earlier.rows[0], earlier.rows[1], earlier.rows[2],
                                                earlier.rows[3], earlier.rows[4], segment::agp_aperture{.id = agp});
    allocation a = earlier_texture;
    a.supported_read = a.supported.with(agp);
    mirror::win7::dxgk_allocationinfo info{};
    CHECK(segment::fill_allocation_info(a, with_agp.all(), oldest, info) == allocation_is_good);
    CHECK(info.SupportedReadSegmentSet == 0b10'0011);
    CHECK(info.SupportedWriteSegmentSet == 0b00'0011);
    // It may be nowhere to be written, and prefer where it is only read.
    a.supported = {};
    a.supported_read = segment::set_of(agp);
    a.preferred = segment::prefer(agp);
    CHECK(segment::fill_allocation_info(a, with_agp.all(), oldest, info) == allocation_is_good);
    CHECK(info.SupportedReadSegmentSet == 0b10'0000);
    CHECK(info.SupportedWriteSegmentSet == 0);
    CHECK(info.PreferredSegment.Value == 6);
    // What the read set names is judged like the rest.
    a.supported_read = segment::set_of(segment_id{7});
    CHECK(segment::fill_allocation_info(a, with_agp.all(), oldest, info) ==
          segment::broken_allocation_rule{rule::supported_unknown, 0, 0b100'0000});
    a.supported_read = segment::set_of(pitched);
    a.preferred = {};
    CHECK(segment::fill_allocation_info(a, with_agp.all(), oldest, info).what == rule::pitch_size_missing);
    a.supported_read = segment::set_of(all_banks);
    a.flags = a.flags.with(segment::allocation_flag::cpu_visible);
    CHECK(segment::fill_allocation_info(a, with_agp.all(), oldest, info).what == rule::aperture_missing);
    a.supported_read = {};
    CHECK(segment::fill_allocation_info(a, with_agp.all(), oldest, info).what == rule::no_segment);
}

TEST_CASE("PREF-03: from WDDM 2.0 on a read set of its own is refused: the system would ignore it") {
    for (wddm const version : {wddm::v1_3, wddm::v2_0, wddm::v3_2}) {
        CAPTURE(static_cast<u32>(version));
        allocation_profile of = newest;
        of.version = version;
        bool const newer = version >= wddm::v2_0;
        allocation a = newer ? texture : earlier_texture;
        segment::view const table = newer ? discrete.all() : earlier.all();
        a.supported_read = a.supported;
        CHECK(segment::judge_allocation(a, table, of) == allocation_is_good);
        a.supported_read = segment::set_of(gart);
        CHECK(segment::judge_allocation(a, table, of) ==
              (newer ? segment::broken_allocation_rule{rule::read_set_from_v2_0, 0, 1} : allocation_is_good));
    }
}

TEST_CASE("NTF-02: what a structure without Flags2 cannot say is refused, never dropped") {
    allocation wanted = texture;
    wanted.flags2.value = 0x10;
    // The structure of a 32-bit system, and of a header before WDDM 3.0.
    auto info = patterned<mirror::v3_2::dxgk_allocationinfo_i686>();
    auto const untouched = info;
    segment::broken_allocation_rule const found = segment::fill_allocation_info(wanted, discrete.all(), newest, info);
    CHECK(found == segment::broken_allocation_rule{rule::flags2_of_32_bit, 0, 0x10});
    CHECK(std::memcmp(&info, &untouched, sizeof info) == 0);
    auto older = patterned<mirror::v2_9::dxgk_allocationinfo>();
    CHECK(segment::fill_allocation_info(wanted, discrete.all(), newest, older).what == rule::flags2_of_32_bit);
    CHECK(segment::fill_allocation_info(texture, discrete.all(), newest, info) == allocation_is_good);
}

TEST_CASE("PREF-08: a size that SIZE_T of the structure cannot say is refused, whatever the profile says") {
    narrow_info info{};
    allocation wanted = earlier_texture;
    wanted.flags.value = 0x81;
    CHECK(segment::fill_allocation_info(wanted, earlier.all(), oldest, info) == allocation_is_good);
    CHECK(info.Size == 0x10'0000);
    CHECK(info.Flags.Value == 0x81);
    wanted.size = 4 * gib - bytes{4096};
    CHECK(segment::fill_allocation_info(wanted, earlier.all(), oldest, info) == allocation_is_good);
    CHECK(info.Size == 0xFFFF'F000);
    wanted.size = 4 * gib;
    CHECK(segment::fill_allocation_info(wanted, earlier.all(), oldest, info) ==
          segment::broken_allocation_rule{rule::size_above_size_t, 0, 0x1'0000'0000});
    CHECK(info.Size == 0xFFFF'F000);
    // A header that knows one name for the word has one word, whatever version its driver declares.
    wanted = texture;
    wanted.flags_wddm2.value = 0x1;
    CHECK(segment::fill_allocation_info(wanted, discrete.all(), newest, info) == allocation_is_good);
    CHECK(info.Flags.Value == 0x1);
}

TEST_CASE("PREF-01: a structure is also filled in constant evaluation") {
    expect_both(filled<mirror::v2_9::dxgk_allocationinfo>().SupportedWriteSegmentSet == 3);
    expect_both(filled<mirror::v3_2::dxgk_allocationinfo_wide>().PreferredSegment.Value == (2u | 1u << 6));
    expect_both(filled<mirror::v3_2::dxgk_allocationinfo_wide>().Alignment == 0x1'0000);
}

TEST_CASE("PREF-01, PREF-10: an allocation that is a constant is judged where it stands") {
    static_assert(check_allocation<texture, discrete, newest>());
    static_assert(check_allocation<earlier_texture, earlier, oldest>());
    CHECK(check_allocation<texture, discrete, newest, 4>());
}

}  // namespace allocation_info_test
