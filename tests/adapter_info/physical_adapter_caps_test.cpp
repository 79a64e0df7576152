// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>

namespace physical_adapter_caps_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr auto physicaladaptercaps = adapter_query::physicaladaptercaps;
using input = mirror::v2_0::dxgk_queryphysicaladaptercapsin;
using newest = mirror::v3_1::dxgk_physicaladaptercaps;

/// Bits of DXGK_PHYSICALADAPTERFLAGS by abi/: 0 IoMmuSupported, 1 GpuMmuSupported, 6 GpuVaIommuRequired, 7
/// GpuVaIommuGlobalRequired (from WDDM 3.1).
constexpr u32 owned_bits = 0xC3;

template <class Caps>
Caps filled_with(int pattern) {
    Caps caps;
    std::memset(&caps, pattern, sizeof caps);
    return caps;
}

}  // namespace

TEST_CASE("GVA-35: PHYSICALADAPTERCAPS at every version, byte for byte") {
    for_each_version([]<wddm Version>() {
        using caps_type = typename mirror_binding<Version>::physicaladaptercaps;
        if constexpr (present<caps_type>) {
            CAPTURE(static_cast<u32>(Version));
            gpu_of<Version> const gpu{};
            for (int pattern : {0x00, 0xFF, 0xA5, 0x5A}) {
                CAPTURE(pattern);
                caps_type answer = filled_with<caps_type>(pattern);
                caps_type wanted = filled_with<caps_type>(pattern);
                wanted.NumExecutionNodes = 3;
                wanted.PagingNodeIndex = 2;
                u32 const bits = Version >= wddm::v3_1 ? 0xC2 : 0x02;
                wanted.Flags.Value = (wanted.Flags.Value & ~owned_bits) | bits;
                input of{0};
                CHECK(ask<Version>(gpu, physicaladaptercaps, of, answer) == query_partly);
                CHECK(std::memcmp(&answer, &wanted, sizeof answer) == 0);
            }
        }
    });
}

TEST_CASE("GVA-35: the flags of the adapter and the caps of the driver tell the same story") {
    for (claim const gpu_mmu : {claim::no, claim::yes}) {
        for (claim const io_mmu : {claim::no, claim::yes}) {
            described_gpu gpu{};
            gpu.chosen.gpu_mmu = gpu_mmu;
            gpu.chosen.io_mmu = io_mmu;
            mirror::v3_2::dxgk_drivercaps driver{};
            newest adapter{};
            input of{0};
            CHECK(ask(gpu, adapter_query::drivercaps, driver) == query_partly);
            CHECK(ask(gpu, physicaladaptercaps, of, adapter) == query_partly);
            CHECK(u32{adapter.Flags.GpuMmuSupported} == u32{driver.MemoryManagementCaps.GpuMmuSupported});
            CHECK(u32{adapter.Flags.IoMmuSupported} == u32{driver.MemoryManagementCaps.IoMmuSupported});
            CHECK(u32{driver.MemoryManagementCaps.GpuMmuSupported} == (gpu_mmu == claim::yes ? 1u : 0u));
            CHECK(u32{driver.MemoryManagementCaps.VirtualAddressingSupported} ==
                  (gpu_mmu == claim::yes || io_mmu == claim::yes ? 1u : 0u));
        }
    }
}

TEST_CASE("GVA-35: a driver that registers below WDDM 2.0 tells of no MMU, in neither answer") {
    for (wddm const version : interface_versions) {
        CAPTURE(static_cast<u32>(version));
        described_gpu gpu{};
        gpu.chosen.version = version;
        gpu.chosen.io_mmu = claim::yes;
        gpu.chosen_iommu = {};
        mirror::v3_2::dxgk_drivercaps driver{};
        newest adapter{};
        input of{0};
        CHECK(ask(gpu, adapter_query::drivercaps, driver) == query_partly);
        CHECK(ask(gpu, physicaladaptercaps, of, adapter) == query_partly);
        u32 const both = version >= wddm::v2_0 ? 3 : 0;
        CHECK((adapter.Flags.Value & 3) == both);
        CHECK((driver.MemoryManagementCaps.Value >> 6 & 3) == both);
    }
}

TEST_CASE("LDA-08: an older system's shorter structure, and wrong memory") {
    described_gpu gpu{};
    gpu.link = 2;
    for (u32 size : {0u, 1u, 2u, 4u, 16u, 19u, 20u, 24u}) {
        CAPTURE(size);
        alignas(newest) unsigned char answer[sizeof(newest)];
        std::memset(answer, 0x5A, sizeof answer);
        newest wanted = filled_with<newest>(0x5A);
        wanted.NumExecutionNodes = size >= 2 ? 3 : 0x5A5A;
        wanted.PagingNodeIndex = size >= 4 ? 2 : 0x5A5A;
        if (size >= 20) {
            wanted.Flags.Value = (0x5A5A5A5Au & ~owned_bits) | 0xC2;
        }
        input of{1};
        CHECK(ask_raw(gpu, physicaladaptercaps, &of, sizeof of, answer, size) == query_partly);
        CHECK(std::memcmp(answer, &wanted, sizeof answer) == 0);
    }
    newest untouched{};
    input of{2};
    CHECK(why(ask(gpu, physicaladaptercaps, of, untouched)) == query_reason::no_such_adapter);
    CHECK(untouched.NumExecutionNodes == 0);
    CHECK(why(ask(gpu, physicaladaptercaps, untouched)) == query_reason::input_missing);
    CHECK(why(ask_raw(gpu, physicaladaptercaps, &of, 3, &untouched, sizeof untouched)) == query_reason::input_size);
    CHECK(why(ask_raw(gpu, physicaladaptercaps, &of, 4, nullptr, 32)) == query_reason::output_missing);
}

}  // namespace physical_adapter_caps_test
