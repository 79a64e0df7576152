// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../memory_adapter.hpp"

#include <hardware/nvidia_ampere_memory.hpp>

namespace nvidia_memory_test {

using namespace memory_adapters;

namespace {

struct gpu : examples::nvidia::ampere_virtual<examples::nvidia::ampere_memory::claims>,
             examples::nvidia::ampere_memory,
             one_node {};
static_assert(check_adapter<gpu, mirror_binding<wddm::v3_2>>());
static_assert(is_sound<gpu::layout, gpu>);
static_assert(check_iommu<gpu::caps, gpu::iommu>());

/// What AddDevice chooses, with what StartDevice finds.
gpu started(bool remaps) {
    gpu hw{};
    hw.chosen.aperture = remaps ? aperture_forms::adl : aperture_forms::mdl;
    hw.chosen.page_tables = update_modes::gpu_virtual;
    hw.chosen_iommu.dma_remapping = remaps ? claim::yes : claim::no;
    REQUIRE(hw.segments.place(gpu::framebuffer, {.size = 24 * gib, .cpu = {0x70'0000'0000}}) ==
            segment::no_rule_broken);
    return hw;
}

}  // namespace

TEST_CASE("SEG-09: NVIDIA's video memory is at 0 and in 64-KiB pages") {
    adapter_driver driver(started(true));
    auto const said = expect_starts(driver, true);
    REQUIRE(said.adapters.at(0).segments.size() == 2);
    testing::vidmm_reported_segment const& sysmem = said.adapters[0].segments[0];
    testing::vidmm_reported_segment const& framebuffer = said.adapters[0].segments[1];
    CHECK(sysmem.flags == (1 | 1 << 4));  // Aperture, CacheCoherent
    CHECK(sysmem.base == 0x80'0000'0000);
    CHECK(sysmem.size == u64{4} << 30);
    CHECK(sysmem.commit_limit == u64{4} << 30);
    CHECK(framebuffer.flags == (1 << 2 | 1 << 11 | 1 << 15));  // CpuVisible, Use64KBPages, ApplicationTarget
    CHECK(framebuffer.base == 0);
    CHECK(framebuffer.size == u64{24} << 30);
    CHECK(framebuffer.cpu_address == 0x70'0000'0000);
    segment::table<2> odd = gpu::layout;
    CHECK(odd.place(gpu::framebuffer, {.size = 24 * gib + bytes{4096}}).what == segment::rule::size_64k);
}

TEST_CASE("IOM-04: what NVIDIA's driver chooses at AddDevice is in every answer") {
    for (bool const remaps : {true, false}) {
        adapter_driver driver(started(remaps));
        auto const said = expect_starts(driver, remaps);
        CHECK(said.has(testing::vidmm_cap::map_aperture2) == remaps);
        CHECK(said.iommu() == (remaps ? testing::vidmm_cap::dma_remapping : 0));
    }
}

TEST_CASE("IOM-02: while nothing is chosen, NVIDIA's driver answers nothing") {
    adapter_driver driver(gpu{});
    mirror::v3_2::dxgk_iommu_caps iommu{};
    CHECK(driver.ask(adapter_query::iommu_caps, 0, iommu).reason == query_reason::undecided);
    driver.hw = started(true);
    driver.hw.chosen_iommu = gpu{}.chosen_iommu;
    CHECK(driver.ask(adapter_query::iommu_caps, 0, iommu).reason == query_reason::undecided);
    driver.hw.chosen_iommu = {.isolation = claim::yes};
    CHECK(driver.ask(adapter_query::iommu_caps, 0, iommu).reason == query_reason::more_than_claimed);
    driver.hw = started(false);
    driver.hw.chosen_iommu.dma_remapping = claim::yes;  // without MAP_APERTURE_SEGMENT2 (IOM-05)
    CHECK(driver.ask(adapter_query::iommu_caps, 0, iommu).reason == query_reason::inconsistent);
}

TEST_CASE("GVA-03: NVIDIA's five levels of page tables are told one by one, the root in one page") {
    adapter_driver driver(started(true));
    auto const said = expect_starts(driver, true);
    REQUIRE(said.adapters.at(0).levels.size() == 5);
    constexpr u32 bits[] = {9, 8, 9, 9, 2};  // VA [20:12], [28:21], [37:29], [46:38], [48:47]
    for (u32 level = 0; level != 5; ++level) {
        CHECK(said.adapters[0].levels[level].index_bits == bits[level]);
        CHECK(said.adapters[0].levels[level].table_bytes == 4096);
        CHECK(said.adapters[0].levels[level].segment == 2);
        CHECK(said.adapters[0].levels[level].paging_process_segment == 2);
    }
    CHECK(said.adapters[0].mmu->address_bits == 49);
}

}  // namespace nvidia_memory_test
