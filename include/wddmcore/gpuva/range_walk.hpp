// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/bits.hpp"
#include "judge.hpp"
#include "range.hpp"

/// A range of pages as chunks, each inside one table: a head up to the first table's end, whole tables in a counted
/// loop with no smaller of two numbers in it, a tail. No recursion, and nothing is called for an entry.
///
/// A visitor is called as `bool visit(level_number<L>, table_chunk)`; false stops the walk. A pass that ran out of room
/// resumes with the range from where it stopped: a chunk may be cut between any two entries.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source page: gpu-virtual-address.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// Consecutive entries of one table.
struct table_chunk {
    u64 table;  ///< the table's number in its level, counted from address 0
    u32 first;  ///< index of the first entry
    u32 count;  ///< entries; 1 or more
    friend constexpr bool operator==(table_chunk const&, table_chunk const&) = default;
};

/// A level as a type, so that a visitor knows it at compile time: `constexpr u32 level = decltype(at)::value;`.
template <u32 Level>
struct level_number {
    static constexpr u32 value = Level;
};

/// Walks consecutive entries of one level, numbered from address 0: in whole tables but for the first and the last
/// chunk.
///
/// @param first  the first entry
/// @param last   the last entry, not below the first
/// @param visit  called as `bool visit(table_chunk, u64 entry)` with the number of the chunk's first entry; false stops
/// @return whether all chunks were visited
template <u32 IndexBits, class Visitor>
WDDMCORE_INLINE constexpr bool walk_entries(u64 first, u64 last, Visitor&& visit) noexcept {
    static_assert(IndexBits < 32);
    constexpr u32 entries = u32{1} << IndexBits;
    u64 table = first >> IndexBits;
    u64 const last_table = last >> IndexBits;
    auto index = static_cast<u32>(first & (entries - 1));
    if (table != last_table) {
        if (!visit(table_chunk{table, index, entries - index}, first)) {
            return false;
        }
        while (++table != last_table) {
            if (!visit(table_chunk{table, 0, entries}, table << IndexBits)) {
                return false;
            }
        }
        index = 0;
        first = table << IndexBits;
    }
    return visit(table_chunk{table, index, static_cast<u32>(last - first) + 1}, first);
}

/// Walks the tables of one kind: entries of 2^EntryLg2 pages, 2^IndexBits of them in a table. An entry that the range
/// covers in part is in the walk.
///
/// @param range  pages; an empty range has no chunk
/// @param visit  called as `bool visit(table_chunk)`, in ascending order; false stops
/// @return whether all chunks were visited
template <u32 EntryLg2, u32 IndexBits, class Visitor>
WDDMCORE_INLINE constexpr bool walk_tables(page_range range, Visitor&& visit) noexcept {
    return range.empty() || walk_entries<IndexBits>(range.first >> EntryLg2, (range.end - 1) >> EntryLg2,
                                                    [&visit](table_chunk chunk, u64) { return visit(chunk); });
}

/// Walks the tables of one level that translate a range, in ascending order. Leaf indices count 4-KiB entries (GVA-05).
///
/// @tparam Geometry  page tables; one compile error where they break a rule
/// @tparam Level     0 the leaf
/// @param range  pages inside the address space
/// @param visit  called as `bool visit(table_chunk)`; false stops
/// @return whether all chunks were visited
template <page_table_geometry const& Geometry, u32 Level, class Visitor>
WDDMCORE_INLINE constexpr bool walk_level(page_range range, Visitor&& visit) noexcept {
    if constexpr (is_sound<Geometry>) {
        static_assert(Level < Geometry.level_count, "walk_level: there is no such level");
        return walk_tables<entry_pages_lg2(Geometry, Level), index_bits(Geometry, Level)>(range, visit);
    } else {
        return check_page_tables<Geometry>();
    }
}

/// Walks the leaf tables of 64-KiB entries that translate a range; indices count 64-KiB entries (AMB-22).
///
/// @param range  pages; what is no multiple of 64 KiB is rounded outward
/// @return whether all chunks were visited
template <page_table_geometry const& Geometry, class Visitor>
WDDMCORE_INLINE constexpr bool walk_leaf_64k(page_range range, Visitor&& visit) noexcept {
    if constexpr (is_sound<Geometry>) {
        static_assert(has_64k_tables(Geometry), "walk_leaf_64k: these page tables have no tables of 64-KiB entries");
        return walk_tables<pages_of_64k_lg2, index_bits(Geometry, 0) - pages_of_64k_lg2>(range, visit);
    } else {
        return check_page_tables<Geometry>();
    }
}

/// In which order levels are walked.
enum class walk_order : u32 {
    bottom_up,  ///< leaf first: what a directory entry names is complete before the entry is valid
    top_down,   ///< root first: an entry is invalid before what it named is taken apart
};

/// Walks the levels that stand at the places of an order.
template <page_table_geometry const& Geometry, walk_order Order, class Visitor, u32... Places>
WDDMCORE_INLINE constexpr bool walk_levels(page_range range, Visitor& visit, meta::numbers<Places...>) noexcept {
    constexpr u32 root = root_level(Geometry);
    constexpr bool up = Order == walk_order::bottom_up;
    auto const of_level = [&visit, range]<u32 Level>(level_number<Level> at) {
        return walk_level<Geometry, Level>(range, [&visit, at](table_chunk chunk) { return visit(at, chunk); });
    };
    return (of_level(level_number<(up ? Places : root - Places)>{}) && ...);
}

/// Walks the tables of all levels that translate a range: one level after the other, each in ascending order.
///
/// @tparam Geometry  page tables; one compile error where they break a rule
/// @param range  pages inside the address space
/// @param visit  called as `bool visit(level_number<L>, table_chunk)`; false stops
/// @return whether all chunks were visited
template <page_table_geometry const& Geometry, walk_order Order, class Visitor>
WDDMCORE_INLINE constexpr bool walk_all(page_range range, Visitor&& visit) noexcept {
    if constexpr (is_sound<Geometry>) {
        return walk_levels<Geometry, Order>(range, visit, meta::count_to<Geometry.level_count>{});
    } else {
        return check_page_tables<Geometry>();
    }
}

/// The entry that names a table: one level up, the entry of the table's own number.
///
/// @param level  of the table; below the root
[[nodiscard]] constexpr table_chunk entry_naming(page_table_geometry const& g, u32 level, u64 table) noexcept {
    u32 const bits = index_bits(g, level + 1);
    return {table >> bits, static_cast<u32>(table & low_mask<u64>(bits)), 1};
}

/// How many tables of a level translate a range: the chunks that a walk of it has.
[[nodiscard]] constexpr u64 table_count(page_table_geometry const& g, u32 level, page_range range) noexcept {
    u32 const table_lg2 = entry_pages_lg2(g, level) + index_bits(g, level);
    return range.empty() ? 0 : ((range.end - 1) >> table_lg2) - (range.first >> table_lg2) + 1;
}

/// How many entries of a level translate a range: the sum of the chunks that a walk of it has.
[[nodiscard]] constexpr u64 entry_count_in(page_table_geometry const& g, u32 level, page_range range) noexcept {
    u32 const entry_lg2 = entry_pages_lg2(g, level);
    return range.empty() ? 0 : ((range.end - 1) >> entry_lg2) - (range.first >> entry_lg2) + 1;
}

/// The hardware's entries of a leaf chunk: those of the GPU pages that begin in it (OP11-05). A chunk that begins
/// inside a GPU page leaves that page to the chunk that holds its start.
///
/// @return a chunk that counts the hardware's entries; its count is 0 when no GPU page begins in it
[[nodiscard]] constexpr table_chunk hardware_entries(page_table_geometry const& g, table_chunk leaf) noexcept {
    u32 const lg2 = gpu_page_lg2(g);
    auto const up = [lg2](u64 index) { return static_cast<u32>((index + (u64{1} << lg2) - 1) >> lg2); };
    u32 const first = up(leaf.first);
    return {leaf.table, first, up(u64{leaf.first} + leaf.count) - first};
}

}  // namespace wddmcore::gpuva
