// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../segment/table/entry.hpp"
#include "../../segment/table/rules.hpp"
#include "placement.hpp"

/// Page tables placed by segment ids alone: the segment table says how the CPU reaches them.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: ns-d3dkmddi-_dxgk_page_table_level_desc.md, ns-d3dkmddi-_dxgk_gpummucaps.md, system-paging-process.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The segments of one level's tables; 0 is system memory (AMB-21).
struct level_segments {
    segment_id segment{0};                 ///< for ordinary processes: PageTableSegmentId
    segment_id paging_process_segment{0};  ///< PagingProcessPageTableSegmentId
    bytes alignment{0};                    ///< PageTableAlignmentInBytes; 0: no requirement
};

/// The segments of all levels, [0] the leaf.
struct page_table_segments {
    level_segments levels[most_levels]{};  ///< by level, 0 the leaf
};

/// @param segment                 for the tables of ordinary processes; 0 is system memory
/// @param paging_process_segment  for those of the paging process
/// @return the segments of tables that lie in one segment, whatever their level
[[nodiscard]] constexpr page_table_segments every_level_in(segment_id segment,
                                                           segment_id paging_process_segment) noexcept {
    page_table_segments made{};
    for (level_segments& level : made.levels) {
        level = {segment, paging_process_segment, {0}};
    }
    return made;
}

namespace detail {

/// @return how the CPU reaches tables in a segment, according to the segment's flags
[[nodiscard]] constexpr table_memory table_memory_of(segment::entry const& row) noexcept {
    if (row.flags.has(segment::flag::cpu_visible)) {
        return table_memory::cpu_visible;
    }
    return row.flags.has(segment::flag::supports_cpu_host_aperture) ? table_memory::cpu_host_aperture
                                                                    : table_memory::out_of_cpu_reach;
}

}  // namespace detail

/// @return the home of tables in a segment; for an id that is not reported, out of the CPU's reach
[[nodiscard]] constexpr table_home home_of(segment::view const& v, segment_id id) noexcept {
    if (id.n == 0) {
        return {id, table_memory::system};
    }
    segment::entry const* const row = segment::find(v, id);
    return {id, row == nullptr ? table_memory::out_of_cpu_reach : detail::table_memory_of(*row)};
}

/// @return the placement that `judge_placement` and the query answers take
[[nodiscard]] constexpr page_table_placement placement_of(segment::view const& v,
                                                          page_table_segments const& segments) noexcept {
    page_table_placement made{};
    for (u32 level = 0; level < most_levels; ++level) {
        level_segments const& one = segments.levels[level];
        made.levels[level] = {home_of(v, one.segment), home_of(v, one.paging_process_segment), one.alignment};
    }
    return made;
}

namespace detail {

/// Checks that tables can lie in a segment at all: it is reported (SEG-05) and has memory of its own (SEG-10).
[[nodiscard]] constexpr segment::broken_rule judge_table_segment(segment::view const& v, segment_id id,
                                                                 u32 level) noexcept {
    segment::entry const* const row = segment::find(v, id);
    segment::detail::rule_check check{id.n};
    check.when(id.n != 0 && row == nullptr, segment::rule::table_segment_unknown, level);
    check.when(row != nullptr && segment::is_aperture(*row), segment::rule::table_segment_is_aperture, level);
    return check.found;
}

}  // namespace detail

/// Checks that tables can lie in segments at all: each is reported (SEG-05) and has memory of its own (SEG-10).
///
/// @return segment::no_rule_broken; otherwise the rule, the first wrong segment and the level
[[nodiscard]] constexpr segment::broken_rule judge_table_segments(segment::view const& v, page_table_geometry const& g,
                                                                  page_table_segments const& segments) noexcept {
    segment::detail::rule_check check{};
    for (u32 level = 0; level < g.level_count && level < most_levels; ++level) {
        level_segments const& one = segments.levels[level];
        check.add(detail::judge_table_segment(v, one.segment, level));
        check.add(detail::judge_table_segment(v, one.paging_process_segment, level));
    }
    return check.found;
}

/// What is wrong with page tables in segments: the segments first, then the rules of the placement.
struct placement_verdict {
    segment::broken_rule of_segments{};
    broken_rule of_tables = no_rule_broken;

    /// @return whether no rule is broken
    [[nodiscard]] constexpr bool ok() const noexcept {
        return of_segments == segment::no_rule_broken && of_tables == no_rule_broken;
    }
};

/// The first rule that page tables in segments break (GVA-04, GVA-06, GVA-07, GVA-40, AMB-42, OBS-05, OBS-06).
///
/// @param v         segments that `segment::judge` accepts; their sizes and addresses do not matter
/// @param g         page tables that `judge` accepts
/// @param segments  any segments
/// @param modes     every update mode that the driver may choose
/// @return the broken rule of the segments, or of the placement; ok() if there is neither
[[nodiscard]] constexpr placement_verdict judge_placement(segment::view const& v, page_table_geometry const& g,
                                                          page_table_segments const& segments,
                                                          update_modes modes) noexcept {
    segment::broken_rule const of_segments = judge_table_segments(v, g, segments);
    if (of_segments != segment::no_rule_broken) {
        return {of_segments, no_rule_broken};
    }
    return {segment::no_rule_broken, judge_placement(g, placement_of(v, segments), modes)};
}

}  // namespace wddmcore::gpuva

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks at compile time that page tables can lie where a driver puts them; one compile error says what is wrong.
///
/// @tparam Table     a constant segment table of static storage
/// @tparam Geometry  page tables
/// @tparam Segments  the ids of their segments
/// @tparam Modes     every update mode that the driver may choose
/// @return true
template <auto const& Table, gpuva::page_table_geometry const& Geometry, gpuva::page_table_segments const& Segments,
          update_modes Modes>
[[nodiscard]] consteval bool check_page_table_segments() {
    constexpr gpuva::broken_rule of_geometry = gpuva::judge(Geometry);
    constexpr gpuva::placement_verdict found = of_geometry != gpuva::no_rule_broken
                                                   ? gpuva::placement_verdict{segment::no_rule_broken, of_geometry}
                                                   : gpuva::judge_placement(Table.all(), Geometry, Segments, Modes);
    segment::detail::sentence<found.of_segments.what, found.of_segments.place, found.of_segments.value>();
    return gpuva::sentence<found.of_tables.what, found.of_tables.place, found.of_tables.value>();
}

}  // namespace wddmcore
