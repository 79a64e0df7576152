// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace iommu_queries_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

namespace late = mirror::v2_9;
namespace middle = mirror::v2_4;

/// Every decided set of claims about the IOMMU that keeps its own rules: required needs supported.
template <class Use>
void for_each_choice(Use use) {
    for (u32 bits = 0; bits < 32; ++bits) {
        auto const bit = [bits](u32 n) { return (bits >> n & 1) != 0 ? claim::yes : claim::no; };
        iommu::capabilities const one{bit(0), bit(1), bit(2), bit(3), bit(4)};
        if (one.isolation_required == claim::no || one.isolation == claim::yes) {
            use(one);
        }
    }
}

}  // namespace

TEST_CASE("IOM-01: remapping is reported in both caps: how far the device reaches, and that it remaps") {
    described_gpu const gpu{};
    late::dxgk_physical_memory_caps memory{};
    late::dxgk_iommu_caps caps;
    caps.Value = ~0u;
    CHECK(ask(gpu, adapter_query::physical_memory_caps, memory) == query_answered);
    CHECK(memory.HighestVisibleAddress.QuadPart == 0xFFF'FFFF'FFFF);
    CHECK(ask(gpu, adapter_query::iommu_caps, caps) == query_answered);
    CHECK(caps.Value == 0x1F);  // all five claims, reserved bits 0
    CHECK(u32{caps.DmaRemappingSupported} == 1u);
}

TEST_CASE("IOM-01: neither caps exist before WDDM 2.9, and both are the driver's answers then") {
    gpu_of<wddm::v2_8> const gpu{};
    late::dxgk_physical_memory_caps memory{};
    query_answer const answer = ask<wddm::v2_8>(gpu, adapter_query::physical_memory_caps, memory);
    CHECK(answer.what == query_outcome::not_mine);
    CHECK(answer.reason == query_reason::not_in_header);
    CHECK_FALSE(answer.done());
    CHECK_FALSE(ask<wddm::v2_8>(gpu, adapter_query::iommu_caps, memory).done());
}

TEST_CASE("IOM-04: isolation is said alike in IOMMU_CAPS and in DRIVERCAPS, whatever was chosen") {
    u32 tried = 0;
    for_each_choice([&](iommu::capabilities const& one) {
        described_gpu gpu{};
        gpu.chosen_iommu = one;
        mirror::v3_2::dxgk_drivercaps driver;
        std::memset(&driver, 0xFF, sizeof driver);
        late::dxgk_iommu_caps caps{};
        REQUIRE(ask(gpu, adapter_query::drivercaps, driver) == query_partly);
        REQUIRE(ask(gpu, adapter_query::iommu_caps, caps) == query_answered);
        CHECK(u32{caps.IommuIsolationSupported} == u32{driver.MemoryManagementCaps.IoMmuSecureModeSupported});
        CHECK(u32{caps.IommuIsolationRequired} == u32{driver.MemoryManagementCaps.IoMmuSecureModeRequired});
        CHECK(u32{caps.IommuIsolationSupported} == (one.isolation == claim::yes ? 1u : 0u));
        CHECK(u32{caps.DmaRemappingSupported} == (one.dma_remapping == claim::yes ? 1u : 0u));
        CHECK(u32{driver.MemoryManagementCaps.MapAperture2Supported} == 1);
        ++tried;
    });
    CHECK(tried == 24);
}

TEST_CASE("IOM-22: the GpuVa-IOMMU bits are said alike in IOMMU_CAPS and in PHYSICALADAPTERCAPS") {
    for_each_choice([](iommu::capabilities const& one) {
        described_gpu gpu{};
        gpu.chosen_iommu = one;
        mirror::v3_1::dxgk_physicaladaptercaps adapter;
        std::memset(&adapter, 0xFF, sizeof adapter);
        mirror::v2_0::dxgk_queryphysicaladaptercapsin of{0};
        late::dxgk_iommu_caps caps{};
        REQUIRE(ask(gpu, adapter_query::physicaladaptercaps, of, adapter) == query_partly);
        REQUIRE(ask(gpu, adapter_query::iommu_caps, caps) == query_answered);
        CHECK(u32{caps.GpuVaIommuRequired} == u32{adapter.Flags.GpuVaIommuRequired});
        CHECK(u32{caps.GpuVaIommuGlobalRequired} == u32{adapter.Flags.GpuVaIommuGlobalRequired});
        CHECK(u32{caps.GpuVaIommuRequired} == (one.gpu_va_iommu_required == claim::yes ? 1u : 0u));
        CHECK(u32{adapter.Flags.GpuVaIommuCacheCoherent} == 1);  // the driver's
    });
}

TEST_CASE("IOM-05: remapping without MAP_APERTURE_SEGMENT2 is refused, in every answer") {
    described_gpu gpu{};
    gpu.chosen.aperture = aperture_forms::mdl;
    late::dxgk_iommu_caps caps{};
    mirror::v3_2::dxgk_drivercaps driver{};
    CHECK(why(ask(gpu, adapter_query::iommu_caps, caps)) == query_reason::inconsistent);
    CHECK(why(ask(gpu, adapter_query::drivercaps, driver)) == query_reason::inconsistent);
    gpu.chosen_iommu.dma_remapping = claim::no;
    CHECK(ask(gpu, adapter_query::iommu_caps, caps) == query_answered);
    CHECK(caps.Value == 0x1B);
}

TEST_CASE("IOM-17: the save size is whole pages") {
    described_gpu gpu{};
    middle::dxgk_framebuffersavearea area{};
    CHECK(ask(gpu, adapter_query::framebuffersavesize, area) == query_answered);
    CHECK(area.MaximumSize == 5 * mib.n + 4096);
    gpu.to_save = 8 * mib;
    CHECK(ask(gpu, adapter_query::framebuffersavesize, area) == query_answered);
    CHECK(area.MaximumSize == 8 * mib.n);
    gpu.to_save = {~u64{0}};
    CHECK(why(ask(gpu, adapter_query::framebuffersavesize, area)) == query_reason::too_large);
    CHECK(area.MaximumSize == 8 * mib.n);
    CHECK(why(ask_raw(gpu, adapter_query::framebuffersavesize, nullptr, 0, &area, 7)) == query_reason::output_size);
    CHECK(why(ask_raw(gpu, adapter_query::framebuffersavesize, nullptr, 0, nullptr, 8)) ==
          query_reason::output_missing);
}

TEST_CASE("IOM-19: reserved ranges in two calls, of both queries: the count, then all of them") {
    described_gpu gpu{};
    for (adapter_query const type : {adapter_query::hardwarereservedranges, adapter_query::hardwarereservedranges2}) {
        middle::dxgk_hardwarereservedranges out{99, nullptr};
        REQUIRE(ask(gpu, type, out) == query_answered);
        CHECK(out.NumRanges == 2);
        CHECK(out.pPhysicalRanges == nullptr);
        middle::dxgk_physical_memory_range ranges[3] = {};
        ranges[2].NumberOfBytes.QuadPart = 5;
        out.pPhysicalRanges = ranges;
        REQUIRE(ask(gpu, type, out) == query_answered);
        CHECK(ranges[0].BaseAddress.QuadPart == 0x1000'0000);
        CHECK(ranges[0].NumberOfBytes.QuadPart == 0x20'0000);
        CHECK(ranges[1].BaseAddress.QuadPart == 0x8000'0000);
        CHECK(ranges[1].NumberOfBytes.QuadPart == 0x1'0000);
        CHECK(ranges[2].NumberOfBytes.QuadPart == 5);
        for (u32 count : {0u, 1u, 3u}) {
            out.NumRanges = count;
            ranges[0].NumberOfBytes.QuadPart = 7;
            CHECK(why(ask(gpu, type, out)) == query_reason::count_changed);
            CHECK(ranges[0].NumberOfBytes.QuadPart == 7);
        }
    }
}

TEST_CASE("IOM-19: ranges that overlap, or are no whole pages, are not reported") {
    described_gpu gpu{};
    middle::dxgk_hardwarereservedranges out{};
    iommu::physical_memory_range const overlapping[] = {{0x1000'0000, 2 * mib}, {0x101F'F000, 8 * kib}};
    gpu.reserved = {overlapping, 2};
    CHECK(why(ask(gpu, adapter_query::hardwarereservedranges, out)) == query_reason::inconsistent);
    iommu::physical_memory_range const crooked[] = {{0x1000'0800, 4 * kib}};
    gpu.reserved = {crooked, 1};
    CHECK(why(ask(gpu, adapter_query::hardwarereservedranges, out)) == query_reason::inconsistent);
    gpu.reserved = {nullptr, 0};
    CHECK(ask(gpu, adapter_query::hardwarereservedranges, out) == query_answered);
    CHECK(out.NumRanges == 0);
}

}  // namespace iommu_queries_test
