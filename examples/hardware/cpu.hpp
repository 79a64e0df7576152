// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/stores.hpp>
#include <wddmcore/hw.hpp>

/// The reference hardware type: a processor that reads simple records and does what they say. Drivers for emulated GPUs
/// and the first steps of a new one look like this.
///
/// The stream is a sequence of records of whole 64-bit units. Dword 0 of a record: code [7:0], length in dwords [15:8].
///
///   code  length  record                                                            dwords
///   0     1       nothing, to fill a 64-bit unit    0: head
///   1     8       copy, as memmove                  1: zero, 2-3: destination, 4-5: source, 6-7: bytes
///   2     8       fill with a 32-bit pattern        1: pattern, 2-3: destination, 4-5: bytes, 6-7: zero
///   3     4       read one byte and drop it         1: zero, 2-3: place
///   4     4       write one byte                    1: zero, 2-3: place
///   5     8       aperture entry                    1: segment id [7:0], coherent b8, 2-3: index, 4-5: page number, 6-7: zero
///
/// 64-bit values are little-endian, the low dword first.
namespace wddmcore::examples::cpu {

struct address {
    u64 n;
    friend constexpr address operator+(address a, bytes b) noexcept { return {a.n + b.n}; }
};

enum class record : u32 { nothing = 0, copy = 1, fill = 2, read = 3, write = 4, aperture_entry = 5 };

/// The head of a record of `length` dwords.
[[nodiscard]] constexpr u32 head(record code, dwords length) noexcept {
    return bit_field<u32, 7, 0>::place(static_cast<u32>(code)) | bit_field<u32, 15, 8>::place(length.n);
}

/// One segment as the adapter placed it.
struct segment {
    segment_place where;
    bool aperture;
};

/// What the processor keeps for each page of an aperture.
struct aperture_entry {
    u64 page;
    u64 coherent;
};

inline constexpr u32 segment_limit = 4;

inline constexpr capabilities physical_paging{
    .version = wddm::v1_3, .aperture = aperture_forms::mdl, .alternate_address_lock = claim::yes};

inline constexpr capabilities virtual_paging{
    .version = wddm::v2_9, .addresses = paging_addresses::gpu_virtual, .aperture = aperture_forms::adl};

template <capabilities Caps = physical_paging>
struct processor {
    using address = cpu::address;
    static constexpr capabilities caps = Caps;

    segment segments[segment_limit];  ///< ids 1 to segment_limit; a size of 0 where there is none
    u64 system_base;                  ///< the address of system page 0
    aperture_entry* entries;          ///< the aperture's table, in memory that the processor reads

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id.n - 1 < segment_limit ? segments[id.n - 1].where : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return segments[id.n - 1].aperture; }
    [[nodiscard]] constexpr address from_page(page_number page) const noexcept {
        return {system_base + byte_address(page)};
    }
    [[nodiscard]] constexpr address from_segment(segment_id id, segment_offset offset) const noexcept {
        return {segments[id.n - 1].where.base.n + offset.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n}; }

    static constexpr dwords unit_dwords{2};
    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, head(record::nothing, dwords{1}));
        }
    }

    static constexpr bytes copy_max = 256 * mib;
    static constexpr bytes copy_alignment{1};
    static constexpr hw::overlap copy_overlap = hw::overlap::safe;
    static constexpr dwords copy_dwords{8};
    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        put64(at, head(record::copy, copy_dwords));
        put64(at + 2, destination.n);
        put64(at + 4, source.n);
        put64(at + 6, size.n);
    }

    static constexpr bytes fill_max = 256 * mib;
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords{8};
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        put64(at, dword_pair(head(record::fill, fill_dwords), pattern));
        put64(at + 2, destination.n);
        put64(at + 4, size.n);
        put64(at + 6, 0);
    }

    static constexpr dwords access_dwords{4};
    static constexpr void encode_read(u32* at, address place) noexcept {
        put64(at, head(record::read, access_dwords));
        put64(at + 2, place.n);
    }
    static constexpr void encode_write(u32* at, address place) noexcept {
        put64(at, head(record::write, access_dwords));
        put64(at + 2, place.n);
    }

    static constexpr dwords aperture_entry_dwords{8};
    static constexpr void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page,
                                                bool coherent) noexcept {
        u32 const where = bit_field<u32, 7, 0>::place(id.n) | bit_field<u32, 8>::place(coherent);
        put64(at, dword_pair(head(record::aperture_entry, aperture_entry_dwords), where));
        put64(at + 2, index);
        put64(at + 4, page.n);
        put64(at + 6, 0);
    }
    constexpr void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        entries[index] = {page.n, coherent};
    }

    [[nodiscard]] static constexpr disposition on_paging_fault(paging_fault const& fault) noexcept {
        return harmless(fault.rule) ? disposition::dropped : disposition::stop;
    }
};

}  // namespace wddmcore::examples::cpu
