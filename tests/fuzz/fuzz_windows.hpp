// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_hardware.hpp"
#include "fuzz_require.hpp"

#include <paging/window_gpu.hpp>

/// Recorders with a page window, and what their streams do to its slots.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Hardware with a page window.
template <class Hw>
concept windowed = requires { Hw::window; };

inline constexpr window_shape sixteen_slots{.slots = 16};
inline constexpr engine_shape behind_sixteen_slots{
    .caps = everything, .copy_max = 5 * page_bytes, .copy_alignment = 8, .grain = 4, .record_bytes = 16};
/// Entries of four bytes, no flush, no wait, writes that are shorter than the window.
inline constexpr window_shape sixty_four_slots{
    .slots = 64, .write_max = 20, .entry_bytes = 4, .shift = 4, .flush = 0, .wait = 0};
inline constexpr engine_shape behind_sixty_four_slots{.caps = everything_within_reach, .copy_max = 300 * page_bytes};

/// The slots of a window during one pass. Other work ran before it: nothing is known of a slot, and every one may be in
/// use (PGB-07, PGB-20).
template <class Hw>
class window_slots {};
template <windowed Hw>
class window_slots<Hw> {
public:
    /// Takes the command at `words` if it is one of the window.
    /// @return its dwords; 0 for another command
    u64 take(u32 const* words, u64 left) {
        constexpr window_shape const& window = Hw::window;
        if (words[0] == window_head_mark) {
            return write(words, left);
        }
        if (window.flush == 3 && words[0] == (window_flush_mark | 3)) {
            require(left >= 3 && u64{words[1]} + words[2] <= window.slots, "OP00-06: slots of the window");
            for (u32 i = 0; i != words[2]; ++i) {
                slots_[words[1] + i].seen = true;
            }
            return 3;
        }
        if (window.wait != 0 && words[0] == (window_wait_mark | window.wait)) {
            require(left >= window.wait, "PGB-01: a wait is cut off");
            for (slot& one : slots_) {
                one.in_use = false;
            }
            return window.wait;
        }
        return 0;
    }

    /// The page that the copies of a stream find behind an address of the window.
    [[nodiscard]] u64 page(u64 place) {
        u64 const index = (place - window_start) / page_bytes;
        require(place >= window_start && index < Hw::window_slots, "OP00-06: a slot of the window");
        slot& one = slots_[index];
        require(one.written && one.seen, "OP00-06: a slot that was written and is translated anew");
        one.in_use = true;
        return one.page;
    }

private:
    struct slot {
        u64 page = 0;
        bool written = false;
        bool seen = false;
        bool in_use = true;
    };
    slot slots_[Hw::window_slots] = {};

    u64 write(u32 const* words, u64 left) {
        constexpr window_shape const& window = Hw::window;
        constexpr u64 each = window.entry_bytes / 4;
        require(left >= 3 && words[2] != 0 && words[2] <= window.write_max &&
                    u64{words[1]} + words[2] <= window.slots && 3 + words[2] * each <= left,
                "OP00-06: a write of slots");
        for (u32 i = 0; i != words[2]; ++i) {
            slot& one = slots_[words[1] + i];
            require(window.wait == 0 || !one.in_use, "OP08-07: a slot that an earlier copy may still use");
            u64 const entry = each == 1 ? words[3 + i] : words[3 + 2 * i] | u64{words[4 + 2 * i]} << 32;
            require((entry & low_mask<u64>(window.shift)) == (Hw::entry_bits & low_mask<u64>(window.shift)),
                    "OP00-06: an entry of the window");
            one = {(entry - Hw::entry_bits) >> window.shift, true, window.flush == 0, false};
        }
        return 3 + words[2] * each;
    }
};

}  // namespace wddmcore::testing::fuzz
