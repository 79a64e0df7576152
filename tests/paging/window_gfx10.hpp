// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/amd_gfx10.hpp>

/// The AMD example with a page window in its GART: what figures about windows are measured with. Which registers flush
/// the GART's translations is the adapter's business; here they are arguments, so that it stays out of the examples.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Where the window of one adapter is.
struct window_place {
    u64 address = 0;           ///< GPU address of slot 0
    u64 entries = 0;           ///< GPU address of slot 0's entry
    u64 word = 0;              ///< GPU address of a dword that only waits use
    u32 request_register = 0;  ///< asks for a flush of the GART's translations; a dword index
    u32 done_register = 0;     ///< tells that it is done; a byte address
};

inline constexpr u32 op_srbm_write = 14 | 0xFu << 28;
inline constexpr u32 op_poll_register = 8 | 3u << 28;
inline constexpr u32 op_poll_memory = op_poll_register | 1u << 31;

struct windowed_gfx10 : examples::amd::gfx10<> {
    using entry = examples::amd::gart_entries;

    window_place window;

    static constexpr u32 window_slots = 2048;
    static constexpr bytes window_entry_bytes{8};
    static constexpr u32 window_page_shift = 12;
    static constexpr u32 window_write_max = 0x10'0000 / 2;
    static constexpr dwords window_head_dwords{4};
    static constexpr dwords window_flush_dwords{9};
    static constexpr dwords window_wait_dwords{15};

    [[nodiscard]] constexpr address window_address() const noexcept { return {window.address}; }
    [[nodiscard]] static constexpr u64 window_entry_bits() noexcept { return entry::entry(page_number{0}, true); }

    /// WRITE_LINEAR: header, destination, dwords - 1.
    constexpr void encode_window_head(u32* to, u32 slot, u32 count) const noexcept {
        u64 const destination = window.entries + u64{slot} * 8;
        put64(to, dword_pair(examples::amd::op_write_linear, low_dword(destination)));
        put64(to + 2, dword_pair(high_dword(destination), count * 2 - 1));
    }
    /// SRBM_WRITE of the request, POLL_REGMEM until it is done.
    constexpr void encode_window_flush(u32* to, u32, u32) const noexcept {
        put64(to, dword_pair(op_srbm_write, window.request_register));
        put64(to + 2, dword_pair(1, op_poll_register));
        put64(to + 4, dword_pair(window.done_register, 0));
        put64(to + 6, dword_pair(1, 1));
        put32(to + 8, 0xFFF'0000);
    }
    /// WRITE_LINEAR of 0 to the word, FENCE of 1 to it, POLL_REGMEM until the fence is there.
    constexpr void encode_window_wait(u32* to) const noexcept {
        put64(to, dword_pair(examples::amd::op_write_linear, low_dword(window.word)));
        put64(to + 2, dword_pair(high_dword(window.word), 0));
        put32(to + 4, 0);
        encode_fence(to + 5, {window.word}, 1);
        put64(to + 9, dword_pair(op_poll_memory, low_dword(window.word)));
        put64(to + 11, dword_pair(high_dword(window.word), 1));
        put64(to + 13, dword_pair(~u32{0}, 0xFFF'0000));
    }

    /// The hardware of an adapter whose places are known.
    [[nodiscard]] static constexpr windowed_gfx10 started(examples::amd::windows const& where,
                                                          window_place const& window) noexcept {
        windowed_gfx10 hardware{};
        hardware.at = where;
        hardware.window = window;
        return hardware;
    }
};

}  // namespace wddmcore::testing
