// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/preemption_model.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The two numbers of D3DKMDT_PREEMPTION_CAPS. Source page: ns-d3dkmdt-_d3dkmdt_preemption_caps.md.
struct granularities {
    graphics_granularity graphics;
    compute_granularity compute;
    friend constexpr bool operator==(granularities, granularities) = default;
};

/// The coarsest granularity of each kind of work over the engines that can do it; "none" where no engine can.
///
/// @param engines  the engines of a physical adapter
/// @param count    how many
/// Any IRQL, touches no OS state. WDDM 1.2 and later (PRE-04, PRE-05).
/// Source page: ne-d3dkmdt-_d3dkmdt_graphics_preemption_granularity.md.
[[nodiscard]] constexpr granularities coarsest(hw::engine_preemption const* engines, u32 count) noexcept {
    granularities found{graphics_granularity::none, compute_granularity::none};
    bool graphics_seen = false;
    bool compute_seen = false;
    for (u32 i = 0; i != count; ++i) {
        hw::engine_preemption const& engine = engines[i];
        if (engine.can_do_graphics && (!graphics_seen || engine.graphics < found.graphics)) {
            found.graphics = engine.graphics;
            graphics_seen = true;
        }
        if (engine.can_do_compute && (!compute_seen || engine.compute < found.compute)) {
            found.compute = engine.compute;
            compute_seen = true;
        }
    }
    return found;
}

/// The bytes that an engine may write when a request stops it, at the granularity of one kind of work: 0 for one that
/// stops only between buffers, where nothing is half run.
template <meta::enumeration Granularity>
[[nodiscard]] constexpr bytes saved_state(hw::engine_preemption const& engine, Granularity granularity) noexcept {
    return hw::class_of(granularity) == hw::stopping_class::inside_buffer ? engine.saved_state : bytes{0};
}

}  // namespace wddmcore::preemption
