// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../stated.hpp"
#include "entry.hpp"

/// The rows of a segment table as a driver writes them, one aggregate for each kind of segment.
///
/// `flags` is for further bits of DXGK_SEGMENTFLAGS; the bits that follow from the kind or from another member are
/// added.
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: ns-d3dkmddi-_dxgk_segmentdescriptor4.md, ns-d3dkmddi-_dxgk_segmentflags.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// What survives a power transition: the four legal combinations of three flags (SEG-20).
enum class preserved : u32 {
    nothing,
    standby,                          ///< PreservedDuringStandby
    standby_and_hibernate,            ///< and PreservedDuringHibernate
    standby_and_partially_hibernate,  ///< and PartiallyPreservedDuringHibernate; with `system_memory_end` (SEG-21)
};

/// Local memory. The three kinds differ in how the CPU reaches it.
template <segment::kind Kind>
struct local_memory {
    segment_id id{0};
    stated<segment_address> base{segment_address{0}};
    stated<bytes> size{bytes{0}};
    /// CpuTranslatedAddress, of cpu_visible_memory only (SEG-17).
    cpu_physical_address cpu = Kind == kind::cpu_visible_memory ? at_start : cpu_physical_address{};
    /// Of memory_behind_host_aperture only (SEG-17).
    cpu_host_aperture host_aperture{
        .base = Kind == kind::memory_behind_host_aperture ? at_start : cpu_physical_address{}, .size_in_pages = 0};
    bool cached = false;                        ///< SupportsCachedCpuHostAperture, of the same (SEG-16)
    bool pages_64k = false;                     ///< Use64KBPages
    bool application_target = false;            ///< ApplicationTarget: counts in application budgets (SEG-33)
    bool populated_from_system_memory = false;  ///< PopulatedFromSystemMemory
    segment::preserved preserved = segment::preserved::nothing;
    stated<bytes> system_memory_end{bytes{0}};  ///< SystemMemoryEndAddress: the last byte, inclusive (SEG-21)
    segment::flags flags{};
    segment::vpr vpr{};
    span<memory_range const> invalid{nullptr, 0};  ///< holes in the memory (SEG-31)
    span<memory_range const> uefi_frame_buffer{nullptr, 0};
    stated<bytes> slab{bytes{0}};  ///< SlabSize
    char const* name = nullptr;    ///< for pictures and logs
};

/// Memory that the CPU cannot access linearly.
using memory = local_memory<kind::memory>;
/// Memory inside a BAR (SEG-14).
using cpu_visible_memory = local_memory<kind::cpu_visible_memory>;
/// Memory that the CPU reaches through a CPU host aperture; the last segment of its table (OBS-04).
using memory_behind_host_aperture = local_memory<kind::memory_behind_host_aperture>;

/// Memory in banks, below WDDM 2.0 only (SEG-24).
struct banked_memory {
    segment_id id{0};
    stated<segment_address> base{segment_address{0}};
    stated<bytes> size{bytes{0}};
    span<usize const> banks{nullptr, 0};  ///< the END of each, bytes from the segment's start; the last may be omitted
    bool cpu_visible = false;             ///< CpuVisible
    cpu_physical_address cpu = at_start;  ///< with `cpu_visible`
    bool populated_from_system_memory = false;  ///< PopulatedFromSystemMemory
    segment::preserved preserved = segment::preserved::nothing;
    stated<bytes> system_memory_end{bytes{0}};
    segment::flags flags{};
    char const* name = nullptr;  ///< for pictures and logs
};

/// A range of addresses that holds no memory of its own and maps system memory (SEG-10).
struct aperture {
    segment_id id{0};
    stated<segment_address> base{segment_address{0}};
    stated<bytes> size{bytes{0}};
    stated<bytes> commit_limit{bytes{0}};  ///< 0: the size (SEG-23)
    bool coherent = false;                 ///< CacheCoherent (SEG-13)
    bool pages_64k = false;                ///< Use64KBPages
    bool application_target = false;       ///< ApplicationTarget
    segment::flags flags{};
    stated<bytes> slab{bytes{0}};
    char const* name = nullptr;  ///< for pictures and logs
};

/// The AGP aperture, whose base and size come from the system (SEG-12); the last segment of its table (SEG-11).
struct agp_aperture {
    segment_id id{0};
    stated<bytes> commit_limit{bytes{0}};
    char const* name = nullptr;  ///< for pictures and logs
};

/// A range that is not reported and has no id, such as the firmware's. It counts for overlaps and appears in the
/// picture (SEG-29). It is never placed: base and size are constants.
struct hidden {
    stated<segment_address> base{segment_address{0}};
    stated<bytes> size{bytes{0}};
    char const* name = nullptr;  ///< for pictures and logs
};

namespace detail {

/// The flags of what survives.
[[nodiscard]] constexpr flags flags_of(preserved what) noexcept {
    return flags{}
        .with(flag::preserved_during_standby, what != preserved::nothing)
        .with(flag::preserved_during_hibernate, what == preserved::standby_and_hibernate)
        .with(flag::partially_preserved_during_hibernate, what == preserved::standby_and_partially_hibernate);
}

/// What memory has in common, in banks or not.
template <class Builder>
[[nodiscard]] constexpr entry row_of_memory(Builder const& b, kind what, flags own) noexcept {
    entry row{.kind = what, .id = b.id, .base = b.base, .size = b.size, .commit_limit = b.size};
    row.flags = {b.flags.value | own.value | flags_of(b.preserved).value};
    row.flags = row.flags.with(flag::populated_from_system_memory, b.populated_from_system_memory);
    row.system_memory_end = b.system_memory_end;
    row.name = b.name;
    return row;
}

}  // namespace detail

/// The row that a builder makes. A row that the driver wrote itself stays as it is.
///
/// @return the row, with the flags that follow from the builder's kind and members
[[nodiscard]] constexpr entry row_of(entry const& row) noexcept { return row; }
template <kind Kind>
[[nodiscard]] constexpr entry row_of(local_memory<Kind> const& b) noexcept {
    flags const own = flags{}
                          .with(flag::cpu_visible, Kind == kind::cpu_visible_memory)
                          .with(flag::supports_cpu_host_aperture, Kind == kind::memory_behind_host_aperture)
                          .with(flag::supports_cached_cpu_host_aperture, b.cached);
    entry row = detail::row_of_memory(b, Kind, own);
    row.flags = row.flags.with(flag::use_64kb_pages, b.pages_64k)
                    .with(flag::application_target, b.application_target)
                    .with(flag::vpr_supported, b.vpr.size.n != 0);
    row.cpu = b.cpu;
    row.host_aperture = b.host_aperture;
    row.vpr = b.vpr;
    row.invalid = b.invalid;
    row.uefi_frame_buffer = b.uefi_frame_buffer;
    row.slab = b.slab;
    return row;
}
[[nodiscard]] constexpr entry row_of(banked_memory const& b) noexcept {
    flags const own = flags{}.with(flag::use_banking).with(flag::cpu_visible, b.cpu_visible);
    entry row = detail::row_of_memory(b, b.cpu_visible ? kind::cpu_visible_memory : kind::memory, own);
    row.banks = b.banks;
    row.cpu = b.cpu_visible ? b.cpu : cpu_physical_address{};
    return row;
}
[[nodiscard]] constexpr entry row_of(aperture const& b) noexcept {
    entry row{.kind = kind::aperture, .id = b.id, .base = b.base, .size = b.size};
    row.commit_limit = b.commit_limit.n == 0 ? b.size : b.commit_limit;
    row.flags = b.flags.with(flag::aperture)
                    .with(flag::cache_coherent, b.coherent)
                    .with(flag::use_64kb_pages, b.pages_64k)
                    .with(flag::application_target, b.application_target);
    row.slab = b.slab;
    row.name = b.name;
    return row;
}
[[nodiscard]] constexpr entry row_of(agp_aperture const& b) noexcept {
    return {.kind = kind::agp_aperture,
            .id = b.id,
            .commit_limit = b.commit_limit,
            .flags = flags{}.with(flag::agp),
            .name = b.name};
}
[[nodiscard]] constexpr entry row_of(hidden const& b) noexcept {
    return {.kind = kind::hidden, .base = b.base, .size = b.size, .commit_limit = b.size, .name = b.name};
}

/// What a table can be built from: a builder, or a row.
template <class Row>
concept buildable = requires(Row const& row) { row_of(row); };

}  // namespace wddmcore::segment
