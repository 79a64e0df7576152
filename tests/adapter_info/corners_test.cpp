// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/segment/table/table.hpp>

#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

/// One condition at a time: what no ordinary adapter has, and members that a narrower system has.
namespace adapter_corners_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using adapter_info::detail::judge_choice;

namespace {

/// An adapter that describes nothing that is optional, and has no page tables.
struct plain_gpu
    : examples::cpu::processor<capabilities{
          .version = wddm::v3_2, .addresses = paging_addresses::physical, .highest_visible_address = reach}> {
    static constexpr preemption_engine engines[] = {{.other = {other_preemption_granularity::none}}};
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::yes};
    segment::view segments = plain_table;
};

/// An adapter that decides about its isolation at AddDevice.
struct isolated_gpu : plain_gpu {
    static constexpr wddmcore::iommu::capabilities iommu{.isolation = claim::at_run_time};
    wddmcore::iommu::capabilities chosen_iommu{.isolation = claim::yes};
};

/// Page tables in segments of one's choice, which the type says at run time, and nothing about the paging process.
struct table_gpu : examples::cpu::virtual_processor<everything_claimed(wddm::v3_2)> {
    static constexpr preemption_engine engines[] = {{.other = {other_preemption_granularity::none}}};
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::yes};
    static constexpr bool both_mmus_on_one_adapter = true;
    static constexpr bool dirty_bits_performant = false;
    capabilities chosen = chosen_at(wddm::v3_2);
    segment::view segments = window_table;
    gpuva::page_table_segments in = gpuva::every_level_in(segment_id{2}, segment_id{2});
    [[nodiscard]] gpuva::page_table_segments table_segments(u32) const { return in; }
    usize mmu_count = 0;
    [[nodiscard]] span<mmu_description const> mmus(u32) const { return {three_mmus, mmu_count}; }
};

/// Hardware that could track dirty bits, and a driver that does not claim it.
struct clean_gpu : plain_gpu {
    [[nodiscard]] u32 dirty_bit_page_size(segment_id) const { return 0x1'0000; }
};

/// The same, and a driver that decides at AddDevice.
struct tracking_gpu : clean_gpu {
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::yes,
                                                        .dirty_bit_tracking = claim::at_run_time};
    scheduling_capabilities chosen_scheduling{.multi_engine_aware = claim::yes, .dirty_bit_tracking = claim::yes};
};

constexpr gpuva::page_table_geometry large_at(u32 level) {
    gpuva::page_table_geometry made{.level_count = 6, .levels = {{8, 8}, {8, 8}, {8, 8}, {8, 8}, {8, 8}, {8, 8}}};
    made.levels[level].index_bits = 11;
    return made;
}

/// Tables of 16 KiB at one level, in segments that are a constant.
template <u32 Segment, u32 OfPagingProcess, u32 LargeLevel = 0>
struct tables_in {
    static constexpr gpuva::page_table_geometry page_tables = large_at(LargeLevel);
    static constexpr gpuva::page_table_segments table_segments =
        gpuva::every_level_in(segment_id{Segment}, segment_id{OfPagingProcess});
};

/// What is judged of page tables: two claims, a geometry, the MMU's features.
template <wddm Version, claim IoMmu, u32 LeafBits = 9, bool LargePages = false>
struct judged_tables {
    static constexpr capabilities caps{.version = Version, .gpu_mmu = claim::yes, .io_mmu = IoMmu};
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3,
                                                            .levels = {{LeafBits, 8}, {9, 8}, {9, 8}}};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.large_pages = LargePages};
};

/// DXGK_DRIVERCAPS as a system with 32-bit SIZE_T has it, as far as the library looks.
struct narrow_caps {
    mirror::vista::large_integer HighestAcceptableAddress;
    u32 ApertureSegmentCommitLimit;
    mirror::v3_2::dxgk_vidschcaps SchedulingCaps;
    mirror::v3_2::dxgk_vidmmcaps MemoryManagementCaps;
    mirror::v3_2::dxgk_gpuenginetopology GpuEngineTopology;
};

struct narrow_binding : mirror_binding<wddm::v3_2> {
    struct framebuffersavearea {
        u32 MaximumSize;
    };
    using drivercaps = narrow_caps;
};

/// A header that has what QUERYSEGMENT4 answers with, and not what it asks with.
struct without_input_binding : mirror_binding<wddm::v3_2> {
    struct querysegmentin4;
};

template <class Hw, class Output>
query_answer ask_narrow(Hw const& gpu, adapter_query type, Output& output) {
    mirror::v2_4::dxgkarg_queryadapterinfo args{};
    args.Type = static_cast<u32>(type);
    args.pOutputData = &output;
    args.OutputDataSize = sizeof output;
    return answer_query_adapter_info<narrow_binding>(gpu, args);
}

constexpr capabilities most = everything_claimed(wddm::v3_2);
constexpr capabilities good_choice = chosen_at(wddm::v3_2);

}  // namespace

TEST_CASE("IOM-02: a choice of addresses, of a reach, or of what the adapter is, stays within the claims") {
    capabilities physical = most;
    physical.addresses = paging_addresses::physical;
    capabilities chosen = good_choice;
    CHECK(judge_choice(chosen, most) == query_reason::none);
    CHECK(judge_choice(chosen, physical) == query_reason::more_than_claimed);
    chosen.addresses = paging_addresses::physical;
    CHECK(judge_choice(chosen, physical) == query_reason::none);
    chosen.addresses = paging_addresses::gpu_virtual;
    CHECK(judge_choice(chosen, physical) == query_reason::more_than_claimed);
    chosen = good_choice;
    chosen.compute_only = true;
    CHECK(judge_choice(chosen, most) == query_reason::more_than_claimed);
    capabilities computes = most;
    computes.compute_only = true;
    CHECK(judge_choice(chosen, computes) == query_reason::none);
    CHECK(judge_choice(good_choice, computes) == query_reason::more_than_claimed);
    chosen = good_choice;
    chosen.highest_visible_address = ~u64{0};
    CHECK(judge_choice(chosen, most) == query_reason::more_than_claimed);
}

TEST_CASE("IOM-02: what was chosen of the IOMMU stays within the claims") {
    isolated_gpu gpu{};
    mirror::v3_2::dxgk_drivercaps caps{};
    CHECK(ask(gpu, adapter_query::drivercaps, caps) == query_partly);
    gpu.chosen_iommu.isolation_required = claim::yes;
    CHECK(why(ask(gpu, adapter_query::drivercaps, caps)) == query_reason::more_than_claimed);
    gpu.chosen_iommu.isolation_required = claim::at_run_time;
    CHECK(why(ask(gpu, adapter_query::drivercaps, caps)) == query_reason::undecided);
}

TEST_CASE("GVA-35: page tables are there with the claim and from WDDM 2.0 on, and each of both is needed") {
    capabilities chosen = good_choice;
    CHECK(adapter_info::detail::has_gpu_mmu(chosen));
    chosen.version = wddm::v2_0;
    CHECK(adapter_info::detail::has_gpu_mmu(chosen));
    chosen.version = wddm::v1_3;
    CHECK(!adapter_info::detail::has_gpu_mmu(chosen));
    chosen = good_choice;
    chosen.gpu_mmu = claim::no;
    CHECK(!adapter_info::detail::has_gpu_mmu(chosen));
    expect_both(adapter_info::detail::may_have_page_tables<described_gpu>);
    expect_both(adapter_info::detail::may_have_page_tables<gpu_of<wddm::v2_0>>);
    expect_both(!adapter_info::detail::may_have_page_tables<gpu_of<wddm::v1_3>>);
    expect_both(!adapter_info::detail::may_have_page_tables<plain_gpu>);
}

TEST_CASE("GVA-35: a driver that can never have page tables refuses the queries about them") {
    mirror::v2_0::dxgk_querygpummucapsin mmu_in{};
    mirror::v3_1::dxgk_gpummucaps mmu{};
    mirror::v2_0::dxgk_querypagetableleveldescin level_in{};
    mirror::v2_0::dxgk_page_table_level_desc level{};
    u32 adapter = 0;
    u32 size = 7;
    plain_gpu const gpu{};
    query_answer const refused = query_refused(query_reason::not_claimed);
    CHECK(ask(gpu, adapter_query::gpummucaps, mmu_in, mmu) == refused);
    CHECK(ask(gpu, adapter_query::pagetableleveldesc, level_in, level) == refused);
    CHECK(ask(gpu, adapter_query::pagingprocessgpuvasize, adapter, size) == refused);
    CHECK(size == 7);
    // Nor does one whose claim is for later versions than its highest, asked by a newer system.
    gpu_of<wddm::v1_3> const older{};
    CHECK(ask(older, adapter_query::gpummucaps, mmu_in, mmu) == refused);
    CHECK(ask(older, adapter_query::pagetableleveldesc, level_in, level) == refused);
    CHECK(ask(older, adapter_query::pagingprocessgpuvasize, adapter, size) == refused);
}

TEST_CASE("queries that a header has not, and numbers that are no query, are for the driver's own switch") {
    gpu_of<wddm::v1_3> const older{};
    mirror::v2_0::dxgk_queryphysicaladaptercapsin index{};
    mirror::v2_0::dxgk_physicaladaptercaps caps{};
    mirror::v2_0::dxgk_querypagetableleveldescin level_in{};
    mirror::v2_0::dxgk_page_table_level_desc level{};
    query_answer const foreign = query_not_mine(query_reason::not_in_header);
    CHECK(ask<wddm::v1_3>(older, adapter_query::physicaladaptercaps, index, caps) == foreign);
    CHECK(ask<wddm::v1_3>(older, adapter_query::pagetableleveldesc, level_in, level) == foreign);
    for (u32 const number : {8u, 1000u, ~0u}) {
        CHECK(ask(older, static_cast<adapter_query>(number), caps) == query_not_mine(query_reason::unknown_type));
    }
    mirror::v2_4::dxgkarg_queryadapterinfo args{};
    args.Type = static_cast<u32>(adapter_query::querysegment4);
    CHECK(answer_query_adapter_info<without_input_binding>(plain_gpu{}, args) == foreign);
    described_gpu undecided{};
    undecided.chosen.gpu_mmu = claim::at_run_time;
    CHECK(ask(undecided, static_cast<adapter_query>(1000), caps) == query_not_mine(query_reason::unknown_type));
}

TEST_CASE("SEG-05, SEG-10, GVA-06: tables in a segment that is not reported, or holds no bits, are refused") {
    table_gpu gpu{};
    mirror::v2_0::dxgk_querypagetableleveldescin asked{};
    mirror::v2_0::dxgk_page_table_level_desc level{};
    CHECK(ask(gpu, adapter_query::pagetableleveldesc, asked, level) == query_answered);
    for (u32 const id : {1u, 3u}) {
        gpu.in = gpuva::every_level_in(segment_id{id}, segment_id{2});
        CHECK(why(ask(gpu, adapter_query::pagetableleveldesc, asked, level)) == query_reason::inconsistent);
    }
    // The aperture of a hand-made row whose flags say that the CPU reaches it: only its kind refuses it.
    entry rows[] = {aperture_row, window_row};
    rows[0].flags = rows[0].flags.with(flag::cpu_visible);
    gpu.segments = {{rows, 2}, {nullptr, 0}, {1}};
    gpu.in = gpuva::every_level_in(segment_id{1}, segment_id{1});
    CHECK(why(ask(gpu, adapter_query::pagetableleveldesc, asked, level)) == query_reason::inconsistent);
}

TEST_CASE("GVA-06: tables of 16 KiB in implicit system memory are refused, whoever's tables they are") {
    using adapter_info::detail::broken_system_tables;
    using gpuva::broken_rule;
    expect_both(broken_system_tables<tables_in<2, 2>>() == gpuva::no_rule_broken);
    constexpr broken_rule large = broken_system_tables<tables_in<0, 0>>();
    expect_both(large.what == gpuva::rule::large_table_in_system && large.place == 0);
    expect_both(broken_system_tables<tables_in<0, 2>>() == large && broken_system_tables<tables_in<2, 0>>() == large);
    constexpr broken_rule root = broken_system_tables<tables_in<0, 0, 5>>();
    expect_both(root.what == gpuva::rule::large_table_in_system && root.place == 5);
}

TEST_CASE("AMB-05, GVA-04, GVA-16: of page tables the first rule that is broken is told, with its place and value") {
    using adapter_info::detail::broken_page_tables;
    using gpuva::broken_rule;
    using gpuva::rule;
    constexpr auto none = gpuva::no_rule_broken;
    expect_both(broken_page_tables<judged_tables<wddm::v2_0, claim::no>>() == none);
    constexpr broken_rule both{rule::both_mmus, 0, 0};
    expect_both(broken_page_tables<judged_tables<wddm::v2_0, claim::yes>>() == both);
    constexpr broken_rule large{rule::table_too_large, 0, 32};
    expect_both(broken_page_tables<judged_tables<wddm::v2_0, claim::no, 32>>() == large);
    constexpr broken_rule nowhere{rule::large_pages_nowhere, 1, 0};
    expect_both(broken_page_tables<judged_tables<wddm::v2_0, claim::no, 9, true>>() == nowhere);
    // Before 2.0 there are none, and the claim is what is wrong.
    expect_both(broken_page_tables<judged_tables<wddm::v1_3, claim::no, 32>>() == none);
}

TEST_CASE("CHK-02: who says nothing about the paging process's space leaves it to the system") {
    table_gpu const gpu{};
    u32 adapter = 0;
    u32 size = 7;
    CHECK(ask(gpu, adapter_query::pagingprocessgpuvasize, adapter, size) == query_answered);
    CHECK(size == 0);
}

TEST_CASE("AMB-11: an adapter without MMUs needs no array for them") {
    table_gpu gpu{};
    mirror::v3_2::dxgk_querymmusin asked{};
    mirror::v3_2::dxgk_querymmusout found{};
    found.DisplayMmuId = 9;
    CHECK(ask(gpu, adapter_query::querymmus, asked, found) == query_answered);
    CHECK(found.DisplayMmuId == 0);
    gpu.mmu_count = 2;
    CHECK(why(ask(gpu, adapter_query::querymmus, asked, found)) == query_reason::output_missing);
    mirror::v3_2::dxgk_mmudescriptor array[2]{};
    found.MmuDescriptors = array;
    CHECK(ask(gpu, adapter_query::querymmus, asked, found) == query_answered);
    CHECK(array[1].Size == 2 * gib.n);
}

TEST_CASE("HWS-13: dirty bits are told where they are tracked, cheap or not, and of no segment elsewhere") {
    // Bit 0 of DXGK_DIRTY_BIT_TRACKING_CAPS: supported, bit 1: performant, by abi/.
    mirror::v3_2::dxgk_dirty_bit_tracking_caps caps{};
    described_gpu gpu{};
    CHECK(ask(gpu, adapter_query::dirtybittrackingcaps, caps) == query_answered);
    CHECK(caps.Value == 3);
    clean_gpu clean{};
    CHECK(ask(clean, adapter_query::dirtybittrackingcaps, caps) == query_answered);
    CHECK(caps.Value == 0);
    u32 id = 2;
    mirror::v3_2::dxgk_dirty_bit_tracking_segment_caps segment{};
    CHECK(clean.dirty_bit_page_size({id}) != 0);
    CHECK(ask(clean, adapter_query::dirtybittrackingsegmentcaps, id, segment).status == status::not_implemented);
    CHECK(segment.PageSize == 0);
    tracking_gpu choosing{};
    CHECK(ask(choosing, adapter_query::dirtybittrackingsegmentcaps, id, segment) == query_answered);
    CHECK(segment.PageSize == 0x1'0000);
    choosing.chosen_scheduling.dirty_bit_tracking = claim::no;
    CHECK(ask(choosing, adapter_query::dirtybittrackingsegmentcaps, id, segment).status == status::not_implemented);
    expect_both(adapter_info::detail::dirty_bit_tracking_caps_of<table_gpu>() == 1);
    expect_both(adapter_info::detail::dirty_bit_tracking_caps_of<plain_gpu>() == 1);
}

TEST_CASE("SEG-43, IOM-17: sums and sizes that a 32-bit SIZE_T cannot hold are refused") {
    plain_gpu gpu{};
    narrow_caps caps{};
    CHECK(ask_narrow(gpu, adapter_query::drivercaps, caps) == query_partly);
    CHECK(caps.ApertureSegmentCommitLimit == 300 * mib.n);
    entry rows[] = {aperture_row, visible_row};
    rows[0].size = rows[0].commit_limit = 4 * gib;
    gpu.segments = {{rows, 2}, {nullptr, 0}, {1}};
    CHECK(why(ask_narrow(gpu, adapter_query::drivercaps, caps)) == query_reason::too_large);
    CHECK(caps.ApertureSegmentCommitLimit == 300 * mib.n);

    described_gpu saving{};
    narrow_binding::framebuffersavearea area{};
    CHECK(ask_narrow(saving, adapter_query::framebuffersavesize, area) == query_answered);
    CHECK(area.MaximumSize == 5 * mib.n + 4096);
    saving.to_save = 4 * gib;
    CHECK(why(ask_narrow(saving, adapter_query::framebuffersavesize, area)) == query_reason::too_large);
    saving.to_save = {~u64{0}};
    CHECK(why(ask_narrow(saving, adapter_query::framebuffersavesize, area)) == query_reason::too_large);
}

TEST_CASE("AMB-44: DXGK_WDDMVERSION of the versions that have no such member, and of what lies between versions") {
    CHECK(adapter_info::detail::wddm_version_of(wddm::vista) == 0);
    CHECK(adapter_info::detail::wddm_version_of(wddm::vista_sp1) == 0);
    CHECK(adapter_info::detail::wddm_version_of(wddm::v3_2) == 0x3200);
}

namespace {

/// As much of an adapter as the sum of its commit limits asks for.
struct linked_gpu {
    capabilities chosen = chosen_at(wddm::v3_2);
    segment::view tables[3] = {plain_table, plain_table, plain_table};
    u32 link = 3;
    [[nodiscard]] segment::view segments(u32 index) const { return tables[index]; }
    [[nodiscard]] u32 physical_adapters() const { return link; }
};

/// An adapter whose segments are a table.
struct gpu_with_table : plain_gpu {
    static constexpr auto table = segment::table_of(
        segment_id{1}, segment::aperture{.id = {1}, .base = segment::at(aperture_base), .size = 64 * mib},
        segment::memory{.id = {2}, .base = segment::at(memory_base), .size = gib});
    decltype(table) segments = table;
};

}  // namespace

TEST_CASE("AMB-55: the commit limits of each adapter of a link count, and the first error of one is the answer") {
    using adapter_info::detail::aperture_commit_limit;
    constexpr bytes unlimited{~u64{0}};
    entry unplaced[] = {aperture_row};
    unplaced[0].commit_limit = segment::at_start;
    entry small[] = {aperture_row};
    small[0].commit_limit = 64 * mib;
    entry two_large[] = {aperture_row, aperture_row};
    two_large[0].commit_limit = {~u64{0} - 1};
    segment::view const not_placed{{unplaced, 1}, {nullptr, 0}, {1}};
    segment::view const least{{small, 1}, {nullptr, 0}, {1}};
    segment::view const too_large{{two_large, 2}, {nullptr, 0}, {1}};
    segment::view const without{};
    linked_gpu gpu{};
    CHECK(aperture_commit_limit(gpu, unlimited).get() == 300 * mib);
    gpu.tables[2] = least;
    CHECK(aperture_commit_limit(gpu, unlimited).get() == 64 * mib);
    // Two errors: the first one stays.
    gpu.tables[0] = not_placed;
    gpu.tables[1] = too_large;
    CHECK(aperture_commit_limit(gpu, unlimited).error == errc::inconsistent);
    gpu.tables[0] = too_large;
    gpu.tables[1] = not_placed;
    CHECK(aperture_commit_limit(gpu, unlimited).error == errc::overflow);
    // An error is one even where no other adapter has an aperture.
    gpu.tables[0] = without;
    gpu.tables[2] = without;
    CHECK(aperture_commit_limit(gpu, unlimited).error == errc::inconsistent);
}

TEST_CASE("SEG-23: AGP apertures count below WDDM 2.0, and only theirs can be without a limit") {
    using adapter_info::detail::sum_of_commit_limits;
    entry rows[] = {aperture_row, old_rows[2]};
    rows[1].commit_limit = 64 * mib;
    segment::view const with_agp{{rows, 2}, {nullptr, 0}, {1}};
    CHECK(sum_of_commit_limits(with_agp, wddm::v1_3, bytes{7}).get() == 364 * mib);
    CHECK(sum_of_commit_limits(with_agp, wddm::v2_0, bytes{7}).get() == 300 * mib);
    rows[0].size = rows[0].commit_limit = bytes{0};
    CHECK(sum_of_commit_limits(with_agp, wddm::v2_0, bytes{7}).get() == bytes{0});
}

TEST_CASE("IOM-02: a choice is needed for what is undecided, and for the version") {
    using adapter_info::detail::needs_choice;
    capabilities caps = good_choice;
    CHECK(!needs_choice(caps));
    caps.oldest = wddm::v2_0;
    CHECK(needs_choice(caps));
    caps = good_choice;
    caps.gpu_mmu = claim::at_run_time;
    CHECK(needs_choice(caps));
}

TEST_CASE("an adapter that says nothing of a link is alone, and its segments can be a table") {
    CHECK(adapter_info::detail::adapters_of(plain_gpu{}) == 1);
    gpu_with_table const gpu{};
    CHECK(adapter_info::detail::segments_of(gpu, 0).reported.count == 2);
}

TEST_CASE("IOM-03: the reach of adapter 0 counts, too") {
    described_gpu gpu{};
    gpu.reaches[0] = (u64{1} << 40) - 1;
    CHECK(adapter_info::detail::highest_visible_address_of(gpu) == (u64{1} << 40) - 1);
    CHECK(adapter_info::detail::reaches_whole_pages(gpu));
    gpu.reaches[0] = u64{1} << 40;
    CHECK(!adapter_info::detail::reaches_whole_pages(gpu));
}

TEST_CASE("HWS-13: queries that name a segment and no adapter mean adapter 0; a bit stands for a page at least") {
    described_gpu gpu{};
    gpu.link = 2;
    gpu.tables[1] = {};
    u32 id = 2;
    mirror::v3_2::dxgk_queryscatterreservein reserve_in{};
    mirror::v3_2::dxgk_queryscatterreserveout reserve{};
    reserve_in.SegmentId = 2;
    CHECK(ask(gpu, adapter_query::scatter_reserve, reserve_in, reserve) == query_answered);
    mirror::v3_2::dxgk_dirty_bit_tracking_segment_caps segment{};
    gpu.dirty_page = 4096;
    CHECK(ask(gpu, adapter_query::dirtybittrackingsegmentcaps, id, segment) == query_answered);
    CHECK(segment.PageSize == 4096);
    gpu.dirty_page = 2048;
    CHECK(why(ask(gpu, adapter_query::dirtybittrackingsegmentcaps, id, segment)) == query_reason::inconsistent);
}

TEST_CASE("a refusal of a query without input, and of QUERYSEGMENT5, reaches the caller") {
    described_gpu gpu{};
    CHECK(why(ask_raw(gpu, adapter_query::dirtybittrackingcaps, nullptr, 0, nullptr, 4)) ==
          query_reason::output_missing);
    mirror::v3_2::dxgk_querysegmentin5 asked{};
    mirror::v3_2::dxgk_querysegmentout5 found{};
    CHECK(why(ask(gpu, adapter_query::querysegment5, asked, found)) == query_reason::output_missing);
}

TEST_CASE("IOM-02: while a choice is wrong, no memory of a query is written, be it input or output") {
    described_gpu gpu{};
    gpu.chosen.gpu_mmu = claim::at_run_time;
    for (bool const as_input : {false, true}) {
        mirror::v2_2::dxgk_querysegmentmemorystate state{};
        state.DriverSegmentId = 2;
        mirror::v2_2::dxgk_querysegmentmemorystate const before = state;
        u32 const size = sizeof state;
        query_answer const answer = as_input
                                        ? ask_raw(gpu, adapter_query::segmentmemorystate, &state, size, nullptr, 0)
                                        : ask_raw(gpu, adapter_query::segmentmemorystate, nullptr, 0, &state, size);
        CHECK(why(answer) == query_reason::undecided);
        CHECK(std::memcmp(&state, &before, sizeof state) == 0);
    }
}

}  // namespace adapter_corners_test
