// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Where a packet runs: the pair that keys every fence and every machine (PRE-27). Both count from zero.
struct engine_id {
    u32 node;    ///< NodeOrdinal: the schedulable part of one physical adapter (LDA-01)
    u32 engine;  ///< EngineOrdinal: the physical adapter in the link; 0 outside a link (LDA-04)
    friend constexpr bool operator==(engine_id, engine_id) = default;
};

}  // namespace wddmcore::preemption
