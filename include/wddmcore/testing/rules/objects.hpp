// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// Processes, devices and opened allocations (OBJ).
inline constexpr entry objects[] = {
    {"OBJ-01", origin::documented, simulators, "nc-d3dkmddi-dxgkddi_openallocationinfo.md",
     "When DxgkDdiOpenAllocation succeeds, each allocation has a device-specific handle that is not NULL."},
    {"OBJ-02", origin::documented, simulators, "nc-d3dkmddi-dxgkddi_openallocationinfo.md",
     "The private data of an allocation that is opened may be changed only where the Create flag is set."},
    {"OBJ-03", origin::derived, simulators, "ns-d3dkmddi-_dxgk_openallocationinfo.md",
     "Calls that make, open and close objects touch only what their arguments name, and only until they return."},
};

}  // namespace wddmcore::testing::rules
