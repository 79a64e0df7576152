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
    level_placement levels[most_levels];  ///< by level, 0 the leaf
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
    bool const in_system = home.memory == table_memory::system;
    // A table of 64-KiB entries is never larger: it has a sixteenth of the entries, each at most four times as large.
    u64 const size = table_bytes(g, level).n;
    detail::rule_check check{level};
    // AMB-21: a public sample uses another number for system memory; the pages say 0.
    check.when((home.segment.n == 0) != in_system, rule::system_segment_id, home.segment.n);
    check.when(in_system && size > page_bytes, rule::large_table_in_system, size);
    return check.found;
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
    detail::rule_check check{};
    for (u32 level = 0; level < g.level_count; ++level) {
        level_placement const& one = placement.levels[level];
        u64 const alignment = one.alignment.n;
        bool const can_align = is_power_of_two(alignment) && alignment >= page_bytes && alignment <= ~u32{0};
        check.place = level;
        check.add(judge_home(g, one.tables, level));
        check.add(judge_home(g, one.paging_process, level));
        check.when(cpu && level != 0 && one.tables.memory != table_memory::system, rule::directory_in_local,
                   one.tables.segment.n);
        check.when(cpu && level == 0 && !detail::in_cpu_reach(one.tables), rule::leaf_out_of_cpu_reach,
                   one.tables.segment.n);
        // GVA-40: the CPU initialises its tables, whatever the update mode is.
        check.when(!detail::in_cpu_reach(one.paging_process), rule::paging_out_of_cpu_reach,
                   one.paging_process.segment.n);
        check.when(alignment != 0 && !can_align, rule::table_alignment, alignment);
    }
    return check.found;
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
