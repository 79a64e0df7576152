// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// What DxgkDdiQueryAdapterInfo is asked for, as far as the library answers it: the DDI's names without their prefix.
/// For the rest a driver's own switch has the names of its header.
///
/// Source page: ne-d3dkmddi-_dxgk_queryadapterinfotype.md.
enum class adapter_query : u32 {
    drivercaps = 1,
    querysegment = 2,
    querysegment3 = 5,
    querysegment4 = 11,
    segmentmemorystate = 12,
    gpummucaps = 13,
    pagetableleveldesc = 14,
    physicaladaptercaps = 15,
    uefiframebufferranges = 18,
    framebuffersavesize = 21,
    hardwarereservedranges = 22,
    physical_memory_caps = 34,
    iommu_caps = 35,
    hardwarereservedranges2 = 36,
    dirtybittrackingcaps = 39,
    dirtybittrackingsegmentcaps = 40,
    scatter_reserve = 41,
    querypagingbufferinfo = 42,
    querysegmentcount = 43,
    querysegment5 = 44,
    querymmucount = 45,
    querymmus = 46,
    pagingprocessgpuvasize = 48,
};

}  // namespace wddmcore
