// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "binding.hpp"
#include "interface_version.hpp"
#include "mirror/mirror.hpp"

/// The mirrors' structures as bindings, one for each interface version: `mirror_binding<wddm::v2_9>`.
namespace wddmcore::inline WDDMCORE_ABI {

/// The structures of one interface version; a query that the version has not is `absent`.
template <wddm Version>
struct mirror_binding;

template <>
struct mirror_binding<wddm::vista> : no_queries {
    static constexpr wddm version = wddm::vista;
    using drivercaps = mirror::vista::dxgk_drivercaps;
    using querysegmentin = mirror::vista::dxgk_querysegmentin;
    using querysegmentout = mirror::vista::dxgk_querysegmentout;
};
template <>
struct mirror_binding<wddm::vista_sp1> : mirror_binding<wddm::vista> {
    static constexpr wddm version = wddm::vista_sp1;
};
template <>
struct mirror_binding<wddm::win7> : mirror_binding<wddm::vista> {
    static constexpr wddm version = wddm::win7;
    using drivercaps = mirror::win7::dxgk_drivercaps;
};
template <>
struct mirror_binding<wddm::win8> : mirror_binding<wddm::win7> {
    static constexpr wddm version = wddm::win8;
    using drivercaps = mirror::win8::dxgk_drivercaps;
    using querysegmentin = mirror::win8::dxgk_querysegmentin;
    using querysegmentout = mirror::win8::dxgk_querysegmentout;
    using querysegmentout3 = mirror::win8::dxgk_querysegmentout3;
};
template <>
struct mirror_binding<wddm::v1_3> : mirror_binding<wddm::win8> {
    static constexpr wddm version = wddm::v1_3;
    using drivercaps = mirror::v1_3::dxgk_drivercaps;
};
template <>
struct mirror_binding<wddm::v1_3_path_independent_rotation> : mirror_binding<wddm::v1_3> {
    static constexpr wddm version = wddm::v1_3_path_independent_rotation;
};
template <>
struct mirror_binding<wddm::v2_0> : mirror_binding<wddm::v1_3> {
    static constexpr wddm version = wddm::v2_0;
    using drivercaps = mirror::v2_0::dxgk_drivercaps;
    using querysegmentin = mirror::v2_0::dxgk_querysegmentin;
    using querysegmentout = mirror::v2_0::dxgk_querysegmentout;
    using querysegmentout3 = mirror::v2_0::dxgk_querysegmentout3;
    using querysegmentin4 = mirror::v2_0::dxgk_querysegmentin4;
    using querysegmentout4 = mirror::v2_0::dxgk_querysegmentout4;
    using segmentdescriptor4 = mirror::v2_0::dxgk_segmentdescriptor4;
    using querysegmentmemorystate = mirror::v2_0::dxgk_querysegmentmemorystate;
    using querygpummucapsin = mirror::v2_0::dxgk_querygpummucapsin;
    using gpummucaps = mirror::v2_0::dxgk_gpummucaps;
    using querypagetableleveldescin = mirror::v2_0::dxgk_querypagetableleveldescin;
    using page_table_level_desc = mirror::v2_0::dxgk_page_table_level_desc;
    using queryphysicaladaptercapsin = mirror::v2_0::dxgk_queryphysicaladaptercapsin;
    using physicaladaptercaps = mirror::v2_0::dxgk_physicaladaptercaps;
};
template <>
struct mirror_binding<wddm::v2_1> : mirror_binding<wddm::v2_0> {
    static constexpr wddm version = wddm::v2_1;
    using drivercaps = mirror::v2_1::dxgk_drivercaps;
    using gpummucaps = mirror::v2_1::dxgk_gpummucaps;
    using physicaladaptercaps = mirror::v2_1::dxgk_physicaladaptercaps;
};
template <>
struct mirror_binding<wddm::v2_1_5> : mirror_binding<wddm::v2_1> {
    static constexpr wddm version = wddm::v2_1_5;
};
template <>
struct mirror_binding<wddm::v2_1_6> : mirror_binding<wddm::v2_1> {
    static constexpr wddm version = wddm::v2_1_6;
};
template <>
struct mirror_binding<wddm::v2_2> : mirror_binding<wddm::v2_1> {
    static constexpr wddm version = wddm::v2_2;
    using drivercaps = mirror::v2_2::dxgk_drivercaps;
    using segmentdescriptor4 = mirror::v2_2::dxgk_segmentdescriptor4;
    using querysegmentmemorystate = mirror::v2_2::dxgk_querysegmentmemorystate;
    using physicaladaptercaps = mirror::v2_2::dxgk_physicaladaptercaps;
};
template <>
struct mirror_binding<wddm::v2_3> : mirror_binding<wddm::v2_2> {
    static constexpr wddm version = wddm::v2_3;
    using drivercaps = mirror::v2_3::dxgk_drivercaps;
};
template <>
struct mirror_binding<wddm::v2_4> : mirror_binding<wddm::v2_3> {
    static constexpr wddm version = wddm::v2_4;
    using drivercaps = mirror::v2_4::dxgk_drivercaps;
    using framebuffersavearea = mirror::v2_4::dxgk_framebuffersavearea;
    using hardwarereservedranges = mirror::v2_4::dxgk_hardwarereservedranges;
};
template <>
struct mirror_binding<wddm::v2_5> : mirror_binding<wddm::v2_4> {
    static constexpr wddm version = wddm::v2_5;
    using drivercaps = mirror::v2_5::dxgk_drivercaps;
};
template <>
struct mirror_binding<wddm::v2_6> : mirror_binding<wddm::v2_5> {
    static constexpr wddm version = wddm::v2_6;
    using drivercaps = mirror::v2_6::dxgk_drivercaps;
    using gpummucaps = mirror::v2_6::dxgk_gpummucaps;
};
template <>
struct mirror_binding<wddm::v2_7> : mirror_binding<wddm::v2_6> {
    static constexpr wddm version = wddm::v2_7;
    using drivercaps = mirror::v2_7::dxgk_drivercaps;
    using physicaladaptercaps = mirror::v2_7::dxgk_physicaladaptercaps;
};
template <>
struct mirror_binding<wddm::v2_8> : mirror_binding<wddm::v2_7> {
    static constexpr wddm version = wddm::v2_8;
    using drivercaps = mirror::v2_8::dxgk_drivercaps;
};
template <>
struct mirror_binding<wddm::v2_9> : mirror_binding<wddm::v2_8> {
    static constexpr wddm version = wddm::v2_9;
    using drivercaps = mirror::v2_9::dxgk_drivercaps;
    using querysegmentin = mirror::v2_9::dxgk_querysegmentin;
    using querysegmentout = mirror::v2_9::dxgk_querysegmentout;
    using querysegmentout3 = mirror::v2_9::dxgk_querysegmentout3;
    using segmentdescriptor4 = mirror::v2_9::dxgk_segmentdescriptor4;
    using gpummucaps = mirror::v2_9::dxgk_gpummucaps;
    using physical_memory_caps = mirror::v2_9::dxgk_physical_memory_caps;
    using iommu_caps = mirror::v2_9::dxgk_iommu_caps;
};
template <>
struct mirror_binding<wddm::v3_0> : mirror_binding<wddm::v2_9> {
    static constexpr wddm version = wddm::v3_0;
    using drivercaps = mirror::v3_0::dxgk_drivercaps;
};
template <>
struct mirror_binding<wddm::v3_1> : mirror_binding<wddm::v3_0> {
    static constexpr wddm version = wddm::v3_1;
    using drivercaps = mirror::v3_1::dxgk_drivercaps;
    using gpummucaps = mirror::v3_1::dxgk_gpummucaps;
    using physicaladaptercaps = mirror::v3_1::dxgk_physicaladaptercaps;
};
template <>
struct mirror_binding<wddm::v3_2> : mirror_binding<wddm::v3_1> {
    static constexpr wddm version = wddm::v3_2;
    using drivercaps = mirror::v3_2::dxgk_drivercaps;
    using querysegmentcountin = mirror::v3_2::dxgk_querysegmentcountin;
    using querysegmentcountout = mirror::v3_2::dxgk_querysegmentcountout;
    using querysegmentin5 = mirror::v3_2::dxgk_querysegmentin5;
    using querysegmentout5 = mirror::v3_2::dxgk_querysegmentout5;
    using querypagingbufferinfoin = mirror::v3_2::dxgk_querypagingbufferinfoin;
    using querypagingbufferinfoout = mirror::v3_2::dxgk_querypagingbufferinfoout;
    using querymmucountin = mirror::v3_2::dxgk_querymmucountin;
    using querymmucountout = mirror::v3_2::dxgk_querymmucountout;
    using querymmusin = mirror::v3_2::dxgk_querymmusin;
    using querymmusout = mirror::v3_2::dxgk_querymmusout;
    using queryscatterreservein = mirror::v3_2::dxgk_queryscatterreservein;
    using queryscatterreserveout = mirror::v3_2::dxgk_queryscatterreserveout;
    using dirty_bit_tracking_caps = mirror::v3_2::dxgk_dirty_bit_tracking_caps;
    using dirty_bit_tracking_segment_caps = mirror::v3_2::dxgk_dirty_bit_tracking_segment_caps;
};

}  // namespace wddmcore
