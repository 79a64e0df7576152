// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// An allocation came to a place in a segment, or left it.
struct residency_change {
    void* allocation;
    bool resident;
    segment_id segment;     ///< where it is; 0 when it left: then only `resident` counts (OP15-03)
    segment_offset offset;  ///< from the segment's start
};

/// Hears by command where an allocation is (operation 15): sent for allocations with both ExplicitResidencyNotification
/// and AccessedPhysically (OP15-01).
///
/// For library users: one command for each change, however many chunks the data moved in (OP15-04). It stands behind
/// the commands that fill the new place, and before those that empty the old one (OP15-02).
/// For hardware authors: `static constexpr dwords residency_dwords`, 1 to 256, the exact length of
/// `void encode_residency(u32* at, wddmcore::hw::residency_change const&) const`.
template <class Hw>
concept residency_by_command = requires(Hw const& hw, u32* at, residency_change const& change) {
    requires meta::is_constant_of<dwords, Hw::residency_dwords>;
    { hw.encode_residency(at, change) } -> meta::same_as<void>;
};

/// Hears of it at once, on the CPU, perhaps before the commands that move the data have run (OP15-02). Where there is a
/// buffer, commands are preferred.
///
/// For hardware authors: `void notify_residency(wddmcore::hw::residency_change const&)`, called once for each change.
template <class Hw>
concept residency_at_once = requires(Hw& hw, residency_change const& change) {
    { hw.notify_residency(change) } -> meta::same_as<void>;
};

/// Hears where allocations are, in one way or in both.
template <class Hw>
concept residency_listener = residency_by_command<Hw> || residency_at_once<Hw>;

}  // namespace wddmcore::hw
