// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_capabilities.hpp"

#include <wddmcore/base/stores.hpp>

/// Hardware whose engine cannot copy or fill a page at once, and that keeps none of the optional promises.
///
/// The stream is made of grains of five dwords. Dword 0 of a command: length in dwords [31:26], code [25:20], bytes [19:0].
/// The last but one dword is the complement of dword 0, the last one 0xE4D0E4D0. 64-bit values come low dword first.
///
///   code  length  command         bytes    dwords
///   0x21  9       copy            1-1000   1-3 source, 4-6 destination; as if the source had been read first
///   0x22  8       fill            1-1500   1-3 destination, 4 pattern, 5 the pattern's complement
///   0x23  6       read a byte     0        1-3 place
///   0x24  6       write a byte    0        1-3 place
///   0x3F  1-4     padding         0        dword 0 again, for the rest of its length, complemented
///
/// A place: value (2), target. Copies: everything a multiple of 8. Fills: everything a multiple of 4.
///
///   target 1 to 6        memory of the segment of that id; the value has the segment's base in it
///   target 0x8000'0001   system pages; the value is page number * 4096
///   target 0x8000'0002   addresses of the paging process
///
/// An aperture's table has 8 bytes a page: complement of the page number [51:0], coherent b63.
namespace wddmcore::inline WDDMCORE_ABI::testing::mock_small {

/// Twelve bytes, so that a sum needs its carry.
struct address {
    u32 low;
    u32 high;
    u32 target;
    friend constexpr address operator+(address a, bytes b) noexcept {
        u64 const sum = dword_pair(a.low, a.high) + b.n;
        return {low_dword(sum), high_dword(sum), a.target};
    }
};
static_assert(sizeof(address) == 12);

inline constexpr u32 target_pages = 0x8000'0001;
inline constexpr u32 target_virtual = 0x8000'0002;

[[nodiscard]] constexpr u32 head(u32 code, dwords length, u32 size) noexcept {
    return length.n << 26 | code << 20 | size;
}

/// Three dwords of a place.
constexpr void put_place(u32* at, address a) noexcept {
    put64(at, dword_pair(a.low, a.high));
    put32(at + 2, a.target);
}

/// The two dwords that end a command.
constexpr void put_end(u32* at, u32 first) noexcept { put64(at, dword_pair(~first, 0xE4D0'E4D0u)); }

struct stream {
    static constexpr dwords unit_dwords{5};
    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        u32 const first = head(0x3F, n, 0);
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, i == 0 ? first : ~first);
        }
    }
};

struct copies {
    static constexpr bytes copy_max{1'000};
    static constexpr bytes copy_alignment{8};
    static constexpr hw::overlap copy_overlap = hw::overlap::safe;
    static constexpr dwords copy_dwords{9};
    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        u32 const first = head(0x21, copy_dwords, static_cast<u32>(size.n));
        put32(at, first);
        put_place(at + 1, source);
        put_place(at + 4, destination);
        put_end(at + 7, first);
    }
};

struct fills {
    static constexpr bytes fill_max{1'500};
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords{8};
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        u32 const first = head(0x22, fill_dwords, static_cast<u32>(size.n));
        put32(at, first);
        put_place(at + 1, destination);
        put64(at + 4, dword_pair(pattern, ~pattern));
        put_end(at + 6, first);
    }
};

struct accesses {
    static constexpr dwords access_dwords{6};
    static constexpr void encode_read(u32* at, address place) noexcept { access(at, 0x23, place); }
    static constexpr void encode_write(u32* at, address place) noexcept { access(at, 0x24, place); }

private:
    static constexpr void access(u32* at, u32 code, address place) noexcept {
        u32 const first = head(code, access_dwords, 0);
        put32(at, first);
        put_place(at + 1, place);
        put_end(at + 4, first);
    }
};

}  // namespace wddmcore::testing::mock_small

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The mock of several commands a page; aperture entries are stored at once, with and without a buffer.
template <capabilities Caps = mock::vista>
struct mock_small_copies : mock_small::stream, mock_small::copies, mock_small::fills, mock_small::accesses {
    using address = mock_small::address;
    static constexpr capabilities caps = Caps;

    mock::segment_list segments{};
    u64* entries = nullptr;  ///< the table of the aperture, in memory that the engine reads
    mock::fault_log faults{};

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept { return segments.place(id); }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return segments.is_aperture(id); }

    [[nodiscard]] static constexpr address from_page(page_number page) noexcept {
        return address{0, 0, mock_small::target_pages} + bytes{byte_address(page)};
    }
    [[nodiscard]] constexpr address from_segment(segment_id id, segment_offset offset) const noexcept {
        return address{0, 0, id.n} + bytes{place(id).base.n + offset.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept {
        return address{0, 0, mock_small::target_virtual} + bytes{va.n};
    }

    constexpr void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        entries[index] = bit_field<u64, 51, 0>::place(~page.n) | bit_field<u64, 63>::place(coherent);
    }

    constexpr disposition on_paging_fault(paging_fault const& fault) noexcept { return faults.hear(fault); }
};

}  // namespace wddmcore::testing
