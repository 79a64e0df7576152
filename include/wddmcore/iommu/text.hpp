// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sentences.hpp"
#include "verdict.hpp"

/// What the judges and the machines of the IOMMU refuse, in words.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code; what they return is a literal.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// @return a rule of claims, words, function tables and answers, in words; "" for rule::none, "?" for a number without
///         a name
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    switch (what) {
        case rule::none: return "";
        case rule::isolation_before_v2_4:
            return "IOMMU: `isolation` needs a `version` of WDDM 2.4 or later, which has exclusive access (IOM-12)";
        case rule::isolation_required_before_v2_7:
            return "IOMMU: `isolation_required` needs a `version` of WDDM 2.7 or later, which can say it (IOM-04)";
        case rule::dma_remapping_before_v2_9:
            return "IOMMU: `dma_remapping` needs a `version` of WDDM 2.9 or later, which asks for the physical "
                   "memory caps and the IOMMU caps (IOM-01)";
        case rule::gpu_va_iommu_before_v3_1:
            return "IOMMU: `gpu_va_iommu_required` and `gpu_va_iommu_global_required` need a `version` of WDDM 3.1 "
                   "or later: before, the physical adapter's flags cannot say it too (IOM-22)";
        case rule::required_without_isolation:
            return "IOMMU: `isolation_required` must be no more than `isolation`: what is required is supported "
                   "(IOM-05)";
        case rule::dma_remapping_without_map_aperture2:
            return "IOMMU: `dma_remapping` needs `aperture` = aperture_forms::adl, or `either` when remapping is "
                   "at_run_time too: it implies MapAperture2Supported (IOM-05)";
        case rule::dma_remapping_without_highest_visible_address:
            return "IOMMU: `dma_remapping` needs a `highest_visible_address` in the caps of the driver (IOM-01)";
        case rule::isolation_words_differ:
            return "IOMMU: the isolation bits of DXGK_IOMMU_CAPS must equal the two secure-mode bits of "
                   "DXGK_VIDMMCAPS: make all words with `words_of` (IOM-04)";
        case rule::gpu_va_iommu_words_differ:
            return "IOMMU: the GpuVaIommu bits of DXGK_IOMMU_CAPS must equal those of DXGK_PHYSICALADAPTERFLAGS: "
                   "make all words with `words_of` (IOM-22)";
        case rule::begin_exclusive_access_missing:
        case rule::end_exclusive_access_missing:
            return "IOMMU: with `isolation` a driver provides DxgkDdiBeginExclusiveAccess and "
                   "DxgkDdiEndExclusiveAccess (IOM-12)";
        case rule::save_size_not_pages:
            return "IOMMU: the frame-buffer save size must be a multiple of 4096 bytes (IOM-17)";
        case rule::save_not_lead_adapter:
            return "IOMMU: in a link the frame buffer is saved with the lead adapter's handle (IOM-17)";
        case rule::range_not_pages:
        case rule::range_too_long:
            return "IOMMU: a hardware-reserved range consists of whole pages of 4096 bytes, and has at least one "
                   "(IOM-19)";
        case rule::ranges_overlap: return "IOMMU: two hardware-reserved ranges overlap (IOM-19)";
        case rule::range_in_system_memory:
            return "IOMMU: a hardware-reserved range overlaps memory that the OS manages (IOM-19)";
    }
    return "?";
}

/// What an event or a request breaks, in words; "" for verdict::allowed, "?" for a number without a name.
[[nodiscard]] constexpr char const* text_of(verdict what) noexcept {
    switch (what) {
        case verdict::allowed: return "";
        case verdict::begin_inside: return "exclusive access begins inside exclusive access (IOM-10)";
        case verdict::end_outside: return "exclusive access ends without having begun (IOM-10)";
        case verdict::call_inside: return "another DDI call arrives inside exclusive access (IOM-10)";
        case verdict::device_access_inside:
            return "the device reads or writes system memory inside exclusive access (IOM-09)";
        case verdict::irql_too_high: return "the memory callbacks may be called up to APC_LEVEL (IOM-14)";
        case verdict::needs_memory_objects:
            return "the system remaps logical addresses: this earlier callback is unavailable, use physical memory "
                   "objects (IOM-13)";
        case verdict::not_created: return "the object does not exist (ADL-13)";
        case verdict::created_twice: return "the object exists already (ADL-13)";
        case verdict::unknown_kind: return "a Type that DXGK_PHYSICAL_MEMORY_TYPE has not (ADL-13)";
        case verdict::object_without_bytes: return "an object is created with a size of 0 (ADL-13)";
        case verdict::unknown_caching: return "a CacheType that DXGK_MEMORY_CACHING_TYPE has not (ADL-13)";
        case verdict::section_not_cached: return "the CacheType of a section is cached or write-combined (ADL-13)";
        case verdict::io_space_not_pages:
            return "a base, an offset or a size of IO space is not of whole pages (IOM-21)";
        case verdict::opened_by_create:
            return "an object that was created with an adapter is open, and not opened again (ADL-13)";
        case verdict::open_already: return "another logical adapter has the object open (ADL-13)";
        case verdict::not_open: return "an ADL needs an adapter memory handle (ADL-13)";
        case verdict::adl_reserved_flags:
            return "an ADL is asked for with a flag beside RequireContiguous and PreferContiguous (ADL-10)";
        case verdict::adl_not_pages: return "offset and size of an ADL are whole pages of 4096 bytes (ADL-10)";
        case verdict::adl_without_pages: return "an ADL of no pages (ADL-10)";
        case verdict::adl_too_long: return "an ADL of more pages than PageCount can say (ADL-10)";
        case verdict::beyond_object: return "a part that does not lie in the object (ADL-10)";
        case verdict::contiguous_impossible: return "RequireContiguous for memory that need not be contiguous (ADL-10)";
        case verdict::unknown_access: return "an AccessMode that DXGK_ACCESS_MODE has not (ADL-15)";
        case verdict::mapping_without_bytes: return "a mapping of 0 bytes (ADL-15)";
        case verdict::user_mode_of_io_space: return "IO space is mapped for the kernel only (ADL-15)";
        case verdict::nothing_mapped: return "more mappings are unmapped than were mapped (ADL-15)";
        case verdict::no_adl: return "more ADLs are freed than were allocated (ADL-12)";
        case verdict::adl_left: return "closed or destroyed while an ADL is not freed (ADL-12)";
        case verdict::mapping_left: return "destroyed while mapped (ADL-15)";
        case verdict::handle_closed_already: return "the adapter memory handle was closed already (ADL-14)";
        case verdict::handle_left_open:
            return "destroyed without the adapter memory handle that is still open (ADL-14)";
        case verdict::too_many: return "more than 2^32 - 1 lists or mappings at once";
    }
    return "?";
}

}  // namespace wddmcore::iommu
