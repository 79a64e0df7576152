// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/gpuva/promotion.hpp>

/// The same walks by plain loops, for four levels of 512 entries and large pages at level 1: what one writes first,
/// what a patient hand arrives at, and the stores that cannot be avoided. All return how many chunks they stored.
namespace bench {

using namespace wddmcore;
using gpuva::page_range;
using gpuva::table_chunk;

/// What a command for a chunk of a promoted walk needs.
struct mapped_chunk {
    table_chunk chunk;
    page_number first;
    u64 level;
    friend bool operator==(mapped_chunk const&, mapped_chunk const&) = default;
};

/// From one boundary to the next, level inside level.
inline std::size_t obvious_leaf(table_chunk* const out, page_range range) {
    table_chunk* at = out;
    for (u64 upper = range.first; upper < range.end;) {
        u64 const upper_boundary = (upper + (u64{1} << 18)) & ~((u64{1} << 18) - 1);
        u64 const upper_end = upper_boundary < range.end ? upper_boundary : range.end;
        for (u64 page = upper; page != upper_end;) {
            u64 const boundary = (page + 512) & ~u64{511};
            u64 const end = boundary < upper_end ? boundary : upper_end;
            *at++ = {page >> 9, static_cast<u32>(page & 511), static_cast<u32>(end - page)};
            page = end;
        }
        upper = upper_end;
    }
    return static_cast<std::size_t>(at - out);
}

/// Entries [first, end) of one level, at least one: head, counted middle, tail.
WDDMCORE_INLINE table_chunk* hand_entries(table_chunk* at, u64 first, u64 end) {
    if (u64 const inside = first & 511; inside != 0) {
        u64 const left = end - first;
        u64 const length = 512 - inside < left ? 512 - inside : left;
        *at++ = {first >> 9, static_cast<u32>(inside), static_cast<u32>(length)};
        first += length;
    }
    u64 table = first >> 9;
    for (u64 count = (end - first) >> 9; count != 0; --count) {
        *at++ = {table++, 0, 512};
    }
    if (u64 const rest = (end - first) & 511; rest != 0) {
        *at++ = {table, 0, static_cast<u32>(rest)};
    }
    return at;
}

inline std::size_t hand_leaf(table_chunk* const out, page_range range) {
    return range.empty() ? 0 : static_cast<std::size_t>(hand_entries(out, range.first, range.end) - out);
}

inline std::size_t limit_leaf(table_chunk* const out, page_range range) {
    std::size_t const count = ((range.end + 511) >> 9) - (range.first >> 9);
    for (std::size_t i = 0; i != count; ++i) {
        out[i] = {i, 0, 512};
    }
    return count;
}

/// All levels, leaf first: entries that a range covers in part belong to it.
inline std::size_t obvious_all(table_chunk* const out, page_range range) {
    table_chunk* at = out;
    for (u32 level = 0; level != 4 && !range.empty(); ++level) {
        u64 const entry_pages = u64{1} << (9 * level);
        u64 const end = (range.end + entry_pages - 1) / entry_pages;
        for (u64 entry = range.first / entry_pages; entry < end;) {
            u64 const boundary = (entry / 512 + 1) * 512;
            u64 const stop = boundary < end ? boundary : end;
            *at++ = {entry / 512, static_cast<u32>(entry % 512), static_cast<u32>(stop - entry)};
            entry = stop;
        }
    }
    return static_cast<std::size_t>(at - out);
}

inline std::size_t hand_all(table_chunk* const out, page_range range) {
    if (range.empty()) {
        return 0;
    }
    u64 const last = range.end - 1;
    table_chunk* at = hand_entries(out, range.first, range.end);
    at = hand_entries(at, range.first >> 9, (last >> 9) + 1);
    at = hand_entries(at, range.first >> 18, (last >> 18) + 1);
    at = hand_entries(at, range.first >> 27, (last >> 27) + 1);
    return static_cast<std::size_t>(at - out);
}

inline std::size_t limit_all(table_chunk* const out, page_range range) {
    table_chunk* at = out;
    for (u32 shift = 9; shift != 45; shift += 9) {
        for (u64 table = range.first >> shift; table <= (range.end - 1) >> shift; ++table) {
            *at++ = {table, 0, 512};
        }
    }
    return static_cast<std::size_t>(at - out);
}

/// Page by page: can a large one begin here? What continues the chunk before it is added to it.
inline std::size_t obvious_promoted(mapped_chunk* const out, gpuva::promotion const& plan) {
    mapped_chunk* at = out;
    for (u64 page = plan.range.first; page != plan.range.end;) {
        u64 const to = page + plan.distance;
        bool const large = page % 512 == 0 && to % 512 == 0 && plan.range.end - page >= 512;
        u64 const level = large ? 1 : 0;
        u64 const entry = large ? page / 512 : page;
        bool const continues = at != out && at[-1].level == level && at[-1].chunk.table == entry / 512;
        if (continues) {
            ++at[-1].chunk.count;
        } else {
            *at++ = {{entry / 512, static_cast<u32>(entry % 512), 1}, {to}, level};
        }
        page += large ? 512 : 1;
    }
    return static_cast<std::size_t>(at - out);
}

/// Entries [first, end) of one level: a chunk for each table.
WDDMCORE_INLINE mapped_chunk* hand_mapped(mapped_chunk* at, u64 first, u64 end, u64 distance, u32 shift, u64 level) {
    while (first != end) {
        u64 const boundary = (first | 511) + 1;
        u64 const stop = boundary < end ? boundary : end;
        *at++ = {{first >> 9, static_cast<u32>(first & 511), static_cast<u32>(stop - first)},
                 {(first << shift) + distance},
                 level};
        first = stop;
    }
    return at;
}

/// Small pages up to the first place for a large one, large ones as far as they go, small ones: one decision for all.
inline std::size_t hand_promoted(mapped_chunk* const out, gpuva::promotion const& plan) {
    u64 const distance = plan.distance;
    u64 const end = plan.range.end;
    u64 const first = plan.range.first;
    u64 const begin = (first + 511) & ~u64{511};
    u64 const large_end = end & ~u64{511};
    mapped_chunk* at = out;
    if ((distance & 511) != 0 || begin >= large_end) {
        at = hand_mapped(at, first, end, distance, 0, 0);
    } else {
        at = hand_mapped(at, first, begin, distance, 0, 0);
        at = hand_mapped(at, begin >> 9, large_end >> 9, distance, 9, 1);
        at = hand_mapped(at, large_end, end, distance, 0, 0);
    }
    return static_cast<std::size_t>(at - out);
}

/// The three chunks of a mapping that begins and ends inside leaf tables, and whose large pages have one table.
inline std::size_t limit_promoted(mapped_chunk* const out, gpuva::promotion const& plan) {
    u64 const first = plan.range.first;
    for (u64 i = 0; i != 3; ++i) {
        out[i] = {{first, 0, 341}, {plan.distance}, i};
    }
    return 3;
}

}  // namespace bench
