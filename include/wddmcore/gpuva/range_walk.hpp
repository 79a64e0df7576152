// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/bits.hpp"
#include "judge.hpp"
#include "range.hpp"

/// Walks a range of pages in chunks, each inside one table: a head up to the end of the first table, whole tables in a
/// counted loop without a minimum to compute, and a tail. No recursion, and no call for each entry.
///
/// A visitor is called as `bool visit(level_number<L>, table_chunk)`; false stops the walk. A pass that ran out of room
/// resumes with the rest of the range, so a chunk may be cut between any two entries.
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
    static constexpr u32 value = Level;  ///< 0 is the leaf
};

namespace detail {

/// Walks consecutive entries of one level, which are numbered from address 0: in whole tables, except for the first and
/// the last chunk.
///
/// @param first  the first entry
/// @param last   the last entry; not below the first
/// @param visit  called as `bool visit(table_chunk, u64 entry)`, with the number of the first entry; false stops the
///               walk
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

/// Walks tables of one kind: each entry covers 2^EntryLg2 pages, and a table has 2^IndexBits entries. Entries that the
/// range covers only in part are included.
///
/// @param range  pages; an empty range has no chunk
/// @param visit  called as `bool visit(table_chunk)`, in ascending order; false stops
/// @return whether all chunks were visited
template <u32 EntryLg2, u32 IndexBits, class Visitor>
WDDMCORE_INLINE constexpr bool walk_tables(page_range range, Visitor&& visit) noexcept {
    return range.empty() || walk_entries<IndexBits>(range.first >> EntryLg2, (range.end - 1) >> EntryLg2,
                                                    [&visit](table_chunk chunk, u64) { return visit(chunk); });
}

}  // namespace detail

/// Walks the tables of one level that translate a range, in ascending order. Leaf indices count 4-KiB entries (GVA-05).
///
/// @tparam Geometry  page tables; one compile error if they break a rule
/// @tparam Level     0 is the leaf
/// @param range  pages inside the address space
/// @param visit  called as `bool visit(table_chunk)`; false stops
/// @return whether all chunks were visited
template <page_table_geometry const& Geometry, u32 Level, class Visitor>
WDDMCORE_INLINE constexpr bool walk_level(page_range range, Visitor&& visit) noexcept {
    if constexpr (is_sound<Geometry>) {
        static_assert(Level < Geometry.level_count, "walk_level: there is no such level");
        return detail::walk_tables<entry_pages_lg2(Geometry, Level), index_bits(Geometry, Level)>(range, visit);
    } else {
        return check_page_tables<Geometry>();
    }
}

/// Walks the leaf tables of 64-KiB entries that translate a range; indices count 64-KiB entries (AMB-22).
///
/// @param range  pages; rounded outward to multiples of 64 KiB
/// @return whether all chunks were visited
template <page_table_geometry const& Geometry, class Visitor>
WDDMCORE_INLINE constexpr bool walk_leaf_64k(page_range range, Visitor&& visit) noexcept {
    if constexpr (is_sound<Geometry>) {
        static_assert(has_64k_tables(Geometry), "walk_leaf_64k: these page tables have no tables of 64-KiB entries");
        return detail::walk_tables<pages_of_64k_lg2, index_bits(Geometry, 0) - pages_of_64k_lg2>(range, visit);
    } else {
        return check_page_tables<Geometry>();
    }
}

/// The order in which levels are walked.
enum class walk_order : u32 {
    bottom_up,  ///< leaf first: a table is complete before the entry that names it becomes valid
    top_down,   ///< root first: an entry becomes invalid before the table that it names is taken apart
};

namespace detail {

/// Walks the levels in the given order.
template <page_table_geometry const& Geometry, walk_order Order, class Visitor, u32... Places>
WDDMCORE_INLINE constexpr bool walk_levels(page_range range, Visitor& visit, meta::numbers<Places...>) noexcept {
    constexpr u32 root = root_level(Geometry);
    constexpr bool up = Order == walk_order::bottom_up;
    auto const of_level = [&visit, range]<u32 Level>(level_number<Level> at) {
        return walk_level<Geometry, Level>(range, [&visit, at](table_chunk chunk) { return visit(at, chunk); });
    };
    return (of_level(level_number<(up ? Places : root - Places)>{}) && ...);
}

}  // namespace detail

/// Walks the tables of all levels that translate a range, level by level, each in ascending order.
///
/// @tparam Geometry  page tables; one compile error if they break a rule
/// @param range  pages inside the address space
/// @param visit  called as `bool visit(level_number<L>, table_chunk)`; false stops
/// @return whether all chunks were visited
template <page_table_geometry const& Geometry, walk_order Order, class Visitor>
WDDMCORE_INLINE constexpr bool walk_all(page_range range, Visitor&& visit) noexcept {
    if constexpr (is_sound<Geometry>) {
        return detail::walk_levels<Geometry, Order>(range, visit, meta::count_to<Geometry.level_count>{});
    } else {
        return check_page_tables<Geometry>();
    }
}

}  // namespace wddmcore::gpuva
