// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge_numbers.hpp"

/// Checks segment tables, by the same function at compile time and at run time: a table goes in, and the first rule
/// that it breaks comes out as a value.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// Checks count and ids (SEG-05, SEG-06, SEG-27).
[[nodiscard]] constexpr broken_rule judge_ids(view const& v, wddm version) noexcept {
    bool const system_is_31 = version >= wddm::v2_0;
    usize const most = system_is_31 ? 30 : 31;
    rule_check check{};
    check.when(v.reported.count > most, rule::too_many_segments, v.reported.count);
    for (entry const& row : v.reported) {
        ++check.place;
        u32 const id = row.id.n;
        check.when(id == 0 || (id == 31 && system_is_31), rule::system_memory_reported, id);
        check.when(id != check.place, rule::id_is_not_position, id);
    }
    return check.found;
}

/// Checks the order of the kinds (SEG-11, OBS-04).
///
/// That AGP comes last is a rule of this library: without AGP hardware its row is left out, and no other id may move.
[[nodiscard]] constexpr broken_rule judge_order(view const& v) noexcept {
    usize const count = v.reported.count;
    u32 agp = 0;
    rule_check check{};
    for (entry const& row : v.reported) {
        ++check.place;
        check.when(row.flags.has(flag::agp) && agp != 0, rule::agp_twice, agp);
        agp = row.flags.has(flag::agp) ? check.place : agp;
        check.when(row.flags.has(flag::supports_cpu_host_aperture) && check.place != count,
                   rule::host_aperture_not_last, count);
    }
    check.place = agp;
    check.when(agp != 0 && agp != count, rule::agp_not_last, count);
    return check.found;
}

/// Checks the number of apertures, and that the driver implements their operations (SEG-10, SEG-26).
///
/// AMB-04: a compute-only adapter may have one or none.
[[nodiscard]] constexpr broken_rule judge_apertures(view const& v, profile const& of) noexcept {
    usize count = 0;
    rule_check check{};
    for (entry const& row : v.reported) {
        ++check.place;
        bool const is_one = row.flags.has(flag::aperture);
        count += is_one;
        check.when(is_one && of.aperture == aperture_forms::none, rule::aperture_without_operations,
                   static_cast<u32>(of.aperture));
    }
    bool const right = of.version < wddm::v2_0 || count == 1 || (count == 0 && of.compute_only);
    check.place = 0;
    check.when(!right, rule::aperture_count, count);
    return check.found;
}

/// Checks the segment of paging buffers (SEG-40, OBS-04).
///
/// An AGP aperture does not count, here or where a table is reported, because its row may be left out. That the
/// aperture for paging buffers must be the first was seen with drivers of WDDM 2.0 and later; older ones have no such
/// rule.
[[nodiscard]] constexpr broken_rule judge_paging_buffer(view const& v, wddm version) noexcept {
    u32 const id = v.paging_buffer.n;
    entry const* const row = find(v, v.paging_buffer);
    rule_check check{id};
    check.when(id != 0 && (row == nullptr || !row->flags.has(flag::aperture)), rule::paging_buffer_segment, id);
    check.when(id > 1 && version >= wddm::v2_0, rule::paging_buffer_not_first, id);
    return check.found;
}

/// The first rule that the kinds and flags of the segments break. No number that is placed later has a part in it.
///
/// @param v   any table
/// @param of  the driver, as far as the checks need it
/// @return no_rule_broken; otherwise the rule, the position of the segment and the wrong value
[[nodiscard]] constexpr broken_rule judge_kinds(view const& v, profile const& of) noexcept {
    rule_check check{};
    check.add(judge_ids(v, of.version));
    u32 position = 0;
    for (entry const& row : v.reported) {
        check.add(judge_kind(row, ++position, of));
    }
    for (entry const& row : v.hidden) {
        check.when(row.kind != kind::hidden || row.flags.value != 0, rule::hidden_with_flags, row.flags.value);
        check.when(!is_placed(row.base) || !is_placed(row.size), rule::hidden_at_start, 0);
    }
    check.add(judge_order(v));
    check.add(judge_apertures(v, of));
    check.add(judge_paging_buffer(v, of.version));
    return check.found;
}

}  // namespace detail

/// The first rule that a segment table breaks (SEG-05 to SEG-11, SEG-13 to SEG-17, SEG-19 to SEG-27, SEG-31, SEG-32,
/// SEG-40, SEG-43, OBS-04).
///
/// Source pages: gpu-segments.md, ns-d3dkmddi-_dxgk_segmentflags.md, ns-d3dkmddi-_dxgk_segmentdescriptor3.md,
/// ns-d3dkmddi-_dxgk_segmentdescriptor4.md, initializing-use-of-memory-segments.md.
///
/// @param v   any table
/// @param of  the driver, as far as the checks need it
/// @return no_rule_broken; otherwise the rule, the position of the segment and the wrong value
[[nodiscard]] constexpr broken_rule judge(view const& v, profile const& of) noexcept {
    detail::rule_check check{};
    check.add(detail::judge_kinds(v, of));
    check.add(detail::judge_numbers(v, of.wide_sizes));
    return check.found;
}

}  // namespace wddmcore::segment
