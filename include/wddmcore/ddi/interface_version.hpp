// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// The DDI's interface versions by the numbers of DXGKDDI_INTERFACE_VERSION; later versions compare greater.
enum class wddm : u32 {
    vista = 0x1052,
    vista_sp1 = 0x1053,
    win7 = 0x2005,
    win8 = 0x300e,
    v1_3 = 0x4002,
    v1_3_path_independent_rotation = 0x4003,
    v2_0 = 0x5023,
    v2_1 = 0x6003,
    v2_1_5 = 0x6010,
    v2_1_6 = 0x6011,
    v2_2 = 0x700a,
    v2_3 = 0x8001,
    v2_4 = 0x9006,
    v2_5 = 0xa00b,
    v2_6 = 0xb004,
    v2_7 = 0xc004,
    v2_8 = 0xd001,
    v2_9 = 0xe003,
    v3_0 = 0xf003,
    v3_1 = 0x10004,
    v3_2 = 0x11007,
};

/// All interface versions, oldest first.
inline constexpr wddm interface_versions[] = {
    wddm::vista, wddm::vista_sp1, wddm::win7,   wddm::win8,   wddm::v1_3, wddm::v1_3_path_independent_rotation,
    wddm::v2_0,  wddm::v2_1,      wddm::v2_1_5, wddm::v2_1_6, wddm::v2_2, wddm::v2_3,
    wddm::v2_4,  wddm::v2_5,      wddm::v2_6,   wddm::v2_7,   wddm::v2_8, wddm::v2_9,
    wddm::v3_0,  wddm::v3_1,      wddm::v3_2,
};

/// Any IRQL, safe in non-paged code.
///
/// @return whether `version` is `oldest` or later
[[nodiscard]] constexpr bool at_least(wddm version, wddm oldest) {
    return static_cast<u32>(version) >= static_cast<u32>(oldest);
}

/// Any IRQL, safe in non-paged code.
///
/// @return whether `version` lies between `oldest` and `newest`, both included
[[nodiscard]] constexpr bool within(wddm version, wddm oldest, wddm newest) {
    return at_least(version, oldest) && at_least(newest, version);
}

/// The newest interface version that a driver registered with `number` understands. Any IRQL, safe in non-paged code.
///
/// @param number  DXGKDDI_INTERFACE_VERSION of any header
/// @return the version; a number between two versions gives the older one, a number below the oldest `vista`. 0x5022 is
///         WDDM 2.0 too: the first public header of 2.0 had that number
[[nodiscard]] constexpr wddm interface_version_of(u32 number) {
    constexpr u32 first_v2_0 = 0x5022;
    if (number == first_v2_0) {
        return wddm::v2_0;
    }
    wddm found = wddm::vista;
    for (wddm const version : interface_versions) {
        if (static_cast<u32>(version) <= number) {
            found = version;
        }
    }
    return found;
}

}  // namespace wddmcore
