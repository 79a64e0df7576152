// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "defects.hpp"
#include "page_window.hpp"

/// The first broken promise about a page window: operations 0 and 7.
namespace wddmcore::inline WDDMCORE_ABI::hw {

// Who declares one of its members means to keep the promise.
template <class Hw>
inline constexpr bool declares_page_window =
    requires { &Hw::window_slots; } || requires { &Hw::window_entry_bytes; } || requires { &Hw::window_page_shift; } ||
    requires { &Hw::window_write_max; } || requires { &Hw::window_head_dwords; } ||
    requires { &Hw::window_flush_dwords; } || requires { &Hw::window_wait_dwords; } ||
    requires { &Hw::window_address; } || requires { &Hw::window_entry_bits; } ||
    requires { &Hw::encode_window_head; } || requires { &Hw::encode_window_flush; } ||
    requires { &Hw::encode_window_wait; };

/// The numbers of a window.
template <class Hw>
[[nodiscard]] consteval broken_promise broken_window_numbers() {
    using enum defect;
    if constexpr (!requires { requires meta::is_constant_of<u32, Hw::window_slots>; }) {
        return {member::window_slots, not_a_constant};
    } else if constexpr (Hw::window_slots == 0 || Hw::window_slots > u32{1} << 20) {
        return {member::window_slots, out_of_range};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::window_entry_bytes>; }) {
        return {member::window_entry_bytes, not_a_constant};
    } else if constexpr (Hw::window_entry_bytes.n != 4 && Hw::window_entry_bytes.n != 8) {
        return {member::window_entry_bytes, out_of_range};
    } else if constexpr (!requires { requires meta::is_constant_of<u32, Hw::window_page_shift>; }) {
        return {member::window_page_shift, not_a_constant};
    } else if constexpr (Hw::window_page_shift > page_shift_lg2) {
        return {member::window_page_shift, out_of_range};
    } else if constexpr (!requires { requires meta::is_constant_of<u32, Hw::window_write_max>; }) {
        return {member::window_write_max, not_a_constant};
    } else if constexpr (Hw::window_write_max == 0) {
        return {member::window_write_max, out_of_range};
    } else if constexpr (Hw::window_entry_bytes.n == 4 &&
                         Hw::caps.highest_visible_address >> page_shift_lg2 > ~u32{0} >> Hw::window_page_shift) {
        return {member::window_entry_bytes, out_of_range};
    } else {
        return all_kept;
    }
}

/// The lengths of its commands; all but the head's may be 0.
template <class Hw>
[[nodiscard]] consteval broken_promise broken_window_lengths() {
    using enum defect;
    if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::window_head_dwords>; }) {
        return {member::window_head_dwords, not_a_constant};
    } else if constexpr (Hw::window_head_dwords.n == 0 || Hw::window_head_dwords.n > 256) {
        return {member::window_head_dwords, out_of_range};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::window_flush_dwords>; }) {
        return {member::window_flush_dwords, not_a_constant};
    } else if constexpr (Hw::window_flush_dwords.n > 256) {
        return {member::window_flush_dwords, out_of_range};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::window_wait_dwords>; }) {
        return {member::window_wait_dwords, not_a_constant};
    } else if constexpr (Hw::window_wait_dwords.n > 256) {
        return {member::window_wait_dwords, out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_window() {
    if constexpr (!declares_page_window<Hw>) {
        return all_kept;
    } else if constexpr (broken_window_numbers<Hw>() != all_kept) {
        return broken_window_numbers<Hw>();
    } else if constexpr (broken_window_lengths<Hw>() != all_kept) {
        return broken_window_lengths<Hw>();
    } else if constexpr (page_window<Hw>) {
        return all_kept;
    } else if constexpr (!requires(Hw const& hw) {
                             { hw.window_address() } -> meta::same_as<typename Hw::address>;
                         }) {
        return {member::window_address, defect::cannot_be_called};
    } else if constexpr (!requires(Hw const& hw) {
                             { hw.window_entry_bits() } -> meta::same_as<u64>;
                         }) {
        return {member::window_entry_bits, defect::cannot_be_called};
    } else if constexpr (!requires(Hw const& hw, u32* at, u32 n) {
                             { hw.encode_window_head(at, n, n) } -> meta::same_as<void>;
                         }) {
        return {member::encode_window_head, defect::cannot_be_called};
    } else if constexpr (!requires(Hw const& hw, u32* at, u32 n) {
                             { hw.encode_window_flush(at, n, n) } -> meta::same_as<void>;
                         }) {
        return {member::encode_window_flush, defect::cannot_be_called};
    } else {
        return {member::encode_window_wait, defect::cannot_be_called};
    }
}

}  // namespace wddmcore::hw
