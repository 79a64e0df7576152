// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "table_samples.hpp"

namespace judge_numbers_test {

using namespace table_samples;
using segment::entry;

namespace {

constexpr segment::memory memory_of(segment_address base, bytes size) {
    return {.id = vram, .base = base, .size = size};
}

constexpr segment::memory pages_64k(segment_address base, bytes size) {
    return {.id = vram, .base = base, .size = size, .pages_64k = true};
}

constexpr segment::memory with_vpr(segment::vpr vpr, bytes size = 1 * gib) {
    return {.id = vram, .size = size, .vpr = vpr};
}

}  // namespace

TEST_CASE("SEG-07: no two segments share an address, hidden ranges included") {
    // The aperture is [0x7FFF'0000'0000, +512 MiB).
    expect_both(judged_second(memory_of(at(0x7FFE'C000'0000), 1 * gib)) == no_rule_broken);
    expect_both(judged_second(memory_of(at(0x7FFE'C000'0000), 1 * gib + 4 * kib)) ==
                broken_rule{rule::overlap, 1, 0x7FFF'0000'0000});
    expect_both(judged_second(memory_of(at(0x7FFF'2000'0000), 1 * gib)) == no_rule_broken);
    expect_both(judged_second(memory_of(at(0x7FFF'1FFF'F000), 1 * gib)) ==
                broken_rule{rule::overlap, 1, 0x7FFF'1FFF'F000});
    // Inside, and the same.
    expect_both(judged_second(memory_of(at(0x7FFF'1000'0000), 4 * kib)).what == rule::overlap);
    expect_both(judged_second(memory_of(at(0x7FFF'0000'0000), 512 * mib)).what == rule::overlap);

    constexpr segment::hidden inside{at(0x80'4000'0000), 1 * mib};
    expect_both(judged(table_of(window, aperture, visible, inside)) == broken_rule{rule::overlap, 2, 0x80'4000'0000});
    constexpr segment::hidden low{at(0x1000), 4 * kib};
    constexpr segment::hidden lower{at(0x800), 4 * kib};
    expect_both(judged(table_of(window, aperture, visible, low, lower)) == broken_rule{rule::overlap, 0, 0x1000});
}

TEST_CASE("SEG-07: what is not placed yet shares no address") {
    constexpr auto beside = [](segment_address base, bytes size, segment_address other) {
        return judged(table_of({0}, segment::memory{.id = {1}, .base = base, .size = size},
                               segment::memory{.id = {2}, .base = other, .size = 4 * kib}),
                      before_v2_0);
    };
    expect_both(beside(at(0x1000), at_start, at(0x5000)) == no_rule_broken);
    expect_both(beside(at_start, 4 * kib, at(0xFFFF'FFFF'FFFF'F000)) == no_rule_broken);
    expect_both(beside(at(0x5000), 4 * kib, at(0x5000)) == broken_rule{rule::overlap, 1, 0x5000});
}

TEST_CASE("SEG-07: a segment may end at 2^64, not above") {
    expect_both(judged_second(memory_of(at(0xFFFF'FFFF'FFFF'F000), 4 * kib)) == no_rule_broken);
    expect_both(judged_second(memory_of(at(0xFFFF'FFFF'FFFF'F000), 8 * kib)) ==
                broken_rule{rule::end_wraps, 2, 0xFFFF'FFFF'FFFF'F000});
}

TEST_CASE("SEG-08: a size is a multiple of 4096 bytes, and not 0") {
    expect_both(judged_second(memory_of(at(0), 8 * gib + bytes{5})) == broken_rule{rule::page_multiple, 2, 8589934597});
    expect_both(judged_second(memory_of(at(0), bytes{0})) == broken_rule{rule::size_missing, 2, 0});
    expect_both(judged_second(memory_of(at(0), bytes{4096})) == no_rule_broken);
    expect_both(judged(table_of(window, segment::aperture{.id = window, .size = bytes{2048}})) ==
                broken_rule{rule::page_multiple, 1, 2048});
    // Hidden memory is nobody's pages, but it is not nothing.
    expect_both(judged(table_of(window, aperture, segment::hidden{at(0), bytes{100}})) == no_rule_broken);
    expect_both(judged(table_of(window, aperture, segment::hidden{at(0), bytes{0}})) ==
                broken_rule{rule::size_missing, 0, 0});
}

TEST_CASE("SEG-08: a segment begins with a page, and what the CPU sees of it too (SEG-14, SEG-17)") {
    expect_both(judged_second(memory_of(at(0x800), 4 * kib)) == broken_rule{rule::base_page, 2, 0x800});
    expect_both(judged_second(memory_of(at(0x1000), at_start)) == no_rule_broken);
    expect_both(judged_second(memory_of(at(0x1001), at_start)) == broken_rule{rule::base_page, 2, 0x1001});
    constexpr auto seen_at = [](u64 cpu, bytes size) {
        return segment::cpu_visible_memory{.id = vram, .size = size, .cpu = {cpu}};
    };
    expect_both(judged_second(seen_at(0xE000'0000, 1 * gib)) == no_rule_broken);
    expect_both(judged_second(seen_at(0xE000'0100, 1 * gib)) == broken_rule{rule::cpu_page, 2, 0xE000'0100});
    expect_both(judged_second(seen_at(0xFFFF'FFFF'FFFF'F000, 4 * kib)) == no_rule_broken);
    expect_both(judged_second(seen_at(0xFFFF'FFFF'FFFF'F000, 8 * kib)) ==
                broken_rule{rule::cpu_range_wraps, 2, 0xFFFF'FFFF'FFFF'F000});
    expect_both(judged_second(seen_at(0xFFFF'FFFF'FFFF'F000, at_start)) == no_rule_broken);
    constexpr auto behind_window = [](u64 cpu, u32 pages, bool large) {
        return segment::memory_behind_host_aperture{
            .id = vram, .size = 1 * gib, .host_aperture = {{cpu}, pages}, .pages_64k = large};
    };
    // 16 pages of 4 KiB and one of 64 KiB are the last 64 KiB of all addresses.
    expect_both(judged_second(behind_window(0xFFFF'FFFF'FFFF'0000, 16, false)) == no_rule_broken);
    expect_both(judged_second(behind_window(0xFFFF'FFFF'FFFF'0000, 17, false)) ==
                broken_rule{rule::cpu_range_wraps, 2, 0xFFFF'FFFF'FFFF'0000});
    expect_both(judged_second(behind_window(0xFFFF'FFFF'FFFF'0000, 1, true)) == no_rule_broken);
    expect_both(judged_second(behind_window(0xFFFF'FFFF'FFFF'0000, 2, true)).what == rule::cpu_range_wraps);
    expect_both(judged_second(behind_window(0xE000'0FFF, 1, false)) == broken_rule{rule::cpu_page, 2, 0xE000'0FFF});
}

TEST_CASE("SEG-09: with 64-KiB pages base and size are multiples of 64 KiB") {
    expect_both(judged_second(pages_64k(at(0x3'0000), 64 * kib)) == no_rule_broken);
    expect_both(judged_second(pages_64k(at(0x3'0000), 68 * kib)) == broken_rule{rule::size_64k, 2, 69632});
    expect_both(judged_second(pages_64k(at(0x3'1000), 64 * kib)) == broken_rule{rule::base_64k, 2, 0x3'1000});
    expect_both(judged_second(memory_of(at(0x3'1000), 68 * kib)) == no_rule_broken);
    // One of the two may be known before the other.
    expect_both(judged_second(pages_64k(at(0x3'1000), at_start)) == broken_rule{rule::base_64k, 2, 0x3'1000});
    expect_both(judged_second(pages_64k(at_start, 68 * kib)) == broken_rule{rule::size_64k, 2, 69632});
}

TEST_CASE("SEG-23: the commit limit of memory is its size, that of an aperture at most") {
    constexpr entry less = changed(visible, [](entry& row) { row.commit_limit = 8 * gib; });
    expect_both(judged_second(less) == broken_rule{rule::commit_limit_of_memory, 2, 0x2'0000'0000});
    expect_both(segment::row_of(visible).commit_limit == 16 * gib);
    expect_both(segment::row_of(aperture).commit_limit == 512 * mib);
    constexpr segment::aperture capped{.id = window, .size = 4 * gib, .commit_limit = 2 * gib};
    expect_both(judged(table_of(window, capped)) == no_rule_broken);
    constexpr entry uncapped = changed(aperture, [](entry& row) { row.commit_limit = bytes{0}; });
    expect_both(judged(table_of(window, uncapped)) == no_rule_broken);
    constexpr segment::aperture above{.id = window, .size = 4 * gib, .commit_limit = 5 * gib};
    expect_both(judged(table_of(window, above)) == broken_rule{rule::commit_limit_above, 1, 0x1'4000'0000});
}

TEST_CASE("SEG-24: a bank table holds ends that rise from above 0; the last end may be left out") {
    static constexpr usize ends[] = {0x10'0000, 0x20'0000, 0x40'0000};
    static constexpr usize from_zero[] = {0, 0x20'0000};
    static constexpr usize falling[] = {0x20'0000, 0x20'0000};
    constexpr auto banked = [](span<usize const> banks, bytes size = 4 * mib) {
        return segment::banked_memory{.id = vram, .size = size, .banks = banks};
    };
    expect_both(judged_second(banked(span_of(ends)), before_v2_0) == no_rule_broken);
    expect_both(judged_second(banked(span_of(ends).first(2)), before_v2_0) == no_rule_broken);
    expect_both(judged_second(banked(span_of(from_zero)), before_v2_0) == broken_rule{rule::banks_not_rising, 2, 0});
    expect_both(judged_second(banked(span_of(falling)), before_v2_0) ==
                broken_rule{rule::banks_not_rising, 2, 0x20'0000});
    expect_both(judged_second(banked({nullptr, 0}), before_v2_0) == broken_rule{rule::bank_table_missing, 2, 0});
    constexpr entry unmarked = changed(invisible, [](entry& row) { row.banks = span_of(ends); });
    expect_both(judged_second(unmarked, before_v2_0) == broken_rule{rule::banks_without_flag, 2, 3});
    // Query forms 4 and 5 have no member for them.
    expect_both(judged_second(banked(span_of(ends))) == broken_rule{rule::banks_of_later_version, 2, 0x11007});
    // The CPU may see them.
    constexpr segment::banked_memory seen{
        .id = vram, .size = 4 * mib, .banks = span_of(ends), .cpu_visible = true, .cpu = {0xA000'0000}};
    expect_both(judged_second(seen, before_v2_0) == no_rule_broken);
    expect_both(segment::row_of(seen).cpu.n == 0xA000'0000);
}

TEST_CASE("SEG-25: banks are for memory and end with it") {
    static constexpr usize ends[] = {0x10'0000, 0x20'0000};
    constexpr auto banked = [](bytes size) {
        return segment::banked_memory{.id = vram, .size = size, .banks = span_of(ends)};
    };
    expect_both(judged_second(banked(2 * mib), before_v2_0) == no_rule_broken);
    expect_both(judged_second(banked(1 * mib), before_v2_0) == broken_rule{rule::bank_past_end, 2, 0x20'0000});
    expect_both(judged_second(banked(at_start), before_v2_0) == no_rule_broken);
    constexpr entry mapped = changed(aperture, [](entry& row) {
        row.flags = row.flags.with(flag::use_banking);
        row.banks = span_of(ends);
    });
    expect_both(judged(table_of(window, mapped), before_v2_0) == broken_rule{rule::banks_of_aperture, 1, 0x19});
}

TEST_CASE("PREF-05: at most 127 banks have an id, the one without an end included") {
    usize ends[128];
    for (usize index = 0; index < 128; ++index) {
        ends[index] = (index + 1) * 4096;
    }
    auto const found = [&](usize count, u64 size_in_pages) {
        return judged_second(
            segment::banked_memory{.id = vram, .size = bytes{size_in_pages * 4096}, .banks = {ends, count}},
            before_v2_0);
    };
    CHECK(found(127, 127) == no_rule_broken);
    CHECK(found(126, 127) == no_rule_broken);
    CHECK(found(127, 128) == broken_rule{rule::too_many_banks, 2, 128});
    CHECK(found(128, 128) == broken_rule{rule::too_many_banks, 2, 128});
    // Whether the last of 127 has its end is known when the size is.
    segment::banked_memory const open{.id = vram, .size = at_start, .banks = {ends, 127}};
    CHECK(judged_second(open, before_v2_0) == no_rule_broken);
    // So many ends are too many whatever the size is.
    segment::banked_memory const later{.id = vram, .size = at_start, .banks = {ends, 128}};
    CHECK(judged_second(later, before_v2_0) == broken_rule{rule::too_many_banks, 2, 128});
}

TEST_CASE("SEG-31: invalid ranges are pages of their segment") {
    static constexpr segment::memory_range good_ranges[] = {{{0x1000}, 4 * kib}, {{0x3FFF'F000}, 4 * kib}};
    static constexpr segment::memory_range odd_start[] = {{{0x800}, 4 * kib}};
    static constexpr segment::memory_range odd_size[] = {{{0x1000}, bytes{100}}};
    static constexpr segment::memory_range outside[] = {{{0x3FFF'F000}, 8 * kib}};
    constexpr auto with_invalid = [](span<segment::memory_range const> ranges, bytes size = 1 * gib,
                                     bool wide_pages = false) {
        return segment::memory{.id = vram, .size = size, .pages_64k = wide_pages, .invalid = ranges};
    };
    expect_both(judged_second(with_invalid(span_of(good_ranges))) == no_rule_broken);
    expect_both(judged_second(with_invalid(span_of(odd_start))) == broken_rule{rule::range_not_aligned, 2, 0x800});
    expect_both(judged_second(with_invalid(span_of(odd_size))) == broken_rule{rule::range_not_aligned, 2, 100});
    expect_both(judged_second(with_invalid(span_of(outside))) == broken_rule{rule::range_outside, 2, 0x3FFF'F000});
    expect_both(judged_second(with_invalid(span_of(good_ranges), 1 * gib, true)) ==
                broken_rule{rule::range_not_aligned, 2, 0x1000});
    expect_both(judged_second(with_invalid(span_of(outside), at_start)) == no_rule_broken);
    static constexpr segment::memory_range empty[] = {{{0x1000}, bytes{0}}};
    static constexpr segment::memory_range twice[] = {{{0x2000}, 8 * kib}, {{0x1000}, 8 * kib}};
    static constexpr segment::memory_range side_by_side[] = {{{0x3000}, 4 * kib}, {{0x1000}, 8 * kib}};
    expect_both(judged_second(with_invalid(span_of(empty))) == broken_rule{rule::range_empty, 2, 0x1000});
    expect_both(judged_second(with_invalid(span_of(twice))) == broken_rule{rule::ranges_overlap, 2, 0x1000});
    expect_both(judged_second(with_invalid(span_of(side_by_side))) == no_rule_broken);
    constexpr segment::memory firmware{.id = vram, .size = 1 * gib, .uefi_frame_buffer = span_of(outside)};
    expect_both(judged_second(firmware) == broken_rule{rule::range_outside, 2, 0x3FFF'F000});
    constexpr segment::memory odd_frame_buffer{.id = vram, .size = 1 * gib, .uefi_frame_buffer = span_of(odd_size)};
    expect_both(judged_second(odd_frame_buffer) == no_rule_broken);
}

TEST_CASE("SEG-32: a VPR range is aligned, lies inside its segment and holds its reserve") {
    expect_both(judged_second(with_vpr({{1 << 20}, 2 * mib, 1 << 20, 1, 4096})) == no_rule_broken);
    expect_both(segment::row_of(with_vpr({{0}, 2 * mib, 4096, 1, 0})).flags.value == 0x1'0000);
    expect_both(judged_second(with_vpr({{4096}, 2 * mib, 1 << 20, 1, 0})) ==
                broken_rule{rule::vpr_not_aligned, 2, 4096});
    expect_both(judged_second(with_vpr({{0}, 2 * mib + 4 * kib, 1 << 20, 1, 0})) ==
                broken_rule{rule::vpr_not_aligned, 2, 2101248});
    expect_both(judged_second(with_vpr({{0x3FF0'0000}, 1 * mib, 1 << 20, 1, 0})) == no_rule_broken);
    expect_both(judged_second(with_vpr({{0x3FF0'0000}, 2 * mib, 1 << 20, 1, 0})) ==
                broken_rule{rule::vpr_outside, 2, 0x3FF0'0000});
    // No sum may wrap.
    expect_both(judged_second(with_vpr({{0xFFFF'FFFF'FFF0'0000}, 2 * mib, 1 << 20, 1, 0})).what == rule::vpr_outside);
    expect_both(judged_second(with_vpr({{0}, 2 * mib, 1 << 20, 1, (2 << 20) + 1})) ==
                broken_rule{rule::vpr_reserve, 2, 2097153});
    expect_both(judged_second(with_vpr({{0}, 2 * mib, 0, 1, 0})) == broken_rule{rule::vpr_alignment_missing, 2, 0});
    expect_both(judged_second(with_vpr({{0}, 2 * mib, 4096, 0, 0})) == broken_rule{rule::vpr_count, 2, 0});
    constexpr entry unmarked = changed(invisible, [](entry& row) { row.vpr = {{0}, 2 * mib, 4096, 1, 0}; });
    expect_both(judged_second(unmarked) == broken_rule{rule::vpr_flag, 2, 2097152});
    expect_both(judged_second(with_flags(invisible, 0x1'0000)) == broken_rule{rule::vpr_flag, 2, 0});
    expect_both(judged_second(with_flags(invisible, 0x2'0000)) == broken_rule{rule::vpr_flag, 2, 0});
    // What is not known yet is not judged: start, size, and the segment itself.
    expect_both(judged_second(with_vpr({at_start, 2 * mib, 1 << 20, 1, 0})) == no_rule_broken);
    expect_both(judged_second(with_vpr({{4096}, at_start, 1 << 20, 1, 0})) ==
                broken_rule{rule::vpr_not_aligned, 2, 4096});
    expect_both(judged_second(with_vpr({{0x3FF0'0000}, 2 * mib, 1 << 20, 1, 0}, at_start)) == no_rule_broken);
}

TEST_CASE("AMB-11: a slab is 0 or one of the sixteen sizes of DXGK_PAGESIZE") {
    constexpr auto with_slab = [](u64 slab) {
        return segment::memory{.id = vram, .size = 1 * gib, .slab = bytes{slab}};
    };
    expect_both(judged_second(with_slab(0)) == no_rule_broken);
    expect_both(judged_second(with_slab(0x1000)) == no_rule_broken);
    expect_both(judged_second(with_slab(0x800)) == broken_rule{rule::slab_size, 2, 0x800});
    expect_both(judged_second(with_slab(0x1'8000)) == broken_rule{rule::slab_size, 2, 0x1'8000});
    expect_both(judged_second(with_slab(0x800'0000)) == no_rule_broken);
    expect_both(judged_second(with_slab(0x1000'0000)) == broken_rule{rule::slab_size, 2, 0x1000'0000});
    u32 right = 0;
    for (u32 shift = 0; shift < 64; ++shift) {
        right += judged_second(with_slab(u64{1} << shift)) == no_rule_broken ? 1u : 0u;
    }
    CHECK(right == 16);
}

TEST_CASE("SEG-43: size and commit limit fit SIZE_T") {
    constexpr profile narrow{.version = wddm::v2_0, .wide_sizes = false};
    constexpr segment::memory most{.id = vram, .size = 4 * gib - 4 * kib};
    expect_both(judged_second(most, narrow) == no_rule_broken);
    expect_both(judged_second(visible, narrow) == broken_rule{rule::size_above_size_t, 2, 0x4'0000'0000});
    constexpr segment::aperture capped{.id = window, .size = 4 * gib, .commit_limit = 1 * gib};
    expect_both(judged(table_of(window, capped), narrow) == broken_rule{rule::size_above_size_t, 1, 0x1'0000'0000});
    constexpr segment::aperture open{.id = window, .size = 1 * gib, .commit_limit = at_start};
    expect_both(judged(table_of(window, open), narrow) == no_rule_broken);
    constexpr segment::agp_aperture agp{.id = vram, .commit_limit = 4 * gib};
    constexpr profile old_and_narrow{.version = wddm::win7, .wide_sizes = false};
    expect_both(judged_second(agp, old_and_narrow) == broken_rule{rule::size_above_size_t, 2, 0x1'0000'0000});
    expect_both(judged_second(agp, before_v2_0) == no_rule_broken);
    // A hidden range is told to nobody.
    expect_both(judged(table_of(window, aperture, segment::hidden{at(0), 8 * gib}), narrow) == no_rule_broken);
    static_assert(profile{}.wide_sizes == (sizeof(usize) == 8));
}

}  // namespace judge_numbers_test
