// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "intel_xe_page_tables.hpp"

#include <wddmcore/base/stores.hpp>
#include <wddmcore/hw.hpp>

/// The blitter of Intel Xe2, as a wddmcore hardware type. Facts: the public driver's definitions of commands.
///
/// Two things set it apart from other copy engines. It works on rectangles, not lengths: a copy is whole rows of 4 KiB
/// followed by one shorter row, both in one of our commands. And it has only virtual addresses: the page tables of the
/// paging context map all of the GPU's memory and all system pages, each at a fixed offset, and physical paging uses
/// those addresses.
///
/// Not here: MEM_COPY for data. It is in intel_xe_page_table_commands.hpp, for page tables.
namespace wddmcore::examples::intel {

/// An address that the blitter translates; in the lower half of the address space.
struct address {
    u64 n;
    friend constexpr address operator+(address a, bytes b) noexcept { return {a.n + b.n}; }
};

/// Where an adapter put its segments, which StartDevice finds out. Addresses are those of the paging context.
struct windows {
    segment_id local_segment{0};       ///< the memory segment: the GPU's own memory
    segment_place local{{0}, {0}};     ///< its range in the addresses that the OS sees
    u64 local_virtual = 0;             ///< where the paging context sees its first byte
    segment_id aperture_segment{0};    ///< the aperture segment: a range of the paging context
    segment_place aperture{{0}, {0}};  ///< its range in the addresses that the OS sees
    u64 aperture_virtual = 0;          ///< where the paging context sees it
    u64 system_virtual = 0;            ///< where the paging context sees system page 0
    u64* aperture_table = nullptr;     ///< the CPU's view of the aperture's level-0 entries, in the BAR
    u64 aperture_table_virtual = 0;    ///< where the paging context sees the same entries, contiguously
    u64 scratch_virtual = 0;           ///< a cache line that belongs to the driver
    u32 mocs = 0;                      ///< the caching policy of blits: an entry of a table that the driver loads
    u32 coherent_pat = 0;              ///< the caching policies of aperture pages, likewise
    u32 noncoherent_pat = 0;
};

// Headers: client [31:29], then for MI commands opcode [28:23], for blits opcode [28:22]; length - 2 in the low bits.
[[nodiscard]] constexpr u32 mi(u32 opcode, u32 length) noexcept {
    return bit_field<u32, 28, 23>::place(opcode) | (length - 2);
}
[[nodiscard]] constexpr u32 blit(u32 opcode, u32 length) noexcept {
    return bit_field<u32, 31, 29>::place(2) | bit_field<u32, 28, 22>::place(opcode) | (length - 2);
}
inline constexpr u32 mi_noop = 0;
inline constexpr u32 mi_arb_check = bit_field<u32, 28, 23>::place(0x05);
inline constexpr u32 mi_flush_dw = mi(0x26, 4);
inline constexpr u32 flush_stores_dword = bit_field<u32, 14>::place(1);
inline constexpr u32 flush_invalidates_tlb = bit_field<u32, 18>::place(1);
inline constexpr u32 mi_store_qword = mi(0x20, 5) | bit_field<u32, 21>::place(1);
inline constexpr u32 xy_fast_copy = blit(0x42, 10);
inline constexpr u32 mem_set_rows = blit(0x5B, 7) | bit_field<u32, 17>::place(1);
static_assert(mi_arb_check == 0x0280'0000 && (mi_flush_dw | flush_stores_dword) == 0x1300'4002);
static_assert(mi_store_qword == 0x1020'0003 && xy_fast_copy == 0x5080'0008);

/// A batch: whole quadwords, padded with MI_NOOP.
struct batch {
    static constexpr dwords unit_dwords{2};

    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, mi_noop);
        }
    }
};

/// What precedes every blit, 5 dwords: a point where the batch may be preempted, and a flush, without which blits may
/// overtake each other. Overlapping copies, and fills of what was just copied, rely on that order.
struct order_point {
    static constexpr dwords length{5};

    static constexpr void encode(u32* at) noexcept {
        put64(at, dword_pair(mi_arb_check, mi_flush_dw));
        put64(at + 2, 0);
        put32(at + 4, 0);
    }
};

/// A size as rectangles: whole rows followed by one shorter row.
struct rows_and_rest {
    static constexpr u32 row_bytes = 4096;
    u32 rows;
    u32 rest;

    [[nodiscard]] static constexpr rows_and_rest of(bytes size) noexcept {
        return {static_cast<u32>(size.n / row_bytes), static_cast<u32>(size.n % row_bytes)};
    }
    [[nodiscard]] constexpr bytes whole() const noexcept { return u64{rows} * bytes{row_bytes}; }
};

/// One blit occupies the engine for at most this many bytes, about a millisecond. A height of 15 bits would allow far
/// more.
inline constexpr bytes uninterrupted = 8 * mib;
static_assert(uninterrupted.n / rows_and_rest::row_bytes <= 32767);

/// XY_FAST_COPY_BLT, 10 dwords: linear surfaces of 32-bit pixels, destination first. Without rows it is padding.
struct fast_copy {
    static constexpr dwords length{10};

    static constexpr void encode(u32* at, address destination, address source, u32 rows, u32 row, u32 mocs) noexcept {
        if (rows == 0 || row == 0) {
            return batch::encode_padding(at, length);
        }
        u32 const surface =
            bit_field<u32, 15, 0>::place(rows_and_rest::row_bytes) | bit_field<u32, 23, 20>::place(mocs);
        u32 const depth_32 = bit_field<u32, 26, 24>::place(3);
        put64(at, dword_pair(xy_fast_copy, surface | depth_32));
        put64(at + 2, dword_pair(0, bit_field<u32, 31, 16>::place(rows) | bit_field<u32, 15, 0>::place(row / 4)));
        put64(at + 4, destination.n);
        put64(at + 6, dword_pair(0, surface));
        put64(at + 8, source.n);
    }
};

/// MEM_SET, 7 dwords: rows of one repeated byte. Without rows it is padding.
struct mem_set {
    static constexpr dwords length{7};

    static constexpr void encode(u32* at, address destination, u32 rows, u32 row, u32 value, u32 mocs) noexcept {
        if (rows == 0 || row == 0) {
            return batch::encode_padding(at, length);
        }
        put64(at, dword_pair(mem_set_rows, row - 1));
        put64(at + 2, dword_pair(rows - 1, rows == 1 ? row - 1 : rows_and_rest::row_bytes - 1));
        put64(at + 4, destination.n);
        put32(at + 6, bit_field<u32, 31, 24>::place(value) | bit_field<u32, 6, 3>::place(mocs));
    }
};

/// What page tables and address space allow: system addresses of 46 bits, mapped in the lower half at a fixed offset.
inline constexpr u64 reach = (u64{1} << 46) - 1;

/// What an adapter of this kind claims by default: WDDM 1.3, physical paging, one aperture.
inline constexpr capabilities physical_paging{
    .version = wddm::v1_3, .aperture = aperture_forms::mdl, .highest_visible_address = reach};

/// The same in WDDM 2.9 terms: paging through the paging process's addresses, and apertures mapped from ADLs.
inline constexpr capabilities virtual_paging{.version = wddm::v2_9,
                                             .addresses = paging_addresses::gpu_virtual,
                                             .aperture = aperture_forms::adl,
                                             .highest_visible_address = reach};

/// A driver's claims, limited to what the page tables can reach.
[[nodiscard]] constexpr capabilities within_reach(capabilities claimed) noexcept {
    claimed.highest_visible_address = lesser(claimed.highest_visible_address, reach);
    return claimed;
}

/// The hardware type, put together from its commands, with the adapter's windows as state.
template <capabilities Caps = physical_paging>
struct xe : batch {
    using address = intel::address;
    static constexpr capabilities caps = within_reach(Caps);

    windows at{};

    /// The hardware of an adapter whose windows are known, as StartDevice makes it.
    [[nodiscard]] static constexpr xe started(windows const& where) noexcept {
        xe hardware{};
        hardware.at = where;
        return hardware;
    }

    [[nodiscard]] constexpr address from_page(page_number page) const noexcept {
        return {at.system_virtual + byte_address(page)};
    }
    [[nodiscard]] constexpr address from_segment(segment_id id, segment_offset offset) const noexcept {
        return {(id == at.local_segment ? at.local_virtual : at.aperture_virtual) + offset.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n}; }

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id == at.local_segment ? at.local : id == at.aperture_segment ? at.aperture : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return id == at.aperture_segment; }

    static constexpr bytes copy_max = uninterrupted;
    static constexpr bytes copy_alignment{64};  // no public source promises less than a cache line
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords = order_point::length + fast_copy::length + fast_copy::length;

    constexpr void encode_copy(u32* to, address destination, address source, bytes size) const noexcept {
        auto const part = rows_and_rest::of(size);
        order_point::encode(to);
        to += order_point::length.n;
        fast_copy::encode(to, destination, source, part.rows, rows_and_rest::row_bytes, at.mocs);
        fast_copy::encode(to + fast_copy::length.n, destination + part.whole(), source + part.whole(), 1, part.rest,
                          at.mocs);
    }

    // One repeated byte: a pattern of four different bytes is refused before it gets here.
    static constexpr bytes fill_max = uninterrupted;
    static constexpr bytes fill_alignment{1};
    static constexpr bytes fill_pattern_bytes{1};
    static constexpr dwords fill_dwords = order_point::length + mem_set::length + mem_set::length;

    constexpr void encode_fill(u32* to, address destination, bytes size, u32 pattern) const noexcept {
        auto const part = rows_and_rest::of(size);
        order_point::encode(to);
        to += order_point::length.n;
        mem_set::encode(to, destination, part.rows, rows_and_rest::row_bytes, pattern, at.mocs);
        mem_set::encode(to + mem_set::length.n, destination + part.whole(), 1, part.rest, pattern, at.mocs);
    }

    // Reads and writes of one place, for ordering: a read copies the cache line to the driver's own, a write sets one
    // byte.
    static constexpr dwords access_dwords = order_point::length + fast_copy::length;
    constexpr void encode_read(u32* to, address place) const noexcept {
        order_point::encode(to);
        fast_copy::encode(to + order_point::length.n, {at.scratch_virtual}, {round_down<u64>(place.n, 64)}, 1, 64,
                          at.mocs);
    }
    constexpr void encode_write(u32* to, address place) const noexcept {
        order_point::encode(to);
        to += order_point::length.n;
        mem_set::encode(to, place, 1, 1, 0, at.mocs);
        encode_padding(to + mem_set::length.n, {fast_copy::length.n - mem_set::length.n});
    }

    /// An entry of the aperture: system memory, with the caching policy for the coherency that the OS asks for
    /// (OP05-03).
    [[nodiscard]] constexpr u64 aperture_entry(page_number page, bool coherent) const noexcept {
        page_use const use{.pat = coherent ? at.coherent_pat : at.noncoherent_pat};
        return page_tables::encode_leaf(page, page_tables::attributes(page_size::kib4, use));
    }

    /// A flush before the entry changes, because blits may still use it; the entry; a flush that drops the old one.
    /// Such a flush has to store something too.
    static constexpr dwords aperture_entry_dwords{4 + 5 + 4};
    constexpr void encode_aperture_entry(u32* to, segment_id, u64 index, page_number page,
                                         bool coherent) const noexcept {
        put64(to, dword_pair(mi_flush_dw, 0));
        put64(to + 2, 0);
        put32(to + 4, mi_store_qword);
        put64(to + 5, at.aperture_table_virtual + index * 8);
        put64(to + 7, aperture_entry(page, coherent));
        put32(to + 9, mi_flush_dw | flush_stores_dword | flush_invalidates_tlb);
        put64(to + 10, at.scratch_virtual);
        put32(to + 12, 0);
    }
    /// The adapter's own code drops what the GPU has cached of the entry, before it submits the next buffer.
    constexpr void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        at.aperture_table[index] = aperture_entry(page, coherent);
    }

    /// This example stops on everything that is not harmless. A real driver would also count and trace.
    [[nodiscard]] static constexpr disposition on_paging_fault(paging_fault const& fault) noexcept {
        return harmless(fault.rule) ? disposition::dropped : disposition::stop;
    }
};

}  // namespace wddmcore::examples::intel
