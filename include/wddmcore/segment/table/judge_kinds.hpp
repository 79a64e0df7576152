// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"
#include "profile.hpp"
#include "rules.hpp"

/// Checks what a segment is: its flags, and the members that go with them. Nothing here depends on a number that is
/// placed later.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// The kind of segment that a set of flags describes.
[[nodiscard]] constexpr kind kind_of(flags f) noexcept {
    if (f.has(flag::agp)) {
        return kind::agp_aperture;
    }
    if (f.has(flag::aperture)) {
        return kind::aperture;
    }
    if (f.has(flag::supports_cpu_host_aperture)) {
        return kind::memory_behind_host_aperture;
    }
    return f.has(flag::cpu_visible) ? kind::cpu_visible_memory : kind::memory;
}

/// Checks which bits may be set at all (SEG-11, SEG-22).
///
/// That there is no AGP from WDDM 2.0 on is a rule of this library: query forms 4 and 5 say nothing about the system's
/// aperture, so its row would never be reported, yet allocations could name it.
[[nodiscard]] constexpr rule judge_bits(flags f, wddm version) noexcept {
    if (f.has(flag::agp) && f != flags{}.with(flag::agp)) {
        return rule::agp_with_flags;
    }
    if (f.has(flag::agp) && version >= wddm::v2_0) {
        return rule::agp_from_v2_0;
    }
    if (f.has(flag::reserved_sys_mem)) {
        return rule::reserved_for_system;
    }
    if ((f.value & ~flags_of_version(wddm::v3_2)) != 0) {
        return rule::reserved_flags;
    }
    return (f.value & ~flags_of_version(version)) == 0 ? rule::none : rule::flags_of_later_version;
}

/// Checks the flags against each other (SEG-10, SEG-13 to SEG-16, SEG-19).
[[nodiscard]] constexpr rule judge_flags(flags f) noexcept {
    if (f.has(flag::aperture)) {
        if (f.has(flag::cpu_visible)) {
            return rule::cpu_visible_aperture;
        }
        if (f.has(flag::populated_from_system_memory)) {
            return rule::populated_aperture;
        }
        if (f.has(flag::supports_cpu_host_aperture)) {
            return rule::host_aperture_of_aperture;
        }
    } else if (f.has(flag::cache_coherent)) {
        return rule::coherent_memory;
    }
    if (!f.has(flag::supports_cpu_host_aperture)) {
        return f.has(flag::supports_cached_cpu_host_aperture) ? rule::cached_without_host : rule::none;
    }
    return f.has(flag::cpu_visible) ? rule::visible_with_host_aperture : rule::none;
}

/// The three preservation flags as a number, in the order of SEG-20: standby, hibernate, partially.
[[nodiscard]] constexpr u32 preservation_of(flags f) noexcept {
    return (f.has(flag::preserved_during_standby) ? 4u : 0u) | (f.has(flag::preserved_during_hibernate) ? 2u : 0u) |
           (f.has(flag::partially_preserved_during_hibernate) ? 1u : 0u);
}

/// Checks the flags that say what survives a power transition (SEG-20, SEG-32).
[[nodiscard]] constexpr broken_rule judge_preservation(entry const& row, u32 position) noexcept {
    u32 const triple = preservation_of(row.flags);
    if (triple != 0 && triple != 4 && triple != 6 && triple != 5) {
        return {rule::preserved_flags, position, triple};
    }
    if (row.flags.has(flag::vpr_preserved_during_standby) && !row.flags.has(flag::vpr_supported)) {
        return {rule::vpr_flag, position, row.vpr.size.n};
    }
    return no_rule_broken;
}

/// Banks have ids from 1 to 127 (PREF-05).
inline constexpr usize most_banks = 127;

/// Checks a bank table (SEG-24, SEG-25, PREF-05).
[[nodiscard]] constexpr broken_rule judge_banks(entry const& row, u32 position, wddm version) noexcept {
    if (!row.flags.has(flag::use_banking)) {
        return row.banks.empty() ? no_rule_broken : broken_rule{rule::banks_without_flag, position, row.banks.count};
    }
    if (row.flags.has(flag::aperture)) {
        return {rule::banks_of_aperture, position, row.flags.value};
    }
    if (version >= wddm::v2_0) {
        return {rule::banks_of_later_version, position, static_cast<u32>(version)};
    }
    if (row.banks.empty()) {
        return {rule::bank_table_missing, position, 0};
    }
    u64 last = 0;
    for (usize const end : row.banks) {
        if (end <= last) {
            return {rule::banks_not_rising, position, end};
        }
        last = end;
    }
    return row.banks.count <= most_banks ? no_rule_broken
                                         : broken_rule{rule::too_many_banks, position, row.banks.count};
}

/// The first rule that one reported segment breaks, leaving its numbers aside.
[[nodiscard]] constexpr broken_rule judge_kind(entry const& row, u32 position, profile const& of) noexcept {
    rule const of_bits = judge_bits(row.flags, of.version);
    if (of_bits == rule::reserved_flags || of_bits == rule::flags_of_later_version) {
        wddm const asked = of_bits == rule::reserved_flags ? wddm::v3_2 : of.version;
        return {of_bits, position, row.flags.value & ~flags_of_version(asked)};
    }
    rule const of_flags = of_bits == rule::none ? judge_flags(row.flags) : of_bits;
    if (of_flags != rule::none) {
        return {of_flags, position, row.flags.value};
    }
    if (kind_of(row.flags) != row.kind) {
        return {rule::kind_differs_from_flags, position, row.flags.value};
    }
    broken_rule const of_preservation = judge_preservation(row, position);
    return of_preservation != no_rule_broken ? of_preservation : judge_banks(row, position, of.version);
}

}  // namespace wddmcore::segment::detail
