// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/wddmcore.hpp>

/// The Kestrel K2, as its data sheet in hardware_type.md describes it, for a WDDM 2.0 driver with physical paging.
namespace guide {

using namespace wddmcore;

struct kestrel {
    // region: claims
    static constexpr capabilities caps{
        .version = wddm::v2_0, .aperture = aperture_forms::mdl, .highest_visible_address = (u64{1} << 39) - 1};
    // end: claims

    // region: memory
    using address = segment_address;  // a 64-bit number; the chip takes 40 bits of it

    static constexpr segment_id gart{1}, vram{2};
    static constexpr segment_address gart_base{0x01'0000'0000}, vram_base{0x40'0000'0000};
    static constexpr bytes gart_size = 256 * mib;
    static constexpr u64 host_window = 0x80'0000'0000;  // where the chip sees host address 0

    bytes vram_size{0};         // StartDevice writes them: what register MEM_SIZE says,
    u32* gart_table = nullptr;  // and where BAR 2 is mapped

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id == gart   ? segment_place{gart_base, gart_size}
               : id == vram ? segment_place{vram_base, vram_size}
                            : segment_place{{0}, {0}};
    }
    [[nodiscard]] static constexpr bool is_aperture(segment_id id) noexcept { return id == gart; }
    [[nodiscard]] static constexpr address from_page(page_number page) noexcept {
        return {host_window + byte_address(page)};
    }
    [[nodiscard]] constexpr address from_segment(segment_id id, segment_offset at) const noexcept {
        return {place(id).base.n + at.n};
    }
    // end: memory

    // region: stream
    enum class opcode : u32 { nop = 0, copy = 4, fill = 6 };
    using head_opcode = bit_field<u32, 31, 28>;
    using head_length = bit_field<u32, 27, 24>;  // dwords after this one
    using head_count = bit_field<u32, 21, 0>;    // what is left to do after the first unit

    [[nodiscard]] static constexpr u32 head(opcode code, u32 length, u64 count) noexcept {
        return head_opcode::place(static_cast<u32>(code)) | head_length::place(length - 1) |
               head_count::place(static_cast<u32>(count - 1));
    }

    static constexpr dwords unit_dwords{2};
    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, head(opcode::nop, 1, 1));
        }
    }
    // end: stream

    // region: copy
    static constexpr bytes copy_max = 4 * mib;
    static constexpr bytes copy_alignment{1};
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords{5};
    static constexpr void encode_copy(u32* at, address to, address from, bytes size) noexcept {
        put32(at, head(opcode::copy, copy_dwords.n, size.n));
        put64(at + 1, to.n);
        put64(at + 3, from.n);
    }
    // end: copy

    // region: fill
    static constexpr bytes fill_max = 16 * mib;
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords{4};
    static constexpr void encode_fill(u32* at, address to, bytes size, u32 pattern) noexcept {
        put32(at, head(opcode::fill, fill_dwords.n, size.n / 4));
        put64(at + 1, to.n);
        put32(at + 3, pattern);
    }
    // end: fill

    // region: gart
    using entry_valid = bit_field<u32, 31>;
    using entry_snoop = bit_field<u32, 30>;
    using entry_page = bit_field<u32, 27, 0>;

    constexpr void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        gart_table[index] =
            entry_valid::mask | entry_snoop::place(coherent) | entry_page::place(static_cast<u32>(page.n));
    }
    // end: gart

    // region: faults
    static constexpr disposition on_paging_fault(paging_fault const& fault) noexcept {
        return harmless(fault.rule) ? disposition::dropped : disposition::stop;
    }
    // end: faults
};

}  // namespace guide
