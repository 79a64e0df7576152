// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <wddmcore/wdk/header_queries.hpp>

#include <doctest/doctest.h>

/// One structure of a DDI header; the header defines no other.
struct _DXGK_IOMMU_CAPS {
    unsigned Value;
};

/// Bindings: which structures each interface version has, and how a driver's own binding is found.
namespace binding_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

/// The size of a structure in bytes, 0 for one that the version has not.
template <class Structure>
constexpr u32 size_of() {
    if constexpr (present<Structure>) {
        return sizeof(Structure);
    } else {
        return 0;
    }
}

/// What one name of a binding is at each version: sizes by tests/abi/ddi_abi.json, with 64-bit pointers. The frame
/// buffer's save area and the reserved ranges came with WDDM 2.4.
struct sizes {
    u32 at[21];
};

constexpr sizes drivercaps{
    {336, 336, 528, 544, 552, 552, 576, 576, 576, 576, 576, 576, 584, 584, 584, 584, 584, 592, 592, 592, 592}};
constexpr sizes querysegmentin{{24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24}};
constexpr sizes querysegmentout{{32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32}};
constexpr sizes querysegmentout3{{0, 0, 0, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32}};
constexpr sizes querysegmentin4{{0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}};
constexpr sizes querysegmentout4{{0, 0, 0, 0, 0, 0, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40}};
constexpr sizes segmentdescriptor4{{0, 0, 0, 0, 0, 0, 96, 96, 96, 96, 96, 96, 96, 96, 96, 96, 96, 96, 96, 96, 96}};
constexpr sizes querysegmentmemorystate{{0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16}};
constexpr sizes querygpummucapsin{{0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}};
constexpr sizes gpummucaps{{0, 0, 0, 0, 0, 0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24}};
constexpr sizes querypagetableleveldescin{{0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}};
constexpr sizes page_table_level_desc{{0, 0, 0, 0, 0, 0, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20}};
constexpr sizes queryphysicaladaptercapsin{{0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}};
constexpr sizes physicaladaptercaps{{0, 0, 0, 0, 0, 0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 32, 32, 32, 32, 32, 32}};
constexpr sizes framebuffersavearea{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 8}};
constexpr sizes hardwarereservedranges{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16, 16}};
constexpr sizes physical_memory_caps{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8}};
constexpr sizes iommu_caps{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4}};
constexpr sizes querysegmentcountin{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
constexpr sizes querysegmentcountout{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
constexpr sizes querysegmentin5{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
constexpr sizes querysegmentout5{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24}};
constexpr sizes querypagingbufferinfoin{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}};
constexpr sizes querypagingbufferinfoout{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
constexpr sizes querymmucountin{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
constexpr sizes querymmucountout{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
constexpr sizes querymmusin{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}};
constexpr sizes querymmusout{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32}};
constexpr sizes queryscatterreservein{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}};
constexpr sizes queryscatterreserveout{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
constexpr sizes dirty_bit_tracking_caps{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}};
constexpr sizes dirty_bit_tracking_segment_caps{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}};

/// The position of a version among all of them.
constexpr u32 position(wddm version) {
    u32 index = 0;
    while (interface_versions[index] != version) {
        ++index;
    }
    return index;
}

// A driver's argument structure, and the binding that belongs to it.
struct own_args {
    u32 Type;
    void* pInputData;
    u32 InputDataSize;
    void* pOutputData;
    u32 OutputDataSize;
};

struct own_binding : no_queries {
    static constexpr wddm version = wddm::v3_2;
    using physical_memory_caps = mirror::v2_9::dxgk_physical_memory_caps;
};

}  // namespace

TEST_CASE("SEG-04: the binding of each version has exactly the structures of that version") {
    for_each_version([]<wddm Version>() {
        using binding = mirror_binding<Version>;
        constexpr u32 at = position(Version);
        CAPTURE(static_cast<u32>(Version));
        CHECK(binding::version == Version);
        CHECK(size_of<typename binding::drivercaps>() == drivercaps.at[at]);
        CHECK(size_of<typename binding::querysegmentin>() == querysegmentin.at[at]);
        CHECK(size_of<typename binding::querysegmentout>() == querysegmentout.at[at]);
        CHECK(size_of<typename binding::querysegmentout3>() == querysegmentout3.at[at]);
        CHECK(size_of<typename binding::querysegmentin4>() == querysegmentin4.at[at]);
        CHECK(size_of<typename binding::querysegmentout4>() == querysegmentout4.at[at]);
        CHECK(size_of<typename binding::segmentdescriptor4>() == segmentdescriptor4.at[at]);
        CHECK(size_of<typename binding::querysegmentmemorystate>() == querysegmentmemorystate.at[at]);
        CHECK(size_of<typename binding::querygpummucapsin>() == querygpummucapsin.at[at]);
        CHECK(size_of<typename binding::gpummucaps>() == gpummucaps.at[at]);
        CHECK(size_of<typename binding::querypagetableleveldescin>() == querypagetableleveldescin.at[at]);
        CHECK(size_of<typename binding::page_table_level_desc>() == page_table_level_desc.at[at]);
        CHECK(size_of<typename binding::queryphysicaladaptercapsin>() == queryphysicaladaptercapsin.at[at]);
        CHECK(size_of<typename binding::physicaladaptercaps>() == physicaladaptercaps.at[at]);
        CHECK(size_of<typename binding::framebuffersavearea>() == framebuffersavearea.at[at]);
        CHECK(size_of<typename binding::hardwarereservedranges>() == hardwarereservedranges.at[at]);
        CHECK(size_of<typename binding::physical_memory_caps>() == physical_memory_caps.at[at]);
        CHECK(size_of<typename binding::iommu_caps>() == iommu_caps.at[at]);
        CHECK(size_of<typename binding::querysegmentcountin>() == querysegmentcountin.at[at]);
        CHECK(size_of<typename binding::querysegmentcountout>() == querysegmentcountout.at[at]);
        CHECK(size_of<typename binding::querysegmentin5>() == querysegmentin5.at[at]);
        CHECK(size_of<typename binding::querysegmentout5>() == querysegmentout5.at[at]);
        CHECK(size_of<typename binding::querypagingbufferinfoin>() == querypagingbufferinfoin.at[at]);
        CHECK(size_of<typename binding::querypagingbufferinfoout>() == querypagingbufferinfoout.at[at]);
        CHECK(size_of<typename binding::querymmucountin>() == querymmucountin.at[at]);
        CHECK(size_of<typename binding::querymmucountout>() == querymmucountout.at[at]);
        CHECK(size_of<typename binding::querymmusin>() == querymmusin.at[at]);
        CHECK(size_of<typename binding::querymmusout>() == querymmusout.at[at]);
        CHECK(size_of<typename binding::queryscatterreservein>() == queryscatterreservein.at[at]);
        CHECK(size_of<typename binding::queryscatterreserveout>() == queryscatterreserveout.at[at]);
        CHECK(size_of<typename binding::dirty_bit_tracking_caps>() == dirty_bit_tracking_caps.at[at]);
        CHECK(size_of<typename binding::dirty_bit_tracking_segment_caps>() == dirty_bit_tracking_segment_caps.at[at]);
    });
}

}  // namespace binding_test

namespace wddmcore::inline WDDMCORE_ABI {
template <>
struct types_of<binding_test::own_args> {
    using type = binding_test::own_binding;
};
}  // namespace wddmcore

namespace binding_test {

TEST_CASE("SEG-04: by the tags a binding has what the included header defines, and nothing else of it is present") {
    CHECK(size_of<header_queries::iommu_caps>() == 4);
    CHECK(size_of<header_queries::drivercaps>() == 0);
    CHECK(size_of<header_queries::dirty_bit_tracking_segment_caps>() == 0);
}

TEST_CASE("SEG-04: a driver's own argument structure brings its binding; what that has not is passed on") {
    described_gpu const gpu{};
    mirror::v2_9::dxgk_physical_memory_caps memory{};
    own_args args{static_cast<u32>(adapter_query::physical_memory_caps), nullptr, 0, &memory, sizeof memory};
    CHECK(answer_query_adapter_info(gpu, args) == query_answered);
    CHECK(memory.HighestVisibleAddress.QuadPart == 0xFFF'FFFF'FFFF);
    args.Type = static_cast<u32>(adapter_query::drivercaps);
    CHECK(answer_query_adapter_info(gpu, args).reason == query_reason::not_in_header);
    args.Type = static_cast<u32>(adapter_query::querysegment4);
    CHECK(answer_query_adapter_info(gpu, args).reason == query_reason::not_in_header);
}

}  // namespace binding_test
