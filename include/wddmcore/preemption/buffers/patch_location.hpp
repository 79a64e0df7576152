// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/bits.hpp"
#include "../../base/breach.hpp"
#include "../../base/span.hpp"
#include "../../base/units.hpp"
#include "../members.hpp"

/// How D3DDDI_PATCHLOCATIONLIST and DXGK_ALLOCATIONLIST are read, and which rules a list of them keeps.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What is wrong with a patch-location list, or with an element of it.
///
/// A vocabulary of its own, since a status does not tell which of the six members of an element to mend, and since the
/// answer differs: `full` asks for another buffer, the others refuse the application's list or show a mistake of the
/// driver.
enum class patch_defect : u32 {
    none,
    missing_pointer,   ///< a list or the buffer is NULL although something of it is needed
    list_window,       ///< the elements to process leave the list (SPL-07)
    byte_window,       ///< the portion leaves the buffer, or ends before it starts (SPL-07)
    allocation_index,  ///< not in the allocation list
    slot,              ///< not below MaxAllocationListSlotId (SPL-03)
    reserved_bits,     ///< a bit above the 24 of SlotId is set (SPL-03)
    order,             ///< SplitOffset below that of the element before (SPL-02)
    split_offset,      ///< past the patch it brings in or the buffer's end, or inside an earlier patch's reach
    patch_offset,      ///< no room there for what patching stores (SPL-09, SPL-15)
    misaligned,        ///< PatchOffset is not a multiple of the driver's alignment
    address_overflow,  ///< address + AllocationOffset does not fit the address width (SPL-09)
    full,              ///< no element is left in the output list: ask for another buffer
};

namespace detail {

/// The words of the defects, in the order of their enumeration.
inline constexpr char const* patch_defect_texts[] = {
    "",
    "a list or the buffer is NULL although something of it is needed",
    "the elements to process leave the list (SPL-07)",
    "the portion leaves the buffer, or ends before it starts (SPL-07)",
    "an AllocationIndex is not in the allocation list",
    "a SlotId is not below MaxAllocationListSlotId (SPL-03)",
    "a bit above the 24 of SlotId is set (SPL-03)",
    "a SplitOffset is below that of the element before (SPL-02)",
    "a SplitOffset is past the patch it brings in or the end of the buffer, or inside the reach of an earlier patch",
    "at a PatchOffset there is no room for what patching stores (SPL-09, SPL-15)",
    "a PatchOffset is not a multiple of the alignment of the driver",
    "address + AllocationOffset does not fit the address width (SPL-09)",
    "no element is left in the output list: ask for another buffer",
};
static_assert(sizeof patch_defect_texts / sizeof *patch_defect_texts == static_cast<u32>(patch_defect::full) + 1);

}  // namespace detail

/// What is wrong with a patch-location list, in words.
///
/// @return "" for patch_defect::none, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(patch_defect what) noexcept {
    return wddmcore::detail::text_in(detail::patch_defect_texts, what);
}

/// A defect and the element that has it.
struct patch_answer {
    patch_defect defect;
    u32 element;  ///< index in the whole list; 0 where no element is at fault
    friend constexpr bool operator==(patch_answer, patch_answer) = default;
};

inline constexpr patch_answer nothing_wrong{};  ///< nothing was found

/// What a driver's hardware wants of patches.
struct patch_rules {
    u32 slots;                 ///< MaxAllocationListSlotId of DXGK_DRIVERCAPS: slot ids are below it
    u32 address_bytes = 8;     ///< width of an address in the stream: 4 or 8
    u32 room = address_bytes;  ///< bytes at PatchOffset that binding may store, instructions included (SPL-15)
    u32 unbind_room = room;    ///< the same for unbinding; 0: it stores nothing, and the writer is not called
    u32 alignment = 4;         ///< of PatchOffset in bytes, a power of two
};

namespace detail {

inline constexpr u32 slot_bits = 24;  ///< of SlotId, the low bits of its word (SPL-03)

/// The slot that an element programs (SPL-03).
[[nodiscard]] constexpr u32 slot_of(members::patch_location auto const& element) noexcept {
    return element.Value & low_mask<u32>(slot_bits);
}

/// Whether an allocation-list entry means that nothing is bound: its handle is NULL; by custom entry 0 (SPL-04).
[[nodiscard]] constexpr bool unbinds(members::allocation_list_entry auto const& entry) noexcept {
    return entry.hDeviceSpecificAllocation == nullptr;
}

/// The segment of an allocation-list entry, bits 1 to 5 of its second word (SPL-10, AMB-17); 0 while the allocation
/// is not resident and its address is to come (SPL-06).
[[nodiscard]] constexpr segment_id segment_id_of(members::allocation_list_entry auto const& entry) noexcept {
    return {entry.SegmentId};
}

/// The address that a patch stores: the allocation's, base included, + AllocationOffset (SPL-09).
///
/// @return not ok when the sum does not fit `address_bytes`
[[nodiscard]] constexpr checked<u64> patched_address(members::patch_location auto const& element,
                                                     members::allocation_list_entry auto const& entry,
                                                     u32 address_bytes) noexcept {
    u64 const offset = element.AllocationOffset;
    checked<u64> sum = checked_add(static_cast<u64>(entry.PhysicalAddress.QuadPart), offset);
    constexpr u64 largest_of_4_bytes = 0xFFFF'FFFF;
    sum.ok = sum.ok && (address_bytes >= sizeof(u64) || sum.value <= largest_of_4_bytes);
    return sum;
}

/// The bytes that patching stores for an entry; with 0, PatchOffset means nothing.
[[nodiscard]] constexpr u32 room_of(members::allocation_list_entry auto const& entry,
                                    patch_rules const& rules) noexcept {
    // Binding stores at least an address, whatever `room` says.
    return unbinds(entry) ? rules.unbind_room : greater(rules.room, rules.address_bytes);
}

/// Judges one element by itself, as both a whole list and a patch request do: its patch lies in [room_from, room_to) of
/// the buffer.
template <members::patch_location Element, class Entry>
[[nodiscard]] constexpr patch_defect judge_element(Element const& element, span<Entry const> allocations,
                                                   patch_rules const& rules, u32 room_from, u32 room_to) noexcept {
    if (element.AllocationIndex >= allocations.count) {
        return patch_defect::allocation_index;
    }
    u32 const room = room_of(allocations[element.AllocationIndex], rules);
    if (room == 0) {
        return patch_defect::none;
    }
    if (!range_contains(room_from, room_to - room_from, static_cast<u32>(element.PatchOffset), room)) {
        return patch_defect::patch_offset;
    }
    bool const aligned = (element.PatchOffset & (rules.alignment - 1)) == 0;
    return aligned ? patch_defect::none : patch_defect::misaligned;
}

/// Judges the address of an element that judge_element accepted, once it is known.
template <members::patch_location Element, class Entry>
[[nodiscard]] constexpr patch_defect judge_address(Element const& element, span<Entry const> allocations,
                                                   patch_rules const& rules) noexcept {
    Entry const& entry = allocations[element.AllocationIndex];
    bool const fits_its_width = unbinds(entry) || patched_address(element, entry, rules.address_bytes).ok;
    return fits_its_width ? patch_defect::none : patch_defect::address_overflow;
}

/// What later elements of a list are compared with.
struct patch_progress {
    u32 split = 0;     ///< SplitOffset of the last element, 0 before the first
    u32 furthest = 0;  ///< the furthest end of a patch so far
};

/// Judges where an element stands in the list: its slot (SPL-03) and its split offset (SPL-02).
///
/// Two things are derived. The split offset of an element is not past its own patch, since a split there would patch a
/// portion that has run. And no patch reaches over a later split point, since the portion before it is patched whole.
template <members::patch_location Element, class Entry>
[[nodiscard]] constexpr patch_defect judge_place(Element const& element, span<Entry const> allocations,
                                                 patch_progress so_far, u32 dma_bytes,
                                                 patch_rules const& rules) noexcept {
    bool const stores = room_of(allocations[element.AllocationIndex], rules) != 0;
    u32 const last_split = stores ? element.PatchOffset : dma_bytes;
    // AMB-16: equal offsets are one split point, so "strictly increasing" means that they never fall.
    return element.Value >> slot_bits != 0      ? patch_defect::reserved_bits
           : slot_of(element) >= rules.slots    ? patch_defect::slot
           : element.SplitOffset < so_far.split ? patch_defect::order
           : element.SplitOffset > last_split ||
                   (element.SplitOffset > so_far.split && element.SplitOffset < so_far.furthest)
               ? patch_defect::split_offset
               : patch_defect::none;
}

/// The progress after an element that judge_place accepted.
template <members::patch_location Element, class Entry>
[[nodiscard]] constexpr patch_progress advanced(patch_progress so_far, Element const& element,
                                                span<Entry const> allocations, patch_rules const& rules) noexcept {
    u32 const room = room_of(allocations[element.AllocationIndex], rules);
    u32 const end = room != 0 ? element.PatchOffset + room : 0;
    return {element.SplitOffset, greater(so_far.furthest, end)};
}

/// Judges one element of a list that begins at the buffer's start: by itself, its place, and its address if it is
/// known.
template <members::patch_location Element, class Entry>
[[nodiscard]] constexpr patch_defect judge_next(Element const& element, span<Entry const> allocations,
                                                patch_progress so_far, u32 dma_bytes,
                                                patch_rules const& rules) noexcept {
    patch_defect defect = judge_element(element, allocations, rules, 0, dma_bytes);
    if (defect == patch_defect::none) {
        defect = judge_place(element, allocations, so_far, dma_bytes, rules);
    }
    if (defect == patch_defect::none && segment_id_of(allocations[element.AllocationIndex]).n != 0) {
        defect = judge_address(element, allocations, rules);
    }
    return defect;
}

}  // namespace detail

/// Judges a whole patch-location list against its buffer, before it is handed to the system: at the end of
/// DxgkDdiRender or DxgkDdiPresent, or a copy of what user mode gave (never the user's memory itself, SPL-17).
///
/// A patch error later on stops the system (SPL-15), so mistakes are found here: stream order (SPL-02), slots (SPL-03),
/// indices, room for each patch (SPL-09).
///
/// Source pages: splitting-a-dma-buffer.md, ns-d3dukmdt-_d3dddi_patchlocationlist.md, nc-d3dkmddi-dxgkddi_render.md.
///
/// @param list         all elements, in stream order
/// @param allocations  the allocation list; addresses of entries that are not resident are not judged yet
/// @param dma_bytes    bytes of the buffer that are filled
/// @param rules        what the driver's hardware wants of patches
/// @return nothing_wrong, or the first element that has a defect: allocation_index, slot, reserved_bits, order,
///         split_offset, patch_offset, misaligned or address_overflow
template <members::patch_location Element, members::allocation_list_entry Entry>
[[nodiscard]] constexpr patch_answer judge_patch_list(span<Element const> list, span<Entry const> allocations,
                                                      u32 dma_bytes, patch_rules const& rules) noexcept {
    detail::patch_progress so_far;
    for (u32 index = 0; index < list.count; ++index) {
        Element const& element = list[index];
        patch_defect const defect = detail::judge_next(element, allocations, so_far, dma_bytes, rules);
        if (defect != patch_defect::none) {
            return {defect, index};
        }
        so_far = detail::advanced(so_far, element, allocations, rules);
    }
    return nothing_wrong;
}

}  // namespace wddmcore::preemption
