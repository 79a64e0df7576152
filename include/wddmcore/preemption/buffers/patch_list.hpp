// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "patch.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What a driver says of one use of an allocation in the DMA buffer that it builds.
struct patch_use {
    u32 allocation_index;   ///< in the allocation list; of an entry with a NULL handle to unbind (SPL-04)
    u32 slot;               ///< what the allocation replaces there (SPL-03)
    u32 allocation_offset;  ///< bytes into the allocation
    u32 patch_offset;       ///< bytes into the DMA buffer: where the address is stored
    u32 split_offset;       ///< bytes into the DMA buffer: up to here it can run without the allocation
    u32 driver_id = 0;      ///< the driver's own
};

/// Writes the output patch list of DxgkDdiRender or DxgkDdiPresent, and pre-patches the buffer, both in one step.
///
/// So no use is pre-patched and missing from the list, where its address may still change before submission (SPL-05);
/// and no use whose segment is known is left without its address, where the patch call may be skipped (SPL-06). A use
/// that is refused leaves the list and the buffer as they were.
///
/// PASSIVE_LEVEL, pageable, touches no OS state. Source pages: nc-d3dkmddi-dxgkddi_render.md,
/// splitting-a-dma-buffer.md.
///
/// @tparam Element  D3DDDI_PATCHLOCATIONLIST
/// @tparam Entry    DXGK_ALLOCATIONLIST
template <members::patch_location Element, members::allocation_list_entry Entry>
struct patch_list {
    span<Element> out;              ///< pPatchLocationListOut and its size
    span<Entry const> allocations;  ///< pAllocationList
    u32 dma_bytes;                  ///< DmaSize: no patch leaves the buffer (SPL-09)
    patch_rules rules;
    u32 used = 0;  ///< elements written
    detail::patch_progress so_far{};

    /// Adds one use, and stores its address if the allocation has one already.
    ///
    /// PASSIVE_LEVEL, pageable.
    /// @param use     in stream order: split offsets never fall (SPL-02)
    /// @param writer  a patch_writer of the buffer
    /// @return none. full: return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER with what is there. Any defect that
    ///         judge_patch_list() finds: the command buffer that asks for it is invalid, or the driver's own stream is
    template <class Writer>
    [[nodiscard]] constexpr patch_defect add(patch_use const& use, Writer&& writer) noexcept {
        if constexpr (detail::check_patch_writer<meta::bare<Writer>, Element>()) {
            return add_checked(use, writer);
        } else {
            return patch_defect::full;
        }
    }

private:
    [[nodiscard]] constexpr patch_defect add_checked(patch_use const& use, auto& writer) noexcept {
        if (used >= out.count) {
            return patch_defect::full;
        }
        Element element{};
        element.AllocationIndex = use.allocation_index;
        element.Value = use.slot;
        element.DriverId = use.driver_id;
        element.AllocationOffset = use.allocation_offset;
        element.PatchOffset = use.patch_offset;
        element.SplitOffset = use.split_offset;
        patch_defect const defect = detail::judge_next(element, allocations, so_far, dma_bytes, rules);
        if (defect != patch_defect::none) {
            return defect;
        }
        out[used] = element;
        ++used;
        so_far = detail::advanced(so_far, element, allocations, rules);
        Entry const& entry = allocations[element.AllocationIndex];
        if (detail::unbinds(entry) || detail::segment_id_of(entry).n != 0) {
            detail::store_patch(element, entry, rules, writer);
        }
        return patch_defect::none;
    }
};

}  // namespace wddmcore::preemption
