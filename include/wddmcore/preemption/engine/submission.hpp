// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ids.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The bits of DXGK_SUBMITCOMMANDFLAGS that a driver reads. Several may be set at once.
namespace submit_flag {
inline constexpr u32 paging = 1u << 0;
inline constexpr u32 present = 1u << 1;
inline constexpr u32 redirected_present = 1u << 2;
inline constexpr u32 null_rendering = 1u << 3;  ///< nothing to execute, but its fence must be written (PRE-29)
inline constexpr u32 flip = 1u << 4;
inline constexpr u32 flip_with_no_wait = 1u << 5;
/// From WDDM 1.2; with a zero-length window (CTX-01), also together with paging (CTX-02).
inline constexpr u32 context_switch = 1u << 6;
inline constexpr u32 resubmission = 1u << 7;  ///< from WDDM 2.0; always clear before (PRE-19)
}  // namespace submit_flag

/// Whether a packet asks the engine to leave its context for the null context (CTX-01). Any IRQL, nonpaged.
///
/// @param flags  the Flags word of the submission
/// @return true: the ContextSwitch bit is set
[[nodiscard]] constexpr bool is_context_switch(u32 flags) noexcept {
    return (flags & submit_flag::context_switch) != 0;
}

/// The part of a DMA buffer that a packet executes, in bytes from the buffer's start; empty when both are equal
/// (CTX-05).
struct packet_window {
    u32 start;  ///< bytes
    u32 end;    ///< bytes, past the last one
    friend constexpr bool operator==(packet_window, packet_window) = default;
};

/// Whether a window is in order. Any IRQL, nonpaged.
///
/// @param window        the submission's start and end offset, in bytes
/// @param buffer_bytes  DmaBufferSize; 0 when there is no buffer
/// @return true: it lies in the buffer and is not reversed. Zero-length windows are legal, also at the buffer's end and
///         without a buffer (CTX-05)
[[nodiscard]] constexpr bool window_is_legal(packet_window window, u32 buffer_bytes) noexcept {
    return window.start <= window.end && window.end <= buffer_bytes;
}

/// What a driver knows of a packet when it is submitted.
template <class Cookie = u64>
struct submission {
    fence_id fence;  ///< SubmissionFenceId
    u32 flags;       ///< the DDI's bits as they are; the highest, reserved there, is the machine's and must be clear
    packet_window window;  ///< the submission's start and end offset
    Cookie cookie;         ///< the driver's own: context, buffer, private data; it leaves with the packet
};

}  // namespace wddmcore::preemption
