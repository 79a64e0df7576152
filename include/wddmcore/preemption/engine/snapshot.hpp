// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ids.hpp"
#include "state.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A copy of everything that an engine's machine knows at one moment.
struct engine_snapshot {
    engine_state state;
    serial oldest;  ///< [oldest, handed): in hardware
    serial handed;  ///< [handed, next): released or held; before oldest when hardware has nothing
    serial mark;    ///< [oldest, mark): what an outstanding request covers
    serial next;
    fence_id request;  ///< the newest preempt request
    generation asked;  ///< the newest one that hardware was asked for
    bool answer_due;   ///< hardware was asked, and its answer counts
    fence_id last_completed;
    u32 ignored;  ///< events that did not apply
    friend constexpr bool operator==(engine_snapshot const&, engine_snapshot const&) = default;
};

}  // namespace wddmcore::preemption
