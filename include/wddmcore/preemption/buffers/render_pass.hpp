// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/checked.hpp"
#include "../../ddi/ntstatus.hpp"
#include "../members.hpp"

/// The end of DxgkDdiRender and DxgkDdiPresent. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What one pass of DxgkDdiRender or DxgkDdiPresent has made.
struct render_progress {
    bool done;           ///< the whole command buffer is translated
    u32 token;           ///< how far the work has come, in the driver's own count; at least the pass's MultipassOffset
    u32 dma_bytes;       ///< bytes written to the DMA buffer
    u32 patch_elements;  ///< elements written to the output patch list
};

/// Commits one pass of DxgkDdiRender or DxgkDdiPresent: sets MultipassOffset, and moves both output pointers past what
/// the pass wrote.
///
/// MultipassOffset starts at 0, the system does not change it between passes, and nothing else carries progress
/// (SPL-19, PGB-04): the next pass comes with the same arguments and a fresh buffer. Everything is judged before
/// anything changes.
///
/// PASSIVE_LEVEL, pageable, touches no OS state. Source pages: ns-d3dkmddi-_dxgkarg_render.md,
/// ns-d3dkmddi-_dxgkarg_present.md, nc-d3dkmddi-dxgkddi_render.md.
///
/// @param args      DXGKARG_RENDER or DXGKARG_PRESENT
/// @param progress  what the pass has made: bytes, elements and the driver's own count
/// @return STATUS_SUCCESS: done. STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER: another pass is needed.
///         STATUS_INVALID_PARAMETER, with nothing changed: the token went back; or the pass neither moved it nor
///         wrote a byte, and would be repeated for ever; or more is said to be written than the buffers hold
template <members::dma_buffer_output Args>
[[nodiscard]] constexpr ntstatus commit_render(Args& args, render_progress const& progress) noexcept {
    if (progress.dma_bytes > args.DmaSize || progress.patch_elements > args.PatchLocationListOutSize ||
        progress.token < args.MultipassOffset) {
        return status::invalid_parameter;
    }
    if (!progress.done && progress.token == args.MultipassOffset && progress.dma_bytes == 0) {
        return status::invalid_parameter;
    }
    args.pDmaBuffer = static_cast<u8*>(args.pDmaBuffer) + progress.dma_bytes;
    args.pPatchLocationListOut += progress.patch_elements;
    args.MultipassOffset = progress.token;
    return progress.done ? status::success : status::graphics_insufficient_dma_buffer;
}

}  // namespace wddmcore::preemption
