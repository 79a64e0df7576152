// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge_flags.hpp"
#include "places.hpp"

/// Checks allocations, by the same function at compile time and at run time: a description goes in, and the first rule
/// that it breaks comes out as a value.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: ns-d3dkmddi-_dxgk_allocationinfo.md, ns-d3dkmddi-_dxgk_segmentflags.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// Checks where an allocation may be and go to (PREF-01, PREF-03, PREF-06, SEG-18).
[[nodiscard]] constexpr broken_allocation_rule judge_sets(allocation const& a, view const& table,
                                                          wddm version) noexcept {
    using enum allocation_rule;
    // PREF-03: the system ignores the read set from there on, and so would lose what only that says.
    if (version >= wddm::v2_0 && read_set_of(a) != a.supported) {
        return {read_set_from_v2_0, 0, a.supported_read.value};
    }
    if (places_of(a).value == 0) {
        return {no_segment, 0, 0};
    }
    if (!is_within(places_of(a), all_segments(table))) {
        return {supported_unknown, 0, places_of(a).value};
    }
    if (!is_within(a.eviction, all_segments(table))) {
        return {eviction_unknown, 0, a.eviction.value};
    }
    if (!is_within(a.eviction, aperture_segments_with_agp(table))) {
        return {eviction_not_aperture, 0, a.eviction.value};
    }
    bool const pitch = intersects(a.eviction, segments_with(table, flag::pitch_alignment));
    return pitch ? broken_allocation_rule{eviction_pitch_aligned, 0, a.eviction.value} : allocation_is_good;
}

/// Checks the segments that an allocation prefers (PREF-02, PREF-04).
[[nodiscard]] constexpr broken_allocation_rule judge_preference(allocation const& a) noexcept {
    using enum allocation_rule;
    for (u32 slot = 0; slot < preference_slots; ++slot) {
        segment_id const id = a.preferred.slots[slot].id;
        if (id.n > largest_preferred_id) {
            return {preferred_too_large, slot, id.n};
        }
        if (id.n != 0 && !places_of(a).has(id)) {
            return {preferred_not_supported, slot, id.n};
        }
    }
    return allocation_is_good;
}

/// How many banks a segment has, as its row says (SEG-24); 0 for one that is not reported.
[[nodiscard]] constexpr u32 banks_of(view const& table, segment_id id) noexcept {
    entry const* const row = find(table, id);
    return row == nullptr ? 0 : bank_count(*row);
}

/// Checks the bank hint (PREF-05).
[[nodiscard]] constexpr broken_allocation_rule judge_banks(allocation const& a, view const& table,
                                                           wddm version) noexcept {
    using enum allocation_rule;
    for (u32 slot = 0; slot < bank_slots; ++slot) {
        u32 const bank = a.hinted_bank.slots[slot].id;
        u32 const first = a.preferred.slots[0].id.n;
        if (bank == 0) {
            continue;
        }
        // Query forms 4 and 5, which the system uses from WDDM 2.0 on, have no member for banks.
        if (version >= wddm::v2_0) {
            return {bank_from_v2_0, slot, bank};
        }
        if (bank > largest_bank_id) {
            return {bank_too_large, slot, bank};
        }
        if (first == 0) {
            return {bank_without_segment, slot, bank};
        }
        if (bank > banks_of(table, {first})) {
            return {bank_unknown, slot, bank};
        }
    }
    return allocation_is_good;
}

/// Checks sizes, alignment and priority (PREF-07 to PREF-09, SEG-18).
[[nodiscard]] constexpr broken_allocation_rule judge_sizes(allocation const& a, view const& table,
                                                           allocation_profile const& of) noexcept {
    using enum allocation_rule;
    u64 const largest = of.wide_sizes ? ~u64{0} : u64{~u32{0}};
    bool const pitch = intersects(places_of(a), segments_with(table, flag::pitch_alignment));
    if (a.size.n == 0) {
        return {size_missing, 0, 0};
    }
    if (a.size.n > largest || a.pitch_aligned_size.n > largest) {
        return {size_above_size_t, 0, greater(a.size.n, a.pitch_aligned_size.n)};
    }
    if (!pitch && a.pitch_aligned_size.n != 0) {
        return {pitch_size_unwanted, 0, a.pitch_aligned_size.n};
    }
    if (pitch && a.pitch_aligned_size.n == 0) {
        return {pitch_size_missing, 0, 0};
    }
    if (pitch && a.pitch_aligned_size < a.size) {
        return {pitch_size_too_small, 0, a.pitch_aligned_size.n};
    }
    if (a.priority == 0) {
        return {priority_missing, 0, 0};
    }
    // PREF-07: in that case the word is not the driver's to fill.
    if (of.mmu_set_in_use) {
        return allocation_is_good;
    }
    if (a.alignment.n > ~u32{0}) {
        return {alignment_too_large, 0, a.alignment.n};
    }
    // 0 is a multiple too, but would leave the alignment to the system, which AMB-41 rules out.
    result<bytes> const needed = alignment_for(table, places_of(a), a.alignment);
    if (!needed.ok() || needed.value != a.alignment) {
        return {alignment_64k, 0, a.alignment.n};
    }
    return allocation_is_good;
}

/// Checks that a CPU-visible allocation can always be locked (PREF-18).
///
/// Memory behind a CPU host aperture does not count as CPU visible, because a lock needs a free page of that aperture.
/// An AGP aperture does not count as the aperture that must be listed, because its row may be left out.
[[nodiscard]] constexpr broken_allocation_rule judge_lock(allocation const& a, view const& table,
                                                          wddm version) noexcept {
    segment_set const apertures = aperture_segments(table);
    segment_set const reached{aperture_segments_with_agp(table).value | segments_with(table, flag::cpu_visible).value};
    bool const visible = (allocation_word(a, version) & common_bit(allocation_flag::cpu_visible)) != 0;
    if (visible && !is_within(places_of(a), reached) && !intersects(places_of(a), apertures)) {
        return {allocation_rule::aperture_missing, 0, places_of(a).value};
    }
    return allocation_is_good;
}

/// Checks a backing store that is shared with the driver (PREF-19). WDDM 3.0.
[[nodiscard]] constexpr broken_allocation_rule judge_shared_store(allocation const& a, view const& table,
                                                                  allocation_profile const& of) noexcept {
    using enum allocation_rule;
    if (!a.flags2.has(allocation_flag2::share_backing_store_with_kmd)) {
        return allocation_is_good;
    }
    if (!a.is_shared) {
        return {share_needs_shared, 0, a.flags2.value};
    }
    if (!is_within(a.supported, aperture_segments(table))) {
        return {share_needs_aperture, 0, a.supported.value};
    }
    if (a.flags_wddm2.has(allocation_flag_wddm2::existing_sys_mem) ||
        a.flags_wddm2.has(allocation_flag_wddm2::existing_kernel_sys_mem)) {
        return {share_of_existing_memory, 0, a.flags_wddm2.value};
    }
    return of.share_backing_store ? allocation_is_good : broken_allocation_rule{share_not_enabled, 0, a.flags2.value};
}

}  // namespace detail

/// The first rule that an allocation breaks (PREF-01 to 11, 13 to 20, SEG-18, NTF-02, NTF-11).
///
/// @param a      any numbers at all
/// @param table  the reported segments, as `judge` accepts them
/// @param of     the adapter, as far as the checks need it
/// @return allocation_is_good; otherwise the rule, the slot that breaks it and the wrong number
[[nodiscard]] constexpr broken_allocation_rule judge_allocation(allocation const& a, view const& table,
                                                                allocation_profile const& of) noexcept {
    broken_allocation_rule found = detail::judge_sets(a, table, of.version);
    if (found == allocation_is_good) {
        found = detail::judge_preference(a);
    }
    if (found == allocation_is_good) {
        found = detail::judge_banks(a, table, of.version);
    }
    if (found == allocation_is_good) {
        found = detail::judge_sizes(a, table, of);
    }
    if (found == allocation_is_good) {
        found = detail::judge_words(a, of);
    }
    if (found == allocation_is_good) {
        found = detail::judge_memory_flags(a, of.version);
    }
    if (found == allocation_is_good) {
        bool const coherent =
            detail::intersects(detail::aperture_segments(table), detail::segments_with(table, flag::cache_coherent));
        found = detail::judge_history_buffer(a, of.version, coherent);
    }
    if (found == allocation_is_good) {
        found = detail::judge_physical_flags(a, of);
    }
    if (found == allocation_is_good) {
        found = detail::judge_lock(a, table, of.version);
    }
    return found == allocation_is_good ? detail::judge_shared_store(a, table, of) : found;
}

}  // namespace wddmcore::segment

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks a constant allocation: `static_assert(wddmcore::check_allocation<cursor, my_gpu::segments, profile>());`.
///
/// A broken rule is one compile error: a sentence that says what to do, with the rule, the slot and the wrong number in
/// its template arguments. On a 32-bit system any flag in `flags2` is such an error.
///
/// @tparam Description   a constant of static storage
/// @tparam Table         a constant of static storage with `all()`
/// @tparam Profile       the adapter, as far as the checks need it
/// @tparam PointerBytes  not to be given
/// @return true
template <segment::allocation const& Description, auto const& Table, segment::allocation_profile Profile,
          usize PointerBytes = sizeof(void*)>
[[nodiscard]] consteval bool check_allocation() {
    constexpr segment::broken_allocation_rule found =
        PointerBytes != 8 && Description.flags2.value != 0
            ? segment::broken_allocation_rule{segment::allocation_rule::flags2_of_32_bit, 0, Description.flags2.value}
            : segment::judge_allocation(Description, Table.all(), Profile);
    return segment::detail::allocation_sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore
