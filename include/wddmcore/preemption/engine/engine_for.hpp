// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../claims/check.hpp"
#include "engine.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The machine for a hardware type: its ring has the type's `ring_capacity`, which check_preemption() compares with the
/// declared HwQueuePacketCap.
///
/// Refused virtual submissions (PRE-30) take places in the same ring until their turn has come. Leave room for them,
/// and ask has_room_to_reject() before you refuse a submission.
template <class Hw, class Policy = under_interrupt_lock, class Cookie = u64>
using engine_for =
    engine<check_preemption<Hw>() ? hw::ring_capacity_of<Hw>() : hw::usual_ring_capacity, Policy, Cookie>;

}  // namespace wddmcore::preemption
