// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/notices/fence_writer.hpp"
#include "../pass.hpp"
#include "../virtual_range.hpp"

/// Operation 16 SIGNAL_MONITORED_FENCE.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Operation 16, SIGNAL_MONITORED_FENCE: a value to a fence, after everything that the stream does before it (OP16-01).
///
/// Hardware without atomic 64-bit stores gets the low 32 bits of the value: the system keeps outstanding values within
/// UINT_MAX / 2 of each other and compares no more of them (OP16-02).
///
/// @return success; graphics_insufficient_dma_buffer when it does not fit; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.2 by the header (AMB-25).
/// Source page: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_signal_monitored_fence(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::signal_monitored_fence;
    gpu_virtual_address const place{static_cast<u64>(args.SignalMonitoredFence.MonitoredFenceGpuVa)};
    u64 const asked = static_cast<u64>(args.SignalMonitoredFence.MonitoredFenceValue);
    u64 const value = Hw::fence_bytes.n == 4 ? u64{low_dword(asked)} : asked;
    if (place.n % Hw::fence_bytes.n != 0) {
        return fault(hw, operation, found(paging_rule::misaligned_fence, place.n, Hw::fence_bytes.n));
    }
    if (!in_address_space(hw, place, Hw::fence_bytes.n)) {
        return fault(hw, operation, found(paging_rule::address_wraps, place.n, Hw::fence_bytes.n));
    }
    return one_command(hw, args, operation, Hw::fence_dwords,
                       [&](u32* at) { hw.encode_fence(at, hw.from_virtual(place), value); });
}

}  // namespace wddmcore::paging::detail
