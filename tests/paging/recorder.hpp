// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/assert.hpp>
#include <wddmcore/hw.hpp>

#include <cstring>

/// A hardware type that no GPU resembles: its commands describe themselves in plain words, and its limits are template
/// arguments. What a stream of it does can be read back without knowing anything about the library.
///
/// Every record: word 0 is 0xC0DE0000 | kind << 8 | length in dwords; then 64-bit values, the low dword first. An
/// address is two of them: the number, and the space that it counts in.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Which space an address counts in.
inline constexpr u64 virtual_space = 0;
inline constexpr u64 system_space = 1;
[[nodiscard]] constexpr u64 segment_space(u32 id) { return 0x100 + u64{id}; }

struct recorded_address {
    u64 n;
    u64 space;
    friend constexpr recorded_address operator+(recorded_address a, bytes b) noexcept { return {a.n + b.n, a.space}; }
    friend constexpr bool operator==(recorded_address, recorded_address) = default;
};

enum class record_kind : u32 {
    copy = 1,
    fill,
    read,
    write,
    aperture_entry,
    discard,
    swizzled_copy,
    // From here on a record is a row of 64-bit values (wddm2_gpu.hpp).
    flush,
    flush_range,
    fence,
    eviction,
    iommu_unmap,
    context_piece,
    context_update,
    residency,
    residency_range,
    fence_residency,
    mmu_map,
    mmu_unmap,
};

inline constexpr u32 record_head = 0xC0DE'0000;
inline constexpr u32 padding_head = 0xFADD'0000;

/// The limits and the optional promises of one recording engine.
struct engine_shape {
    capabilities caps{.version = wddm::vista};
    u64 copy_max = 256 * page_bytes;
    u64 copy_alignment = 4;
    hw::overlap copy_overlap = hw::overlap::by_direction;
    u64 fill_max = 256 * page_bytes;
    u64 fill_alignment = 4;
    u64 fill_pattern_bytes = 4;
    u32 grain = 1;
    bool aperture_commands = false;
    bool discards = false;
    bool swizzles = false;
    bool reports_busy = false;
    u64 record_bytes = 0;  ///< private data a pass; 0: keeps no record
    bool decrements_dma_size = false;
};

/// An entry that was stored at once.
struct stored_entry {
    u32 segment;
    u64 index;
    u64 page;
    bool coherent;
    friend constexpr bool operator==(stored_entry const&, stored_entry const&) = default;
};

/// Writes one record, ascending, each word once.
struct record_writer {
    u32* at;
    constexpr void word(u32 value) { *at++ = value; }
    constexpr void wide(u64 value) {
        word(static_cast<u32>(value));
        word(static_cast<u32>(value >> 32));
    }
    constexpr void place(recorded_address a) {
        wide(a.n);
        wide(a.space);
    }
    constexpr void head(record_kind kind, dwords length) { word(record_head | static_cast<u32>(kind) << 8 | length.n); }
};

/// A handle as a number; in constant evaluation, where its bits cannot be had, only whether it is there.
[[nodiscard]] constexpr u64 handle_bits(void* handle) noexcept {
    return in_constant_evaluation() ? u64{handle != nullptr} : u64{reinterpret_cast<usize>(handle)};
}

template <u32>
struct absent {};

template <bool Present>
struct aperture_command_part : absent<0> {};
template <>
struct aperture_command_part<true> {
    static constexpr dwords aperture_entry_dwords{7};
    static constexpr void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page,
                                                bool coherent) noexcept {
        record_writer to{at};
        to.head(record_kind::aperture_entry, aperture_entry_dwords);
        to.word(id.n);
        to.wide(index);
        to.wide(page.n);
        to.word(coherent ? 1 : 0);
    }
};

template <bool Present>
struct discard_part : absent<1> {};
template <>
struct discard_part<true> {
    static constexpr dwords discard_dwords{7};
    static constexpr void encode_discard(u32* at, recorded_address place, void* allocation) noexcept {
        record_writer to{at};
        to.head(record_kind::discard, discard_dwords);
        to.place(place);
        to.wide(handle_bits(allocation));
    }
};

template <bool Present, class Hw>
struct swizzle_part : absent<2> {};
template <class Hw>
struct swizzle_part<true, Hw> {
    static constexpr dwords swizzle_dwords{17};
    static constexpr void encode_swizzled_copy(u32* at, hw::swizzled_copy<Hw> const& copy) noexcept {
        record_writer to{at};
        to.head(record_kind::swizzled_copy, swizzle_dwords);
        to.place(copy.destination);
        to.place(copy.source);
        to.wide(copy.allocation_offset);
        to.word(copy.size);
        to.word(copy.direction == hw::swizzle::to_swizzled ? 1 : 2);
        to.wide(handle_bits(copy.allocation));
        to.word(copy.range_id);
        to.word(copy.range_data);
    }
};

/// Who asked the reporter about what.
struct busy_log {
    u32 times = 0;
    void* about = nullptr;
};

template <bool Present>
struct busy_part : absent<3> {};
template <>
struct busy_part<true> {
    bool busy = false;
    busy_log* asked = nullptr;
    [[nodiscard]] constexpr bool allocation_is_busy(void* allocation) const noexcept {
        if (asked != nullptr) {
            ++asked->times;
            asked->about = allocation;
        }
        return busy;
    }
};

template <u64 Bytes>
struct record_part {
    static constexpr bytes record_bytes{Bytes};
    static void encode_record(void* at, paging_record const& record) noexcept {
        // A record of odd length leaves the next one at any address.
        u32 const words[] = {static_cast<u32>(record.operation), record.written_bytes, record.first_token,
                             record.next_token};
        std::memcpy(at, words, sizeof words);
        for (u64 i = 16; i < Bytes; ++i) {
            static_cast<u8*>(at)[i] = 0xEE;
        }
    }
};
template <>
struct record_part<0> : absent<4> {};

template <bool Decrements>
struct dma_size_part : absent<5> {};
template <>
struct dma_size_part<true> {
    static constexpr bool decrements_dma_size = true;
};

inline constexpr u32 recorder_segments = 8;

/// The recording hardware.
template <engine_shape const& Shape>
struct recorder : aperture_command_part<Shape.aperture_commands>,
                  discard_part<Shape.discards>,
                  swizzle_part<Shape.swizzles, recorder<Shape>>,
                  busy_part<Shape.reports_busy>,
                  record_part<Shape.record_bytes>,
                  dma_size_part<Shape.decrements_dma_size> {
    using address = recorded_address;
    static constexpr engine_shape const& shape = Shape;
    static constexpr capabilities caps = Shape.caps;

    segment_place places[recorder_segments] = {};  ///< by id; a size of 0 where there is none
    bool apertures[recorder_segments] = {};
    disposition answer = disposition::stop;  ///< what the fault hook says
    u32 faults = 0;                          ///< how often it was called
    paging_fault last_fault = {};
    stored_entry* stores = nullptr;  ///< log of the entries stored at once
    u64 store_capacity = 0;
    u64 stored = 0;  ///< also counts what the log could not hold

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id.n < recorder_segments ? places[id.n] : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return apertures[id.n]; }
    [[nodiscard]] static constexpr address from_page(page_number page) noexcept {
        return {byte_address(page), system_space};
    }
    [[nodiscard]] static constexpr address from_segment(segment_id id, segment_offset offset) noexcept {
        return {offset.n, segment_space(id.n)};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept {
        return {va.n, virtual_space};
    }

    static constexpr dwords unit_dwords{Shape.grain};
    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            at[i] = padding_head | n.n << 8 | i;
        }
    }

    static constexpr bytes copy_max{Shape.copy_max};
    static constexpr bytes copy_alignment{Shape.copy_alignment};
    static constexpr hw::overlap copy_overlap = Shape.copy_overlap;
    static constexpr dwords copy_dwords{11};
    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        record_writer to{at};
        to.head(record_kind::copy, copy_dwords);
        to.place(destination);
        to.place(source);
        to.wide(size.n);
    }

    static constexpr bytes fill_max{Shape.fill_max};
    static constexpr bytes fill_alignment{Shape.fill_alignment};
    static constexpr bytes fill_pattern_bytes{Shape.fill_pattern_bytes};
    static constexpr dwords fill_dwords{8};
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        record_writer to{at};
        to.head(record_kind::fill, fill_dwords);
        to.place(destination);
        to.wide(size.n);
        to.word(pattern);
    }

    static constexpr dwords access_dwords{5};
    static constexpr void encode_read(u32* at, address place) noexcept {
        record_writer to{at};
        to.head(record_kind::read, access_dwords);
        to.place(place);
    }
    static constexpr void encode_write(u32* at, address place) noexcept {
        record_writer to{at};
        to.head(record_kind::write, access_dwords);
        to.place(place);
    }

    constexpr void store_aperture_entry(segment_id id, u64 index, page_number page, bool coherent) noexcept {
        if (stored < store_capacity) {
            stores[stored] = {id.n, index, page.n, coherent};
        }
        ++stored;
    }

    [[nodiscard]] constexpr disposition on_paging_fault(paging_fault const& fault) noexcept {
        ++faults;
        last_fault = fault;
        return answer;
    }
};

// Segments of every test: an ordinary one, two apertures, one for terabytes, one that ends where addresses end. They do
// not overlap (SEG-07).
inline constexpr u32 local_memory = 1;
inline constexpr u32 aperture_segment = 2;
inline constexpr u32 huge_memory = 3;
inline constexpr u32 top_memory = 5;
inline constexpr u32 small_aperture = 6;
inline constexpr u32 no_such_segment = 4;

/// A recorder with the segments of every test.
template <engine_shape const& Shape>
[[nodiscard]] constexpr recorder<Shape> recorder_with_segments() {
    recorder<Shape> hw{};
    hw.places[local_memory] = {{0x10'0000'0000}, {u64{16} << 30}};
    hw.places[aperture_segment] = {{0x4000'0000}, {u64{1} << 36}};
    hw.places[huge_memory] = {{u64{1} << 62}, {u64{1} << 62}};
    hw.places[top_memory] = {{~u64{0} - (u64{1} << 40) + 1}, {u64{1} << 40}};
    hw.places[small_aperture] = {{0x7000}, {8 * page_bytes}};
    hw.apertures[aperture_segment] = true;
    hw.apertures[small_aperture] = true;
    return hw;
}

}  // namespace wddmcore::testing
