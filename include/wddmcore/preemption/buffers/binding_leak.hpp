// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "patch_location.hpp"

/// The binding-leak check: what the system's verification mode asks of the patch list of a split buffer.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What one slot holds while a list is walked; the caller's scratch has MaxAllocationListSlotId of them.
struct slot_binding {
    u32 programmed;  ///< 1 + the last element that bound an allocation here; 0 when nothing is bound
};

/// A binding that outlives a split.
struct binding_leak {
    bool found;
    u32 slot;          ///< whose binding it is
    u32 element;       ///< that bound it
    u32 split_offset;  ///< where it is neither unbound nor programmed again
    friend constexpr bool operator==(binding_leak, binding_leak) = default;
};

inline constexpr binding_leak no_leak{false, 0, 0, 0};

/// Looks for a binding that outlives a possible split of its buffer: at each split point, an element of that very split
/// offset must unbind or program again every slot that is bound. Another context may run there, and the allocation may
/// have moved when the next portion is patched (SPL-12, SPL-13).
///
/// The page asks for one of the two in each split packet. That the element must stand at the split itself, not later,
/// is derived: the commands before it would use the old address. NoDmaPatching opts out of the system's check; it is
/// for hardware with virtual addresses only, as check_preemption() demands.
///
/// Any IRQL, nonpaged, touches no OS state. Source pages: gpu-preemption.md, splitting-a-dma-buffer.md. It takes one
/// step an element, and a walk over the slots when there is a leak.
///
/// @param list         a list that judge_patch_list accepted
/// @param allocations  its allocation list
/// @param dma_bytes    bytes of the buffer that are filled: nothing is split at its start or its end
/// @param slots        scratch, as many as patch_rules::slots; overwritten
/// @return no_leak, or the first split at which a binding leaks and the lowest slot that does
template <members::patch_location Element, members::allocation_list_entry Entry>
[[nodiscard]] constexpr binding_leak find_binding_leak(span<Element const> list, span<Entry const> allocations,
                                                       u32 dma_bytes, span<slot_binding> slots) noexcept {
    for (slot_binding& slot : slots) {
        slot = {0};
    }
    u32 bound = 0;  // slots that hold an allocation
    u32 next = 0;
    while (next < list.count) {
        u32 const first = next;
        u32 const split = list[first].SplitOffset;
        u32 const bound_before = bound;
        u32 renewed = 0;  // of those, programmed again at this split point
        for (; next < list.count && list[next].SplitOffset == split; ++next) {
            slot_binding& slot = slots[detail::slot_of(list[next])];
            bool const unbound = detail::unbinds(allocations[list[next].AllocationIndex]);
            bool const was_bound = slot.programmed != 0;
            renewed += u32{was_bound && slot.programmed <= first};
            bound = bound - u32{was_bound} + u32{!unbound};
            slot.programmed = unbound ? 0 : next + 1;
        }
        if (split < dma_bytes && renewed != bound_before) {
            // The counts differ by the slots that leak, so one of them does: the last, if no other.
            u32 id = 0;
            while (id + 1 < slots.count && (slots[id].programmed == 0 || slots[id].programmed > first)) {
                ++id;
            }
            return {true, id, slots[id].programmed - 1, split};
        }
    }
    return no_leak;
}

}  // namespace wddmcore::preemption
