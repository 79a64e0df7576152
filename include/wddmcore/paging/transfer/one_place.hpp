// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/transfer/physical_accessor.hpp"
#include "../endpoint.hpp"
#include "../pass.hpp"

/// Operations 2 DISCARD_CONTENT, 3 READ_PHYSICAL and 4 WRITE_PHYSICAL: one command at one place.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Operation 2, DISCARD_CONTENT: content is thrown away in place; only what the hardware keeps per placement goes
/// (OP02-01).
///
/// @return success; graphics_allocation_busy while the idle flag is clear and the hardware says so (OP02-02);
///         graphics_insufficient_dma_buffer; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0. Source page: ns-d3dkmddi-_dxgk_discardcontentflags.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_discard_content(Hw& hw, Args& args) noexcept {
    auto const& discard = args.DiscardContent;
    if (must_wait(hw, args, discard.hAllocation, discard.Flags.AllocationIsIdle != 0)) {
        return status::graphics_allocation_busy;
    }
    if constexpr (hw::content_discarder<Hw>) {
        constexpr paging_operation operation = paging_operation::discard_content;
        endpoint<Hw> at{};
        if (finding const problem = resolve_segment(hw, discard, bytes{0}, bytes{1}, at); problem.any) {
            return fault(hw, operation, problem);
        }
        return one_command(hw, args, operation, Hw::discard_dwords,
                           [&](u32* place) { hw.encode_discard(place, at.base, discard.hAllocation); });
    } else {
        return status::success;
    }
}

/// Operation 3, READ_PHYSICAL: a read whose value is dropped; it exists for the ordering it brings (OP03-01, OP03-02).
/// Operation 4, WRITE_PHYSICAL: a write of an arbitrary value to exactly the given place (OP04-01).
///
/// @return success; graphics_insufficient_dma_buffer; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.x. Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <paging_operation Operation, class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_physical_access(Hw& hw, auto& args) noexcept {
    endpoint<Hw> at{};
    if (finding const problem = resolve_segment(hw, request_of<Operation>(args), bytes{0}, bytes{1}, at); problem.any) {
        return fault(hw, Operation, problem);
    }
    return one_command(hw, args, Operation, Hw::access_dwords, [&](u32* place) {
        if constexpr (Operation == paging_operation::read_physical) {
            hw.encode_read(place, at.base);
        } else {
            hw.encode_write(place, at.base);
        }
    });
}

}  // namespace wddmcore::paging::detail
