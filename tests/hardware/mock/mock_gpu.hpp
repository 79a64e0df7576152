// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_notices.hpp"
#include "mock_page_tables.hpp"

/// Hardware that nobody built, so that nothing in the library can lean on how GPUs happen to be.
///
/// The stream is made of grains of three dwords. Dword 0 of a command:
///
///   [31:24] 0xB7   [23:16] code   [15:8] argument   [7:0] length in dwords, this one and the last one included
///
/// The last dword of a command is the exclusive or of all before it. 64-bit values come high dword first.
///
///   code  length  command         argument        dwords
///   0x01  11      copy            0               1-4 destination, 5-8 source, 9 bytes
///   0x02  7       fill            0               1-3 destination, 4 bytes, 5 the byte that repeats
///   0x03  13      swizzled copy   1 to swizzled   1-3 destination, 4-6 source, 7 bytes, 8-9 bytes from the allocation's
///                                 2 to linear     start, 10 range id, 11 range data
///   0x04  5       aperture entry  segment id      1 index, 2-3 entry
///   0x05  7       discard         1 with handle   1-4 place, 5 zero
///                                 0 without
///   0x06  5       read a byte     0               1-3 place
///   0x07  5       write a byte    0               1-3 place
///
/// A place of four dwords: value (2), target, number. One of three dwords: value (2), number << 8 | target.
///
///   target 0x11   memory of segment `number`; the value counts bytes from the segment's start
///   target 0x22   system pages; the value is page number * 4096; number zero
///   target 0x33   addresses of the paging process; number zero
///
/// Copies: 1 to 10'000 bytes, everything a multiple of 16, source and destination share no byte. Swizzled copies: the same,
/// at most 4096 bytes. Fills: 1 to 6'000 bytes, everything a multiple of 2.
///
/// Padding, one or two words: 0xFADE0000 | words left, the word itself included.
///
/// Layout: a piece of N whole blocks of 64 bytes has key = offset / 4096 * 7 + range id * 3 + range data. Block i of the
/// linear form is block (i + key) mod N of the swizzled form, counted from the end when the key is odd. What is left behind
/// the last whole block stays where it is.
///
/// An aperture's table has 8 bytes a page: page number [51:0], written once b62, coherent b63.
///
/// More commands stand in mock_page_tables.hpp and mock_notices.hpp.
namespace wddmcore::inline WDDMCORE_ABI::testing::mock {

struct stream {
    static constexpr dwords unit_dwords{3};
    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, 0xFADE'0000u | (n.n - i));
        }
    }
};

struct copies {
    static constexpr bytes copy_max{10'000};
    static constexpr bytes copy_alignment{16};
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords{11};
    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        line out{at, 0};
        out.head(0x01, 0, copy_dwords);
        out.place(destination);
        out.place(source);
        out.put(static_cast<u32>(size.n));
        out.end();
    }
};

struct fills {
    static constexpr bytes fill_max{6'000};
    static constexpr bytes fill_alignment{2};
    static constexpr bytes fill_pattern_bytes{1};
    static constexpr dwords fill_dwords{7};
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        line out{at, 0};
        out.head(0x02, 0, fill_dwords);
        out.short_place(destination);
        out.put(static_cast<u32>(size.n));
        out.put(pattern & 0xFFu);
        out.end();
    }
};

struct swizzled_copies {
    static constexpr dwords swizzle_dwords{13};
    template <class Hw>
    static constexpr void encode_swizzled_copy(u32* at, hw::swizzled_copy<Hw> const& copy) noexcept {
        line out{at, 0};
        out.head(0x03, copy.direction == hw::swizzle::to_swizzled ? 1 : 2, swizzle_dwords);
        out.short_place(copy.destination);
        out.short_place(copy.source);
        out.put(copy.size);
        out.wide(copy.allocation_offset);
        out.put(copy.range_id);
        out.put(copy.range_data);
        out.end();
    }
};

struct aperture_entries {
    [[nodiscard]] static constexpr u64 entry(page_number page, bool coherent) noexcept {
        return bit_field<u64, 51, 0>::place(page.n) | bit_field<u64, 62>::mask | bit_field<u64, 63>::place(coherent);
    }
    static constexpr dwords aperture_entry_dwords{5};
    static constexpr void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page,
                                                bool coherent) noexcept {
        line out{at, 0};
        out.head(0x04, id.n, aperture_entry_dwords);
        out.put(static_cast<u32>(index));
        out.wide(entry(page, coherent));
        out.end();
    }
};

struct discards {
    static constexpr dwords discard_dwords{7};
    static constexpr void encode_discard(u32* at, address place, void* allocation) noexcept {
        line out{at, 0};
        out.head(0x05, allocation != nullptr, discard_dwords);
        out.place(place);
        out.put(0);
        out.end();
    }
};

struct accesses {
    static constexpr dwords access_dwords{5};
    static constexpr void encode_read(u32* at, address place) noexcept { access(at, 0x06, place); }
    static constexpr void encode_write(u32* at, address place) noexcept { access(at, 0x07, place); }

private:
    static constexpr void access(u32* at, u32 code, address place) noexcept {
        line out{at, 0};
        out.head(code, 0, access_dwords);
        out.short_place(place);
        out.end();
    }
};

/// One record of 24 bytes for each pass with commands, little-endian: "MOCK", operation, bytes, first and next token, and
/// the exclusive or of these five.
struct records {
    static constexpr bytes record_bytes{24};

    template <class Private>
    static constexpr void encode_record(Private* at, paging_record const& record) noexcept {
        u32 const words[] = {0x4B43'4F4Du, static_cast<u32>(record.operation), record.written_bytes, record.first_token,
                             record.next_token};
        u8* to = static_cast<u8*>(at);
        u32 sum = 0;
        for (u32 const word : words) {
            to = put(to, word);
            sum ^= word;
        }
        put(to, sum);
    }

private:
    static constexpr u8* put(u8* at, u32 word) noexcept {
        for (u32 i = 0; i != 4; ++i) {
            at[i] = static_cast<u8>(word >> (8 * i));
        }
        return at + 4;
    }
};

}  // namespace wddmcore::testing::mock

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The mock with every optional promise kept; what it claims is the template argument.
template <capabilities Caps = mock::vista>
struct mock_gpu : mock::stream,
                  mock::copies,
                  mock::fills,
                  mock::swizzled_copies,
                  mock::aperture_entries,
                  mock::discards,
                  mock::accesses,
                  mock::records,
                  mock::page_table_entries,
                  mock::page_table_writes,
                  mock::flushes,
                  mock::fences,
                  mock::context_writes,
                  mock::residency_commands,
                  mock::mmu_commands,
                  mock::leaving_commands,
                  mock::listeners,
                  hw::coherent_page_table_store {
    using address = mock::address;
    static constexpr capabilities caps = Caps;
    static constexpr bool decrements_dma_size = true;  // the other reading of AMB-06
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps = mock::mmu_claims(Caps.page_tables);

    mock::segment_list segments{};
    u64* entries = nullptr;  ///< the table of the aperture, in memory that the engine reads
    mock::busy_list busy{};
    mock::fault_log faults{};

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept { return segments.place(id); }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return segments.is_aperture(id); }

    [[nodiscard]] static constexpr address from_page(page_number page) noexcept {
        return {byte_address(page), mock::target_pages, 0};
    }
    [[nodiscard]] static constexpr address from_segment(segment_id id, segment_offset offset) noexcept {
        return {offset.n, mock::target_segment, id.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept {
        return {va.n, mock::target_virtual, 0};
    }

    constexpr void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        entries[index] = entry(page, coherent);
    }

    [[nodiscard]] constexpr bool allocation_is_busy(void* allocation) const noexcept { return busy.has(allocation); }
    constexpr disposition on_paging_fault(paging_fault const& fault) noexcept { return faults.hear(fault); }
};

}  // namespace wddmcore::testing
