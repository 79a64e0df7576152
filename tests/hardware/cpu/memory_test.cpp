// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../memory_adapter.hpp"

#include <hardware/cpu_memory.hpp>

namespace cpu_memory_test {

using namespace memory_adapters;

namespace {

/// The processor's own `segments` are what its encoders read; the adapter's are the table.
struct gpu : examples::cpu::virtual_processor<examples::cpu::processor_memory::claims>,
             examples::cpu::processor_memory,
             one_node {
    [[nodiscard]] segment::view segments(u32) const { return places.all(); }
};
static_assert(check_adapter<gpu, mirror_binding<wddm::v3_2>>());
static_assert(is_sound<gpu::layout, gpu>);
static_assert(check_iommu<gpu::caps, gpu::iommu>());

gpu started() {
    gpu hw{};
    REQUIRE(hw.places.place(gpu::local, {.size = 1 * gib, .cpu = {0xC000'0000}}) == segment::no_rule_broken);
    return hw;
}

}  // namespace

TEST_CASE("SEG-05: the processor's aperture is segment 1, its memory segment 2") {
    adapter_driver driver(started());
    auto const said = expect_starts(driver, true);
    REQUIRE(said.adapters.at(0).segments.size() == 2);
    testing::vidmm_reported_segment const& window = said.adapters[0].segments[0];
    testing::vidmm_reported_segment const& local = said.adapters[0].segments[1];
    CHECK(window.flags == (1 | 1 << 4));  // Aperture, CacheCoherent
    CHECK(window.base == 0x7F'0000'0000);
    CHECK(window.size == 16 << 20);
    CHECK(local.flags == (1 << 2 | 1 << 15));  // CpuVisible, ApplicationTarget
    CHECK(local.base == 0x80'0000'0000);
    CHECK(local.size == 1 << 30);
    CHECK(local.cpu_address == 0xC000'0000);
}

TEST_CASE("GVA-06: the processor's page tables lie in system memory, one page each") {
    adapter_driver driver(started());
    auto const said = expect_starts(driver, false);
    REQUIRE(said.adapters.at(0).levels.size() == 4);
    for (testing::vidmm_reported_level const& level : said.adapters[0].levels) {
        CHECK(level == testing::vidmm_reported_level{9, 0, 0, 4096, level.alignment});
    }
}

TEST_CASE("IOM-22: the processor's claim of the GPU's addresses in the IOMMU stands in both structures") {
    adapter_driver driver(started());
    auto const said = expect_starts(driver, true);
    CHECK(said.iommu() == (testing::vidmm_cap::isolation_supported | testing::vidmm_cap::dma_remapping |
                           testing::vidmm_cap::gpu_va_iommu));
    CHECK((said.adapters.at(0).flags & testing::vidmm_cap::adapter_gpu_va_iommu) != 0);
    CHECK((said.adapters[0].flags & testing::vidmm_cap::adapter_gpu_va_iommu_global) == 0);
}

}  // namespace cpu_memory_test
