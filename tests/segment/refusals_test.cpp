// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/segment/host_aperture.hpp>
#include <wddmcore/segment/layout.hpp>
#include <wddmcore/segment/table/mapped.hpp>

#include <doctest/doctest.h>

#include "allocation_samples.hpp"

/// Refusals of allocations as a whole, with the slot and the number, and corners of tables at run time.
namespace segment_refusals_test {

using namespace wddmcore;
using namespace allocation_samples;
using segment::allocation_flag2;
using segment::allocation_flag_wddm2;
using segment::allocation_is_good;
using segment::allocation_rule;
using segment::broken_allocation_rule;

namespace {

constexpr u32 bit(allocation_flag_wddm2 one) { return static_cast<u32>(one); }

/// A texture with bits of the newer word.
broken_allocation_rule judged_with(u32 word, segment::allocation_profile const& of = newest) {
    return judged([word](segment::allocation& a) { a.flags_wddm2.value = word; }, of);
}

}  // namespace

TEST_CASE("PREF-07 to PREF-09: a size that is missing or not wanted is refused with itself") {
    CHECK(judged([](segment::allocation& a) { a.size = bytes{0}; }) ==
          broken_allocation_rule{allocation_rule::size_missing, 0, 0});
    CHECK(judged([](segment::allocation& a) { a.pitch_aligned_size = bytes{0x5000}; }) ==
          broken_allocation_rule{allocation_rule::pitch_size_unwanted, 0, 0x5000});
    CHECK(judged([](segment::allocation& a) { a.priority = 0; }) ==
          broken_allocation_rule{allocation_rule::priority_missing, 0, 0});
}

TEST_CASE("PREF-11, PREF-13 to PREF-17, PREF-20: a refused flag word is told without a slot") {
    using enum allocation_flag_wddm2;
    CHECK(judged_with(bit(cached)) == broken_allocation_rule{allocation_rule::not_cpu_visible, 0, bit(cached)});
    CHECK(judged_with(bit(history_buffer)) ==
          broken_allocation_rule{allocation_rule::history_buffer, 0, bit(history_buffer)});
    CHECK(judged_with(bit(explicit_residency_notification)) ==
          broken_allocation_rule{allocation_rule::residency_notification, 0, bit(explicit_residency_notification)});
    CHECK(judged([](segment::allocation& a) { a.engine_addresses_physically = true; }) ==
          broken_allocation_rule{allocation_rule::accessed_physically, 0, 0});
    CHECK(judged([](segment::allocation& a) { a.wants_cpu_address = true; }) ==
          broken_allocation_rule{allocation_rule::cpu_address_flags, 0, 0});
    segment::allocation_profile without = newest;
    without.map_aperture2 = false;
    CHECK(judged_with(bit(map_aperture_cpu_visible), without) ==
          broken_allocation_rule{allocation_rule::map_aperture2_missing, 0, bit(map_aperture_cpu_visible)});
    CHECK(judged([](segment::allocation& a) { a.wants_cpu_address = true; }, without) ==
          broken_allocation_rule{allocation_rule::map_aperture2_missing, 0, 0});
    CHECK(judged_with(0, without) == allocation_is_good);
    // The older word has 15 bits.
    CHECK(judged_earlier([](segment::allocation& a) { a.flags.value = 0x8000; }) ==
          broken_allocation_rule{allocation_rule::flags_of_later_version, 0, 0x8000});
    CHECK(judged_earlier([](segment::allocation& a) { a.wants_cpu_address = true; }) ==
          broken_allocation_rule{allocation_rule::cpu_address_flags, 0, 0});
}

TEST_CASE("PREF-19: a shared backing store that cannot be is refused with the words of its flags") {
    auto const shares = [](segment::allocation& a) {
        a.flags2 = a.flags2.with(allocation_flag2::share_backing_store_with_kmd);
        a.supported = a.eviction = segment::set_of(gart);
        a.preferred = segment::prefer(gart);
        a.is_shared = true;
    };
    constexpr u32 share = static_cast<u32>(allocation_flag2::share_backing_store_with_kmd);
    CHECK(judged(shares) == allocation_is_good);
    CHECK(judged([&](segment::allocation& a) {
              shares(a);
              a.is_shared = false;
          }) == broken_allocation_rule{allocation_rule::share_needs_shared, 0, share});
    constexpr u32 existing = bit(allocation_flag_wddm2::existing_sys_mem);
    CHECK(judged([&](segment::allocation& a) {
              shares(a);
              a.flags_wddm2.value = existing;
          }) == broken_allocation_rule{allocation_rule::share_of_existing_memory, 0, existing});
    segment::allocation_profile without = newest;
    without.share_backing_store = false;
    CHECK(judged(shares, without) == broken_allocation_rule{allocation_rule::share_not_enabled, 0, share});
}

TEST_CASE("PREF-10: the bits of the newer word that each version has") {
    // By abi/: 10 to 13 came later than the others: 10 with WDDM 2.1, 11 with 2.9; 12 and 13 are reserved.
    u32 const first = segment::detail::known_allocation_flags_wddm2(wddm::v2_0);
    u32 const vpr = bit(allocation_flag_wddm2::create_in_vpr);
    u32 const map = bit(allocation_flag_wddm2::map_aperture_cpu_visible);
    CHECK((first & (vpr | map)) == 0);
    CHECK(first == 0x7C3FF);
    CHECK(segment::detail::known_allocation_flags_wddm2(wddm::v2_1) == (first | vpr));
    CHECK(segment::detail::known_allocation_flags_wddm2(wddm::v2_8) == (first | vpr));
    CHECK(segment::detail::known_allocation_flags_wddm2(wddm::v2_9) == (first | vpr | map));
}

TEST_CASE("SEG-12: what is not reported has no place, and no host aperture") {
    segment_place const nowhere = segment::place_of(discrete.all(), {9});
    CHECK(nowhere.base.n == 0);
    CHECK(nowhere.size.n == 0);
    CHECK(segment::detail::host_aperture_row(discrete.all(), 9) == nullptr);
    CHECK(segment::detail::host_aperture_row(discrete.all(), vram.n) == nullptr);
}

TEST_CASE("SEG-29: neighbours have no hole between them, and a hole is as large as the gap") {
    auto const drawn = [](u64 second) {
        auto const table = segment::table_of(
            segment_id{1}, segment::aperture{.id = {1}, .base = segment::at(0x1'0000), .size = bytes{0x1'0000}},
            segment::memory{.id = {2}, .base = segment::at(second), .size = bytes{0x1'0000}});
        segment::block blocks[4]{};
        segment::layout_counts const counts = segment::draw_layout(table.all(), {blocks, 4});
        return counts.blocks == 3 ? blocks[1].size.n : counts.blocks == 2 ? 0 : ~u64{0};
    };
    CHECK(drawn(0x2'0000) == 0);
    CHECK(drawn(0x2'1000) == 0x1000);
    CHECK(drawn(0x5'0000) == 0x3'0000);
}

TEST_CASE("SEG-16, SEG-17: how the CPU reaches memory belongs to its kind: another's is refused, and no default") {
    auto const judged_row = [](segment::entry const& row) {
        auto const table = segment::table_of(
            segment_id{1}, segment::aperture{.id = {1}, .base = segment::at(0), .size = bytes{0x1'0000}}, row);
        return segment::judge(table.all(), segment::profile{}).what;
    };
    auto const of = [judged_row](auto row) {
        row.id = {2};
        row.base = segment::at(0x10'0000);
        row.size = 1 * mib;
        return judged_row(segment::row_of(row));
    };
    CHECK(of(segment::memory{}) == segment::rule::none);
    CHECK(of(segment::memory{.cpu = {0xE000'0000}}) == segment::rule::cpu_address_without_flag);
    CHECK(of(segment::memory{.host_aperture = {{0xE000'0000}, 1}}) == segment::rule::host_aperture_without_flag);
    CHECK(of(segment::memory{.cached = true}) == segment::rule::cached_without_host);
    CHECK(of(segment::cpu_visible_memory{}) == segment::rule::none);
    CHECK(of(segment::cpu_visible_memory{.host_aperture = {{0}, 1}}) == segment::rule::host_aperture_without_flag);
    CHECK(of(segment::cpu_visible_memory{.cached = true}) == segment::rule::cached_without_host);
    CHECK(of(segment::memory_behind_host_aperture{.cached = true}) == segment::rule::none);
    CHECK(of(segment::memory_behind_host_aperture{.cpu = {0xE000'0000}}) == segment::rule::cpu_address_without_flag);
    auto const cpu_of = [](auto const& row) { return segment::row_of(row).cpu; };
    auto const aperture_of = [](auto const& row) { return segment::row_of(row).host_aperture.base; };
    CHECK(cpu_of(segment::memory{}) == cpu_physical_address{});
    CHECK(!segment::is_placed(cpu_of(segment::cpu_visible_memory{})));
    CHECK(cpu_of(segment::memory_behind_host_aperture{}) == cpu_physical_address{});
    CHECK(aperture_of(segment::memory{}) == cpu_physical_address{});
    CHECK(aperture_of(segment::cpu_visible_memory{}) == cpu_physical_address{});
    CHECK(!segment::is_placed(aperture_of(segment::memory_behind_host_aperture{})));
}

TEST_CASE("SEG-19, SEG-33: what a builder says of its memory is in its row") {
    segment::entry const pool = segment::row_of(segment::memory{.id = {2},
                                                                .base = segment::at(0),
                                                                .size = gib,
                                                                .populated_from_system_memory = true,
                                                                .slab = 2 * mib,
                                                                .name = "pool"});
    CHECK(pool.flags.has(segment::flag::populated_from_system_memory));
    CHECK(pool.slab == 2 * mib);
    CHECK(pool.name != nullptr);
    segment::entry const window = segment::row_of(
        segment::aperture{.id = {1}, .base = segment::at(0), .size = gib, .slab = 4 * mib, .name = "w"});
    CHECK(window.slab == 4 * mib);
    CHECK(window.name != nullptr);
}

TEST_CASE("PREF-07, PREF-19, NTF-11: more refusals of allocations, and what is none") {
    CHECK(judged([](segment::allocation& a) { a.alignment = 8 * gib; }) ==
          broken_allocation_rule{allocation_rule::alignment_too_large, 0, (8 * gib).n});
    auto const shares = [](segment::allocation& a) {
        a.flags2 = a.flags2.with(allocation_flag2::share_backing_store_with_kmd);
        a.is_shared = true;
    };
    CHECK(judged(shares) ==
          broken_allocation_rule{allocation_rule::share_needs_aperture, 0, segment::set_of(gart, vram).value});
    // Nothing is notified, so nothing has to be claimed.
    segment::allocation_profile without = newest;
    without.allocation_notification = false;
    CHECK(judged([](segment::allocation&) {}, without) == allocation_is_good);
}

TEST_CASE("NTF-02: notifications of allocations came with WDDM 3.2, for those that claim them") {
    auto const notifies = [](wddm version, claim what) {
        return segment::allocation_profile_of({.version = version, .allocation_notification = what})
            .allocation_notification;
    };
    CHECK(notifies(wddm::v3_2, claim::yes));
    CHECK_FALSE(notifies(wddm::v3_1, claim::yes));
    CHECK_FALSE(notifies(wddm::v3_2, claim::no));
    CHECK_FALSE(segment::allocation_profile_of({.version = wddm::v3_2}).gpu_va_iommu);
}

TEST_CASE("SEG-37: the first page of an array is looked at, too") {
    u32 const pages[] = {9, 1};
    CHECK_FALSE(segment::detail::are_below(pages, 2, 9));
    CHECK(segment::detail::are_below(pages, 2, 10));
}

TEST_CASE("SEG-24: a bank may end at the first byte, and no later version has banks") {
    constexpr usize ends[] = {1, 2};
    segment::entry row = segment::row_of(segment::banked_memory{
        .id = {2}, .base = segment::at(0), .size = 16 * mib, .banks = {ends, 2}, .cpu_visible = true});
    CHECK(segment::detail::judge_kind(row, 2, {.version = wddm::v1_3, .wide_sizes = true}).what !=
          segment::rule::banks_not_rising);
    CHECK(segment::detail::judge_kind(row, 2, {.version = wddm::v2_0, .wide_sizes = true}) ==
          segment::broken_rule{segment::rule::banks_of_later_version, 2, static_cast<u32>(wddm::v2_0)});
}

TEST_CASE("SEG-32: all of a VPR range may be reserved") {
    segment::entry row = segment::row_of(segment::memory{.id = {2}, .base = segment::at(0), .size = gib});
    row.flags = row.flags.with(segment::flag::vpr_supported);
    row.vpr = {{0}, 2 * mib, 0x1'0000, 1, 2 * mib.n};
    CHECK(segment::detail::judge_vpr(row, 2) == segment::no_rule_broken);
    row.vpr.reserve = 2 * mib.n + 1;
    CHECK(segment::detail::judge_vpr(row, 2) == segment::broken_rule{segment::rule::vpr_reserve, 2, 2 * mib.n + 1});
}

TEST_CASE("SEG-17: a host aperture whose size the table says already is placed with that size") {
    auto made = segment::table_of(
        segment_id{1}, segment::aperture{.id = {1}, .base = segment::at(0x7FFF'0000'0000), .size = 512 * mib},
        segment::memory_behind_host_aperture{
            .id = {2}, .base = segment::at(0x80'0000'0000), .size = 4 * gib, .host_aperture = {segment::at_start, 64}});
    CHECK(made.place({2}, {.host_aperture = {{0xE000'0000}, 65}}).what == segment::rule::placed_otherwise);
    CHECK(made.place({2}, {.host_aperture = {{0xE000'0000}, 64}}) == segment::no_rule_broken);
}

TEST_CASE("SEG-43: the largest number that SIZE_T of 32 bits holds is one of its sizes") {
    segment::entry row = segment::row_of(segment::memory{.id = {2}, .base = segment::at(0), .size = 4 * mib});
    row.commit_limit = row.size = bytes{~u32{0}};
    CHECK(segment::detail::judge_commit_limit(row, 2, false) == segment::no_rule_broken);
    row.commit_limit = bytes{u64{~u32{0}} + 1};
    CHECK(segment::detail::judge_commit_limit(row, 2, false) ==
          segment::broken_rule{segment::rule::size_above_size_t, 2, u64{~u32{0}} + 1});
}

TEST_CASE("SEG-09: a range wraps when its last byte does") {
    CHECK_FALSE(segment::detail::wraps(5, 0));
    CHECK_FALSE(segment::detail::wraps(5, 1));
    CHECK_FALSE(segment::detail::wraps(~u64{0}, 1));
    CHECK(segment::detail::wraps(~u64{0}, 2));
}

}  // namespace segment_refusals_test
