// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "broken_promise.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Says what is wrong with the promise of a page window, as one compile error; of anything else it says nothing. Always
/// true.
template <member What, defect How>
consteval bool window_sentence() {
    constexpr auto wrong = [](member what, defect how) { return What == what && How == how; };
    using enum defect;

    static_assert(!wrong(member::window_slots, not_a_constant),
                  "page_window: a window needs `static constexpr wddmcore::u32 window_slots`, its pages");
    static_assert(!wrong(member::window_slots, out_of_range),
                  "page_window: `window_slots` must be 1 to 1,048,576 pages; leave the window out where there is none");
    static_assert(
        !wrong(member::window_entry_bytes, not_a_constant),
        "page_window: a window needs `static constexpr wddmcore::bytes window_entry_bytes`, 4 or 8, of one slot");
    static_assert(!wrong(member::window_entry_bytes, out_of_range),
                  "page_window: `window_entry_bytes` must be 4 or 8 bytes, enough for the last page number within "
                  "`highest_visible_address`");
    static_assert(!wrong(member::window_page_shift, not_a_constant),
                  "page_window: a window needs `static constexpr wddmcore::u32 window_page_shift`: an entry is (page "
                  "number << window_page_shift) + window_entry_bits()");
    static_assert(!wrong(member::window_page_shift, out_of_range),
                  "page_window: `window_page_shift` must be 0 to 12 bits");
    static_assert(!wrong(member::window_write_max, not_a_constant),
                  "page_window: a window needs `static constexpr wddmcore::u32 window_write_max`, the most entries of "
                  "one write");
    static_assert(!wrong(member::window_write_max, out_of_range),
                  "page_window: `window_write_max` must be at least 1 entry");
    static_assert(
        !wrong(member::window_head_dwords, not_a_constant),
        "page_window: a window needs `static constexpr wddmcore::dwords window_head_dwords`, the exact length "
        "of what encode_window_head writes");
    static_assert(!wrong(member::window_head_dwords, out_of_range),
                  "page_window: `window_head_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::window_flush_dwords, not_a_constant),
        "page_window: a window needs `static constexpr wddmcore::dwords window_flush_dwords`, the exact length "
        "of what encode_window_flush writes; 0 only where copies never hold old translations");
    static_assert(!wrong(member::window_flush_dwords, out_of_range),
                  "page_window: `window_flush_dwords` must be 0 to 256 dwords");
    static_assert(
        !wrong(member::window_wait_dwords, not_a_constant),
        "page_window: a window needs `static constexpr wddmcore::dwords window_wait_dwords`, the exact length "
        "of what encode_window_wait writes; 0 only where a copy is finished before the next command begins");
    static_assert(!wrong(member::window_wait_dwords, out_of_range),
                  "page_window: `window_wait_dwords` must be 0 to 256 dwords");
    static_assert(!wrong(member::window_address, cannot_be_called),
                  "page_window: `window_address` cannot be called as `address window_address() const`, slot 0's place");
    static_assert(
        !wrong(member::window_entry_bits, cannot_be_called),
        "page_window: `window_entry_bits` cannot be called as `wddmcore::u64 window_entry_bits() const`, what all "
        "entries have in common");
    static_assert(!wrong(member::encode_window_head, cannot_be_called),
                  "page_window: `encode_window_head` cannot be called as `void encode_window_head(wddmcore::u32* at, "
                  "wddmcore::u32 slot, wddmcore::u32 count) const`");
    static_assert(!wrong(member::encode_window_flush, cannot_be_called),
                  "page_window: `encode_window_flush` cannot be called as `void encode_window_flush(wddmcore::u32* at, "
                  "wddmcore::u32 slot, wddmcore::u32 count) const`");
    static_assert(!wrong(member::encode_window_wait, cannot_be_called),
                  "page_window: `encode_window_wait` cannot be called as `void encode_window_wait(wddmcore::u32* at) "
                  "const`");
    return true;
}

}  // namespace wddmcore::hw
