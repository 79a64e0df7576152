// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// ADL-06 where a page number has the width of a pointer: on a 32-bit machine a list can name 2^32 - 1 and then 0, and a
// device that reaches everything would not tell by the bits of both ends that this is no run.

#include <wddmcore/paging.hpp>

using namespace wddmcore;

namespace {

struct window_gpu {
    struct address {
        u64 n;
        friend constexpr address operator+(address a, bytes b) noexcept { return {a.n + b.n}; }
    };
    static constexpr capabilities caps{.version = wddm::v1_3, .oldest = wddm::v1_3};
    static constexpr address from_page(page_number page) noexcept { return {page.n << 12}; }
    static constexpr bytes copy_max{u64{4} << 20};
    static constexpr dwords copy_dwords{2};
    static constexpr void encode_copy(u32* at, address, address from, bytes) noexcept {
        at[0] = low_dword(from.n);
        at[1] = high_dword(from.n);
    }
    static constexpr u32 window_slots = 4;
    static constexpr address window_address() noexcept { return {0}; }
    static constexpr bytes window_entry_bytes{8};
    static constexpr u32 window_page_shift = 0;
    static constexpr u64 window_entry_bits() noexcept { return 0; }
    static constexpr u32 window_write_max = 4;
    static constexpr dwords window_head_dwords{1};
    static constexpr void encode_window_head(u32* at, u32, u32) noexcept { *at = 1; }
    static constexpr dwords window_flush_dwords{0};
    static constexpr void encode_window_flush(u32*, u32, u32) noexcept {}
    static constexpr dwords window_wait_dwords{0};
    static constexpr void encode_window_wait(u32*) noexcept {}
};
static_assert(hw::page_window<window_gpu>);

constexpr bool wrapping_run_is_noticed() {
    usize list[24]{};
    for (u32 i = 0; i != 24; ++i) {
        list[i] = ~usize{0} - 15 + i;
    }
    u32 buffer[400]{};
    paging::detail::dma_writer writer{buffer, 400};
    paging::detail::progress const reached = paging::detail::copy_by_window<true>(
        window_gpu{}, writer, list, window_gpu::address{0}, paging::detail::list_extent{.count = 24, .short_by = 0}, 0);
    return reached.what == paging::detail::outcome::perhaps_out_of_reach;
}
static_assert(wrapping_run_is_noticed());

}  // namespace

extern "C" {

u32 copy_by_a_window(window_gpu const* hw, paging::detail::dma_writer* writer, usize const* list, u32 count) {
    paging::detail::list_extent const work{.count = count, .short_by = 0};
    return paging::detail::copy_by_window<true>(*hw, *writer, list, window_gpu::address{0}, work, 0).token;
}

}  // extern "C"
