// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// One 64-bit value of a native fence: its place for the GPU and its kernel address for the CPU.
struct fence_value_place {
    segment_id segment;     ///< 0 or 31 is system memory (AMB-21)
    segment_offset offset;  ///< from the segment's start; in system memory as the request has it
    void* cpu;
};

/// Where the two values of a native fence are now.
///
/// Experimental: no public page says more than the structure's member names (AMB-11).
struct fence_residency {
    void* fence;                  ///< hGlobalNativeFence, the system's handle
    fence_value_place current;    ///< the value that is signalled
    fence_value_place monitored;  ///< the value that it is compared with
};

/// Hears by command where the values of a native fence are (operation 18, experimental).
///
/// From here on a signal compares and interrupts by the new addresses, with the order of the two kept over the move
/// (OP18-02).
///
/// For hardware authors: `static constexpr dwords fence_residency_dwords`, 1 to 256, the exact length of
/// `void encode_fence_residency(u32* at, wddmcore::hw::fence_residency const&) const`.
template <class Hw>
concept fence_residency_by_command = requires(Hw const& hw, u32* at, fence_residency const& fence) {
    requires meta::is_constant_of<dwords, Hw::fence_residency_dwords>;
    { hw.encode_fence_residency(at, fence) } -> meta::same_as<void>;
};

/// Hears of it at once, on the CPU. Where there is a buffer, commands are preferred.
///
/// For hardware authors: `void notify_fence_residency(wddmcore::hw::fence_residency const&)`, called once for each
/// fence.
template <class Hw>
concept fence_residency_at_once = requires(Hw& hw, fence_residency const& fence) {
    { hw.notify_fence_residency(fence) } -> meta::same_as<void>;
};

/// Hears where native fences are, in one way or in both.
template <class Hw>
concept fence_residency_listener = fence_residency_by_command<Hw> || fence_residency_at_once<Hw>;

}  // namespace wddmcore::hw
