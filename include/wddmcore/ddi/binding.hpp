// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// Which structures a query's void pointers are: a binding is a struct of names, each the type of one header or of one
/// mirror version.
///
/// The argument structure's own type never selects them: it has three layouts for twenty-one versions. A driver's
/// binding names the header's types by their tags; what the included header does not define stays incomplete. Beside
/// the names a binding has `static constexpr wddm version`, the interface version of the header.
namespace wddmcore::inline WDDMCORE_ABI {

/// A structure that a version has not.
struct absent;

/// Whether a binding has a structure: its header, or its version, defines it.
template <class Structure>
concept present = requires { sizeof(Structure); };

/// The structures that a driver's argument structure belongs to: `using type = ...;`. Specialised by the binding of the
/// included header; the mirrors' argument structures have none, because three of them serve all versions.
template <class Args>
struct types_of;

/// Stands for the binding that belongs to the argument structure's type.
struct of_args;

/// Every name that a binding has, each of them absent: a binding of one's own derives from it and names what it has.
struct no_queries {
    using drivercaps = absent;
    using querysegmentin = absent;
    using querysegmentout = absent;
    using querysegmentout3 = absent;
    using querysegmentin4 = absent;
    using querysegmentout4 = absent;
    using segmentdescriptor4 = absent;
    using querysegmentmemorystate = absent;
    using querygpummucapsin = absent;
    using gpummucaps = absent;
    using querypagetableleveldescin = absent;
    using page_table_level_desc = absent;
    using queryphysicaladaptercapsin = absent;
    using physicaladaptercaps = absent;
    using framebuffersavearea = absent;
    using hardwarereservedranges = absent;
    using physical_memory_caps = absent;
    using iommu_caps = absent;
    using querysegmentcountin = absent;
    using querysegmentcountout = absent;
    using querysegmentin5 = absent;
    using querysegmentout5 = absent;
    using querypagingbufferinfoin = absent;
    using querypagingbufferinfoout = absent;
    using querymmucountin = absent;
    using querymmucountout = absent;
    using querymmusin = absent;
    using querymmusout = absent;
    using queryscatterreservein = absent;
    using queryscatterreserveout = absent;
    using dirty_bit_tracking_caps = absent;
    using dirty_bit_tracking_segment_caps = absent;
};

}  // namespace wddmcore
