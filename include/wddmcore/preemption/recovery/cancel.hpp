// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/ntstatus.hpp"
#include "../engine/resume_slot.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Answers DxgkDdiCancelCommand (DXGKARG_CANCELCOMMAND): a packet that is not in hardware will not come back.
///
/// It names no fence, node or engine, so it is no event of an engine machine. All that can be left of the packet is its
/// saved state, if it was stopped half-run, and that is in the context's slot; another packet's state stays there. The
/// driver releases what else it kept for the packet, its private data for example.
///
/// @param args    the packet's window is read
/// @param slot    that of the context which hContext names
/// @param buffer  the address that names the DMA buffer in this driver's packet_identity
/// @return success, always: an error bugchecks (TDR-14)
/// IRQL: PASSIVE_LEVEL, nonpaged; the slot under its own lock. Source: nc-d3dkmddi-dxgkddi_cancelcommand.md.
template <class Args>
[[nodiscard]] constexpr ntstatus answer_cancel_command(Args const& args, resume_slot& slot, u64 buffer) noexcept {
    slot.finished({buffer, {args.DmaBufferSubmissionStartOffset, args.DmaBufferSubmissionEndOffset}});
    return status::success;
}

}  // namespace wddmcore::preemption
