// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/binding.hpp"
#include "../ddi/interface_version.hpp"

/// The binding of the DDI header that the driver included before: the structures behind the void pointers of
/// DxgkDdiQueryAdapterInfo.
///
///     #include <d3dkmddi.h>
///     #include <wddmcore/wddmcore.hpp>
///     #include <wddmcore/wdk/bind.hpp>
///
/// A structure is named by its tag, which is the same in every header. What the included header does not define stays
/// incomplete: the query is not ours then. Build 26100 and older, from WDDM 1.0 (Vista) to 3.2.

#if !defined(DXGKDDI_INTERFACE_VERSION) || !defined(DXGKDDI_INTERFACE_VERSION_VISTA)
#    error "wddmcore/wdk/bind.hpp: the DDI header is not there: include d3dkmddi.h before this file"
#else

// Tags of the DDI, in the global namespace, where its header has them or would have them.
struct _DXGKARG_QUERYADAPTERINFO;
struct _DXGK_DRIVERCAPS;
struct _DXGK_QUERYSEGMENTIN;
struct _DXGK_QUERYSEGMENTOUT;
struct _DXGK_QUERYSEGMENTOUT3;
struct _DXGK_QUERYSEGMENTIN4;
struct _DXGK_QUERYSEGMENTOUT4;
struct _DXGK_SEGMENTDESCRIPTOR4;
struct _DXGK_QUERYSEGMENTMEMORYSTATE;
struct _DXGK_QUERYGPUMMUCAPSIN;
struct _DXGK_GPUMMUCAPS;
struct _DXGK_QUERYPAGETABLELEVELDESCIN;
struct _DXGK_PAGE_TABLE_LEVEL_DESC;
struct _DXGK_QUERYPHYSICALADAPTERCAPSIN;
struct _DXGK_PHYSICALADAPTERCAPS;
struct _DXGK_FRAMEBUFFERSAVEAREA;
struct _DXGK_HARDWARERESERVEDRANGES;
struct _DXGK_PHYSICAL_MEMORY_CAPS;
struct _DXGK_IOMMU_CAPS;
struct _DXGK_QUERYSEGMENTCOUNTIN;
struct _DXGK_QUERYSEGMENTCOUNTOUT;
struct _DXGK_QUERYSEGMENTIN5;
struct _DXGK_QUERYSEGMENTOUT5;
struct _DXGK_QUERYPAGINGBUFFERINFOIN;
struct _DXGK_QUERYPAGINGBUFFERINFOOUT;
struct _DXGK_QUERYMMUCOUNTIN;
struct _DXGK_QUERYMMUCOUNTOUT;
struct _DXGK_QUERYMMUSIN;
struct _DXGK_QUERYMMUSOUT;
struct _DXGK_QUERYSCATTERRESERVEIN;
struct _DXGK_QUERYSCATTERRESERVEOUT;
struct _DXGK_DIRTY_BIT_TRACKING_CAPS;
struct _DXGK_DIRTY_BIT_TRACKING_SEGMENT_CAPS;

namespace wddmcore::inline WDDMCORE_ABI {

/// The structures of the included header, as it declares them for its interface version.
struct header_binding : no_queries {
    static constexpr wddm version = interface_version_of(DXGKDDI_INTERFACE_VERSION);
    using drivercaps = ::_DXGK_DRIVERCAPS;
    using querysegmentin = ::_DXGK_QUERYSEGMENTIN;
    using querysegmentout = ::_DXGK_QUERYSEGMENTOUT;
    using querysegmentout3 = ::_DXGK_QUERYSEGMENTOUT3;
    using querysegmentin4 = ::_DXGK_QUERYSEGMENTIN4;
    using querysegmentout4 = ::_DXGK_QUERYSEGMENTOUT4;
    using segmentdescriptor4 = ::_DXGK_SEGMENTDESCRIPTOR4;
    using querysegmentmemorystate = ::_DXGK_QUERYSEGMENTMEMORYSTATE;
    using querygpummucapsin = ::_DXGK_QUERYGPUMMUCAPSIN;
    using gpummucaps = ::_DXGK_GPUMMUCAPS;
    using querypagetableleveldescin = ::_DXGK_QUERYPAGETABLELEVELDESCIN;
    using page_table_level_desc = ::_DXGK_PAGE_TABLE_LEVEL_DESC;
    using queryphysicaladaptercapsin = ::_DXGK_QUERYPHYSICALADAPTERCAPSIN;
    using physicaladaptercaps = ::_DXGK_PHYSICALADAPTERCAPS;
    using framebuffersavearea = ::_DXGK_FRAMEBUFFERSAVEAREA;
    using hardwarereservedranges = ::_DXGK_HARDWARERESERVEDRANGES;
    using physical_memory_caps = ::_DXGK_PHYSICAL_MEMORY_CAPS;
    using iommu_caps = ::_DXGK_IOMMU_CAPS;
    using querysegmentcountin = ::_DXGK_QUERYSEGMENTCOUNTIN;
    using querysegmentcountout = ::_DXGK_QUERYSEGMENTCOUNTOUT;
    using querysegmentin5 = ::_DXGK_QUERYSEGMENTIN5;
    using querysegmentout5 = ::_DXGK_QUERYSEGMENTOUT5;
    using querypagingbufferinfoin = ::_DXGK_QUERYPAGINGBUFFERINFOIN;
    using querypagingbufferinfoout = ::_DXGK_QUERYPAGINGBUFFERINFOOUT;
    using querymmucountin = ::_DXGK_QUERYMMUCOUNTIN;
    using querymmucountout = ::_DXGK_QUERYMMUCOUNTOUT;
    using querymmusin = ::_DXGK_QUERYMMUSIN;
    using querymmusout = ::_DXGK_QUERYMMUSOUT;
    using queryscatterreservein = ::_DXGK_QUERYSCATTERRESERVEIN;
    using queryscatterreserveout = ::_DXGK_QUERYSCATTERRESERVEOUT;
    using dirty_bit_tracking_caps = ::_DXGK_DIRTY_BIT_TRACKING_CAPS;
    using dirty_bit_tracking_segment_caps = ::_DXGK_DIRTY_BIT_TRACKING_SEGMENT_CAPS;
};
static_assert(present<::_DXGKARG_QUERYADAPTERINFO>,
              "wddmcore/wdk/bind.hpp: the DDI header is not there: include d3dkmddi.h before this file");

/// The queries of the included header's DXGKARG_QUERYADAPTERINFO need no template argument.
template <>
struct types_of<::_DXGKARG_QUERYADAPTERINFO> {
    using type = header_binding;
};

}  // namespace wddmcore

#endif
