// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/interface_version.hpp"

/// The interrupt request level. The caller passes it, because nothing below the edge asks the kernel for it.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// A KIRQL, as returned by KeGetCurrentIrql.
struct irql {
    u8 n = 0;
    friend constexpr bool operator==(irql, irql) = default;
};

inline constexpr irql passive_level{0};
inline constexpr irql apc_level{1};
inline constexpr irql dispatch_level{2};

/// @return whether the memory callbacks may be called at a level: APC_LEVEL or below (IOM-14)
[[nodiscard]] constexpr bool may_call_memory_callbacks(irql level) noexcept { return level.n <= apc_level.n; }

/// @return whether calling a memory callback at a level bugchecks: DISPATCH_LEVEL or above, from WDDM 3.2 (IOM-14)
[[nodiscard]] constexpr bool memory_callback_bugchecks(irql level, wddm version) noexcept {
    return level.n >= dispatch_level.n && version >= wddm::v3_2;
}

static_assert(may_call_memory_callbacks(apc_level) && !may_call_memory_callbacks(dispatch_level));

}  // namespace wddmcore::iommu
