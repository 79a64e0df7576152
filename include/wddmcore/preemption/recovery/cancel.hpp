// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/ntstatus.hpp"
#include "../engine/resume_slot.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Answers DxgkDdiCancelCommand (DXGKARG_CANCELCOMMAND): a packet that is not in hardware will not come back.
///
/// It carries no fence, node or engine, so it is no event of an engine: all that can be left of the packet is the saved
/// state of one that was stopped half-run, and that belongs to the context. Another packet's state stays. The driver
/// releases what else it kept for the packet, its private data for example.
///
/// @param args    the packet's window is read
/// @param slot    of the context that hContext names
/// @param buffer  the address that names the DMA buffer in this driver's packet_identity
/// @return success, always: an error bugchecks (TDR-14)
/// IRQL: PASSIVE_LEVEL; the slot under its own lock. Source: nc-d3dkmddi-dxgkddi_cancelcommand.md.
template <class Args>
[[nodiscard]] constexpr ntstatus answer_cancel_command(Args const& args, resume_slot& slot, u64 buffer) noexcept {
    slot.finished({buffer, {args.DmaBufferSubmissionStartOffset, args.DmaBufferSubmissionEndOffset}});
    return status::success;
}

}  // namespace wddmcore::preemption
