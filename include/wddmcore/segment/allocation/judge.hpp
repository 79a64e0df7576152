// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge_flags.hpp"
#include "places.hpp"

/// Checks allocations, by the same function at compile time and at run time: a description goes in, and the first rule
/// that it breaks comes out as a value.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
/// Source pages: ns-d3dkmddi-_dxgk_allocationinfo.md, ns-d3dkmddi-_dxgk_segmentflags.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// Checks where an allocation may be and go to (PREF-01, PREF-03, PREF-06, SEG-18).
[[nodiscard]] constexpr broken_allocation_rule judge_sets(allocation const& a, view const& table,
                                                          wddm version) noexcept {
    using enum allocation_rule;
    u32 const places = places_of(a).value;
    u32 const eviction = a.eviction.value;
    bool const pitch = intersects(a.eviction, segments_with(table, flag::pitch_alignment));
    allocation_check check{};
    // PREF-03: the system ignores the read set from there on, and so would lose what only that says.
    check.when(version >= wddm::v2_0 && read_set_of(a) != a.supported, read_set_from_v2_0, a.supported_read.value);
    check.when(places == 0, no_segment, 0);
    check.when(!is_within(places_of(a), all_segments(table)), supported_unknown, places);
    check.when(!is_within(a.eviction, all_segments(table)), eviction_unknown, eviction);
    check.when(!is_within(a.eviction, aperture_segments_with_agp(table)), eviction_not_aperture, eviction);
    check.when(pitch, eviction_pitch_aligned, eviction);
    return check.found;
}

/// Checks the segments that an allocation prefers (PREF-02, PREF-04).
[[nodiscard]] constexpr broken_allocation_rule judge_preference(allocation const& a) noexcept {
    using enum allocation_rule;
    allocation_check check{};
    for (preferred_segment const& slot : a.preferred.slots) {
        check.when(slot.id.n > largest_preferred_id, preferred_too_large, slot.id.n);
        check.when(slot.id.n != 0 && !places_of(a).has(slot.id), preferred_not_supported, slot.id.n);
        ++check.place;
    }
    return check.found;
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
    segment_id const first = a.preferred.slots[0].id;
    allocation_check check{};
    for (preferred_bank const& slot : a.hinted_bank.slots) {
        // Query forms 4 and 5, which the system uses from WDDM 2.0 on, have no member for banks.
        check.when(slot.id != 0 && version >= wddm::v2_0, bank_from_v2_0, slot.id);
        check.when(slot.id > largest_bank_id, bank_too_large, slot.id);
        check.when(slot.id != 0 && first.n == 0, bank_without_segment, slot.id);
        check.when(slot.id > banks_of(table, first), bank_unknown, slot.id);
        ++check.place;
    }
    return check.found;
}

/// Checks sizes, alignment and priority (PREF-07 to PREF-09, SEG-18).
[[nodiscard]] constexpr broken_allocation_rule judge_sizes(allocation const& a, view const& table,
                                                           allocation_profile const& of) noexcept {
    using enum allocation_rule;
    u64 const largest = of.wide_sizes ? ~u64{0} : u64{~u32{0}};
    bool const pitch = intersects(places_of(a), segments_with(table, flag::pitch_alignment));
    u64 const pitch_size = a.pitch_aligned_size.n;
    allocation_check check{};
    check.when(a.size.n == 0, size_missing, 0);
    check.when(greater(a.size.n, pitch_size) > largest, size_above_size_t, greater(a.size.n, pitch_size));
    check.when(!pitch && pitch_size != 0, pitch_size_unwanted, pitch_size);
    check.when(pitch && pitch_size == 0, pitch_size_missing, 0);
    check.when(pitch && pitch_size < a.size.n, pitch_size_too_small, pitch_size);
    check.when(a.priority == 0, priority_missing, 0);
    // PREF-07: with MMUs the word is not the driver's to fill.
    if (!of.mmu_set_in_use) {
        // 0 is a multiple too, but would leave the alignment to the system, which AMB-41 rules out.
        // Where none fits the value is 0, and then this one is too large.
        bytes const needed = alignment_for(table, places_of(a), a.alignment).value;
        check.when(a.alignment.n > ~u32{0}, alignment_too_large, a.alignment.n);
        check.when(needed != a.alignment, alignment_64k, a.alignment.n);
    }
    return check.found;
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
    allocation_check check{};
    check.when(visible && !is_within(places_of(a), reached) && !intersects(places_of(a), apertures),
               allocation_rule::aperture_missing, places_of(a).value);
    return check.found;
}

/// Checks a backing store that is shared with the driver (PREF-19). WDDM 3.0.
[[nodiscard]] constexpr broken_allocation_rule judge_shared_store(allocation const& a, view const& table,
                                                                  allocation_profile const& of) noexcept {
    using enum allocation_rule;
    if (!a.flags2.has(allocation_flag2::share_backing_store_with_kmd)) {
        return allocation_is_good;
    }
    bool const existing = a.flags_wddm2.has(allocation_flag_wddm2::existing_sys_mem) ||
                          a.flags_wddm2.has(allocation_flag_wddm2::existing_kernel_sys_mem);
    allocation_check check{};
    check.when(!a.is_shared, share_needs_shared, a.flags2.value);
    check.when(!is_within(a.supported, aperture_segments(table)), share_needs_aperture, a.supported.value);
    check.when(existing, share_of_existing_memory, a.flags_wddm2.value);
    check.when(!of.share_backing_store, share_not_enabled, a.flags2.value);
    return check.found;
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
    bool const coherent =
        detail::intersects(detail::aperture_segments(table), detail::segments_with(table, flag::cache_coherent));
    detail::allocation_check check{};
    check.add(detail::judge_sets(a, table, of.version));
    check.add(detail::judge_preference(a));
    check.add(detail::judge_banks(a, table, of.version));
    check.add(detail::judge_sizes(a, table, of));
    check.add(detail::judge_words(a, of));
    check.add(detail::judge_memory_flags(a, of.version));
    check.add(detail::judge_history_buffer(a, of.version, coherent));
    check.add(detail::judge_physical_flags(a, of));
    check.add(detail::judge_lock(a, table, of.version));
    check.add(detail::judge_shared_store(a, table, of));
    return check.found;
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
            ? segment::broken_allocation_rule{.what = segment::allocation_rule::flags2_of_32_bit,
                                              .value = Description.flags2.value}
            : segment::judge_allocation(Description, Table.all(), Profile);
    return segment::detail::allocation_sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore
