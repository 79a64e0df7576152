// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/buffers/patch.hpp>

/// Patch lists and allocation lists that tests write as plain numbers.
namespace wddmcore::inline WDDMCORE_ABI::testing {

using element = mirror::vista::d3dddi_patchlocationlist;
using entry = mirror::v2_0::dxgk_allocationlist;

[[nodiscard]] constexpr element element_of(u32 allocation, u32 slot, u32 allocation_offset, u32 patch, u32 split) {
    element made{};
    made.AllocationIndex = allocation;
    made.Value = slot;
    made.AllocationOffset = allocation_offset;
    made.PatchOffset = patch;
    made.SplitOffset = split;
    return made;
}

/// An entry of a list; segment 0: its address is to come.
[[nodiscard]] constexpr entry entry_of(void* handle, u32 segment, u64 address) {
    entry made{};
    made.hDeviceSpecificAllocation = handle;
    made.SegmentId = segment & 31u;
    made.PhysicalAddress = {.QuadPart = static_cast<i64>(address)};
    return made;
}

inline constinit int some_allocation = 0;  ///< its address is a handle that is not NULL

/// A writer that remembers instead of storing.
struct remembering_writer {
    static constexpr u32 most = 16;
    struct call {
        u32 offset;
        u64 address;  ///< ~0 for unbind
        u32 driver_id;
        friend constexpr bool operator==(call const&, call const&) = default;
    };
    call calls[most] = {};
    u32 count = 0;

    constexpr void bind(u32 offset, u64 address, element const& of) { calls[count++] = {offset, address, of.DriverId}; }
    constexpr void unbind(u32 offset, element const& of) { calls[count++] = {offset, ~u64{0}, of.DriverId}; }
};

}  // namespace wddmcore::testing
