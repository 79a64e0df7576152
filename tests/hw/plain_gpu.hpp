// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

/// The least hardware type there can be: every required promise, none of the optional ones. Tests add one at a time.
namespace wddmcore::inline WDDMCORE_ABI::testing {

struct plain_address {
    u64 n;
    friend constexpr plain_address operator+(plain_address a, bytes b) noexcept { return {a.n + b.n}; }
};

/// The numbers of a plain type; each has a default with which a page is one command and nothing is padded.
struct plain_numbers {
    dwords unit{1};
    bytes copy_max = mib;
    bytes copy_alignment{4};
    dwords copy_dwords{4};
    bytes fill_max = mib;
    bytes fill_alignment{4};
    dwords fill_dwords{3};
    dwords access_dwords{2};
};

inline constexpr capabilities plain_caps{.version = wddm::v1_3, .aperture = aperture_forms::mdl};

inline constexpr u64 aperture_pages = 8;

template <plain_numbers Numbers = plain_numbers{}, capabilities Caps = plain_caps>
struct plain_gpu {
    using address = plain_address;
    static constexpr capabilities caps = Caps;

    u64 stored[aperture_pages] = {};  ///< what store_aperture_entry left, page number + 1
    u32 stores = 0;
    u32 faults = 0;

    [[nodiscard]] static constexpr address from_page(page_number page) noexcept { return {byte_address(page)}; }
    [[nodiscard]] static constexpr address from_segment(segment_id id, segment_offset offset) noexcept {
        return {(u64{id.n} << 40) + offset.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n}; }

    /// Segment 1 is an aperture, segment 2 is memory; both begin at 1 TiB times their id.
    [[nodiscard]] static constexpr segment_place place(segment_id id) noexcept {
        u64 const size = id.n == 1 ? aperture_pages * page_bytes : id.n == 2 ? gib.n : 0;
        return {{u64{id.n} << 40}, {size}};
    }
    [[nodiscard]] static constexpr bool is_aperture(segment_id id) noexcept { return id.n == 1; }

    static constexpr dwords unit_dwords = Numbers.unit;
    static constexpr void encode_padding(u32* at, dwords n) noexcept { put(at, n, 0); }

    static constexpr bytes copy_max = Numbers.copy_max;
    static constexpr bytes copy_alignment = Numbers.copy_alignment;
    static constexpr hw::overlap copy_overlap = hw::overlap::safe;
    static constexpr dwords copy_dwords = Numbers.copy_dwords;
    static constexpr void encode_copy(u32* at, address, address, bytes) noexcept { put(at, copy_dwords, 1); }

    static constexpr bytes fill_max = Numbers.fill_max;
    static constexpr bytes fill_alignment = Numbers.fill_alignment;
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords = Numbers.fill_dwords;
    static constexpr void encode_fill(u32* at, address, bytes, u32) noexcept { put(at, fill_dwords, 2); }

    static constexpr dwords access_dwords = Numbers.access_dwords;
    static constexpr void encode_read(u32* at, address) noexcept { put(at, access_dwords, 3); }
    static constexpr void encode_write(u32* at, address) noexcept { put(at, access_dwords, 4); }

    constexpr void store_aperture_entry(segment_id, u64 index, page_number page, bool) noexcept {
        stored[index] = page.n + 1;
        ++stores;
    }

    constexpr disposition on_paging_fault(paging_fault const&) noexcept {
        ++faults;
        return disposition::stop;
    }

    /// `n` dwords of one value: what a command is does not matter here.
    static constexpr void put(u32* at, dwords n, u32 value) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, value);
        }
    }
};

}  // namespace wddmcore::testing
