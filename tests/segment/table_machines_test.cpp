// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The memory of three kinds of adapter as their drivers would write it. Bases and sizes are examples.
#include <wddmcore/gpuva/placement/by_segments.hpp>
#include <wddmcore/segment.hpp>

#include "../base/expect_both.hpp"

namespace table_machines_test {

using namespace wddmcore;
using segment::at;
using segment::at_start;
using segment::no_rule_broken;

namespace {

/// Discrete, with a BAR that may or may not be resized.
struct with_two_bars : segment::mapped<2> {
    static constexpr segment_id gart{1}, vram{2};
    static constexpr capabilities caps{.version = wddm::v3_2,
                                       .aperture = aperture_forms::adl,
                                       .gpu_mmu = claim::yes,
                                       .page_tables = update_modes::gpu_physical};
    static constexpr segment::aperture window{
        .id = gart, .base = at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true};
    static constexpr auto large_bar =
        segment::table_of(gart, window,
                          segment::cpu_visible_memory{
                              .id = vram, .base = at(0x80'0000'0000), .size = at_start, .application_target = true});
    static constexpr auto small_bar =
        segment::table_of(gart, window,
                          segment::memory_behind_host_aperture{
                              .id = vram, .base = at(0x80'0000'0000), .size = at_start, .application_target = true});
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}};
    static constexpr auto table_segments = gpuva::every_level_in(vram, vram);
};

/// Discrete, its memory at 0 and in 64-KiB pages.
struct with_large_pages : segment::mapped<2> {
    static constexpr segment_id sysmem{1}, framebuffer{2};
    static constexpr capabilities caps{.version = wddm::v3_2,
                                       .aperture = aperture_forms::either,
                                       .gpu_mmu = claim::yes,
                                       .page_tables = update_modes::gpu_physical | update_modes::gpu_virtual};
    static constexpr auto layout = segment::table_of(
        sysmem, segment::aperture{.id = sysmem, .base = at(0x80'0000'0000), .size = 4 * gib},
        segment::cpu_visible_memory{
            .id = framebuffer, .base = at(0), .size = at_start, .pages_64k = true, .application_target = true});
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 5,
                                                            .levels = {{9, 8}, {8, 16}, {9, 8}, {9, 8}, {2, 8}}};
    static constexpr auto table_segments = gpuva::every_level_in(framebuffer, framebuffer);
};

/// Integrated: everything is system memory.
struct integrated_memory {
    static constexpr segment_id ggtt{1};
    static constexpr capabilities caps{.version = wddm::v3_1,
                                       .aperture = aperture_forms::adl,
                                       .gpu_mmu = claim::yes,
                                       .page_tables = update_modes::gpu_virtual};
    static constexpr auto segments = segment::table_of(ggtt, segment::aperture{.id = ggtt,
                                                                               .base = at(0),
                                                                               .size = 4 * gib,
                                                                               .commit_limit = 2 * gib,
                                                                               .coherent = true,
                                                                               .application_target = true});
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}};
    static constexpr gpuva::page_table_segments table_segments{};
};
struct integrated : integrated_memory, segment::mapped_by<integrated_memory::segments> {};

template <auto const& Table, class Gpu>
constexpr bool is_sound =
    check_segments<Table, segment::profile_of(Gpu::caps)>() &&
    check_page_table_segments<Table, Gpu::page_tables, Gpu::table_segments, Gpu::caps.page_tables>();

}  // namespace

TEST_CASE("SEG-34: an adapter with a BAR that can be resized has one table for either case") {
    static_assert(is_sound<with_two_bars::large_bar, with_two_bars>);
    static_assert(is_sound<with_two_bars::small_bar, with_two_bars>);
    with_two_bars gpu{};
    gpu.segments = with_two_bars::small_bar;
    segment::cpu_host_aperture const bar{{0xE000'0000}, 65536};
    CHECK(gpu.segments.place(with_two_bars::vram, {.size = 16 * gib, .host_aperture = bar}) == no_rule_broken);
    CHECK(segment::judge(gpu.segments.all(), segment::profile_of(gpu.caps)) == no_rule_broken);
    CHECK(gpu.place(with_two_bars::vram).size == 16 * gib);
}

TEST_CASE("SEG-09: an adapter with memory at 0 and in 64-KiB pages") {
    static_assert(is_sound<with_large_pages::layout, with_large_pages>);
    with_large_pages gpu{};
    gpu.segments = with_large_pages::layout;
    CHECK(gpu.segments.place(with_large_pages::framebuffer, {.size = 24 * gib, .cpu = {0x60'0000'0000}}) ==
          no_rule_broken);
    CHECK(gpu.place(with_large_pages::framebuffer).base == at(0));
}

TEST_CASE("SEG-23: an integrated adapter has an aperture alone, with a limit, and nothing to place") {
    static_assert(is_sound<integrated::segments, integrated>);
    static_assert(hw::segment_map<integrated>);
    expect_both(integrated::segments.rows[0].commit_limit == 2 * gib);
    expect_both(is_placed(integrated::segments.rows[0]));
    expect_both(integrated{}.is_aperture(integrated::ggtt));
}

}  // namespace table_machines_test
