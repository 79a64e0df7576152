// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/page_tables.hpp"
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
    for (u32 level = 0; level < most_levels; ++level) {
        page_table_level const& one = g.levels[level];
        if (level >= g.level_count) {
            if (one.index_bits != 0 || one.entry_bytes != 0 || one.large_pages) {
                return {rule::level_past_the_root, level, g.level_count};
            }
            continue;
        }
        if (one.index_bits == 0 && (!root_is_resizable(g) || level != 1)) {
            return {rule::index_bits_missing, level, 0};
        }
        if (!is_entry_size(one.entry_bytes)) {
            return {rule::entry_size, level, one.entry_bytes};
        }
        // The DDI has a UINT for the number of entries, and another for the bytes of a table.
        if (one.index_bits > most_index_bits || u64{one.entry_bytes} << one.index_bits > ~u32{0}) {
            return {rule::table_too_large, level, one.index_bits};
        }
    }
    return g.levels[0].large_pages ? broken_rule{rule::large_leaf, 0, 0} : no_rule_broken;
}

/// Checks the width of an address (GVA-03).
[[nodiscard]] constexpr broken_rule judge_width(page_table_geometry const& g) noexcept {
    constexpr u32 most_bits = 64;
    constexpr u32 most_root_bits = 31;
    u32 const said = g.virtual_address_bits;
    u32 const sum = page_shift_lg2 + entry_pages_lg2(g, g.level_count);
    if (!root_is_resizable(g)) {
        if (sum > most_bits) {
            return {rule::address_too_wide, 0, sum};
        }
        bool const agrees = said == 0 || said == sum;
        return agrees ? no_rule_broken : broken_rule{rule::address_bits_differ, 0, sum};
    }
    if (said == 0 || said > most_bits) {
        return {rule::address_bits_missing, 0, said};
    }
    u32 const below_root = page_shift_lg2 + g.levels[0].index_bits;
    if (said <= below_root || said - below_root > most_root_bits) {
        return {rule::nothing_left_for_root, 1, below_root};
    }
    return g.levels[1].index_bits <= said - below_root
               ? no_rule_broken
               : broken_rule{rule::first_root_too_large, 1, g.levels[1].index_bits};
}

/// Checks the pages of the leaf (GVA-05, GVA-09, GVA-10).
[[nodiscard]] constexpr broken_rule judge_leaf(page_table_geometry const& g) noexcept {
    constexpr u64 largest_gpu_page = u64{64} * 1024;
    u32 const bits = g.levels[0].index_bits;
    if (!is_power_of_two(g.gpu_page.n) || g.gpu_page.n < page_bytes || g.gpu_page.n > largest_gpu_page) {
        return {rule::gpu_page_size, 0, g.gpu_page.n};
    }
    if (gpu_page_lg2(g) > bits) {
        return {rule::gpu_page_above_table, 0, g.gpu_page.n};
    }
    if (!has_64k_tables(g)) {
        return g.entry_bytes_64k == 0 ? no_rule_broken
                                      : broken_rule{rule::entry_size_without_64k, 0, g.entry_bytes_64k};
    }
    if (g.gpu_page.n != page_bytes) {
        return {rule::gpu_page_is_64k, 0, g.gpu_page.n};
    }
    if (g.entry_bytes_64k != 0 && !is_entry_size(g.entry_bytes_64k)) {
        return {rule::entry_size_64k, 0, g.entry_bytes_64k};
    }
    return bits >= pages_of_64k_lg2 ? no_rule_broken : broken_rule{rule::leaf_too_small_for_64k, 0, bits};
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
    broken_rule const of_levels = detail::judge_levels(g);
    if (of_levels != no_rule_broken) {
        return of_levels;
    }
    broken_rule const of_width = detail::judge_width(g);
    return of_width != no_rule_broken ? of_width : detail::judge_leaf(g);
}

/// Whether a geometry breaks no rule.
template <page_table_geometry const& Geometry>
inline constexpr bool is_sound = judge(Geometry) == no_rule_broken;

}  // namespace wddmcore::gpuva

namespace wddmcore::inline WDDMCORE_ABI {

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
