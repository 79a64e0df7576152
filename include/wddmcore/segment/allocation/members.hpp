// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

/// Which members a DXGK_ALLOCATIONINFO has. Allocations are not probed for members anywhere else.
namespace wddmcore::inline WDDMCORE_ABI::members {

/// The word of WDDM 2.0.
template <class Info>
concept allocation_info_flags_wddm2 = requires(Info& info) { info.FlagsWddm2.Value; };

/// The word of WDDM 3.0, on 64-bit systems.
template <class Info>
concept allocation_info_flags2 = requires(Info& info) { info.Flags2.Value; };

}  // namespace wddmcore::members
