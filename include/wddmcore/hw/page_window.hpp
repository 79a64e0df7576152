// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// A window of the hardware's own translation: page slots, one behind the other in its address space, that commands can
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
/// * `address window_address() const`, slot 0's, a multiple of 4096 bytes; slot i lies i pages behind it;
/// * `static constexpr bytes window_entry_bytes`, 4 or 8, `static constexpr u32 window_page_shift`, 0 to 12, and
///   `u64 window_entry_bits() const`: the entry of a page is (page number << window_page_shift) + window_entry_bits();
///   it must hold every page number within `caps.highest_visible_address`;
/// * `static constexpr u32 window_write_max`, the most entries of one write, at least 1; `static constexpr dwords
///   window_head_dwords`, 1 to 256, the exact length of `void encode_window_head(u32* at, u32 slot, u32 count) const`:
///   the command whose `count` entries follow in the stream, for the slots from `slot` on;
/// * `static constexpr dwords window_flush_dwords`, 0 to 256, the exact length of `void encode_window_flush(u32* at,
///   u32 slot, u32 count) const`, which stands directly behind the entries: what the write still needs there, and
///   whatever makes every copy behind it translate these slots anew;
/// * `static constexpr dwords window_wait_dwords`, 0 to 256, the exact length of `void encode_window_wait(u32* at)
///   const`, which stands before slots are written again: behind it every earlier copy of the queue has read and
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
