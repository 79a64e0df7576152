// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The bits of DXGK_SUBMITCOMMANDFLAGS. They are independent: Paging and ContextSwitch may both be set (CTX-02). A packet
/// that waits inside its buffer carries no bit: it is invisible here.
/// Source page: ns-d3dkmddi-_dxgk_submitcommandflags.md.
namespace submit_flag {
inline constexpr u32 paging = 1u << 0;
inline constexpr u32 present = 1u << 1;
inline constexpr u32 redirected_present = 1u << 2;
inline constexpr u32 null_rendering = 1u << 3;  ///< execution is skipped, the fence is owed (PRE-29)
inline constexpr u32 flip = 1u << 4;
inline constexpr u32 flip_with_no_wait = 1u << 5;
inline constexpr u32 context_switch = 1u << 6;  ///< WDDM 1.2
inline constexpr u32 resubmission = 1u << 7;    ///< WDDM 2.0; always 0 before (PRE-19)
inline constexpr u32 virtual_machine_data = 1u << 8;
inline constexpr u32 all = 0x1FF;
}  // namespace submit_flag

/// Bit 31 of a ring entry's flags, reserved in the DDI: a rejected submission, which never reaches hardware (PRE-30).
inline constexpr u32 rejected_flag = 1u << 31;

/// Whose commands a packet holds and where they lie. With the window this is what a preempted packet is recognised by
/// when it comes back: its fence id is new, and Resubmission says only that it was submitted before (AMB-52).
struct packet_origin {
    u64 context;  ///< the handle of the context, or of the device where there are none
    u64 buffer;   ///< the buffer's address, physical or virtual, always the same kind
    friend constexpr bool operator==(packet_origin const&, packet_origin const&) = default;
};

/// One submission, as it is kept until it has finished or was given back.
///
/// @tparam Cookie  what the driver wants back with a half-run packet; the machine copies it and never looks
template <class Cookie = packet_origin>
struct packet {
    u32 fence_id;  ///< SubmissionFenceId: a name, never an order
    u32 flags;     ///< DXGK_SUBMITCOMMANDFLAGS::Value
    u32 start;     ///< the window in its buffer, bytes, half-open; start == end is legal (CTX-05)
    u32 end;
    Cookie cookie;
    friend constexpr bool operator==(packet const&, packet const&) = default;
};
static_assert(sizeof(packet<>) == 32);

/// A packet from DXGKARG_SUBMITCOMMAND; its address is virtual where the system gave one, else physical.
///
/// Any IRQL, touches no OS state. Source page: nc-d3dkmddi-dxgkddi_submitcommand.md.
template <class Args>
[[nodiscard]] constexpr packet<> packet_of_submission(Args const& args, u64 context) noexcept {
    u64 address = static_cast<u64>(args.DmaBufferPhysicalAddress.QuadPart);
    if constexpr (requires { args.DmaBufferVirtualAddress; }) {
        address = args.DmaBufferVirtualAddress != 0 ? args.DmaBufferVirtualAddress : address;
    }
    return {args.SubmissionFenceId, static_cast<u32>(args.Flags.Value) & submit_flag::all,
            args.DmaBufferSubmissionStartOffset, args.DmaBufferSubmissionEndOffset, {context, address}};
}

/// A packet from DXGKARG_SUBMITCOMMANDVIRTUAL, whose window begins at its address.
///
/// Any IRQL, touches no OS state. Source page: nc-d3dkmddi-dxgkddi_submitcommandvirtual.md.
template <class Args>
[[nodiscard]] constexpr packet<> packet_of_virtual_submission(Args const& args, u64 context) noexcept {
    return {args.SubmissionFenceId, static_cast<u32>(args.Flags.Value) & submit_flag::all, 0, args.DmaBufferSize,
            {context, args.DmaBufferVirtualAddress}};
}

}  // namespace wddmcore::preemption
