// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// What DxgkDdiQueryAdapterInfo is asked for: the DDI's names without their prefix.
///
/// `only_64bitonlycaps` is DXGKQAITYPE_64BITONLYCAPS: a C++ name cannot begin with a digit.
/// Source page: ne-d3dkmddi-_dxgk_queryadapterinfotype.md.
enum class adapter_query : u32 {
    umdriverprivate = 0,
    drivercaps = 1,
    querysegment = 2,
    reserved = 3,
    querysegment2 = 4,
    querysegment3 = 5,
    numpowercomponents = 6,
    powercomponentinfo = 7,
    preferredgpunode = 8,
    powercomponentpstateinfo = 9,
    historybufferprecision = 10,
    querysegment4 = 11,
    segmentmemorystate = 12,
    gpummucaps = 13,
    pagetableleveldesc = 14,
    physicaladaptercaps = 15,
    display_drivercaps_extension = 16,
    integrated_display_descriptor = 17,
    uefiframebufferranges = 18,
    querycolorimetryoverrides = 19,
    displayid_descriptor = 20,
    framebuffersavesize = 21,
    hardwarereservedranges = 22,
    integrated_display_descriptor2 = 23,
    nodeperfdata = 24,
    adapterperfdata = 25,
    adapterperfdata_caps = 26,
    gpuversion = 27,
    device_type_caps = 28,
    wddmdevicecaps = 29,
    gpupcaps = 30,
    querytargetgammacaps = 31,
    scanout_caps = 33,
    physical_memory_caps = 34,
    iommu_caps = 35,
    hardwarereservedranges2 = 36,
    native_fence_caps = 37,
    usermodesubmission_caps = 38,
    dirtybittrackingcaps = 39,
    dirtybittrackingsegmentcaps = 40,
    scatter_reserve = 41,
    querypagingbufferinfo = 42,
    querysegmentcount = 43,
    querysegment5 = 44,
    querymmucount = 45,
    querymmus = 46,
    only_64bitonlycaps = 47,
    pagingprocessgpuvasize = 48,
};

}  // namespace wddmcore
