// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/capabilities.hpp"
#include "../judge.hpp"

/// Where a driver puts its page tables, and whether the DDI allows it. This is the driver's choice, not the format's.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: ns-d3dkmddi-_dxgk_page_table_level_desc.md, ns-d3dkmddi-_dxgk_gpummucaps.md, system-paging-process.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// How the CPU reaches the memory of a table.
enum class table_memory : u32 {
    system,             ///< segment 0 (AMB-21)
    cpu_visible,        ///< a memory segment with CpuVisible
    cpu_host_aperture,  ///< a memory segment with SupportsCpuHostAperture
    out_of_cpu_reach,   ///< any other memory segment
};

/// The segment in which tables lie.
struct table_home {
    segment_id segment{0};
    table_memory memory = table_memory::system;
};

/// The homes of one level's tables.
struct level_placement {
    table_home tables;          ///< for ordinary processes: PageTableSegmentId
    table_home paging_process;  ///< PagingProcessPageTableSegmentId
    bytes alignment{0};         ///< PageTableAlignmentInBytes; 0: no requirement
};

/// The homes of all levels, [0] the leaf.
struct page_table_placement {
    level_placement levels[most_levels];
};

namespace detail {

/// @return whether the CPU can write tables in such a home
[[nodiscard]] constexpr bool in_cpu_reach(table_home home) noexcept {
    return home.memory != table_memory::out_of_cpu_reach;
}

}  // namespace detail

/// Checks one home (GVA-06).
///
/// @param g      page tables that `judge` accepts
/// @param home   any home
/// @param level  the level whose tables lie there, below the level count
/// @return no_rule_broken; rule::system_segment_id and the segment; rule::large_table_in_system and the table's bytes
[[nodiscard]] constexpr broken_rule judge_home(page_table_geometry const& g, table_home home, u32 level) noexcept {
    // AMB-21: a public sample uses another number for system memory; the pages say 0.
    if ((home.segment.n == 0) != (home.memory == table_memory::system)) {
        return {rule::system_segment_id, level, home.segment.n};
    }
    // A table of 64-KiB entries is never larger: it has a sixteenth of the entries, each at most four times as large.
    u64 const size = table_bytes(g, level).n;
    if (home.memory == table_memory::system && size > page_bytes) {
        return {rule::large_table_in_system, level, size};
    }
    return no_rule_broken;
}

/// The first rule that a placement breaks (GVA-04, GVA-06, GVA-07, GVA-40).
///
/// AMB-42: GVA-07 speaks of directories, and only tables out of the CPU's reach were seen to fail. So with CPU-virtual
/// updates the tables above the leaf must lie in system memory, and leaf tables where the CPU can reach them.
///
/// @param g          page tables that `judge` accepts
/// @param placement  any placement
/// @param modes      every update mode that the driver may choose
/// @return no_rule_broken; otherwise the rule, the level, and the segment, size or alignment that breaks it
[[nodiscard]] constexpr broken_rule judge_placement(page_table_geometry const& g, page_table_placement const& placement,
                                                    update_modes modes) noexcept {
    bool const cpu = contains(modes, update_modes::cpu_virtual);
    for (u32 level = 0; level < g.level_count; ++level) {
        level_placement const& one = placement.levels[level];
        broken_rule const of_tables = judge_home(g, one.tables, level);
        if (of_tables != no_rule_broken) {
            return of_tables;
        }
        broken_rule const of_paging = judge_home(g, one.paging_process, level);
        if (of_paging != no_rule_broken) {
            return of_paging;
        }
        if (cpu && level != 0 && one.tables.memory != table_memory::system) {
            return {rule::directory_in_local, level, one.tables.segment.n};
        }
        if (cpu && level == 0 && !detail::in_cpu_reach(one.tables)) {
            return {rule::leaf_out_of_cpu_reach, level, one.tables.segment.n};
        }
        // GVA-40: the CPU initialises its tables, whatever the update mode is.
        if (!detail::in_cpu_reach(one.paging_process)) {
            return {rule::paging_out_of_cpu_reach, level, one.paging_process.segment.n};
        }
        u64 const alignment = one.alignment.n;
        if (alignment != 0 && (!is_power_of_two(alignment) || alignment < page_bytes || alignment > ~u32{0})) {
            return {rule::table_alignment, level, alignment};
        }
    }
    return no_rule_broken;
}

/// Checks a placement at compile time; one compile error says what is wrong.
///
/// @tparam Geometry   page tables; they are checked first
/// @tparam Placement  where they lie
/// @tparam Modes      every update mode that the driver may choose
/// @return true
template <page_table_geometry const& Geometry, page_table_placement const& Placement, update_modes Modes>
[[nodiscard]] consteval bool check_placement() {
    constexpr broken_rule found =
        judge(Geometry) != no_rule_broken ? judge(Geometry) : judge_placement(Geometry, Placement, Modes);
    return sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore::gpuva
