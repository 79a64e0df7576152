// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../memory_adapter.hpp"

#include <hardware/amd_gfx10_memory.hpp>

namespace amd_memory_test {

using namespace memory_adapters;

namespace {

struct gpu : examples::amd::gfx10_virtual<examples::amd::gfx10_memory::claims>,
             examples::amd::gfx10_memory,
             one_node {};
static_assert(check_adapter<gpu, mirror_binding<wddm::v3_2>>());
static_assert(is_sound<gpu::large_bar, gpu> && is_sound<gpu::small_bar, gpu>);
static_assert(check_iommu<gpu::caps, gpu::iommu>());

constexpr segment::numbers whole_bar{.size = 16 * gib, .cpu = {0x60'0000'0000}};
constexpr segment::numbers moved_window{.size = 16 * gib, .host_aperture = {{0xD000'0000}, 65536}};  // 256 MiB

// Aperture b0, CpuVisible b2, CacheCoherent b4, SupportsCpuHostAperture b13, ApplicationTarget b15: DXGK_SEGMENTFLAGS.
constexpr u32 aperture_flags = 1 | 1 << 4;
constexpr u32 visible_flags = 1 << 2 | 1 << 15;
constexpr u32 behind_window_flags = 1 << 13 | 1 << 15;

}  // namespace

TEST_CASE("SEG-34: AMD's memory behind a BAR of full size, or behind a window that moves") {
    for (bool const resized : {true, false}) {
        gpu hw{};
        hw.segments = resized ? gpu::large_bar : gpu::small_bar;
        REQUIRE(hw.segments.place(gpu::vram, resized ? whole_bar : moved_window) == segment::no_rule_broken);
        adapter_driver driver(hw);
        auto const said = expect_starts(driver, true);
        REQUIRE(said.adapters.size() == 1);
        REQUIRE(said.adapters[0].segments.size() == 2);
        testing::vidmm_reported_segment const& gart = said.adapters[0].segments[0];
        testing::vidmm_reported_segment const& vram = said.adapters[0].segments[1];
        CHECK(gart.flags == aperture_flags);
        CHECK(gart.base == 0x7FFF'0000'0000);
        CHECK(gart.size == 0x2000'0000);
        CHECK(vram.flags == (resized ? visible_flags : behind_window_flags));
        CHECK(vram.base == 0x80'0000'0000);
        CHECK(vram.size == u64{16} << 30);
        CHECK(vram.cpu_address == (resized ? 0x60'0000'0000 : 0xD000'0000));
        CHECK(vram.host_aperture_pages == (resized ? 0 : 65536));
        CHECK(said.adapters[0].paging_buffer.segment == 1);
    }
}

TEST_CASE("GVA-40: AMD's page tables lie in video memory, four levels of 4-KiB tables") {
    gpu hw{};
    REQUIRE(hw.segments.place(gpu::vram, moved_window) == segment::no_rule_broken);
    adapter_driver driver(hw);
    auto const said = expect_starts(driver, false);
    REQUIRE(said.adapters.at(0).levels.size() == 4);
    for (testing::vidmm_reported_level const& level : said.adapters[0].levels) {
        CHECK(level == testing::vidmm_reported_level{9, 2, 2, 4096, level.alignment});
    }
    CHECK(said.adapters[0].mmu->address_bits == 48);
    CHECK(said.adapters[0].mmu->update_mode == 1);  // DXGK_PAGETABLEUPDATE_GPU_VIRTUAL
}

TEST_CASE("IOM-01: AMD's reach is that of its page tables, and remapping is claimed") {
    adapter_driver driver(gpu{});
    mirror::v3_2::dxgk_physical_memory_caps memory{};
    CHECK(driver.ask(adapter_query::physical_memory_caps, 0, memory) == query_answered);
    CHECK(memory.HighestVisibleAddress.QuadPart == 0xFFFF'FFFF'FFFF);  // GPUVM entries hold 48 bits
    mirror::v3_2::dxgk_iommu_caps iommu{};
    CHECK(driver.ask(adapter_query::iommu_caps, 0, iommu) == query_answered);
    CHECK(iommu.Value == 1 << 2);  // DmaRemappingSupported
}

TEST_CASE("SEG-02: before StartDevice AMD's video memory has no size, and is not reported") {
    adapter_driver driver(gpu{});
    mirror::v3_2::dxgk_querysegmentin4 const in{};
    mirror::v3_2::dxgk_segmentdescriptor4 array[2]{};
    mirror::v3_2::dxgk_querysegmentout4 out{};
    out.NbSegment = 2;
    out.pSegmentDescriptor = reinterpret_cast<u8*>(array);
    out.SegmentDescriptorStride = sizeof array[0];
    CHECK(driver.ask(adapter_query::querysegment4, in, out).reason == query_reason::not_placed);
}

}  // namespace amd_memory_test
