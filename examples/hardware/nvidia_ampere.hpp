// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "nvidia_ampere_page_tables.hpp"

#include <wddmcore/base/stores.hpp>
#include <wddmcore/hw.hpp>

/// NVIDIA Ampere with copy engine C7B5, as a wddmcore hardware type. Facts: the vendor's public class headers and
/// manuals.
///
/// Commands are methods of a class that the channel binds to a subchannel once (encode_bind). The engine remembers what
/// it was told, but other work may run between two paging buffers, so every command sets everything that it needs.
///
/// Not here, because the adapter's own code does it: telling the MMU to drop what it has cached of an entry. A driver
/// does so when it submits a paging buffer, so no later command in the same buffer may go through the aperture. In
/// nvidia_ampere_virtual.hpp each entry is followed by a flush.
namespace wddmcore::examples::nvidia {

/// The space of a copy-engine address: a physical target, with its number in the methods, or the channel's address
/// space.
enum class target : u32 { video = 0, coherent_system = 1, noncoherent_system = 2, gpu_virtual = 4 };

struct address {
    u64 n;
    target in;
    friend constexpr address operator+(address a, bytes b) noexcept { return {a.n + b.n, a.in}; }
};

/// Where an adapter put its segments, which StartDevice finds out.
struct windows {
    segment_id video_segment;     ///< the memory segment
    segment_place video;          ///< its range in the addresses that the OS sees
    u64 video_first;              ///< the physical address of its first byte in video memory
    segment_id aperture_segment;  ///< the aperture segment: a range of the paging channel's own address space
    segment_place aperture;       ///< its range in the addresses that the OS sees
    u64 aperture_virtual;         ///< the GPU virtual address of its first byte
    u64* aperture_table;          ///< the CPU's view of that range's 4-KiB entries, contiguously, in the BAR
    u64 aperture_table_address;   ///< the address of the same entries in video memory
    u64 scratch;                  ///< the address of a byte of video memory that belongs to the driver
};

// Byte offsets of methods.
inline constexpr u32 set_object = 0x0;
inline constexpr u32 nop = 0x100;
inline constexpr u32 set_source_physical_mode = 0x260;
inline constexpr u32 set_destination_physical_mode = 0x264;
inline constexpr u32 launch_dma = 0x300;
inline constexpr u32 offset_in_upper = 0x400;
inline constexpr u32 offset_out_upper = 0x408;
inline constexpr u32 line_length_in = 0x418;
inline constexpr u32 set_remap_constant_a = 0x700;

inline constexpr u32 copy_class = 0xC7B5;
inline constexpr u32 subchannel = 4;

/// The header of `count` methods from `method` on, one data word each.
[[nodiscard]] constexpr u32 methods(u32 method, u32 count) noexcept {
    return bit_field<u32, 31, 29>::place(1) | bit_field<u32, 28, 16>::place(count) |
           bit_field<u32, 15, 13>::place(subchannel) | bit_field<u32, 11, 0>::place(method / 4);
}
static_assert(methods(offset_in_upper, 4) == 0x2004'8100 && methods(line_length_in, 2) == 0x2002'8106);
static_assert(methods(launch_dma, 1) == 0x2001'80C0 && methods(set_remap_constant_a, 3) == 0x2003'81C0);

/// A method whose 13 bits of data are in its header.
[[nodiscard]] constexpr u32 method_with(u32 method, u32 data) noexcept {
    return bit_field<u32, 31, 29>::place(4) | bit_field<u32, 28, 16>::place(data) |
           bit_field<u32, 15, 13>::place(subchannel) | bit_field<u32, 11, 0>::place(method / 4);
}

// LAUNCH_DMA. Non-pipelined: each command begins when the one before it has ended, as overlapping moves require.
inline constexpr u32 linear_and_in_order = bit_field<u32, 1, 0>::place(2)  // data transfer: non-pipelined
                                           | bit_field<u32, 2>::place(1)   // flush what was written
                                           | bit_field<u32, 7>::place(1)   // source layout: pitch
                                           | bit_field<u32, 8>::place(1);  // destination layout: pitch
inline constexpr u32 with_remap = bit_field<u32, 10>::place(1);
static_assert(linear_and_in_order == 0x186);

[[nodiscard]] constexpr u32 source_type(target t) noexcept {
    return bit_field<u32, 12>::place(t != target::gpu_virtual);
}
[[nodiscard]] constexpr u32 destination_type(target t) noexcept {
    return bit_field<u32, 13>::place(t != target::gpu_virtual);
}
static_assert((linear_and_in_order | source_type(target::video) | destination_type(target::video)) == 0x3186);

/// The mode for a physical side; for a virtual side its value does not matter.
[[nodiscard]] constexpr u32 physical_mode(target t) noexcept {
    return bit_field<u32, 1, 0>::place(static_cast<u32>(t));
}

/// Two words, the upper half of an address first: the order of all offsets.
[[nodiscard]] constexpr u64 upper_first(u64 n) noexcept { return dword_pair(high_dword(n), low_dword(n)); }

/// The stream: methods, which may begin and end at any dword.
struct method_stream {
    static constexpr dwords unit_dwords{1};

    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, method_with(nop, 0));
        }
    }

    /// Binds the copy engine to its subchannel: once for each channel, before anything else.
    static constexpr dwords bind_dwords{2};
    static constexpr void encode_bind(u32* at) noexcept { put64(at, dword_pair(methods(set_object, 1), copy_class)); }
};

/// One line of bytes. Commands with only virtual addresses leave the physical modes out. Overlap is not documented.
template <bool Physical>
struct copy_engine {
    static constexpr bytes copy_max{0xFFFF'FFFF};  // LINE_LENGTH_IN has 32 bits; the library takes whole pages of it
    static constexpr bytes copy_alignment{1};
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords{Physical ? 13 : 10};

    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        if constexpr (Physical) {
            put32(at, methods(set_source_physical_mode, 2));
            put64(at + 1, dword_pair(physical_mode(source.in), physical_mode(destination.in)));
            at += 3;
        }
        put32(at, methods(offset_in_upper, 4));
        put64(at + 1, upper_first(source.n));
        put64(at + 3, upper_first(destination.n));
        put64(at + 5, dword_pair(methods(line_length_in, 2), low_dword(size.n)));
        put64(at + 7, dword_pair(1, methods(launch_dma, 1)));
        put32(at + 9, linear_and_in_order | source_type(source.in) | destination_type(destination.in));
    }
};

/// Elements made of one or two 32-bit constants.
struct constant_writes {
    static constexpr u32 dword_elements = 4 | bit_field<u32, 17, 16>::place(3);            // X from constant A, 4 bytes
    static constexpr u32 qword_elements = dword_elements | bit_field<u32, 6, 4>::place(5)  // Y from constant B
                                          | bit_field<u32, 25, 24>::place(1);              // 2 components
    static_assert(dword_elements == 0x0003'0004);

    static constexpr dwords length{14};

    static constexpr void encode(u32* at, address destination, u32 count, u64 constants, u32 elements) noexcept {
        put64(at, dword_pair(methods(set_destination_physical_mode, 1), physical_mode(destination.in)));
        put32(at + 2, methods(offset_out_upper, 2));
        put64(at + 3, upper_first(destination.n));
        put64(at + 5, dword_pair(methods(line_length_in, 2), count));
        put64(at + 7, dword_pair(1, methods(set_remap_constant_a, 3)));
        put64(at + 9, constants);
        put64(at + 11, dword_pair(elements, methods(launch_dma, 1)));
        put32(at + 13, linear_and_in_order | with_remap | destination_type(destination.in));
    }
};

/// Fills with a 32-bit pattern: constant A, repeated.
struct fill_engine {
    static constexpr bytes fill_max = u64{0xFFFF'FFFF} * bytes{4};  // LINE_LENGTH_IN counts elements here
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords = constant_writes::length;

    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        constant_writes::encode(at, destination, low_dword(size.n / 4), pattern, constant_writes::dword_elements);
    }
};

/// The copy engine's offsets have 49 bits; a system page beyond that cannot be named.
inline constexpr u64 reach = (u64{1} << 49) - 1;

/// What an adapter of this kind claims by default: WDDM 1.3, physical paging, one aperture.
inline constexpr capabilities physical_paging{
    .version = wddm::v1_3, .aperture = aperture_forms::mdl, .highest_visible_address = reach};

/// The same in WDDM 2.9 terms: paging through the paging process's addresses, and apertures mapped from ADLs.
inline constexpr capabilities virtual_paging{.version = wddm::v2_9,
                                             .addresses = paging_addresses::gpu_virtual,
                                             .aperture = aperture_forms::adl,
                                             .highest_visible_address = reach};

/// A driver's claims, limited to what the engine's offsets can reach.
[[nodiscard]] constexpr capabilities within_reach(capabilities claimed) noexcept {
    claimed.highest_visible_address = lesser(claimed.highest_visible_address, reach);
    return claimed;
}

/// Whether commands may name physical memory.
[[nodiscard]] constexpr bool may_be_physical(capabilities claimed) noexcept {
    return contains(claimed.addresses, paging_addresses::physical) || claimed.oldest < wddm::v2_0;
}

/// The hardware type, put together from its engines, with the adapter's windows as state.
template <capabilities Caps = physical_paging>
struct ampere : method_stream, copy_engine<may_be_physical(Caps)>, fill_engine {
    using address = nvidia::address;
    static constexpr capabilities caps = within_reach(Caps);

    windows at;

    /// The hardware of an adapter whose windows are known, as StartDevice makes it.
    [[nodiscard]] static constexpr ampere started(windows const& where) noexcept {
        ampere hardware{};
        hardware.at = where;
        return hardware;
    }

    [[nodiscard]] static constexpr address from_page(page_number page) noexcept {
        return {byte_address(page), target::coherent_system};
    }
    [[nodiscard]] constexpr address from_segment(segment_id id, segment_offset offset) const noexcept {
        return id == at.video_segment ? address{at.video_first + offset.n, target::video}
                                      : address{at.aperture_virtual + offset.n, target::gpu_virtual};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept {
        return {va.n, target::gpu_virtual};
    }

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id == at.video_segment ? at.video : id == at.aperture_segment ? at.aperture : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return id == at.aperture_segment; }

    // Reads and writes of one place, for ordering: one byte is copied from there to the driver's own byte, or back.
    static constexpr dwords access_dwords = copy_engine<true>::copy_dwords;
    constexpr void encode_read(u32* to, address place) const noexcept {
        copy_engine<true>::encode_copy(to, {at.scratch, target::video}, place, bytes{1});
    }
    constexpr void encode_write(u32* to, address place) const noexcept {
        copy_engine<true>::encode_copy(to, place, {at.scratch, target::video}, bytes{1});
    }

    /// An entry of the aperture: system memory, snooped where the OS asks for coherency (OP05-03).
    [[nodiscard]] static constexpr u64 aperture_entry(page_number page, bool coherent) noexcept {
        memory const where = coherent ? memory::coherent_system : memory::noncoherent_system;
        return page_tables::encode_leaf(page, page_tables::attributes({.where = where, .is_volatile = true})).low;
    }

    static constexpr dwords aperture_entry_dwords = constant_writes::length;
    constexpr void encode_aperture_entry(u32* to, segment_id, u64 index, page_number page,
                                         bool coherent) const noexcept {
        constant_writes::encode(to, {at.aperture_table_address + index * 8, target::video}, 1,
                                aperture_entry(page, coherent), constant_writes::qword_elements);
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

}  // namespace wddmcore::examples::nvidia
