// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/amd_gfx10_page_table_commands.hpp>

/// The AMD example with a page window in its GART: what figures about windows are measured with.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Where the window of one adapter is.
struct window_place {
    u64 address = 0;                              ///< GPU address of slot 0
    u64 entries = 0;                              ///< GPU address of slot 0's entry
    examples::amd::invalidation_engine hub = {};  ///< flushes the GART's translations; its scratch dword begins as 0
};

/// What is written is not there until somebody has waited for it: a poll of a dword that a fence behind the write stores.
/// The dword's values make one dword enough. A flush stores its first slot's number and 1, and no slot is written twice
/// without a wait between; a wait stores 0. So the value that is waited for is never there before, but for waits with
/// nothing in the window since the last one.
struct windowed_gfx10 : examples::amd::gfx10<> {
    using entry = examples::amd::gart_entries;
    using packets = examples::amd::gpuvm_tlb;

    window_place window;

    static constexpr u32 window_slots = 4096;
    static constexpr bytes window_entry_bytes{8};
    static constexpr u32 window_page_shift = 12;
    static constexpr u32 window_write_max = 0x10'0000 / 2;
    static constexpr dwords window_head_dwords{4};
    static constexpr dwords window_flush_dwords = packets::arrival_dwords + packets::invalidation_dwords;
    static constexpr dwords window_wait_dwords = packets::arrival_dwords;

    [[nodiscard]] constexpr address window_address() const noexcept { return {window.address}; }
    [[nodiscard]] static constexpr u64 window_entry_bits() noexcept { return entry::entry(page_number{0}, true); }

    constexpr void encode_window_head(u32* to, u32 slot, u32 count) const noexcept {
        examples::amd::sdma_table_writer::encode_write_head(to, {window.entries + u64{slot} * 8}, dwords{count * 2});
    }
    /// The entries have arrived, then what was cached of them goes.
    constexpr void encode_window_flush(u32* to, u32 slot, u32) const noexcept {
        packets::encode_arrival(to, {window.hub.scratch}, slot + 1);
        packets::encode_invalidation(to + packets::arrival_dwords.n, window.hub);
    }
    constexpr void encode_window_wait(u32* to) const noexcept { packets::encode_arrival(to, {window.hub.scratch}, 0); }

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
