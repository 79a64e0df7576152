// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#include <cstdint>
#include <functional>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// Flips by registers, of drivers that have DxgkDdiSetVidPnSourceAddress; others are asked for none.
struct display_options {
    std::uint32_t sources = 1;  ///< VidPN sources, each shown by the target of its number; 0: nothing is flipped
    /// The driver declares FlipOnVSyncMmIo. One that preempts and does not is wrong, and asked for no flip (FLP-01).
    bool declared = true;
    std::uint32_t segment = 1;                  ///< PrimarySegment: where the primaries lie
    std::uint64_t first_address = 0xD000'0000;  ///< of the first primary in that segment, its base included; not 0
    std::uint64_t primary_bytes = 0x80'0000;    ///< from one primary to the next
    std::uint32_t primaries = 3;                ///< of each source, at least 2, which are flipped to in turn
    /// The driver's own handle of a primary, by its number from 0; without it NULL.
    std::function<void*(std::uint32_t primary)> allocation_of{};
    std::uint32_t vsync_steps = 24;  ///< from one vsync to the next, in commands; model numbers
    // Of 100 occasions.
    std::uint32_t flip = 20;       ///< of each source without a pending flip, at each step
    std::uint32_t immediate = 25;  ///< of flips: FlipImmediate, else at the next vsync
    std::uint32_t blank = 2;       ///< of each source, at each step: its visibility changes
    std::uint32_t held = 50;       ///< of preempt requests with a flip pending: the vsync comes after their end
};

}  // namespace wddmcore::testing::scheduler
