// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table/sentences.hpp"

/// What a segment table breaks, in words: what the compiler says of a constant, for what StartDevice finds.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code; what they return is a literal.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// A rule of segment tables, in words; "" for rule::none, "?" for a number without a name.
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    switch (what) {
        case rule::none: return "";
        case rule::too_many_segments:
            return "segments: at most 30 can be reported from WDDM 2.0, 31 below: ids have 5 bits, and 0 and 31 are "
                   "system memory (SEG-06)";
        case rule::system_memory_reported:
            return "segments: `id` 0 is system memory, as is 31 from WDDM 2.0, and system memory is never reported: "
                   "the id of a segment is its position, from 1 (SEG-27)";
        case rule::id_is_not_position:
            return "segments: the `id` of a segment must be its position in the table, from 1; hidden ranges do not "
                   "count (SEG-05)";
        case rule::kind_differs_from_flags:
            return "segments: the `kind` of a row says something else than its flags: Agp, Aperture, "
                   "SupportsCpuHostAperture and CpuVisible decide it (SEG-10)";
        case rule::hidden_with_flags: return "segments: a hidden range is not reported: it has no flags (SEG-29)";
        case rule::aperture_without_operations:
            return "segments: an aperture needs the map and unmap operations: the `aperture` of the capabilities "
                   "says that there are none (SEG-10)";
        case rule::aperture_count:
            return "segments: from WDDM 2.0 exactly one aperture must be reported; only a compute-only adapter may "
                   "have none (SEG-26)";
        case rule::agp_twice: return "segments: there can be only one AGP aperture (SEG-11)";
        case rule::agp_not_last:
            return "segments: an AGP aperture must be the last of its table: it is left out where there is no AGP, "
                   "and no other id may move (SEG-11)";
        case rule::hidden_at_start:
            return "segments: a hidden range is placed by nobody: write its `base` and `size`, not at_start (SEG-29)";
        case rule::host_aperture_not_last:
            return "segments: the segment behind a CPU host aperture must be the last one reported (OBS-04)";
        case rule::paging_buffer_segment:
            return "segments: the paging-buffer segment must be 0 or the id of an aperture (SEG-40)";
        case rule::paging_buffer_not_first:
            return "segments: from WDDM 2.0 the aperture that holds paging buffers must be segment 1 (OBS-04)";
        case rule::agp_with_flags: return "segments: an AGP aperture can have no flag but Agp (SEG-11)";
        case rule::agp_from_v2_0:
            return "segments: an AGP aperture can be reported below WDDM 2.0 only: later query forms do not tell "
                   "whether there is one (SEG-11)";
        case rule::reserved_for_system: return "segments: the flag ReservedSysMem belongs to the OS (SEG-22)";
        case rule::reserved_flags: return "segments: `flags` has reserved bits (SEG-22)";
        case rule::flags_of_later_version:
            return "segments: a flag came with a later version than `version`: there it is a reserved bit (SEG-22)";
        case rule::coherent_memory: return "segments: the flag CacheCoherent is for apertures only (SEG-13)";
        case rule::cpu_visible_aperture: return "segments: an aperture cannot have the flag CpuVisible (SEG-14)";
        case rule::host_aperture_of_aperture:
            return "segments: an aperture holds no bits: no CPU host aperture can show them (SEG-10)";
        case rule::visible_with_host_aperture:
            return "segments: CpuVisible and SupportsCpuHostAperture exclude each other (SEG-15)";
        case rule::cached_without_host:
            return "segments: SupportsCachedCpuHostAperture needs SupportsCpuHostAperture (SEG-16)";
        case rule::populated_aperture:
            return "segments: an aperture cannot have the flag PopulatedFromSystemMemory (SEG-19)";
        case rule::preserved_flags:
            return "segments: standby, hibernate and partial hibernate can be 000, 100, 110 or 101: use `preserved` "
                   "(SEG-20)";
        case rule::cpu_address_without_flag:
            return "segments: a CPU address is for memory with CpuVisible: with a CPU host aperture the same bytes "
                   "hold that one's place (SEG-17)";
        case rule::host_aperture_without_flag:
            return "segments: a host aperture needs SupportsCpuHostAperture: without it the same bytes hold the CPU "
                   "address (SEG-17)";
        case rule::host_aperture_missing: return "segments: a CPU host aperture has no page (SEG-17)";
        case rule::system_memory_end_missing:
            return "segments: partial preservation during hibernate needs `system_memory_end` (SEG-21)";
        case rule::system_memory_end_unwanted:
            return "segments: `system_memory_end` is only for partial preservation during hibernate (SEG-21)";
        case rule::vpr_flag:
            return "segments: a VPR range and the flag VprSupported go together, and VprPreservedDuringStandby needs "
                   "both (SEG-32)";
        case rule::vpr_alignment_missing: return "segments: a VPR range needs an `alignment` (SEG-32)";
        case rule::vpr_count: return "segments: a VPR range needs a `count` (SEG-32)";
        case rule::banks_of_later_version:
            return "segments: banks can be reported below WDDM 2.0 only: later query forms have no member (SEG-24)";
        case rule::banks_without_flag: return "segments: `banks` needs the flag UseBanking (SEG-24)";
        case rule::bank_table_missing: return "segments: the flag UseBanking needs `banks` (SEG-24)";
        case rule::banks_of_aperture: return "segments: banks are for memory, not for apertures (SEG-25)";
        case rule::banks_not_rising:
            return "segments: `banks` holds the END of each bank: the ends rise, from above 0 (SEG-24)";
        case rule::too_many_banks: return "segments: at most 127 banks have an id (PREF-05)";
        case rule::size_missing: return "segments: `size` is 0: write a size, or at_start (SEG-08)";
        case rule::page_multiple: return "segments: `size` must be a multiple of 4096 bytes (SEG-08)";
        case rule::size_64k: return "segments: with 64-KiB pages `size` must be a multiple of 64 KiB (SEG-09)";
        case rule::base_64k: return "segments: with 64-KiB pages `base` must be a multiple of 64 KiB (SEG-09)";
        case rule::base_page: return "segments: `base` must be a multiple of 4096 bytes (SEG-08)";
        case rule::end_wraps: return "segments: a segment ends above the 64 bits of an address (SEG-07)";
        case rule::overlap: return "segments: two segments, or a segment and a hidden range, share an address (SEG-07)";
        case rule::size_above_size_t:
            return "segments: a size above 4 GiB does not fit the SIZE_T of a 32-bit system (SEG-43)";
        case rule::commit_limit_of_memory: return "segments: the commit limit of memory must be its size (SEG-23)";
        case rule::commit_limit_above: return "segments: `commit_limit` cannot be above `size` (SEG-23)";
        case rule::bank_behind_end: return "segments: a bank ends behind its segment (SEG-25)";
        case rule::vpr_not_aligned:
            return "segments: start and size of the VPR range must be multiples of its `alignment` (SEG-32)";
        case rule::vpr_outside: return "segments: the VPR range leaves its segment (SEG-32)";
        case rule::vpr_reserve: return "segments: the `reserve` of the VPR range is larger than the range (SEG-32)";
        case rule::range_not_aligned:
            return "segments: start and size of an invalid range must be multiples of the segment's page, 4 or 64 "
                   "KiB (SEG-31)";
        case rule::range_outside: return "segments: a memory range leaves its segment (SEG-31)";
        case rule::range_empty: return "segments: an invalid range has no byte (SEG-31)";
        case rule::ranges_overlap: return "segments: two invalid ranges share a byte (SEG-31)";
        case rule::cpu_page:
            return "segments: the CPU address of memory, and of a host aperture, must be a multiple of 4096 bytes "
                   "(SEG-14)";
        case rule::cpu_range_wraps:
            return "segments: what the CPU sees of a segment ends above the 64 bits of an address (SEG-14)";
        case rule::slab_size:
            return "segments: `slab` must be 0, or a power of two from 4 KiB to 128 MiB (DXGK_PAGESIZE)";
        case rule::no_such_segment: return "placing: no segment of the table has this id (SEG-05)";
        case rule::agp_is_placed:
            return "placing: base and size of an AGP aperture are the system's, and cannot be placed (SEG-12)";
        case rule::placed_otherwise:
            return "placing: another number is there already: what a segment is does not change (SEG-02)";
        case rule::table_segment_unknown:
            return "placement: page tables lie in a segment that the table of segments does not have (SEG-05)";
        case rule::table_segment_is_aperture:
            return "placement: page tables lie in an aperture, which holds no bits: name a memory segment, or 0 for "
                   "system memory (SEG-10)";
    }
    return "?";
}

}  // namespace wddmcore::segment
