// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "residency.hpp"

/// Operation 18 NOTIFY_FENCE_RESIDENCY.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// One value of a fence as the request has it.
[[nodiscard]] constexpr hw::fence_value_place fence_value(auto const& address, void* cpu) noexcept {
    return {segment_id{static_cast<u32>(address.SegmentId)}, segment_offset{static_cast<u64>(address.SegmentOffset)},
            cpu};
}

/// One record of the list.
[[nodiscard]] constexpr hw::fence_residency fence_of(auto const& record) noexcept {
    return {record.hGlobalNativeFence, fence_value(record.CurrentValuePhysicalAddress, record.CurrentValueKernelCpuVa),
            fence_value(record.MonitoredValuePhysicalAddress, record.MonitoredValueKernelCpuVa)};
}

/// Judges where a fence's value lies: in system memory (AMB-21), or eight bytes inside a reported segment.
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_fence_value(auto const& hw, auto const& address) noexcept {
    hw::fence_value_place const value = fence_value(address, nullptr);
    return is_system_memory(value.segment) ? nothing_wrong : check_segment_place(hw, value.segment, value.offset, 8);
}

/// Judges where both values lie, of the records of a list from index `first` on.
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_fences(auto const& hw, auto const* list, u32 first,
                                                             u32 count) noexcept {
    finding problem = nothing_wrong;
    for (u32 index = first; index != count && !problem.any; ++index) {
        problem = check_fence_value(hw, list[index].CurrentValuePhysicalAddress);
        problem = problem.any ? problem : check_fence_value(hw, list[index].MonitoredValuePhysicalAddress);
    }
    return problem;
}

/// Judges a request: its list, then the records that are left of it.
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_fences(auto const& hw, auto const& request, u32 token) noexcept {
    u32 const count = static_cast<u32>(request.NumFences);
    if (count == 0) {
        return found(paging_rule::nothing_to_notify, 0);
    }
    if (request.FenceResidencyInfo == nullptr) {
        return found(paging_rule::missing_fences, count);
    }
    finding const problem = check_token(token, count);
    return problem.any ? problem : check_fences(hw, request.FenceResidencyInfo, token, count);
}

/// Whether an id is system memory's: is_system_memory, written as what is none of the adapter's own ids, 1 to 30.
///
/// Compilers would join two tests for equality with those by which hardware looks its own ids up, into a jump through a
/// table for each value.
[[nodiscard]] WDDMCORE_INLINE constexpr bool in_system_memory(segment_id id) noexcept {
    return id.n <= 31 && id.n - 1 >= 30;
}
static_assert(in_system_memory(segment_id{0}) && in_system_memory(segment_id{31}));
static_assert(!in_system_memory(segment_id{1}) && !in_system_memory(segment_id{30}) &&
              !in_system_memory(segment_id{32}));

/// Whether check_fence_value finds nothing wrong.
[[nodiscard]] WDDMCORE_INLINE constexpr bool is_well_placed(auto const& hw, auto const& address) noexcept {
    hw::fence_value_place const value = fence_value(address, nullptr);
    return !check_segment_place(hw, value.segment, value.offset, 8).any || in_system_memory(value.segment);
}

/// Tells of the fences from the token on, at least one, by command; the token counts fences.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus fence_commands(Hw& hw, Args& args) noexcept {
    u32 const count = static_cast<u32>(args.NotifyFenceResidency.NumFences);
    auto const* const list = args.NotifyFenceResidency.FenceResidencyInfo;
    if (!can_begin<Hw>(args, Hw::fence_residency_dwords)) [[unlikely]] {
        return cannot_begin(hw, args, paging_operation::notify_fence_residency);
    }
    dma_writer writer = open<Hw>(args);
    u32 index = static_cast<u32>(args.MultipassOffset);
    do {
        hw.encode_fence_residency(writer.take(Hw::fence_residency_dwords), fence_of(list[index]));
    } while (++index != count && writer.has(Hw::fence_residency_dwords));
    return commit(hw, args, writer, progress{index == count ? outcome::done : outcome::need_buffer, index});
}

/// Tells of them at once.
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus fence_stores(auto& hw, auto& args) noexcept {
    u32 const count = static_cast<u32>(args.NotifyFenceResidency.NumFences);
    auto const* const list = args.NotifyFenceResidency.FenceResidencyInfo;
    for (u32 index = static_cast<u32>(args.MultipassOffset); index != count; ++index) {
        hw.notify_fence_residency(fence_of(list[index]));
    }
    args.MultipassOffset = count;
    return status::success;
}

/// Operation 18, NOTIFY_FENCE_RESIDENCY: where the values of native fences are from now on (OP18-01, OP18-02).
///
/// Experimental: no public page says more than the structure's member names (AMB-11). The token counts fences; each is
/// told of once.
///
/// @return success; graphics_insufficient_dma_buffer when fences are left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.9 by the header of build 26100 (AMB-25). Source: the structure's shape.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_notify_fence_residency(Hw& hw, Args& args) noexcept {
    u32 const count = static_cast<u32>(args.NotifyFenceResidency.NumFences);
    auto const* const list = args.NotifyFenceResidency.FenceResidencyInfo;
    u32 const token = static_cast<u32>(args.MultipassOffset);
    constexpr auto judge = [](Hw const& device, Args const& request) {
        return plan_fences(device, request.NotifyFenceResidency, static_cast<u32>(request.MultipassOffset));
    };
    // One test for no fences, for a token at the end and for one past it.
    if (list == nullptr || token >= count) [[unlikely]] {
        return refuse(hw, args, paging_operation::notify_fence_residency, judge);
    }
    // All that are left are judged before anything is done: what is done at once is seen at once.
    for (u32 index = token; index != count; ++index) {
        if (!is_well_placed(hw, list[index].CurrentValuePhysicalAddress) ||
            !is_well_placed(hw, list[index].MonitoredValuePhysicalAddress)) [[unlikely]] {
            return refuse(hw, args, paging_operation::notify_fence_residency, judge);
        }
    }
    return by_command_or_at_once<hw::fence_residency_by_command<Hw>, hw::fence_residency_at_once<Hw>>(
        hw, args, [&](auto& gpu) { return fence_commands(gpu, args); },
        [&](auto& gpu) { return fence_stores(gpu, args); });
}

}  // namespace wddmcore::paging::detail
