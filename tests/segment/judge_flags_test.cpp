// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Every expected number is the bit or the member that the case sets, by the bits of DXGK_SEGMENTFLAGS in the header.
#include "../base/expect_both.hpp"
#include "table_samples.hpp"

namespace judge_flags_test {

using namespace table_samples;
using segment::entry;

TEST_CASE("SEG-10: what an aperture and a memory segment are is decided by the flags, and the kind agrees") {
    expect_both(judged_second(visible) == no_rule_broken);
    expect_both(judged_second(behind) == no_rule_broken);
    expect_both(judged_second(invisible) == no_rule_broken);
    constexpr entry unmarked = changed(visible, [](entry& row) { row.kind = segment::kind::memory; });
    expect_both(judged_second(unmarked) == broken_rule{rule::kind_differs_from_flags, 2, 0x8004});
    constexpr entry host = with_flags(aperture, bit(flag::supports_cpu_host_aperture));
    expect_both(judged(table_of(window, host)) == broken_rule{rule::host_aperture_of_aperture, 1, 0x2011});
}

TEST_CASE("SEG-10: an aperture needs a driver that implements its map and unmap operations") {
    constexpr profile without{.version = wddm::v3_2, .aperture = aperture_forms::none, .compute_only = true};
    expect_both(judged_second(visible, without) == broken_rule{rule::aperture_without_operations, 1, 0});
    constexpr segment::memory alone{.id = {1}, .size = 1 * gib};
    expect_both(judged(table_of({0}, alone), without) == no_rule_broken);
    constexpr capabilities caps{.version = wddm::v2_9, .aperture = aperture_forms::adl, .compute_only = true};
    expect_both(segment::profile_of(caps) ==
                profile{.version = wddm::v2_9, .aperture = aperture_forms::adl, .compute_only = true});
}

TEST_CASE("SEG-13: CacheCoherent is for apertures") {
    expect_both(judged_second(with_flags(visible, 0x10)) == broken_rule{rule::coherent_memory, 2, 0x8014});
    expect_both(segment::row_of(aperture).flags.value == 0x11);
}

TEST_CASE("SEG-14: CpuVisible is not for apertures") {
    expect_both(judged(table_of(window, with_flags(aperture, 4))) == broken_rule{rule::cpu_visible_aperture, 1, 0x15});
}

TEST_CASE("SEG-15: CpuVisible and a CPU host aperture exclude each other") {
    expect_both(judged_second(with_flags(behind, 4)) == broken_rule{rule::visible_with_host_aperture, 2, 0x2804});
}

TEST_CASE("SEG-16: a cached CPU host aperture is a CPU host aperture") {
    expect_both(judged_second(with_flags(visible, 0x4000)) == broken_rule{rule::cached_without_host, 2, 0xC004});
    constexpr auto cached = [] {
        segment::memory_behind_host_aperture row = behind;
        row.cached = true;
        return row;
    }();
    expect_both(judged_second(cached) == no_rule_broken);
    expect_both(segment::row_of(cached).flags.value == 0x6800);
}

TEST_CASE("SEG-17: the flags choose which of the two CPU addresses a segment has") {
    constexpr entry both = changed(behind, [](entry& row) { row.cpu = {0x1000}; });
    expect_both(judged_second(both) == broken_rule{rule::cpu_address_without_flag, 2, 0x1000});
    constexpr entry other = changed(visible, [](entry& row) { row.host_aperture = {{0}, 7}; });
    expect_both(judged_second(other) == broken_rule{rule::host_aperture_without_flag, 2, 7});
    constexpr entry none = changed(behind, [](entry& row) { row.host_aperture = {{0xE000'0000}, 0}; });
    expect_both(judged_second(none) == broken_rule{rule::host_aperture_missing, 2, 0xE000'0000});
}

TEST_CASE("SEG-19: PopulatedFromSystemMemory is not for apertures") {
    expect_both(judged(table_of(window, with_flags(aperture, 0x40))) == broken_rule{rule::populated_aperture, 1, 0x51});
    expect_both(judged_second(with_flags(visible, 0x40)) == no_rule_broken);
}

TEST_CASE("SEG-20: four of the eight preservation triples are legal") {
    for (u32 triple = 0; triple < 8; ++triple) {
        u32 const value =
            ((triple & 4) != 0 ? 0x80u : 0u) | ((triple & 2) != 0 ? 0x100u : 0u) | ((triple & 1) != 0 ? 0x200u : 0u);
        entry row = with_flags(visible, value);
        row.system_memory_end = {(triple & 1) != 0 ? 0xFFFu : 0u};
        bool const legal = triple == 0 || triple == 4 || triple == 6 || triple == 5;
        CAPTURE(triple);
        CHECK(judged_second(row) == (legal ? no_rule_broken : broken_rule{rule::preserved_flags, 2, triple}));
    }
}

TEST_CASE("SEG-20: the names of preservations are the legal triples") {
    using segment::preserved;
    expect_both(segment::detail::flags_of(preserved::nothing).value == 0);
    expect_both(segment::detail::flags_of(preserved::standby).value == 0x80);
    expect_both(segment::detail::flags_of(preserved::standby_and_hibernate).value == 0x180);
    expect_both(segment::detail::flags_of(preserved::standby_and_partially_hibernate).value == 0x280);
}

TEST_CASE("SEG-21: the end of system memory is there exactly with partial preservation") {
    constexpr entry missing = with_flags(visible, 0x280);
    expect_both(judged_second(missing) == broken_rule{rule::system_memory_end_missing, 2, 0});
    constexpr entry unwanted = changed(visible, [](entry& row) { row.system_memory_end = {0xFFF}; });
    expect_both(judged_second(unwanted) == broken_rule{rule::system_memory_end_unwanted, 2, 0xFFF});
    constexpr auto right = [] {
        segment::cpu_visible_memory row = visible;
        row.preserved = segment::preserved::standby_and_partially_hibernate;
        row.system_memory_end = bytes{0xFFF'FFFF};
        return row;
    }();
    expect_both(judged_second(right) == no_rule_broken);
}

TEST_CASE("SEG-22: reserved bits and the bit of the system stay clear, at every interface version") {
    expect_both(judged_second(with_flags(visible, 0x1000)) == broken_rule{rule::reserved_for_system, 2, 0x9004});
    expect_both(judged_second(with_flags(visible, 0x0040'0000)) == broken_rule{rule::reserved_flags, 2, 0x0040'0000});
    // How many flags a version has, by the headers: 10 up to Windows 7, 11 up to WDDM 1.3, 21 up to 2.8, then 22.
    constexpr u32 counts[] = {10, 10, 10, 11, 11, 11, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 22, 22, 22, 22};
    for (usize index = 0; index < sizeof counts / sizeof *counts; ++index) {
        wddm const version = interface_versions[index];
        CAPTURE(index);
        CHECK(segment::detail::flags_of_version(version) == (1u << counts[index]) - 1);
        for (u32 number = 0; number < 22; ++number) {
            bool const later =
                segment::detail::judge_bits({1u << number}, 1, version).what == rule::flags_of_later_version;
            // A system's bit is refused as such, whatever the version.
            CHECK(later == (number >= counts[index] && number != 12));
        }
    }
    expect_both(judged_second(with_flags(invisible, 0x800), before_v2_0) ==
                broken_rule{rule::flags_of_later_version, 2, 0x800});
}

TEST_CASE("SEG-29: a hidden range is not reported and has no flags") {
    constexpr segment::hidden firmware{at(0), 4 * mib, "firmware"};
    expect_both(judged(table_of(window, aperture, firmware, visible)) == no_rule_broken);
    expect_both(table_of(window, aperture, firmware, visible).reported == 2);
    constexpr entry marked = with_flags(firmware, 4);
    expect_both(judged(table_of(window, aperture, visible, marked)) == broken_rule{rule::hidden_with_flags, 0, 4});
    // Nothing places a hidden range.
    constexpr segment::hidden without_base{at_start, 4 * mib};
    constexpr segment::hidden without_size{at(0), at_start};
    expect_both(judged(table_of(window, aperture, without_base)) == broken_rule{rule::hidden_at_start, 0, 0});
    expect_both(judged(table_of(window, aperture, without_size)) == broken_rule{rule::hidden_at_start, 0, 0});
}

}  // namespace judge_flags_test
