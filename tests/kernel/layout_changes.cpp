// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A type whose transfers need the most of the stack: wide addresses, a layout change and a page window at once.

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <hardware/cpu.hpp>

using namespace wddmcore;

namespace {

constexpr capabilities everything{.version = wddm::v2_9,
                                  .oldest = wddm::vista,
                                  .addresses = paging_addresses::both,
                                  .aperture = aperture_forms::either,
                                  .alternate_address_lock = claim::at_run_time};

/// A place in one of several spaces.
struct wide_address {
    u64 n;
    u64 space;
    friend constexpr wide_address operator+(wide_address a, bytes b) noexcept { return {a.n + b.n, a.space}; }
};

void put_place(u32* at, wide_address place) noexcept {
    at[0] = low_dword(place.n);
    at[1] = high_dword(place.n);
    at[2] = low_dword(place.space);
    at[3] = high_dword(place.space);
}

struct layout_gpu : examples::cpu::processor<everything> {
    using address = wide_address;
    u64 entry_bits;

    static constexpr address from_page(page_number page) noexcept { return {byte_address(page), 0}; }
    static constexpr address from_segment(segment_id id, segment_offset offset) noexcept { return {offset.n, id.n}; }
    static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n, ~u64{0}}; }

    static constexpr dwords copy_dwords{9};
    static void encode_copy(u32* at, address to, address from, bytes size) noexcept {
        put_place(at, to);
        put_place(at + 4, from);
        at[8] = low_dword(size.n);
    }
    static constexpr dwords fill_dwords{6};
    static void encode_fill(u32* at, address to, bytes size, u32 pattern) noexcept {
        put_place(at, to);
        at[4] = low_dword(size.n);
        at[5] = pattern;
    }
    static constexpr dwords discard_dwords{4};
    static void encode_discard(u32* at, address at_place, void*) noexcept { put_place(at, at_place); }
    static constexpr dwords access_dwords{4};
    static void encode_read(u32* at, address from) noexcept { put_place(at, from); }
    static void encode_write(u32* at, address to) noexcept { put_place(at, to); }

    static constexpr dwords swizzle_dwords{11};
    void encode_swizzled_copy(u32* at, hw::swizzled_copy<layout_gpu> const& copy) const noexcept {
        put_place(at, copy.destination);
        put_place(at + 4, copy.source);
        at[8] = copy.size;
        at[9] = low_dword(copy.allocation_offset);
        at[10] = copy.range_id + copy.range_data + (copy.direction == hw::swizzle::to_linear);
    }

    static constexpr u32 window_slots = 1024;
    static constexpr bytes window_entry_bytes{8};
    static constexpr u32 window_page_shift = 12;
    static constexpr u32 window_write_max = 1024;
    static constexpr dwords window_head_dwords{2};
    static constexpr dwords window_flush_dwords{2};
    static constexpr dwords window_wait_dwords{1};
    static constexpr address window_address() noexcept { return {0, 7}; }
    u64 window_entry_bits() const noexcept { return entry_bits; }
    static void encode_window_head(u32* at, u32 slot, u32 count) noexcept {
        at[0] = slot;
        at[1] = count;
    }
    static void encode_window_flush(u32* at, u32 slot, u32 count) noexcept {
        at[0] = slot;
        at[1] = count;
    }
    static void encode_window_wait(u32* at) noexcept { *at = 0; }
};
static_assert(hw::swizzle_copy_engine<layout_gpu> && hw::page_window<layout_gpu>);

}  // namespace

extern "C" {

ntstatus build_with_layouts(layout_gpu* hw, mirror::v2_9::dxgkarg_buildpagingbuffer* args) {
    return build_paging_buffer(*hw, *args);
}

}  // extern "C"
