// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/stores.hpp>
#include <wddmcore/hw.hpp>

/// AMD gfx10 with SDMA 5, as a wddmcore hardware type. Facts: the vendor's public packet headers (navi10 SDMA) and
/// GPUVM entry bits; everything here is used by the vendor's own public driver.
///
/// Not here, because the adapter's own code does it: telling the memory hub to drop what it has cached of a GART entry.
/// A driver does so when it submits a paging buffer, so no later command in the same buffer may go through the
/// aperture. In amd_gfx10_virtual.hpp each entry is followed by a flush.
namespace wddmcore::examples::amd {

/// A GPU address ("MC address"): video memory, the GART window and system memory each have a range of these addresses.
struct address {
    u64 n;
    friend constexpr address operator+(address a, bytes b) noexcept { return {a.n + b.n}; }
};

/// Where an adapter put its windows, which StartDevice finds out.
struct windows {
    segment_id gart_segment{0};    ///< the aperture segment
    segment_place gart{{0}, {0}};  ///< its range in GPU addresses
    segment_id vram_segment{0};    ///< the memory segment
    segment_place vram{{0}, {0}};  ///< its range in GPU addresses
    u64 system_base = 0;           ///< the AGP window: GPU address of system page 0
    u64* gart_table = nullptr;     ///< the CPU's view of the GART's entries, in the BAR; one per aperture page
    u64 gart_table_address = 0;    ///< the GPU address of the same entries
};

// First dwords of packets: op [7:0], sub-op [15:8].
inline constexpr u32 op_nop = 0;
inline constexpr u32 op_copy_linear = 1;
inline constexpr u32 op_write_linear = 2;
inline constexpr u32 op_fence = 5;
inline constexpr u32 op_trap = 6;
inline constexpr u32 op_poll_memory = 8;
inline constexpr u32 op_constant_fill = 11;

/// The stream: indirect buffers are multiples of eight dwords, padded with NOPs.
struct sdma_stream {
    static constexpr dwords unit_dwords{8};

    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, op_nop);
        }
    }
};

/// COPY_LINEAR, 7 dwords: header, bytes - 1, swap modes, source, destination. Overlap is not documented.
struct sdma_copy {
    static constexpr bytes copy_max = 4 * mib;
    static constexpr bytes copy_alignment{4};
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords{7};

    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        put32(at, op_copy_linear);
        put64(at + 1, size.n - 1);
        put64(at + 3, source.n);
        put64(at + 5, destination.n);
    }
};

/// CONST_FILL, 5 dwords: header with fill size 2 (dwords), destination, pattern, bytes - 1.
struct sdma_fill {
    static constexpr bytes fill_max = 4 * mib;
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords{5};

    static constexpr u32 of_dwords = op_constant_fill | bit_field<u32, 31, 30>::place(2);
    static constexpr u32 of_bytes = op_constant_fill;

    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        put64(at, dword_pair(of_dwords, low_dword(destination.n)));
        put64(at + 2, dword_pair(high_dword(destination.n), pattern));
        put32(at + 4, static_cast<u32>(size.n - 1));
    }
};

/// Reads and writes of one place, for ordering. A write is a fill of one byte, so no neighbour is touched. A read is a
/// poll of the dword around the place with an empty mask, so it passes at once.
struct sdma_access {
    static constexpr dwords access_dwords{6};

    static constexpr u32 poll_equal = op_poll_memory | bit_field<u32, 31>::place(1) | bit_field<u32, 30, 28>::place(3);

    static constexpr void encode_read(u32* at, address place) noexcept {
        put64(at, dword_pair(poll_equal, low_dword(round_down<u64>(place.n, 4))));
        put64(at + 2, dword_pair(high_dword(place.n), 0));
        put64(at + 4, dword_pair(0, bit_field<u32, 27, 16>::place(0xFFF)));
    }
    static constexpr void encode_write(u32* at, address place) noexcept {
        put64(at, dword_pair(sdma_fill::of_bytes, low_dword(place.n)));
        put64(at + 2, dword_pair(high_dword(place.n), 0));
        put64(at + 4, dword_pair(0, op_nop));
    }
};

/// GART entries: 8 bytes a 4-KiB page, in the GPUVM format.
struct gart_entries {
    static constexpr u64 valid = bit_field<u64, 0>::mask;
    static constexpr u64 system = bit_field<u64, 1>::mask;
    static constexpr u64 snooped = bit_field<u64, 2>::mask;
    static constexpr u64 executable = bit_field<u64, 4>::mask;
    static constexpr u64 readable = bit_field<u64, 5>::mask;
    static constexpr u64 writeable = bit_field<u64, 6>::mask;

    /// An entry with all rights to a system page, snooped if the OS asks for coherency (OP05-03).
    [[nodiscard]] static constexpr u64 entry(page_number page, bool coherent) noexcept {
        return bit_field<u64, 47, 12>::place(page.n) | valid | system | (coherent ? snooped : 0) | executable |
               readable | writeable;
    }

    static constexpr dwords aperture_entry_dwords{6};
};
static_assert(gart_entries::entry(page_number{0x123456}, true) == 0x0000'0001'2345'6077);

/// A signal, 6 dwords: FENCE (memory type uncached, a dword's address, its value), which takes effect after everything
/// before it in the stream, and TRAP, the interrupt that follows (OP16-03). A second FENCE could store a high half, but
/// not at the same instant. So adapters of this kind report No64BitAtomics, and only the low half is stored (OP16-02).
struct sdma_fence {
    static constexpr bytes fence_bytes{4};
    static constexpr dwords fence_dwords{6};
    static constexpr u32 interrupt_context = 0;  // 28 bits for the driver's own use

    static constexpr void encode_fence(u32* at, address place, u64 value) noexcept {
        encode_store(at, place, low_dword(value));
        put64(at + 4, dword_pair(op_trap, interrupt_context));
    }

    /// FENCE alone, 4 dwords.
    static constexpr dwords store_dwords{4};
    static constexpr void encode_store(u32* at, address place, u32 value) noexcept {
        put64(at, dword_pair(op_fence | bit_field<u32, 18, 16>::place(3), low_dword(place.n)));
        put64(at + 2, dword_pair(high_dword(place.n), value));
    }
};

/// A GART entry holds 48 bits of a system address; a page beyond that cannot be named.
inline constexpr u64 reach = (u64{1} << 48) - 1;

/// What an adapter of this kind claims by default: WDDM 1.3, physical paging, one GART aperture.
inline constexpr capabilities physical_paging{
    .version = wddm::v1_3, .aperture = aperture_forms::mdl, .highest_visible_address = reach};

/// The same in WDDM 2.9 terms: paging through the paging process's addresses, and apertures mapped from ADLs.
inline constexpr capabilities virtual_paging{.version = wddm::v2_9,
                                             .addresses = paging_addresses::gpu_virtual,
                                             .aperture = aperture_forms::adl,
                                             .highest_visible_address = reach};

/// A driver's claims, limited to what GART entries can reach.
[[nodiscard]] constexpr capabilities within_reach(capabilities claimed) noexcept {
    claimed.highest_visible_address = lesser(claimed.highest_visible_address, reach);
    return claimed;
}

/// The hardware type, put together from its engines, with the adapter's windows as state.
template <capabilities Caps = physical_paging>
struct gfx10 : sdma_stream, sdma_copy, sdma_fill, sdma_access, sdma_fence {
    using address = amd::address;
    static constexpr capabilities caps = within_reach(Caps);

    windows at{};

    /// The hardware of an adapter whose windows are known, as StartDevice makes it.
    [[nodiscard]] static constexpr gfx10 started(windows const& where) noexcept {
        gfx10 hardware{};
        hardware.at = where;
        return hardware;
    }

    [[nodiscard]] constexpr address from_page(page_number page) const noexcept {
        return {at.system_base + byte_address(page)};
    }
    [[nodiscard]] constexpr address from_segment(segment_id id, segment_offset offset) const noexcept {
        return {place(id).base.n + offset.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n}; }

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id == at.vram_segment ? at.vram : id == at.gart_segment ? at.gart : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return id == at.gart_segment; }

    static constexpr dwords aperture_entry_dwords = gart_entries::aperture_entry_dwords;

    /// WRITE_LINEAR of one entry, 4 + 2 dwords: header, destination, dwords - 1, data.
    constexpr void encode_aperture_entry(u32* to, segment_id, u64 index, page_number page,
                                         bool coherent) const noexcept {
        u64 const destination = at.gart_table_address + index * 8;
        put64(to, dword_pair(op_write_linear, low_dword(destination)));
        put64(to + 2, dword_pair(high_dword(destination), 1));
        put64(to + 4, gart_entries::entry(page, coherent));
    }
    /// The adapter's own code drops what the GPU has cached of the entry, before it submits the next buffer.
    constexpr void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        at.gart_table[index] = gart_entries::entry(page, coherent);
    }

    /// This example stops on everything that is not harmless. A real driver would also count and trace.
    [[nodiscard]] static constexpr disposition on_paging_fault(paging_fault const& fault) noexcept {
        return harmless(fault.rule) ? disposition::dropped : disposition::stop;
    }
};

}  // namespace wddmcore::examples::amd
