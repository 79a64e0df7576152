// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/promises/page_table/format.hpp"
#include "rules.hpp"

/// Checks geometries, by the same function at compile time and at run time: a geometry goes in, and the first rule that
/// it breaks comes out as a value.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

namespace detail {

/// @return whether a hardware entry can have this many bytes (GVA-04)
[[nodiscard]] constexpr bool is_entry_size(u32 n) noexcept { return n == 4 || n == 8 || n == 16; }

/// Checks each level on its own (GVA-02, GVA-04, GVA-16).
[[nodiscard]] constexpr broken_rule judge_levels(page_table_geometry const& g) noexcept {
    constexpr u32 most_index_bits = 31;
    rule_check check{};
    for (u32 level = 0; level < most_levels; ++level) {
        page_table_level const& one = g.levels[level];
        check.place = level;
        bool const empty = one.index_bits == 0 && one.entry_bytes == 0 && !one.large_pages;
        if (level >= g.level_count) {
            check.when(!empty, rule::level_past_the_root, g.level_count);
            continue;
        }
        bool const needs_entries = !root_is_resizable(g) || level != 1;
        // The DDI has a UINT for the number of entries, and another for the bytes of a table.
        bool const too_large = one.index_bits > most_index_bits || u64{one.entry_bytes} << one.index_bits > ~u32{0};
        check.when(one.index_bits == 0 && needs_entries, rule::index_bits_missing, 0);
        check.when(!is_entry_size(one.entry_bytes), rule::entry_size, one.entry_bytes);
        check.when(too_large, rule::table_too_large, one.index_bits);
    }
    check.place = 0;
    check.when(g.levels[0].large_pages, rule::large_leaf, 0);
    return check.found;
}

/// Checks the width of an address (GVA-03).
[[nodiscard]] constexpr broken_rule judge_width(page_table_geometry const& g) noexcept {
    constexpr u32 most_bits = 64;
    constexpr u32 most_root_bits = 31;
    u32 const said = g.virtual_address_bits;
    u32 const sum = page_shift_lg2 + entry_pages_lg2(g, g.level_count);
    rule_check check{};
    if (!root_is_resizable(g)) {
        check.when(sum > most_bits, rule::address_too_wide, sum);
        check.when(said != 0 && said != sum, rule::address_bits_differ, sum);
        return check.found;
    }
    u32 const first_root_bits = g.levels[1].index_bits;
    u32 const below_root = page_shift_lg2 + g.levels[0].index_bits;
    check.when(said == 0 || said > most_bits, rule::address_bits_missing, said);
    check.place = 1;
    check.when(said <= below_root || said - below_root > most_root_bits, rule::nothing_left_for_root, below_root);
    check.when(first_root_bits > said - below_root, rule::first_root_too_large, first_root_bits);
    return check.found;
}

/// Checks the pages of the leaf (GVA-05, GVA-09, GVA-10).
[[nodiscard]] constexpr broken_rule judge_leaf(page_table_geometry const& g) noexcept {
    constexpr u64 largest_gpu_page = u64{64} * 1024;
    u32 const bits = g.levels[0].index_bits;
    u64 const page = g.gpu_page.n;
    rule_check check{};
    check.when(!is_power_of_two(page) || page < page_bytes || page > largest_gpu_page, rule::gpu_page_size, page);
    check.when(gpu_page_lg2(g) > bits, rule::gpu_page_above_table, page);
    if (has_64k_tables(g)) {
        bool const other_entries = g.entry_bytes_64k != 0 && !is_entry_size(g.entry_bytes_64k);
        check.when(page != page_bytes, rule::gpu_page_is_64k, page);
        check.when(other_entries, rule::entry_size_64k, g.entry_bytes_64k);
        check.when(bits < pages_of_64k_lg2, rule::leaf_too_small_for_64k, bits);
    } else {
        check.when(g.entry_bytes_64k != 0, rule::entry_size_without_64k, g.entry_bytes_64k);
    }
    return check.found;
}

}  // namespace detail

/// The first rule that a geometry breaks (GVA-01 to GVA-05, GVA-09, GVA-10, GVA-16).
///
/// Source pages: ns-d3dkmddi-_dxgk_gpummucaps.md, ns-d3dkmddi-_dxgk_page_table_level_desc.md, gpu-virtual-address.md,
/// support-for-64kb-pages.md; WDDM 2.0.
///
/// @param g  any numbers at all
/// @return no_rule_broken; otherwise the rule, the level that breaks it and the wrong number
[[nodiscard]] constexpr broken_rule judge(page_table_geometry const& g) noexcept {
    if (g.level_count < fewest_levels || g.level_count > most_levels) {
        return {rule::level_count, 0, g.level_count};
    }
    detail::rule_check check{};
    check.add(detail::judge_levels(g));
    check.add(detail::judge_width(g));
    check.add(detail::judge_leaf(g));
    return check.found;
}

/// The first rule that the page tables of any chip of a hardware type break, or all of them together.
///
/// @return as judge; the place is the level, of whichever chip
template <class Hw>
[[nodiscard]] consteval broken_rule judge_chips() noexcept {
    page_table_geometry const& first = hw::any_geometry<Hw>();
    for (page_table_geometry const& each : hw::geometries<Hw>()) {
        if (broken_rule const found = judge(each); found != no_rule_broken) {
            return found;
        }
        if (each.leaf != first.leaf || each.entry_bytes_64k != first.entry_bytes_64k ||
            each.levels[0].entry_bytes != first.levels[0].entry_bytes) {
            return {rule::chips_differ_in_leaves, 0, each.levels[0].entry_bytes};
        }
    }
    return no_rule_broken;
}

/// Whether a geometry breaks no rule.
template <page_table_geometry const& Geometry>
inline constexpr bool is_sound = judge(Geometry) == no_rule_broken;

}  // namespace wddmcore::gpuva

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks the page tables of every chip of a hardware type at compile time: a broken rule is one compile error.
///
/// @tparam Hw  a type with `page_tables`, a constant or chosen_among several
/// @return true
template <class Hw>
[[nodiscard]] consteval bool check_page_tables_of() {
    constexpr gpuva::broken_rule found = gpuva::judge_chips<Hw>();
    return gpuva::sentence<found.what, found.place, found.value>();
}

/// Checks page tables at compile time: `static_assert(wddmcore::check_page_tables<my_gpu::page_tables>());`.
///
/// A broken rule is one compile error: a sentence that says what to do, with the rule, the level and the wrong number
/// in its template arguments. Functions that walk or answer make the same check, and instantiate nothing else if it
/// fails.
///
/// @tparam Geometry  a constant of static storage
/// @return true
template <gpuva::page_table_geometry const& Geometry>
[[nodiscard]] consteval bool check_page_tables() {
    constexpr gpuva::broken_rule found = gpuva::judge(Geometry);
    return gpuva::sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore
