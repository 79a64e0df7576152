// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/wddmcore.hpp>

/// A first hardware type: everything that the library must know about a GPU to write its DxgkDdiBuildPagingBuffer.
namespace wddmcore::examples {

inline constexpr u64 video_memory = 0x80'0000'0000;    // GPU address of the one segment, as the adapter placed it
inline constexpr u64 system_memory = 0x100'0000'0000;  // GPU address of system page 0
inline constexpr bytes segment_size = 8 * mib;

/// Commands of 8 dwords: 1 (copy) or 2 (fill), pattern, destination, source, bytes. It claims WDDM 2.0, physical paging
/// and no aperture. What these claims make reachable is here; if anything were missing, one compile error would name
/// it.
struct my_gpu {
    static constexpr capabilities caps{.version = wddm::v2_0};
    using address = segment_address;

    static constexpr address from_page(page_number page) noexcept { return {system_memory + byte_address(page)}; }
    static constexpr address from_segment(segment_id, segment_offset at) noexcept { return {video_memory + at.n}; }
    static constexpr segment_place place(segment_id id) noexcept {
        return id.n == 1 ? segment_place{{video_memory}, segment_size} : segment_place{{0}, {0}};
    }
    static constexpr bool is_aperture(segment_id) noexcept { return false; }
    static constexpr dwords unit_dwords{1};
    static constexpr void encode_padding(u32*, dwords) noexcept {}  // a unit of one dword needs no padding

    static constexpr void put(u32* at, u64 head, address to, address from, bytes size) noexcept {
        put64(at, head);
        put64(at + 2, to.n);
        put64(at + 4, from.n);
        put64(at + 6, size.n);
    }
    static constexpr bytes copy_max = 1 * mib;
    static constexpr bytes copy_alignment{4};
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords{8};
    static constexpr void encode_copy(u32* at, address to, address from, bytes size) noexcept {
        put(at, 1, to, from, size);
    }
    static constexpr bytes fill_max = 1 * mib;
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords{8};
    static constexpr void encode_fill(u32* at, address to, bytes size, u32 pattern) noexcept {
        put(at, dword_pair(2, pattern), to, address{0}, size);
    }
    static constexpr disposition on_paging_fault(paging_fault const&) noexcept { return disposition::stop; }
};

}  // namespace wddmcore::examples
