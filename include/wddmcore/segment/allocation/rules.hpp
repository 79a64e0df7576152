// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/breach.hpp"

/// The rules of allocations, and what the compiler says where one is broken.
///
/// The sentences stand twice, one beside the other: a static assertion takes nothing but a literal of its own. The
/// stage `citations` of the tests compares them.
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The rules that an allocation can break. In brackets: the value that `broken_allocation_rule` holds with it.
enum class allocation_rule : u32 {
    none,

    no_segment,               ///< PREF-01 [0]
    read_set_from_v2_0,       ///< PREF-03 [the read set]
    supported_unknown,        ///< PREF-01 [the set]
    eviction_unknown,         ///< PREF-01 [the set]
    preferred_too_large,      ///< PREF-04 [the id]
    preferred_not_supported,  ///< PREF-02 [the id]
    bank_from_v2_0,           ///< PREF-05 [the bank]
    bank_too_large,           ///< PREF-05 [the bank]
    bank_without_segment,     ///< PREF-05 [the bank]
    bank_unknown,             ///< PREF-05 [the bank]
    eviction_not_aperture,    ///< PREF-06 [the set]
    eviction_pitch_aligned,   ///< SEG-18 [the set]

    alignment_64k,         ///< PREF-07, AMB-41 [the alignment]
    alignment_too_large,   ///< PREF-07 [the alignment]
    size_missing,          ///< PREF-08 [0]
    size_above_size_t,     ///< PREF-08 [the size]
    pitch_size_too_small,  ///< PREF-08 [the pitch-aligned size]
    pitch_size_unwanted,   ///< PREF-08 [the pitch-aligned size]
    pitch_size_missing,    ///< SEG-18 [0]
    priority_missing,      ///< PREF-09 [0]

    flags_from_v2_0,           ///< PREF-10 [the word]
    flags_wddm2_before_v2_0,   ///< PREF-10 [the word]
    flags_of_later_version,    ///< PREF-10 [the wrong bits]
    flags2_of_later_version,   ///< PREF-10 [the wrong bits]
    flags2_of_32_bit,          ///< NTF-02 [the word]
    accessed_physically,       ///< PREF-11 [the word]
    residency_notification,    ///< PREF-13 [the word]
    map_aperture2_missing,     ///< PREF-14 [the word]
    cpu_address_flags,         ///< PREF-15 [the word]
    not_cpu_visible,           ///< PREF-16 [the word]
    not_of_primary,            ///< PREF-16 [the wrong bits]
    two_of_a_kind,             ///< PREF-17 [the flags that are set]
    aperture_missing,          ///< PREF-18 [the set]
    share_needs_shared,        ///< PREF-19 [the word]
    share_needs_aperture,      ///< PREF-19 [the set]
    share_of_existing_memory,  ///< PREF-19 [the word]
    share_not_enabled,         ///< PREF-19 [the word]
    history_buffer,            ///< PREF-20 [the word]
    notification_not_claimed,  ///< NTF-02 [the word]
    iommu_unmap_impossible,    ///< NTF-11 [the word]
};

/// The first rule that an allocation breaks. Its place is the slot of a preference; 0 where there is only one.
using broken_allocation_rule = breach<allocation_rule>;

inline constexpr broken_allocation_rule allocation_is_good{};  ///< nothing was found

namespace detail {

using allocation_check = wddmcore::detail::first_breach<allocation_rule>;

/// The words of the rules, in the order of their enumeration.
inline constexpr char const* allocation_rule_texts[] = {
    "",

    "allocation: `supported` is empty: the allocation may be nowhere (PREF-01)",
    ("allocation: from WDDM 2.0 on only the write set counts: leave `supported_read` empty, or equal to `supported` "
     "(PREF-03)"),
    ("allocation: `supported` and `eviction` name reported segments only: bit i is the segment with id i + 1; for "
     "system memory name the aperture (PREF-01)"),
    ("allocation: `supported` and `eviction` name reported segments only: bit i is the segment with id i + 1; for "
     "system memory name the aperture (PREF-01)"),
    "allocation: a preferred segment has an id of at most 31 (PREF-04)",
    "allocation: a preferred segment must be in `supported` (PREF-02)",
    "allocation: `hinted_bank` must be empty from WDDM 2.0 on: segments have no banks there (PREF-05)",
    "allocation: a hinted bank has an id of at most 127 (PREF-05)",
    ("allocation: `hinted_bank` needs a segment in the first slot of `preferred`: the banks are those of that "
     "segment (PREF-05)"),
    "allocation: a hinted bank is not a bank of the segment in the first slot of `preferred` (PREF-05)",
    "allocation: `eviction` may name aperture segments only (PREF-06)",
    "allocation: `eviction` must not name a segment with PitchAlignment (SEG-18)",

    ("allocation: a supported segment has 64-KiB pages: `alignment` must be a multiple of 64 KiB, see "
     "`alignment_for` (PREF-07)"),
    "allocation: `alignment` must be below 4 GiB (PREF-07)",
    "allocation: `size` is 0 (PREF-08)",
    "allocation: a size does not fit SIZE_T (PREF-08)",
    "allocation: `pitch_aligned_size` must be 0 or at least `size` (PREF-08)",
    "allocation: `pitch_aligned_size` must be 0 when no supported segment has PitchAlignment (PREF-08)",
    "allocation: a supported segment has PitchAlignment: `pitch_aligned_size` is its size there (SEG-18)",
    "allocation: `priority` must not be 0: normal_allocation_priority when it is not managed (PREF-09)",

    "allocation: from WDDM 2.0 on `flags_wddm2` is filled, and `flags` stays empty (PREF-10)",
    "allocation: below WDDM 2.0 `flags` is filled; `flags_wddm2` and `flags2` stay empty (PREF-10)",
    "allocation: a flag is reserved in the declared version (PREF-10)",
    "allocation: a flag is reserved in the declared version (PREF-10)",
    ("allocation: DXGK_ALLOCATIONINFO has no `Flags2` on 32-bit systems: neither NotifyEviction nor any other flag "
     "of that word can be asked for there (NTF-02)"),
    "allocation: what an engine addresses physically needs AccessedPhysically (PREF-11)",
    "allocation: ExplicitResidencyNotification needs AccessedPhysically (PREF-13)",
    "allocation: MapApertureCpuVisible needs an adapter with aperture_forms::adl, MapAperture2Supported (PREF-14)",
    ("allocation: a CPU address in MAP_APERTURE_SEGMENT2 needs MapApertureCpuVisible and AccessedPhysically, see "
     "`with_cpu_address` (PREF-15)"),
    "allocation: Cached and PermanentSysMem need CpuVisible (PREF-16)",
    ("allocation: a primary has none of Cached, PermanentSysMem, Protected, ExistingSysMem, ExistingKernelSysMem "
     "(PREF-16)"),
    "allocation: at most one of Protected, PermanentSysMem, ExistingSysMem, ExistingKernelSysMem (PREF-17)",
    ("allocation: CpuVisible, and perhaps in memory without CpuVisible: `supported` needs the aperture too, so that "
     "a lock can be satisfied (PREF-18)"),
    "allocation: ShareBackingStoreWithKmd needs `is_shared` (PREF-19)",
    "allocation: ShareBackingStoreWithKmd allows only apertures in `supported` (PREF-19)",
    "allocation: ShareBackingStoreWithKmd excludes ExistingSysMem and ExistingKernelSysMem (PREF-19)",
    ("allocation: ShareBackingStoreWithKmd needs `share_backing_store` in the profile: the feature was found enabled "
     "(PREF-19)"),
    ("allocation: HistoryBuffer goes with CpuVisible, with Cached exactly when the aperture is cache coherent, and "
     "with no other flag (PREF-20)"),
    "allocation: NotifyEviction and NotifyIoMmuUnmap need `allocation_notification` in the caps of the driver (NTF-02)",
    ("allocation: NotifyIoMmuUnmap needs `gpu_va_iommu` in the profile: the system notifies before an unmap only "
     "with the GpuVaIoMmu and GpuVaIoMmuGlobal models (NTF-11)"),
};
static_assert(sizeof allocation_rule_texts / sizeof *allocation_rule_texts ==
              static_cast<u32>(allocation_rule::iommu_unmap_impossible) + 1);

}  // namespace detail

/// A rule of allocations in words: for a log, what the compiler says of a constant allocation.
///
/// @param what  any rule
/// @return a literal: the sentence; "" for allocation_rule::none, "?" for a number that is none of them
[[nodiscard]] constexpr char const* text_of(allocation_rule what) noexcept {
    return wddmcore::detail::text_in(detail::allocation_rule_texts, what);
}

}  // namespace wddmcore::segment

namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// Tells what is wrong as one compile error, nothing for allocation_rule::none. Always true.
template <allocation_rule What, u32 Place, u64 Value>
consteval bool allocation_sentence() {
    using enum allocation_rule;
    static_assert(What != no_segment, "allocation: `supported` is empty: the allocation may be nowhere (PREF-01)");
    static_assert(What != read_set_from_v2_0, "allocation: from WDDM 2.0 on only the write set counts: leave "
                                              "`supported_read` empty, or equal to `supported` (PREF-03)");
    static_assert(What != supported_unknown && What != eviction_unknown,
                  "allocation: `supported` and `eviction` name reported segments only: bit i is the segment with id "
                  "i + 1; for system memory name the aperture (PREF-01)");
    static_assert(What != preferred_too_large, "allocation: a preferred segment has an id of at most 31 (PREF-04)");
    static_assert(What != preferred_not_supported, "allocation: a preferred segment must be in `supported` (PREF-02)");
    static_assert(What != bank_from_v2_0,
                  "allocation: `hinted_bank` must be empty from WDDM 2.0 on: segments have no banks there (PREF-05)");
    static_assert(What != bank_too_large, "allocation: a hinted bank has an id of at most 127 (PREF-05)");
    static_assert(What != bank_without_segment, "allocation: `hinted_bank` needs a segment in the first slot of "
                                                "`preferred`: the banks are those of that segment (PREF-05)");
    static_assert(What != bank_unknown,
                  "allocation: a hinted bank is not a bank of the segment in the first slot of `preferred` (PREF-05)");
    static_assert(What != eviction_not_aperture, "allocation: `eviction` may name aperture segments only (PREF-06)");
    static_assert(What != eviction_pitch_aligned,
                  "allocation: `eviction` must not name a segment with PitchAlignment (SEG-18)");
    static_assert(What != alignment_64k, "allocation: a supported segment has 64-KiB pages: `alignment` must be a "
                                         "multiple of 64 KiB, see `alignment_for` (PREF-07)");
    static_assert(What != alignment_too_large, "allocation: `alignment` must be below 4 GiB (PREF-07)");
    static_assert(What != size_missing, "allocation: `size` is 0 (PREF-08)");
    static_assert(What != size_above_size_t, "allocation: a size does not fit SIZE_T (PREF-08)");
    static_assert(What != pitch_size_too_small,
                  "allocation: `pitch_aligned_size` must be 0 or at least `size` (PREF-08)");
    static_assert(What != pitch_size_unwanted,
                  "allocation: `pitch_aligned_size` must be 0 when no supported segment has PitchAlignment (PREF-08)");
    static_assert(What != pitch_size_missing, "allocation: a supported segment has PitchAlignment: "
                                              "`pitch_aligned_size` is its size there (SEG-18)");
    static_assert(What != priority_missing,
                  "allocation: `priority` must not be 0: normal_allocation_priority when it is not managed (PREF-09)");
    static_assert(What != flags_from_v2_0,
                  "allocation: from WDDM 2.0 on `flags_wddm2` is filled, and `flags` stays empty (PREF-10)");
    static_assert(What != flags_wddm2_before_v2_0,
                  "allocation: below WDDM 2.0 `flags` is filled; `flags_wddm2` and `flags2` stay empty (PREF-10)");
    static_assert(What != flags_of_later_version && What != flags2_of_later_version,
                  "allocation: a flag is reserved in the declared version (PREF-10)");
    static_assert(What != flags2_of_32_bit,
                  "allocation: DXGK_ALLOCATIONINFO has no `Flags2` on 32-bit systems: neither NotifyEviction nor any "
                  "other flag of that word can be asked for there (NTF-02)");
    static_assert(What != accessed_physically,
                  "allocation: what an engine addresses physically needs AccessedPhysically (PREF-11)");
    static_assert(What != residency_notification,
                  "allocation: ExplicitResidencyNotification needs AccessedPhysically (PREF-13)");
    static_assert(What != map_aperture2_missing, "allocation: MapApertureCpuVisible needs an adapter with "
                                                 "aperture_forms::adl, MapAperture2Supported (PREF-14)");
    static_assert(What != cpu_address_flags,
                  "allocation: a CPU address in MAP_APERTURE_SEGMENT2 needs MapApertureCpuVisible and "
                  "AccessedPhysically, see `with_cpu_address` (PREF-15)");
    static_assert(What != not_cpu_visible, "allocation: Cached and PermanentSysMem need CpuVisible (PREF-16)");
    static_assert(What != not_of_primary, "allocation: a primary has none of Cached, PermanentSysMem, Protected, "
                                          "ExistingSysMem, ExistingKernelSysMem (PREF-16)");
    static_assert(What != two_of_a_kind, "allocation: at most one of Protected, PermanentSysMem, ExistingSysMem, "
                                         "ExistingKernelSysMem (PREF-17)");
    static_assert(What != aperture_missing,
                  "allocation: CpuVisible, and perhaps in memory without CpuVisible: `supported` needs the aperture "
                  "too, so that a lock can be satisfied (PREF-18)");
    static_assert(What != share_needs_shared, "allocation: ShareBackingStoreWithKmd needs `is_shared` (PREF-19)");
    static_assert(What != share_needs_aperture,
                  "allocation: ShareBackingStoreWithKmd allows only apertures in `supported` (PREF-19)");
    static_assert(What != share_of_existing_memory,
                  "allocation: ShareBackingStoreWithKmd excludes ExistingSysMem and ExistingKernelSysMem (PREF-19)");
    static_assert(What != share_not_enabled, "allocation: ShareBackingStoreWithKmd needs `share_backing_store` in "
                                             "the profile: the feature was found enabled (PREF-19)");
    static_assert(What != history_buffer, "allocation: HistoryBuffer goes with CpuVisible, with Cached exactly when "
                                          "the aperture is cache coherent, and with no other flag (PREF-20)");
    static_assert(What != notification_not_claimed, "allocation: NotifyEviction and NotifyIoMmuUnmap need "
                                                    "`allocation_notification` in the caps of the driver (NTF-02)");
    static_assert(What != iommu_unmap_impossible,
                  "allocation: NotifyIoMmuUnmap needs `gpu_va_iommu` in the profile: the system notifies before an "
                  "unmap only with the GpuVaIoMmu and GpuVaIoMmuGlobal models (NTF-11)");
    return true;
}

}  // namespace wddmcore::segment::detail
