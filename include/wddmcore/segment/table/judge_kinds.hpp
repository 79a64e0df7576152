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
[[nodiscard]] constexpr broken_rule judge_bits(flags f, u32 position, wddm version) noexcept {
    u32 const reserved = f.value & ~flags_of_version(wddm::v3_2);
    u32 const later = f.value & ~flags_of_version(version);
    rule_check check{position};
    check.when(f.has(flag::agp) && f != flags{}.with(flag::agp), rule::agp_with_flags, f.value);
    check.when(f.has(flag::agp) && version >= wddm::v2_0, rule::agp_from_v2_0, f.value);
    check.when(f.has(flag::reserved_sys_mem), rule::reserved_for_system, f.value);
    check.when(reserved != 0, rule::reserved_flags, reserved);
    check.when(later != 0, rule::flags_of_later_version, later);
    return check.found;
}

/// Checks the flags against each other (SEG-10, SEG-13 to SEG-16, SEG-19).
[[nodiscard]] constexpr broken_rule judge_flags(flags f, u32 position) noexcept {
    bool const aperture = f.has(flag::aperture);
    bool const host_aperture = f.has(flag::supports_cpu_host_aperture);
    bool const cached = f.has(flag::supports_cached_cpu_host_aperture);
    rule_check check{position};
    check.when(aperture && f.has(flag::cpu_visible), rule::cpu_visible_aperture, f.value);
    check.when(aperture && f.has(flag::populated_from_system_memory), rule::populated_aperture, f.value);
    check.when(aperture && host_aperture, rule::host_aperture_of_aperture, f.value);
    check.when(!aperture && f.has(flag::cache_coherent), rule::coherent_memory, f.value);
    check.when(cached && !host_aperture, rule::cached_without_host, f.value);
    check.when(host_aperture && f.has(flag::cpu_visible), rule::visible_with_host_aperture, f.value);
    return check.found;
}

/// The three preservation flags as a number, in the order of SEG-20: standby, hibernate, partially.
[[nodiscard]] constexpr u32 preservation_of(flags f) noexcept {
    return (f.has(flag::preserved_during_standby) ? 4u : 0u) | (f.has(flag::preserved_during_hibernate) ? 2u : 0u) |
           (f.has(flag::partially_preserved_during_hibernate) ? 1u : 0u);
}

/// Checks the flags that say what survives a power transition (SEG-20, SEG-32).
[[nodiscard]] constexpr broken_rule judge_preservation(entry const& row, u32 position) noexcept {
    u32 const triple = preservation_of(row.flags);
    rule_check check{position};
    check.when(triple != 0 && triple != 4 && triple != 6 && triple != 5, rule::preserved_flags, triple);
    check.when(row.flags.has(flag::vpr_preserved_during_standby) && !row.flags.has(flag::vpr_supported), rule::vpr_flag,
               row.vpr.size.n);
    return check.found;
}

/// Banks have ids from 1 to 127 (PREF-05).
inline constexpr usize most_banks = 127;

/// Checks a bank table (SEG-24, SEG-25, PREF-05).
[[nodiscard]] constexpr broken_rule judge_banks(entry const& row, u32 position, wddm version) noexcept {
    if (!row.flags.has(flag::use_banking)) {
        return row.banks.empty() ? no_rule_broken : broken_rule{rule::banks_without_flag, position, row.banks.count};
    }
    rule_check check{position};
    check.when(row.flags.has(flag::aperture), rule::banks_of_aperture, row.flags.value);
    check.when(version >= wddm::v2_0, rule::banks_of_later_version, static_cast<u32>(version));
    check.when(row.banks.empty(), rule::bank_table_missing, 0);
    u64 last = 0;
    for (usize const end : row.banks) {
        check.when(end <= last, rule::banks_not_rising, end);
        last = end;
    }
    check.when(row.banks.count > most_banks, rule::too_many_banks, row.banks.count);
    return check.found;
}

/// The first rule that one reported segment breaks, leaving its numbers aside.
[[nodiscard]] constexpr broken_rule judge_kind(entry const& row, u32 position, profile const& of) noexcept {
    rule_check check{position};
    check.add(judge_bits(row.flags, position, of.version));
    check.add(judge_flags(row.flags, position));
    check.when(kind_of(row.flags) != row.kind, rule::kind_differs_from_flags, row.flags.value);
    check.add(judge_preservation(row, position));
    check.add(judge_banks(row, position, of.version));
    return check.found;
}

}  // namespace wddmcore::segment::detail
