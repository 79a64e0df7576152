// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/breach.hpp"

/// The rules of segment tables, and what the compiler says where one is broken.
///
/// The sentences stand twice, one beside the other: a static assertion takes nothing but a literal of its own. The
/// stage `citations` of the tests compares them.
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The rules that a segment table can break. In brackets: the value that `broken_rule` holds with it.
enum class rule : u32 {
    none,

    too_many_segments,            ///< SEG-06 [how many there are]
    system_memory_reported,       ///< SEG-27 [the id]
    id_is_not_position,           ///< SEG-05 [the id]
    kind_differs_from_flags,      ///< SEG-10 [the flags]
    hidden_with_flags,            ///< SEG-29 [the flags]
    aperture_without_operations,  ///< SEG-10 [the aperture_forms of the profile]
    aperture_count,               ///< SEG-26, AMB-04 [how many there are]
    agp_twice,                    ///< SEG-11 [the id of the other one]
    agp_not_last,                 ///< SEG-11 [how many segments there are]
    hidden_at_start,              ///< SEG-29 [0]
    host_aperture_not_last,       ///< OBS-04 [how many segments there are]
    paging_buffer_segment,        ///< SEG-40 [the id]
    paging_buffer_not_first,      ///< OBS-04 [the id]

    agp_with_flags,              ///< SEG-11 [the flags]
    agp_from_v2_0,               ///< SEG-11 [the flags]
    reserved_for_system,         ///< SEG-22 [the flags]
    reserved_flags,              ///< SEG-22 [the wrong bits]
    flags_of_later_version,      ///< SEG-22, SEG-04 [the wrong bits]
    coherent_memory,             ///< SEG-13 [the flags]
    cpu_visible_aperture,        ///< SEG-14 [the flags]
    host_aperture_of_aperture,   ///< SEG-10 [the flags]
    visible_with_host_aperture,  ///< SEG-15 [the flags]
    cached_without_host,         ///< SEG-16 [the flags]
    populated_aperture,          ///< SEG-19 [the flags]
    preserved_flags,             ///< SEG-20 [standby * 4 + hibernate * 2 + partially]
    cpu_address_without_flag,    ///< SEG-17 [the address]
    host_aperture_without_flag,  ///< SEG-17 [its size in pages]
    host_aperture_missing,       ///< SEG-17 [its address]
    system_memory_end_missing,   ///< SEG-21 [0]
    system_memory_end_unwanted,  ///< SEG-21 [the address]
    vpr_flag,                    ///< SEG-32 [the size of the VPR range]
    vpr_alignment_missing,       ///< SEG-32 [0]
    vpr_count,                   ///< SEG-32 [0]
    banks_of_later_version,      ///< SEG-24 [the version]
    banks_without_flag,          ///< SEG-24 [how many ends there are]
    bank_table_missing,          ///< SEG-24 [0]
    banks_of_aperture,           ///< SEG-25 [the flags]
    banks_not_rising,            ///< SEG-24 [the end]
    too_many_banks,              ///< PREF-05 [how many there are]

    size_missing,            ///< SEG-08 [0]
    page_multiple,           ///< SEG-08 [the size]
    size_64k,                ///< SEG-09 [the size]
    base_64k,                ///< SEG-09 [the base]
    base_page,               ///< SEG-08 [the base]
    end_wraps,               ///< SEG-07 [the base]
    overlap,                 ///< SEG-07 [the first address that two of them share]
    size_above_size_t,       ///< SEG-43 [the size]
    commit_limit_of_memory,  ///< SEG-23 [the limit]
    commit_limit_above,      ///< SEG-23 [the limit]
    bank_past_end,           ///< SEG-25 [the bank's end]
    vpr_not_aligned,         ///< SEG-32 [the offset or size]
    vpr_outside,             ///< SEG-32 [the offset]
    vpr_reserve,             ///< SEG-32 [the reserve]
    range_not_aligned,       ///< SEG-31 [the offset or size]
    range_outside,           ///< SEG-31 [the offset]
    range_empty,             ///< SEG-31 [the offset]
    ranges_overlap,          ///< SEG-31 [the offset of the later one]
    cpu_page,                ///< SEG-14, SEG-17 [the CPU address]
    cpu_range_wraps,         ///< SEG-14, SEG-17 [the CPU address]
    slab_size,               ///< AMB-11 [the size]

    no_such_segment,   ///< placing: SEG-05 [the id]
    agp_is_placed,     ///< placing: SEG-12 [the id]
    placed_otherwise,  ///< placing: SEG-02 [the number that is there]

    table_segment_unknown,      ///< page tables: SEG-05 [the level]
    table_segment_is_aperture,  ///< page tables: SEG-10 [the level]
};

/// The first rule that a table breaks. Its place is the position of the segment, from 1; 0: a hidden range, or the
/// table itself.
using broken_rule = breach<rule>;

inline constexpr broken_rule no_rule_broken{};  ///< nothing was found

namespace detail {

using rule_check = wddmcore::detail::first_breach<rule>;

/// The words of the rules, in the order of their enumeration.
inline constexpr char const* rule_texts[] = {
    "",

    ("segments: at most 30 can be reported from WDDM 2.0, 31 below: ids have 5 bits, and 0 and 31 are system memory "
     "(SEG-06)"),
    ("segments: `id` 0 is system memory, as is 31 from WDDM 2.0, and system memory is never reported: the id of a "
     "segment is its position, from 1 (SEG-27)"),
    "segments: the `id` of a segment must be its position in the table, from 1; hidden ranges do not count (SEG-05)",
    ("segments: the `kind` of a row contradicts its flags: Agp, Aperture, SupportsCpuHostAperture and CpuVisible "
     "decide it (SEG-10)"),
    "segments: a hidden range is not reported: it has no flags (SEG-29)",
    ("segments: an aperture needs the map and unmap operations: the `aperture` of the capabilities says that there "
     "are none (SEG-10)"),
    "segments: from WDDM 2.0 exactly one aperture must be reported; only a compute-only adapter may have none (SEG-26)",
    "segments: there can be only one AGP aperture (SEG-11)",
    ("segments: an AGP aperture must be the last of its table: it is left out where there is no AGP, and no other id "
     "may move (SEG-11)"),
    "segments: nobody places a hidden range: write its `base` and `size`, not at_start (SEG-29)",
    "segments: the segment behind a CPU host aperture must be the last one reported (OBS-04)",
    "segments: the paging-buffer segment must be 0 or the id of an aperture (SEG-40)",
    "segments: from WDDM 2.0 the aperture that holds paging buffers must be segment 1 (OBS-04)",

    "segments: an AGP aperture can have no flag but Agp (SEG-11)",
    ("segments: an AGP aperture can be reported below WDDM 2.0 only: later query forms do not tell whether there is "
     "one (SEG-11)"),
    "segments: the flag ReservedSysMem belongs to the system (SEG-22)",
    "segments: `flags` has reserved bits (SEG-22)",
    "segments: a flag came with a later version than `version`: there it is a reserved bit (SEG-22)",
    "segments: the flag CacheCoherent is for apertures only (SEG-13)",
    "segments: an aperture cannot have the flag CpuVisible (SEG-14)",
    "segments: an aperture holds no bits: no CPU host aperture can show them (SEG-10)",
    "segments: CpuVisible and SupportsCpuHostAperture exclude each other (SEG-15)",
    "segments: SupportsCachedCpuHostAperture needs SupportsCpuHostAperture (SEG-16)",
    "segments: an aperture cannot have the flag PopulatedFromSystemMemory (SEG-19)",
    "segments: standby, hibernate and partial hibernate can be 000, 100, 110 or 101: use `preserved` (SEG-20)",
    ("segments: a CPU address is for memory with CpuVisible: with a CPU host aperture the same bytes tell where that "
     "lies (SEG-17)"),
    "segments: a host aperture needs SupportsCpuHostAperture: without it the same bytes hold the CPU address (SEG-17)",
    "segments: a CPU host aperture has no page (SEG-17)",
    "segments: partial preservation during hibernate needs `system_memory_end` (SEG-21)",
    "segments: `system_memory_end` is only for partial preservation during hibernate (SEG-21)",
    "segments: a VPR range and the flag VprSupported go together, and VprPreservedDuringStandby needs both (SEG-32)",
    "segments: a VPR range needs an `alignment` (SEG-32)",
    "segments: a VPR range needs a `count` (SEG-32)",
    "segments: banks can be reported below WDDM 2.0 only: later query forms have no member (SEG-24)",
    "segments: `banks` needs the flag UseBanking (SEG-24)",
    "segments: the flag UseBanking needs `banks` (SEG-24)",
    "segments: banks are for memory, not for apertures (SEG-25)",
    "segments: `banks` holds the END of each bank: the ends rise, from above 0 (SEG-24)",
    "segments: at most 127 banks have an id (PREF-05)",

    "segments: `size` is 0: write a size, or at_start (SEG-08)",
    "segments: `size` must be a multiple of 4096 bytes (SEG-08)",
    "segments: with 64-KiB pages `size` must be a multiple of 64 KiB (SEG-09)",
    "segments: with 64-KiB pages `base` must be a multiple of 64 KiB (SEG-09)",
    "segments: `base` must be a multiple of 4096 bytes (SEG-08)",
    "segments: a segment ends above the 64 bits of an address (SEG-07)",
    "segments: two segments, or a segment and a hidden range, share an address (SEG-07)",
    "segments: a size above 4 GiB does not fit the SIZE_T of a 32-bit system (SEG-43)",
    "segments: the commit limit of memory must be its size (SEG-23)",
    "segments: `commit_limit` cannot be above `size` (SEG-23)",
    "segments: a bank ends past the end of its segment (SEG-25)",
    "segments: start and size of the VPR range must be multiples of its `alignment` (SEG-32)",
    "segments: the VPR range leaves its segment (SEG-32)",
    "segments: the `reserve` of the VPR range is larger than the range (SEG-32)",
    "segments: start and size of an invalid range must be multiples of the segment's page, 4 or 64 KiB (SEG-31)",
    "segments: a memory range leaves its segment (SEG-31)",
    "segments: an invalid range has no byte (SEG-31)",
    "segments: two invalid ranges share a byte (SEG-31)",
    "segments: the CPU address of memory, and of a host aperture, must be a multiple of 4096 bytes (SEG-14)",
    "segments: what the CPU sees of a segment ends above the 64 bits of an address (SEG-14)",
    "segments: `slab` must be 0, or a power of two from 4 KiB to 128 MiB (DXGK_PAGESIZE)",

    "placing: no segment of the table has this id (SEG-05)",
    "placing: base and size of an AGP aperture are the system's, and cannot be placed (SEG-12)",
    "placing: another number is there already, and segments do not change (SEG-02)",

    "placement: page tables lie in a segment that the segment table does not have (SEG-05)",
    ("placement: page tables lie in an aperture, which holds no bits: name a memory segment, or 0 for system memory "
     "(SEG-10)"),
};
static_assert(sizeof rule_texts / sizeof *rule_texts == static_cast<u32>(rule::table_segment_is_aperture) + 1);

}  // namespace detail

/// A rule of segment tables in words: for a log, what the compiler says of a constant table.
///
/// @param what  any rule
/// @return a literal: the sentence; "" for rule::none, "?" for a number that is none of them
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    return wddmcore::detail::text_in(detail::rule_texts, what);
}

}  // namespace wddmcore::segment

namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// Tells what is wrong with the kind or the flags of a segment, as one compile error.
template <rule What, u32 Segment, u64 Value>
consteval void sentence_of_kind() {
    using enum rule;
    static_assert(What != too_many_segments, "segments: at most 30 can be reported from WDDM 2.0, 31 below: ids have "
                                             "5 bits, and 0 and 31 are system memory (SEG-06)");
    static_assert(What != system_memory_reported,
                  "segments: `id` 0 is system memory, as is 31 from WDDM 2.0, and system memory is never reported: the "
                  "id of a segment is its position, from 1 (SEG-27)");
    static_assert(What != id_is_not_position, "segments: the `id` of a segment must be its position in the table, "
                                              "from 1; hidden ranges do not count (SEG-05)");
    static_assert(What != kind_differs_from_flags, "segments: the `kind` of a row contradicts its flags: Agp, "
                                                   "Aperture, SupportsCpuHostAperture and CpuVisible decide it "
                                                   "(SEG-10)");
    static_assert(What != hidden_with_flags, "segments: a hidden range is not reported: it has no flags (SEG-29)");
    static_assert(What != aperture_without_operations,
                  "segments: an aperture needs the map and unmap operations: the `aperture` of the capabilities says "
                  "that there are none (SEG-10)");
    static_assert(What != aperture_count, "segments: from WDDM 2.0 exactly one aperture must be reported; only a "
                                          "compute-only adapter may have none (SEG-26)");
    static_assert(What != agp_twice, "segments: there can be only one AGP aperture (SEG-11)");
    static_assert(What != agp_not_last, "segments: an AGP aperture must be the last of its table: it is left out "
                                        "where there is no AGP, and no other id may move (SEG-11)");
    static_assert(What != hidden_at_start,
                  "segments: nobody places a hidden range: write its `base` and `size`, not at_start (SEG-29)");
    static_assert(What != host_aperture_not_last,
                  "segments: the segment behind a CPU host aperture must be the last one reported (OBS-04)");
    static_assert(What != paging_buffer_segment,
                  "segments: the paging-buffer segment must be 0 or the id of an aperture (SEG-40)");
    static_assert(What != paging_buffer_not_first,
                  "segments: from WDDM 2.0 the aperture that holds paging buffers must be segment 1 (OBS-04)");
    static_assert(What != agp_with_flags, "segments: an AGP aperture can have no flag but Agp (SEG-11)");
    static_assert(What != agp_from_v2_0, "segments: an AGP aperture can be reported below WDDM 2.0 only: later query "
                                         "forms do not tell whether there is one (SEG-11)");
    static_assert(What != reserved_for_system, "segments: the flag ReservedSysMem belongs to the system (SEG-22)");
    static_assert(What != reserved_flags, "segments: `flags` has reserved bits (SEG-22)");
    static_assert(What != flags_of_later_version,
                  "segments: a flag came with a later version than `version`: there it is a reserved bit (SEG-22)");
    static_assert(What != coherent_memory, "segments: the flag CacheCoherent is for apertures only (SEG-13)");
    static_assert(What != cpu_visible_aperture, "segments: an aperture cannot have the flag CpuVisible (SEG-14)");
    static_assert(What != host_aperture_of_aperture,
                  "segments: an aperture holds no bits: no CPU host aperture can show them (SEG-10)");
    static_assert(What != visible_with_host_aperture,
                  "segments: CpuVisible and SupportsCpuHostAperture exclude each other (SEG-15)");
    static_assert(What != cached_without_host,
                  "segments: SupportsCachedCpuHostAperture needs SupportsCpuHostAperture (SEG-16)");
    static_assert(What != populated_aperture,
                  "segments: an aperture cannot have the flag PopulatedFromSystemMemory (SEG-19)");
}

/// Tells what is wrong with the members that go with the flags, as one compile error.
template <rule What, u32 Segment, u64 Value>
consteval void sentence_of_parts() {
    using enum rule;
    static_assert(What != preserved_flags, "segments: standby, hibernate and partial hibernate can be 000, 100, 110 "
                                           "or 101: use `preserved` (SEG-20)");
    static_assert(What != cpu_address_without_flag, "segments: a CPU address is for memory with CpuVisible: with a "
                                                    "CPU host aperture the same bytes tell where that lies (SEG-17)");
    static_assert(What != host_aperture_without_flag, "segments: a host aperture needs SupportsCpuHostAperture: "
                                                      "without it the same bytes hold the CPU address (SEG-17)");
    static_assert(What != host_aperture_missing, "segments: a CPU host aperture has no page (SEG-17)");
    static_assert(What != system_memory_end_missing,
                  "segments: partial preservation during hibernate needs `system_memory_end` (SEG-21)");
    static_assert(What != system_memory_end_unwanted,
                  "segments: `system_memory_end` is only for partial preservation during hibernate (SEG-21)");
    static_assert(What != vpr_flag, "segments: a VPR range and the flag VprSupported go together, and "
                                    "VprPreservedDuringStandby needs both (SEG-32)");
    static_assert(What != vpr_alignment_missing, "segments: a VPR range needs an `alignment` (SEG-32)");
    static_assert(What != vpr_count, "segments: a VPR range needs a `count` (SEG-32)");
    static_assert(What != banks_of_later_version,
                  "segments: banks can be reported below WDDM 2.0 only: later query forms have no member (SEG-24)");
    static_assert(What != banks_without_flag, "segments: `banks` needs the flag UseBanking (SEG-24)");
    static_assert(What != bank_table_missing, "segments: the flag UseBanking needs `banks` (SEG-24)");
    static_assert(What != banks_of_aperture, "segments: banks are for memory, not for apertures (SEG-25)");
    static_assert(What != banks_not_rising,
                  "segments: `banks` holds the END of each bank: the ends rise, from above 0 (SEG-24)");
    static_assert(What != too_many_banks, "segments: at most 127 banks have an id (PREF-05)");
}

/// Tells what is wrong with the numbers of a segment, as one compile error. Always true.
template <rule What, u32 Segment, u64 Value>
consteval bool sentence_of_numbers() {
    using enum rule;
    static_assert(What != size_missing, "segments: `size` is 0: write a size, or at_start (SEG-08)");
    static_assert(What != page_multiple, "segments: `size` must be a multiple of 4096 bytes (SEG-08)");
    static_assert(What != size_64k, "segments: with 64-KiB pages `size` must be a multiple of 64 KiB (SEG-09)");
    static_assert(What != base_64k, "segments: with 64-KiB pages `base` must be a multiple of 64 KiB (SEG-09)");
    static_assert(What != base_page, "segments: `base` must be a multiple of 4096 bytes (SEG-08)");
    static_assert(What != end_wraps, "segments: a segment ends above the 64 bits of an address (SEG-07)");
    static_assert(What != overlap,
                  "segments: two segments, or a segment and a hidden range, share an address (SEG-07)");
    static_assert(What != size_above_size_t,
                  "segments: a size above 4 GiB does not fit the SIZE_T of a 32-bit system (SEG-43)");
    static_assert(What != commit_limit_of_memory, "segments: the commit limit of memory must be its size (SEG-23)");
    static_assert(What != commit_limit_above, "segments: `commit_limit` cannot be above `size` (SEG-23)");
    static_assert(What != bank_past_end, "segments: a bank ends past the end of its segment (SEG-25)");
    static_assert(What != vpr_not_aligned,
                  "segments: start and size of the VPR range must be multiples of its `alignment` (SEG-32)");
    static_assert(What != vpr_outside, "segments: the VPR range leaves its segment (SEG-32)");
    static_assert(What != vpr_reserve, "segments: the `reserve` of the VPR range is larger than the range (SEG-32)");
    static_assert(What != range_not_aligned, "segments: start and size of an invalid range must be multiples of the "
                                             "segment's page, 4 or 64 KiB (SEG-31)");
    static_assert(What != range_outside, "segments: a memory range leaves its segment (SEG-31)");
    static_assert(What != range_empty, "segments: an invalid range has no byte (SEG-31)");
    static_assert(What != ranges_overlap, "segments: two invalid ranges share a byte (SEG-31)");
    static_assert(What != cpu_page, "segments: the CPU address of memory, and of a host aperture, must be a multiple "
                                    "of 4096 bytes (SEG-14)");
    static_assert(What != cpu_range_wraps,
                  "segments: what the CPU sees of a segment ends above the 64 bits of an address (SEG-14)");
    static_assert(What != slab_size,
                  "segments: `slab` must be 0, or a power of two from 4 KiB to 128 MiB (DXGK_PAGESIZE)");
    static_assert(What != table_segment_unknown,
                  "placement: page tables lie in a segment that the segment table does not have (SEG-05)");
    static_assert(What != table_segment_is_aperture, "placement: page tables lie in an aperture, which holds no "
                                                     "bits: name a memory segment, or 0 for system memory (SEG-10)");
    return true;
}

/// Tells what is wrong as one compile error, nothing for rule::none. Always true.
///
/// There are no messages about placing, which happens at run time and returns a `broken_rule`.
template <rule What, u32 Segment, u64 Value>
consteval bool sentence() {
    sentence_of_kind<What, Segment, Value>();
    sentence_of_parts<What, Segment, Value>();
    return sentence_of_numbers<What, Segment, Value>();
}

}  // namespace wddmcore::segment::detail
