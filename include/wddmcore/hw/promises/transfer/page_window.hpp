// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../capabilities.hpp"
#include "../address_space.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// A window of the hardware's own translation: page slots, one after the other in its address space, that commands can
/// point at any system pages. Optional.
///
/// For library users: scattered pages of a transfer are then written into slots, and one copy moves all of them. A slot
/// costs an entry; a copy of its own costs a command, so that scattered lists take a third of the bytes. The library
/// chooses between the two by dwords (copy_forms.hpp). Transfers between two lists of pages do not use it, nor do
/// engines whose copies are shorter than a page.
/// For hardware authors: the window belongs to the library as long as paging buffers are executed: it lies outside all
/// reported segments, and nothing but the paging buffers of one queue writes or reads it. Where two engines execute
/// paging buffers, the hardware object of each names a window of its own.
///
/// * `static constexpr u32 window_slots`, pages of the window, 1 to 2^20;
/// * `address window_address() const`, slot 0's, a multiple of 4096 bytes; slot i lies i pages past it;
/// * `static constexpr bytes window_entry_bytes`, 4 or 8, `static constexpr u32 window_page_shift`, 0 to 12, and
///   `u64 window_entry_bits() const`: the entry of a page is (page number << window_page_shift) + window_entry_bits();
///   it must hold every page number within `caps.highest_visible_address`;
/// * `static constexpr u32 window_write_max`, the most entries of one write, at least 1; `static constexpr dwords
///   window_head_dwords`, 1 to 256, the exact length of `void encode_window_head(u32* at, u32 slot, u32 count) const`:
///   the command whose `count` entries follow in the stream, for the slots from `slot` on;
/// * `static constexpr dwords window_flush_dwords`, 0 to 256, the exact length of `void encode_window_flush(u32* at,
///   u32 slot, u32 count) const`, which stands directly after the entries: what the write still needs there, and
///   whatever makes every copy after it translate these slots anew;
/// * `static constexpr dwords window_wait_dwords`, 0 to 256, the exact length of `void encode_window_wait(u32* at)
///   const`, which stands before slots are written again: past it every earlier copy of the queue has read and
///   written all its bytes.
///
/// The last two lengths may be 0, and the encoder is then never called: for an engine whose copies never hold old
/// translations, and for one that finishes a command before it begins the next. There is no default: a forgotten one
/// would be silent corruption.
template <class Hw>
concept page_window = addressed<Hw> && requires(Hw const& hw, u32* at, u32 n) {
    requires meta::is_constant_of<u32, Hw::window_slots>;
    requires meta::is_constant_of<bytes, Hw::window_entry_bytes>;
    requires meta::is_constant_of<u32, Hw::window_page_shift>;
    requires meta::is_constant_of<u32, Hw::window_write_max>;
    requires meta::is_constant_of<dwords, Hw::window_head_dwords>;
    requires meta::is_constant_of<dwords, Hw::window_flush_dwords>;
    requires meta::is_constant_of<dwords, Hw::window_wait_dwords>;
    { hw.window_address() } -> meta::same_as<typename Hw::address>;
    { hw.window_entry_bits() } -> meta::same_as<u64>;
    { hw.encode_window_head(at, n, n) } -> meta::same_as<void>;
    { hw.encode_window_flush(at, n, n) } -> meta::same_as<void>;
    { hw.encode_window_wait(at) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_page_window =
    requires { &Hw::window_slots; } || requires { &Hw::window_entry_bytes; } || requires { &Hw::window_page_shift; } ||
    requires { &Hw::window_write_max; } || requires { &Hw::window_head_dwords; } ||
    requires { &Hw::window_flush_dwords; } || requires { &Hw::window_wait_dwords; } ||
    requires { &Hw::window_address; } || requires { &Hw::window_entry_bits; } ||
    requires { &Hw::encode_window_head; } || requires { &Hw::encode_window_flush; } ||
    requires { &Hw::encode_window_wait; };

/// The numbers of a window.
struct window_numbers_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { requires meta::is_constant_of<u32, Hw::window_slots>; }) {
            static_assert(!Aloud,
                          "page_window: a window needs `static constexpr wddmcore::u32 window_slots`, its pages");
        } else if constexpr (Hw::window_slots == 0 || Hw::window_slots > u32{1} << 20) {
            static_assert(!Aloud, "page_window: `window_slots` must be 1 to 1,048,576 pages; leave the window out "
                                  "where there is none");
        } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::window_entry_bytes>; }) {
            static_assert(!Aloud, "page_window: a window needs `static constexpr wddmcore::bytes "
                                  "window_entry_bytes`, 4 or 8, of one slot");
        } else if constexpr (Hw::window_entry_bytes.n != 4 && Hw::window_entry_bytes.n != 8) {
            static_assert(!Aloud, "page_window: `window_entry_bytes` must be 4 or 8 bytes, enough for the last page "
                                  "number within `highest_visible_address`");
        } else if constexpr (!requires { requires meta::is_constant_of<u32, Hw::window_page_shift>; }) {
            static_assert(!Aloud, "page_window: a window needs `static constexpr wddmcore::u32 window_page_shift`: "
                                  "an entry is (page number << window_page_shift) + window_entry_bits()");
        } else if constexpr (Hw::window_page_shift > page_shift_lg2) {
            static_assert(!Aloud, "page_window: `window_page_shift` must be 0 to 12 bits");
        } else if constexpr (!requires { requires meta::is_constant_of<u32, Hw::window_write_max>; }) {
            static_assert(!Aloud, "page_window: a window needs `static constexpr wddmcore::u32 window_write_max`, "
                                  "the most entries of one write");
        } else if constexpr (Hw::window_write_max == 0) {
            static_assert(!Aloud, "page_window: `window_write_max` must be at least 1 entry");
        } else if constexpr (Hw::window_entry_bytes.n == 4 &&
                             Hw::caps.highest_visible_address >> page_shift_lg2 > ~u32{0} >> Hw::window_page_shift) {
            static_assert(!Aloud, "page_window: `window_entry_bytes` must be 4 or 8 bytes, enough for the last page "
                                  "number within `highest_visible_address`");
        } else {
            return true;
        }
        return false;
    }
};

/// The lengths of its commands; all but the head's may be 0.
struct window_lengths_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::window_head_dwords>; }) {
            static_assert(!Aloud, "page_window: a window needs `static constexpr wddmcore::dwords "
                                  "window_head_dwords`, the exact length of what encode_window_head writes");
        } else if constexpr (!is_command_length(Hw::window_head_dwords)) {
            static_assert(!Aloud, "page_window: `window_head_dwords` must be 1 to 256 dwords");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::window_flush_dwords>; }) {
            static_assert(!Aloud, "page_window: a window needs `static constexpr wddmcore::dwords "
                                  "window_flush_dwords`, the exact length of what encode_window_flush writes; 0 only "
                                  "where copies never hold old translations");
        } else if constexpr (Hw::window_flush_dwords.n > 256) {
            static_assert(!Aloud, "page_window: `window_flush_dwords` must be 0 to 256 dwords");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::window_wait_dwords>; }) {
            static_assert(!Aloud, "page_window: a window needs `static constexpr wddmcore::dwords "
                                  "window_wait_dwords`, the exact length of what encode_window_wait writes; 0 only "
                                  "where a copy is finished before the next command begins");
        } else if constexpr (Hw::window_wait_dwords.n > 256) {
            static_assert(!Aloud, "page_window: `window_wait_dwords` must be 0 to 256 dwords");
        } else {
            return true;
        }
        return false;
    }
};

/// The page window, judged.
struct page_window_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!declares_page_window<Hw>) {
            return true;
        } else if constexpr (!window_numbers_promise::kept<Hw>()) {
            return window_numbers_promise::kept<Hw, Aloud>();
        } else if constexpr (!window_lengths_promise::kept<Hw>()) {
            return window_lengths_promise::kept<Hw, Aloud>();
        } else if constexpr (page_window<Hw>) {
            return true;
        } else if constexpr (!requires(Hw const& hw) {
                                 { hw.window_address() } -> meta::same_as<typename Hw::address>;
                             }) {
            static_assert(!Aloud, "page_window: `window_address` cannot be called as `address window_address() "
                                  "const`, slot 0's place");
        } else if constexpr (!requires(Hw const& hw) {
                                 { hw.window_entry_bits() } -> meta::same_as<u64>;
                             }) {
            static_assert(!Aloud, "page_window: `window_entry_bits` cannot be called as `wddmcore::u64 "
                                  "window_entry_bits() const`, what all entries have in common");
        } else if constexpr (!requires(Hw const& hw, u32* at, u32 n) {
                                 { hw.encode_window_head(at, n, n) } -> meta::same_as<void>;
                             }) {
            static_assert(!Aloud, "page_window: `encode_window_head` cannot be called as `void "
                                  "encode_window_head(wddmcore::u32* at, wddmcore::u32 slot, wddmcore::u32 count) "
                                  "const`");
        } else if constexpr (!requires(Hw const& hw, u32* at, u32 n) {
                                 { hw.encode_window_flush(at, n, n) } -> meta::same_as<void>;
                             }) {
            static_assert(!Aloud, "page_window: `encode_window_flush` cannot be called as `void "
                                  "encode_window_flush(wddmcore::u32* at, wddmcore::u32 slot, wddmcore::u32 count) "
                                  "const`");
        } else {
            static_assert(!Aloud, "page_window: `encode_window_wait` cannot be called as `void "
                                  "encode_window_wait(wddmcore::u32* at) const`");
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
