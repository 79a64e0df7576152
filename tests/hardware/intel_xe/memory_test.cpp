// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../memory_adapter.hpp"

#include <hardware/intel_xe_memory.hpp>

namespace intel_memory_test {

using namespace memory_adapters;

namespace {

struct gpu : examples::intel::xe_virtual<examples::intel::xe_memory::claims>, examples::intel::xe_memory, one_node {};
static_assert(check_adapter<gpu, mirror_binding<wddm::v3_1>>());
static_assert(is_sound<gpu::layout, gpu>);
static_assert(check_iommu<gpu::caps, gpu::iommu>());

constexpr segment::numbers found{.size = 8 * gib, .cpu = {0x50'0000'0000}};

gpu started() {
    gpu hw{};
    REQUIRE(hw.segments.place(gpu::local, found) == segment::no_rule_broken);
    return hw;
}

}  // namespace

TEST_CASE("SEG-23: Intel's aperture commits half of what it maps") {
    adapter_driver driver(started());
    auto const said = expect_starts(driver, false);
    REQUIRE(said.adapters.at(0).segments.size() == 2);
    testing::vidmm_reported_segment const& window = said.adapters[0].segments[0];
    testing::vidmm_reported_segment const& local = said.adapters[0].segments[1];
    CHECK(window.flags == 1);  // Aperture
    CHECK(window.base == 0x70'0000'0000);
    CHECK(window.size == u64{4} << 30);
    CHECK(window.commit_limit == u64{2} << 30);
    CHECK(said.aperture_commit_limit == u64{2} << 30);
    CHECK(local.flags == (1 << 2 | 1 << 11));  // CpuVisible, Use64KBPages
    CHECK(local.base == 0x1000'0000);
    CHECK(local.size == u64{8} << 30);
    CHECK(local.cpu_address == 0x50'0000'0000);
}

TEST_CASE("SEG-29: the firmware's part of Intel's memory is not reported, and nothing may overlap it") {
    gpu const hw = started();
    auto const drawn = segment::layout(hw.segments);
    bool firmware = false;
    for (usize i = 0; i != drawn.counts.blocks; ++i) {
        segment::block const& b = drawn.blocks[i];
        firmware = firmware || (b.row != nullptr && b.row->kind == segment::kind::hidden && b.size == 256 * mib);
    }
    CHECK(firmware);
    segment::table<3> lower = gpu::layout;
    lower.rows[1].base = segment::at(0xFFF'0000);  // the last 64 KiB of the firmware's
    CHECK(lower.place(gpu::local, found).what == segment::rule::overlap);
}

TEST_CASE("SEG-07: Intel's local memory cannot be larger than what lies below its aperture") {
    // From 0x1000'0000 to 0x70'0000'0000, and one 64-KiB page more.
    segment::table<3> table = gpu::layout;
    bytes const room{0x70'0000'0000 - 0x1000'0000};
    CHECK(table.place(gpu::local, {.size = room + bytes{65536}, .cpu = {0x50'0000'0000}}).what ==
          segment::rule::overlap);
    CHECK(table.place(gpu::local, {.size = room, .cpu = {0x50'0000'0000}}) == segment::no_rule_broken);
}

TEST_CASE("IOM-04: Intel's isolation stands in the IOMMU caps and in the memory caps") {
    adapter_driver driver(started());
    auto const said = expect_starts(driver, false);
    CHECK(said.iommu() == testing::vidmm_cap::isolation_supported);
    CHECK(said.has(testing::vidmm_cap::secure_mode_supported));
    CHECK_FALSE(said.has(testing::vidmm_cap::secure_mode_required));
}

}  // namespace intel_memory_test
