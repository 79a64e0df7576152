// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge_kinds.hpp"
#include "judge_numbers.hpp"

/// Checks segment tables, by the same function at compile time and at run time: a table goes in, and the first rule
/// that it breaks comes out as a value.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// Checks count and ids (SEG-05, SEG-06, SEG-27).
[[nodiscard]] constexpr broken_rule judge_ids(view const& v, wddm version) noexcept {
    bool const system_is_31 = version >= wddm::v2_0;
    usize const most = system_is_31 ? 30 : 31;
    if (v.reported.count > most) {
        return {rule::too_many_segments, 0, v.reported.count};
    }
    for (usize index = 0; index < v.reported.count; ++index) {
        u32 const id = v.reported[index].id.n;
        u32 const position = static_cast<u32>(index) + 1;
        if (id == 0 || (id == 31 && system_is_31)) {
            return {rule::system_memory_reported, position, id};
        }
        if (id != position) {
            return {rule::id_is_not_position, position, id};
        }
    }
    return no_rule_broken;
}

/// Checks the order of the kinds (SEG-11, OBS-04).
///
/// That AGP comes last is a rule of this library: without AGP hardware its row is left out, and no other id may move.
[[nodiscard]] constexpr broken_rule judge_order(view const& v) noexcept {
    usize const count = v.reported.count;
    u32 agp = 0;
    for (usize index = 0; index < count; ++index) {
        u32 const position = static_cast<u32>(index) + 1;
        flags const f = v.reported[index].flags;
        if (f.has(flag::agp) && agp != 0) {
            return {rule::agp_twice, position, agp};
        }
        agp = f.has(flag::agp) ? position : agp;
        if (f.has(flag::supports_cpu_host_aperture) && position != count) {
            return {rule::host_aperture_not_last, position, count};
        }
    }
    if (agp != 0 && agp != count) {
        return {rule::agp_not_last, agp, count};
    }
    return no_rule_broken;
}

/// Checks the number of apertures, and that the driver implements their operations (SEG-10, SEG-26).
///
/// AMB-04: a compute-only adapter may have one or none.
[[nodiscard]] constexpr broken_rule judge_apertures(view const& v, profile const& of) noexcept {
    usize count = 0;
    for (usize index = 0; index < v.reported.count; ++index) {
        if (!v.reported[index].flags.has(flag::aperture)) {
            continue;
        }
        ++count;
        if (of.aperture == aperture_forms::none) {
            return {rule::aperture_without_operations, static_cast<u32>(index) + 1, static_cast<u32>(of.aperture)};
        }
    }
    bool const right = of.version < wddm::v2_0 || count == 1 || (count == 0 && of.compute_only);
    return right ? no_rule_broken : broken_rule{rule::aperture_count, 0, count};
}

/// Checks the segment of paging buffers (SEG-40, OBS-04).
///
/// An AGP aperture does not count, here or where a table is reported, because its row may be left out. That the
/// aperture for paging buffers must be the first was seen with drivers of WDDM 2.0 and later; older ones have no such
/// rule.
[[nodiscard]] constexpr broken_rule judge_paging_buffer(view const& v, wddm version) noexcept {
    u32 const id = v.paging_buffer.n;
    if (id == 0) {
        return no_rule_broken;
    }
    if (id > v.reported.count || !v.reported[id - 1].flags.has(flag::aperture)) {
        return {rule::paging_buffer_segment, id, id};
    }
    if (version >= wddm::v2_0 && id != 1) {
        return {rule::paging_buffer_not_first, id, id};
    }
    return no_rule_broken;
}

/// The first rule that the kinds and flags of the segments break. No number that is placed later has a part in it.
///
/// @param v   any table
/// @param of  the driver, as far as the checks need it
/// @return no_rule_broken; otherwise the rule, the position of the segment and the wrong value
[[nodiscard]] constexpr broken_rule judge_kinds(view const& v, profile const& of) noexcept {
    broken_rule const of_ids = judge_ids(v, of.version);
    if (of_ids != no_rule_broken) {
        return of_ids;
    }
    for (usize index = 0; index < v.reported.count; ++index) {
        broken_rule const of_row = judge_kind(v.reported[index], static_cast<u32>(index) + 1, of);
        if (of_row != no_rule_broken) {
            return of_row;
        }
    }
    for (entry const& row : v.hidden) {
        if (row.kind != kind::hidden || row.flags.value != 0) {
            return {rule::hidden_with_flags, 0, row.flags.value};
        }
        if (!is_placed(row.base) || !is_placed(row.size)) {
            return {rule::hidden_at_start, 0, 0};
        }
    }
    broken_rule const of_order = judge_order(v);
    if (of_order != no_rule_broken) {
        return of_order;
    }
    broken_rule const of_apertures = judge_apertures(v, of);
    return of_apertures != no_rule_broken ? of_apertures : judge_paging_buffer(v, of.version);
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
    broken_rule const of_kinds = detail::judge_kinds(v, of);
    return of_kinds != no_rule_broken ? of_kinds : detail::judge_numbers(v, of.wide_sizes);
}

}  // namespace wddmcore::segment
