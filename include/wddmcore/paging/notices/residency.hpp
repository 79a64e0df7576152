// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/notices/residency_listener.hpp"
#include "../endpoint.hpp"
#include "../pass.hpp"

/// Operations 15 NOTIFY_RESIDENCY and 21 NOTIFY_RESIDENCY2: where an allocation, or a part of one, is.
///
/// Exactly one command or one call for each change (OP15-04): by command where there is a buffer and hardware that can.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Operation 15, NOTIFY_RESIDENCY: an allocation came to a place in a segment, or left it.
///
/// Only the Resident bit tells which: (segment, 0) is a place like any other, and the address of an allocation that
/// left is not looked at (OP15-03).
///
/// @return success; graphics_insufficient_dma_buffer when the command does not fit; invalid_parameter when the fault
///         hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0.
/// Source page: ns-d3dkmddi-_dxgk_buildpagingbuffer_notifyresidency.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_notify_residency(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::notify_residency;
    auto const& request = args.NotifyResidency;
    hw::residency_change change{request.hAllocation, request.Resident != 0, segment_id{0}, segment_offset{0}};
    if (change.resident) {
        change.segment.n = static_cast<u32>(request.PhysicalAddress.SegmentId);
        change.offset.n = static_cast<u64>(request.PhysicalAddress.SegmentOffset);
        finding const problem = change.segment.n == 0 ? found(paging_rule::resident_nowhere, change.offset.n)
                                                      : check_segment_place(hw, change.segment, change.offset, 1);
        if (problem.any) {
            return fault(hw, operation, problem);
        }
    }
    return by_command_or_at_once<hw::residency_by_command<Hw>, hw::residency_at_once<Hw>>(
        hw, args,
        [&](auto& gpu) {
            return one_command(gpu, args, operation, gpu.residency_dwords,
                               [&](u32* at) { gpu.encode_residency(at, change); });
        },
        [&](auto& gpu) { return one_store(gpu, args, operation, [&] { gpu.notify_residency(change); }); });
}

/// Where a part of an allocation is, judged and read from the one member of the union that is meant.
///
/// AMB-11: no page says how the two are told apart. A segment that was reported has an address; system memory, by
/// either of its ids (AMB-21), has an MDL; any other id is a mistake. The id inside the address is not read: the range
/// has one.
///
/// @param range  written only when nothing is wrong
[[nodiscard]] WDDMCORE_INLINE constexpr finding locate(auto const& hw, auto const& request,
                                                       hw::residency_range& range) noexcept {
    segment_id const id{static_cast<u32>(request.SegmentId)};
    range.segment = id;
    if (!is_system_memory(id)) {
        range.offset.n = static_cast<u64>(request.PhysicalAddress.SegmentOffset);
        return check_segment_place(hw, id, range.offset, to_bytes(pages{range.page_count}).n);
    }
    if (request.Mdl == nullptr) {
        return found(paging_rule::missing_list, range.first_page);
    }
    result<adl::source> const all = adl::from_mdl(*request.Mdl, casts::mdl_pages(request.Mdl));
    range.page_list = all.value.count == 0 ? nullptr : all.value.list;
    range.list_pages = all.value.count;
    return nothing_wrong;
}

/// Operation 21, NOTIFY_RESIDENCY2: a part of an allocation became resident, or stopped being so (OP21-01).
///
/// Experimental: no public page says more than the structure's member names (AMB-11). The structure is that of build
/// 26100; another one does not compile (OP21-02). Of a range that is not resident, only the range is read.
///
/// @return as build_notify_residency
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 3.2. Source: the structure's shape.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_notify_residency2(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::notify_residency2;
    auto const& request = args.NotifyResidency2;
    hw::residency_range range{request.hAllocation,
                              static_cast<u32>(request.AllocationOffsetInPages),
                              static_cast<u32>(request.SizeInPages),
                              request.Resident != 0,
                              segment_id{0},
                              segment_offset{0},
                              nullptr,
                              0};
    finding problem = nothing_wrong;
    if (range.page_count == 0) {
        problem = found(paging_rule::nothing_to_notify, range.first_page);
    } else if (!checked_add(range.first_page, range.page_count - 1).ok) {
        problem = found(paging_rule::notice_wraps, range.first_page, range.page_count);
    } else if (range.resident) {
        problem = locate(hw, request, range);
    }
    if (problem.any) {
        return fault(hw, operation, problem);
    }
    return by_command_or_at_once<hw::residency_range_by_command<Hw>, hw::residency_range_at_once<Hw>>(
        hw, args,
        [&](auto& gpu) {
            return one_command(gpu, args, operation, gpu.residency_range_dwords,
                               [&](u32* at) { gpu.encode_residency_range(at, range); });
        },
        [&](auto& gpu) { return one_store(gpu, args, operation, [&] { gpu.notify_residency_range(range); }); });
}

}  // namespace wddmcore::paging::detail
