// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "allocation/sentences.hpp"

/// What an allocation breaks, in words: what the compiler says of a constant, for what CreateAllocation is asked.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code; what they return is a literal.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// A rule of allocations, in words; "" for allocation_rule::none, "?" for a number without a name.
[[nodiscard]] constexpr char const* text_of(allocation_rule what) noexcept {
    switch (what) {
        case allocation_rule::none: return "";
        case allocation_rule::no_segment: return "allocation: `supported` is empty: it may be nowhere (PREF-01)";
        case allocation_rule::read_set_from_v2_0:
            return "allocation: from WDDM 2.0 on only the write set counts: leave `supported_read` empty, or equal "
                   "to `supported` (PREF-03)";
        case allocation_rule::supported_unknown:
        case allocation_rule::eviction_unknown:
            return "allocation: `supported` and `eviction` name reported segments only: bit i is the segment with id "
                   "i + 1; for system memory name the aperture (PREF-01)";
        case allocation_rule::preferred_too_large:
            return "allocation: a preferred segment has an id of at most 31 (PREF-04)";
        case allocation_rule::preferred_not_supported:
            return "allocation: a preferred segment must be in `supported` (PREF-02)";
        case allocation_rule::bank_from_v2_0:
            return "allocation: `hinted_bank` must be empty from WDDM 2.0 on: segments have no banks there (PREF-05)";
        case allocation_rule::bank_too_large: return "allocation: a hinted bank has an id of at most 127 (PREF-05)";
        case allocation_rule::bank_without_segment:
            return "allocation: `hinted_bank` needs a segment in the first slot of `preferred`: it is that one's "
                   "banks (PREF-05)";
        case allocation_rule::bank_unknown:
            return "allocation: a hinted bank is none of the segment in the first slot of `preferred` (PREF-05)";
        case allocation_rule::eviction_not_aperture:
            return "allocation: `eviction` may name aperture segments only (PREF-06)";
        case allocation_rule::eviction_pitch_aligned:
            return "allocation: `eviction` must not name a segment with PitchAlignment (SEG-18)";
        case allocation_rule::alignment_64k:
            return "allocation: a supported segment has 64-KiB pages: `alignment` must be a multiple of 64 KiB, see "
                   "`alignment_for` (PREF-07)";
        case allocation_rule::alignment_too_large: return "allocation: `alignment` must be below 4 GiB (PREF-07)";
        case allocation_rule::size_missing: return "allocation: `size` is 0 (PREF-08)";
        case allocation_rule::size_above_size_t: return "allocation: a size does not fit SIZE_T (PREF-08)";
        case allocation_rule::pitch_size_too_small:
            return "allocation: `pitch_aligned_size` must be 0 or at least `size` (PREF-08)";
        case allocation_rule::pitch_size_unwanted:
            return "allocation: `pitch_aligned_size` must be 0 when no supported segment has PitchAlignment "
                   "(PREF-08)";
        case allocation_rule::pitch_size_missing:
            return "allocation: a supported segment has PitchAlignment: `pitch_aligned_size` is its size there "
                   "(SEG-18)";
        case allocation_rule::priority_missing:
            return "allocation: `priority` must not be 0: normal_allocation_priority when it is not managed "
                   "(PREF-09)";
        case allocation_rule::flags_from_v2_0:
            return "allocation: from WDDM 2.0 on `flags_wddm2` is filled, and `flags` stays empty (PREF-10)";
        case allocation_rule::flags_wddm2_before_v2_0:
            return "allocation: below WDDM 2.0 `flags` is filled; `flags_wddm2` and `flags2` stay empty (PREF-10)";
        case allocation_rule::flags_of_later_version:
        case allocation_rule::flags2_of_later_version:
            return "allocation: a flag is reserved in the declared version (PREF-10)";
        case allocation_rule::flags2_of_32_bit:
            return "allocation: DXGK_ALLOCATIONINFO has no `Flags2` on 32-bit systems: neither NotifyEviction nor "
                   "any other flag of that word can be asked for there (NTF-02)";
        case allocation_rule::accessed_physically:
            return "allocation: what an engine addresses physically needs AccessedPhysically (PREF-11)";
        case allocation_rule::residency_notification:
            return "allocation: ExplicitResidencyNotification needs AccessedPhysically (PREF-13)";
        case allocation_rule::map_aperture2_missing:
            return "allocation: MapApertureCpuVisible needs an adapter with aperture_forms::adl, "
                   "MapAperture2Supported (PREF-14)";
        case allocation_rule::cpu_address_flags:
            return "allocation: a CPU address in MAP_APERTURE_SEGMENT2 needs MapApertureCpuVisible and "
                   "AccessedPhysically, see `with_cpu_address` (PREF-15)";
        case allocation_rule::not_cpu_visible:
            return "allocation: Cached and PermanentSysMem need CpuVisible (PREF-16)";
        case allocation_rule::not_of_primary:
            return "allocation: a primary has none of Cached, PermanentSysMem, Protected, ExistingSysMem, "
                   "ExistingKernelSysMem (PREF-16)";
        case allocation_rule::two_of_a_kind:
            return "allocation: at most one of Protected, PermanentSysMem, ExistingSysMem, ExistingKernelSysMem "
                   "(PREF-17)";
        case allocation_rule::aperture_missing:
            return "allocation: CpuVisible, and perhaps in memory without CpuVisible: `supported` needs the aperture "
                   "too, so that a lock can be satisfied (PREF-18)";
        case allocation_rule::share_needs_shared:
            return "allocation: ShareBackingStoreWithKmd needs `is_shared` (PREF-19)";
        case allocation_rule::share_needs_aperture:
            return "allocation: ShareBackingStoreWithKmd allows only apertures in `supported` (PREF-19)";
        case allocation_rule::share_of_existing_memory:
            return "allocation: ShareBackingStoreWithKmd excludes ExistingSysMem and ExistingKernelSysMem (PREF-19)";
        case allocation_rule::share_not_enabled:
            return "allocation: ShareBackingStoreWithKmd needs `share_backing_store` in the profile: the feature was "
                   "found enabled (PREF-19)";
        case allocation_rule::history_buffer:
            return "allocation: HistoryBuffer goes with CpuVisible, with Cached exactly when the aperture is cache "
                   "coherent, and with no other flag (PREF-20)";
        case allocation_rule::notification_not_claimed:
            return "allocation: NotifyEviction and NotifyIoMmuUnmap need `allocation_notification` in the caps of "
                   "the driver (NTF-02)";
        case allocation_rule::iommu_unmap_impossible:
            return "allocation: NotifyIoMmuUnmap needs `gpu_va_iommu` in the profile: the system notifies before an "
                   "unmap only with the GpuVaIoMmu and GpuVaIoMmuGlobal models (NTF-11)";
    }
    return "?";
}

}  // namespace wddmcore::segment
