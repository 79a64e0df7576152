// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Tells whether an allocation is still in use by the GPU (operations 0, 2, 7; optional: never busy).
///
/// For library users: asked before anything is done, for a request that asks for something, and only while
/// AllocationIsIdle is clear (PGB-09).
/// For hardware authors: `bool allocation_is_busy(void* allocation) const`; the handle may be NULL (PGB-21).
template <class Hw>
concept busy_reporter = requires(Hw const& hw, void* allocation) {
    { hw.allocation_is_busy(allocation) } -> meta::same_as<bool>;
};

}  // namespace wddmcore::hw
