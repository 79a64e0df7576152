// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/page_table/tlb.hpp"
#include "../endpoint.hpp"
#include "../pass.hpp"

/// Operation 12 FLUSH_TLB.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Gives a flush its range, rounded outward to whole granules (OP12-03).
///
/// AMB-20: whether the end is inclusive is written nowhere. It is taken as exclusive, and the granule that holds the
/// end is flushed as well, so that nothing stale is left whichever it is; of a range that begins where it ends, one
/// granule. A range beyond the page tables' last address is answered with a flush of the whole space.
///
/// @return false, and nothing written: the whole address space
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool round_outward(Hw const& hw, u64 first, u64 end,
                                                           hw::tlb_flush& flush) noexcept {
    u64 const last_address = last_virtual_address(hw);
    constexpr u64 inside = Hw::flush_granule.n - 1;
    if (end == 0 || first > last_address) {
        return false;
    }
    flush.first.n = first & ~inside;
    flush.last.n = lesser(end | inside, last_address);  // an exclusive end may be the end of all addresses
    return true;
}

/// Operation 12, FLUSH_TLB: drops cached translations of one address space, all of them or those of a range.
///
/// Both addresses zero mean the whole address space (OP12-01). By command where there is a buffer and hardware that
/// can: it goes into the stream, after the page-table writes that are queued already (OP12-03). Else at once; hardware
/// that only has commands cannot keep that order without a buffer, and it is not done.
///
/// @return success; graphics_insufficient_dma_buffer when it does not fit; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0. Source page: ns-d3dkmddi-_dxgk_buildpagingbuffer_flushtlb.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_flush_tlb(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::flush_tlb;
    auto const& request = args.FlushTlb;
    hw::tlb_flush flush{{segment_id{static_cast<u32>(request.RootPageTableAddress.SegmentId)},
                         segment_offset{static_cast<u64>(request.RootPageTableAddress.SegmentOffset)}},
                        request.hProcess,
                        gpu_virtual_address{0},
                        gpu_virtual_address{0}};
    u64 const first = static_cast<u64>(request.StartVirtualAddress);
    u64 const end = static_cast<u64>(request.EndVirtualAddress);
    if (first > end) {
        return fault(hw, operation, found(paging_rule::reversed_range, first, end));
    }
    // The root lies in system memory, or inside a reported segment (OP12-04).
    if (finding const problem = check_segment_place(hw, flush.root.segment, flush.root.offset, 1);
        problem.any && flush.root.segment.n != 0) {
        return fault(hw, operation, problem);
    }
    return by_command_or_at_once<hw::tlb_by_command<Hw>, hw::tlb_at_once<Hw>>(
        hw, args,
        [&](auto& gpu) {
            if constexpr (hw::ranged_tlb<Hw>) {
                if (round_outward(gpu, first, end, flush)) {
                    return one_command(gpu, args, operation, gpu.flush_range_dwords,
                                       [&](u32* place) { gpu.encode_flush_range(place, flush); });
                }
            }
            return one_command(gpu, args, operation, gpu.flush_dwords,
                               [&](u32* place) { gpu.encode_flush(place, flush); });
        },
        [&](auto& gpu) {
            if constexpr (hw::ranged_tlb_at_once<Hw>) {
                static_cast<void>(round_outward(gpu, first, end, flush));
            }
            return one_store(gpu, args, operation, [&] { gpu.flush_at_once(flush); });
        });
}

}  // namespace wddmcore::paging::detail
