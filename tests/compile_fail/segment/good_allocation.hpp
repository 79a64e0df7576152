// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/segment/allocation/judge.hpp>
#include <wddmcore/segment/table/table.hpp>

// Allocations with every rule kept, from WDDM 2.0 on and before; a case defines one of these before it includes this
// file.
#ifndef allocation_change
#    define allocation_change
#endif
#ifndef earlier_change
#    define earlier_change
#endif

inline constexpr wddmcore::segment_id gart{1};
inline constexpr wddmcore::segment_id vram{2};
inline constexpr wddmcore::usize bank_ends[] = {4 << 20, 8 << 20};

constexpr wddmcore::segment::allocation good_texture() {
    using namespace wddmcore;
    return {.size = 1 * mib,
            .alignment = 64 * kib,
            .supported = segment::set_of(gart, vram),
            .eviction = segment::set_of(gart),
            .preferred = segment::prefer(vram, gart)};
}

constexpr wddmcore::segment::allocation changed_allocation() {
    using namespace wddmcore;
    segment::allocation texture = good_texture();
    allocation_change;
    return texture;
}

constexpr wddmcore::segment::allocation changed_earlier() {
    using namespace wddmcore;
    segment::allocation texture = good_texture();
    texture.hinted_bank.slots[0].id = 2;
    earlier_change;
    return texture;
}

struct good_gpu {
    static constexpr auto segments = wddmcore::segment::table_of(
        gart, wddmcore::segment::aperture{.id = gart, .base = wddmcore::segment::at(0), .size = 512 * wddmcore::mib},
        wddmcore::segment::memory{.id = vram,
                                  .base = wddmcore::segment::at(0x80'0000'0000),
                                  .size = wddmcore::segment::at_start,
                                  .pages_64k = true});
    static constexpr auto earlier_segments = wddmcore::segment::table_of(
        gart, wddmcore::segment::aperture{.id = gart, .base = wddmcore::segment::at(0), .size = 512 * wddmcore::mib},
        wddmcore::segment::banked_memory{.id = vram,
                                         .base = wddmcore::segment::at(0x8000'0000),
                                         .size = 16 * wddmcore::mib,
                                         .banks = {bank_ends, 2}});
    static constexpr wddmcore::segment::allocation texture = changed_allocation();
    static constexpr wddmcore::segment::allocation earlier_texture = changed_earlier();
    static constexpr wddmcore::segment::allocation_profile profile{.version = wddmcore::wddm::v3_2};
    static constexpr wddmcore::segment::allocation_profile earlier_profile{.version = wddmcore::wddm::win7};
};
