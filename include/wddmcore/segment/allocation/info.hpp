// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge.hpp"

/// Writes a described allocation into the DXGK_ALLOCATIONINFO of any version.
///
/// IRQL: PASSIVE_LEVEL, like DxgkDdiCreateAllocation; pageable.
/// Source pages: ns-d3dkmddi-_dxgk_allocationinfo.md, nc-d3dkmddi-dxgkddi_createallocation.md.
namespace wddmcore::inline WDDMCORE_ABI::members {

/// The word of WDDM 2.0.
template <class Info>
concept allocation_info_flags_wddm2 = requires(Info& info) { info.FlagsWddm2.Value; };

/// The word of WDDM 3.0, on 64-bit systems.
template <class Info>
concept allocation_info_flags2 = requires(Info& info) { info.Flags2.Value; };

}  // namespace wddmcore::members

namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// Checks an allocation for a structure that may lack some words: from an older header, or on a 32-bit system.
template <class Info>
[[nodiscard]] constexpr broken_allocation_rule judge_for(allocation const& a, view const& table,
                                                         allocation_profile of) noexcept {
    if constexpr (!members::allocation_info_flags2<Info>) {
        if (a.flags2.value != 0) {
            return {allocation_rule::flags2_of_32_bit, 0, a.flags2.value};
        }
    }
    // The structure's own width counts, whatever the caller said.
    of.wide_sizes = sizeof(Info::Size) == sizeof(u64);
    return judge_allocation(a, table, of);
}

/// Writes the flag words (PREF-10). The second word is written whenever the structure has one, even if it is 0.
template <class Info>
constexpr void fill_allocation_flags(allocation const& a, wddm version, Info& info) noexcept {
    if constexpr (members::allocation_info_flags_wddm2<Info>) {
        if (version >= wddm::v2_0) {
            info.FlagsWddm2.Value = a.flags_wddm2.value;
        } else {
            info.Flags.Value = a.flags.value;
        }
    } else {
        // Headers before WDDM 2.0 have only one name for the word.
        info.Flags.Value = allocation_word(a, version);
    }
    if constexpr (members::allocation_info_flags2<Info>) {
        info.Flags2.Value = a.flags2.value;
    }
}

}  // namespace detail

/// Checks an allocation and writes it, or writes nothing.
///
/// Written are Size, PitchAlignedSize, HintedBank, PreferredSegment, SupportedWriteSegmentSet, EvictionSegmentSet,
/// AllocationPriority and the flag words; SupportedReadSegmentSet, to the same as the write set unless the allocation
/// says another one below WDDM 2.0 (PREF-03), and Alignment (PREF-07), both only while no MMU set is in use: they share
/// storage with MmuSet and with the page sizes, which came in.
/// MaximumRenamingListLength is written below WDDM 2.0, and from there on only when it is not 0: it shares storage with
/// PhysicalAdapterIndex. Private data, the handle and the usage hint are the driver's, and not touched.
///
/// @param a      the allocation
/// @param table  the reported segments
/// @param of     what is to be known of the adapter; how wide SIZE_T is, the structure says
/// @param info   DXGK_ALLOCATIONINFO, of the driver's header or of a mirror
/// @return allocation_is_good, or the rule that is broken (see judge_allocation); flags2_of_32_bit when the structure
///         has no Flags2. Nothing is written then
template <class Info>
[[nodiscard]] constexpr broken_allocation_rule fill_allocation_info(allocation const& a, view const& table,
                                                                    allocation_profile const& of, Info& info) noexcept {
    broken_allocation_rule const broken = detail::judge_for<Info>(a, table, of);
    if (broken != allocation_is_good) {
        return broken;
    }
    using size_type = meta::bare<decltype(info.Size)>;
    info.Size = static_cast<size_type>(a.size.n);
    info.PitchAlignedSize = static_cast<size_type>(a.pitch_aligned_size.n);
    info.HintedBank.Value = value_of(a.hinted_bank);
    info.PreferredSegment.Value = value_of(a.preferred);
    info.SupportedWriteSegmentSet = a.supported.value;
    info.EvictionSegmentSet = a.eviction.value;
    info.AllocationPriority = a.priority;
    if (!of.mmu_set_in_use) {
        info.SupportedReadSegmentSet = detail::read_set_of(a).value;
        info.Alignment = static_cast<u32>(a.alignment.n);
    }
    if (of.version < wddm::v2_0 || a.maximum_renaming_list_length != 0) {
        info.MaximumRenamingListLength = a.maximum_renaming_list_length;
    }
    detail::fill_allocation_flags(a, of.version, info);
    return allocation_is_good;
}

}  // namespace wddmcore::segment
