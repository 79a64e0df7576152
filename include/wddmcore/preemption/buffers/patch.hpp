// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../engine/submission.hpp"
#include "patch_location.hpp"

/// DxgkDdiPatch: addresses stored into the portion of a DMA buffer that is about to be submitted. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Stores what a patch means; a driver's own, or address_writer.
///
/// `void bind(wddmcore::u32 patch_offset, wddmcore::u64 address, Element const&)` stores an address,
/// `void unbind(wddmcore::u32 patch_offset, Element const&)` what the hardware wants where nothing is bound. Both store
/// whole values and never read the buffer: a buffer may be patched again (PRE-20), and nothing is added to it.
template <class Writer, class Element>
concept patch_writer = requires(Writer& writer, u32 patch_offset, u64 address, Element const& element) {
    writer.bind(patch_offset, address, element);
    writer.unbind(patch_offset, element);
};

namespace detail {

/// Says what a patch_writer lacks, as one compile error. False then, so that nothing else is instantiated.
template <class Writer, class Element>
[[nodiscard]] consteval bool check_patch_writer() noexcept {
    static_assert(patch_writer<Writer, Element>,
                  "patch_writer: write `void bind(wddmcore::u32 patch_offset, wddmcore::u64 address, Element const&)` "
                  "and `void unbind(wddmcore::u32 patch_offset, Element const&)`");
    return patch_writer<Writer, Element>;
}

}  // namespace detail

/// The usual patch_writer: the address as one or two dwords, the low one first, in place.
///
/// PASSIVE_LEVEL, pageable, touches no OS state. The buffer is written in whole dwords and never read.
struct address_writer {
    u32* buffer;            ///< the DMA buffer's start
    u32 address_bytes = 8;  ///< 4 or 8, as patch_rules has it
    u64 unbound = 0;        ///< the address that is stored where nothing is bound: of a dummy page, for example

    /// Stores an address; only its low 32 bits where address_bytes is 4.
    /// @param patch_offset  bytes, a multiple of 4, with room for the address
    /// @param address       what is stored, in bytes
    template <class Element>
    constexpr void bind(u32 patch_offset, u64 address, Element const&) const noexcept {
        u32* const at = buffer + patch_offset / sizeof(u32);
        at[0] = static_cast<u32>(address);
        if (address_bytes > sizeof(u32)) {
            at[1] = static_cast<u32>(address >> 32);
        }
    }

    /// Stores the address that stands for nothing.
    /// @param patch_offset  as for bind
    template <class Element>
    constexpr void unbind(u32 patch_offset, Element const& element) const noexcept {
        bind(patch_offset, unbound, element);
    }
};

/// The bytes of a buffer that a patch or submit request is about. Any IRQL, nonpaged.
///
/// @return its start and end offset, in bytes
template <members::dma_buffer_portion Args>
[[nodiscard]] constexpr packet_window window_of(Args const& args) noexcept {
    return {args.DmaBufferSubmissionStartOffset, args.DmaBufferSubmissionEndOffset};
}

/// The address at which hardware starts with a portion: the reported one is always that of the whole buffer (SPL-08).
///
/// Any IRQL, nonpaged. Source pages: ns-d3dkmddi-_dxgkarg_patch.md, ns-d3dkmddi-_dxgkarg_submitcommand.md.
///
/// @return a segment address, or a physical one when DmaBufferSegmentId is 0; not ok when the sum does not fit
template <members::dma_buffer_portion Args>
[[nodiscard]] constexpr checked<u64> portion_address(Args const& args) noexcept {
    u64 const offset = args.DmaBufferSubmissionStartOffset;
    return checked_add(static_cast<u64>(args.DmaBufferPhysicalAddress.QuadPart), offset);
}

/// Whether a patch and a submit request describe the same packet: both have the same buffer and portion (SPL-08) and
/// the same fence id, so that a driver writes one fence and not two (SPL-14).
///
/// Any IRQL, nonpaged. Source pages: ns-d3dkmddi-_dxgkarg_patch.md, supplying-fence-identifiers.md.
///
/// @return false: they differ in the segment, address or size of the buffer, in an end of the portion or in the fence
///         id
template <members::dma_buffer_portion Patch, members::dma_buffer_portion Submit>
[[nodiscard]] constexpr bool describe_one_packet(Patch const& patched, Submit const& submitted) noexcept {
    return patched.DmaBufferSegmentId == submitted.DmaBufferSegmentId &&
           patched.DmaBufferPhysicalAddress.QuadPart == submitted.DmaBufferPhysicalAddress.QuadPart &&
           patched.DmaBufferSize == submitted.DmaBufferSize && window_of(patched) == window_of(submitted) &&
           patched.SubmissionFenceId == submitted.SubmissionFenceId;
}

namespace detail {

/// Judges what a patch request says before its elements: pointers, both windows (SPL-07).
[[nodiscard]] constexpr patch_defect judge_request(members::patch auto const& args) noexcept {
    packet_window const window = window_of(args);
    if (window.end < window.start || window.end > args.DmaBufferSize) {
        return patch_defect::byte_window;
    }
    if (!fits<u32>(args.PatchLocationListSubmissionStart, args.PatchLocationListSubmissionLength,
                   args.PatchLocationListSize)) {
        return patch_defect::list_window;
    }
    bool const needed = args.PatchLocationListSubmissionLength != 0;
    bool const there =
        args.pPatchLocationList != nullptr && args.pAllocationList != nullptr && args.pDmaBuffer != nullptr;
    return needed && !there ? patch_defect::missing_pointer : patch_defect::none;
}

/// Stores one element that was judged.
constexpr void store_patch(auto const& element, auto const& entry, patch_rules const& rules, auto& writer) noexcept {
    if (room_of(entry, rules) == 0) {
        return;
    }
    if (unbinds(entry)) {
        writer.unbind(element.PatchOffset, element);
    } else {
        writer.bind(element.PatchOffset, patched_address(element, entry, rules.address_bytes).value, element);
    }
}

/// The second half of patch: stores every element, all of which were judged.
constexpr void store_patches(members::patch auto const& args, patch_rules const& rules, auto& writer) noexcept {
    u32 const first = args.PatchLocationListSubmissionStart;
    for (u32 index = 0; index < args.PatchLocationListSubmissionLength; ++index) {
        auto const& element = args.pPatchLocationList[first + index];
        auto const& entry = args.pAllocationList[element.AllocationIndex];
        store_patch(element, entry, rules, writer);
    }
}

}  // namespace detail

/// DxgkDdiPatch: patches the elements [start, start + length) of the list into the bytes [start offset, end offset) of
/// the buffer (SPL-07), as often as it is asked (PRE-20). Elements before the range were patched with another portion.
///
/// An entry with a handle is bound to its address whatever its SegmentId says: at patch time it is resident.
/// Everything is judged before anything is stored, so a malformed request leaves the buffer as it was. A paging
/// buffer has no lists, so nothing is done for it (AMB-01).
///
/// PASSIVE_LEVEL, pageable, touches no OS state. Source pages: nc-d3dkmddi-dxgkddi_patch.md,
/// ns-d3dkmddi-_dxgkarg_patch.md.
///
/// @param args    DXGKARG_PATCH of the included header, or a mirror
/// @param rules   what the driver's hardware wants of patches; `slots` is not used here
/// @param writer  a patch_writer; called once for each element, in the list's order
/// @return nothing_wrong: return STATUS_SUCCESS. missing_pointer, list_window, byte_window of the request;
///         allocation_index, patch_offset, misaligned, address_overflow of an element: DxgkDdiRender should have
///         refused that list, since an error status from DxgkDdiPatch stops the system (SPL-15)
template <members::patch Args, class Writer>
[[nodiscard]] constexpr patch_answer patch(Args const& args, patch_rules const& rules, Writer&& writer) noexcept {
    using element_type = meta::bare<decltype(*args.pPatchLocationList)>;
    using entry_type = meta::bare<decltype(*args.pAllocationList)>;
    if constexpr (detail::check_patch_writer<meta::bare<Writer>, element_type>()) {
        patch_defect const defect = detail::judge_request(args);
        if (defect != patch_defect::none) {
            return {defect, 0};
        }
        span<entry_type const> const allocations{args.pAllocationList, args.AllocationListSize};
        packet_window const window = window_of(args);
        u32 const first = args.PatchLocationListSubmissionStart;
        for (u32 index = 0; index < args.PatchLocationListSubmissionLength; ++index) {
            element_type const& element = args.pPatchLocationList[first + index];
            patch_defect found = detail::judge_element(element, allocations, rules, window.start, window.end);
            if (found == patch_defect::none) {
                found = detail::judge_address(element, allocations, rules);
            }
            if (found != patch_defect::none) {
                return {found, first + index};
            }
        }
        detail::store_patches(args, rules, writer);
        return nothing_wrong;
    } else {
        return nothing_wrong;
    }
}

}  // namespace wddmcore::preemption
