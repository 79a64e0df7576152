// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/bits.hpp"
#include "../../ddi/casts.hpp"
#include "../../ddi/query_answer.hpp"
#include "../table/judge_parts.hpp"
#include "members.hpp"

/// A segment descriptor of any form, made by value from a row of the table.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. Source pages:
/// ns-d3dkmddi-_dxgk_segmentdescriptor.md, and those of forms 3 and 4; only the layout of form 5 is known (AMB-11).
namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// The AGP aperture as QUERYSEGMENTIN reports it; size 0 means that there is none (SEG-11).
struct agp_range {
    u64 base = 0;
    bytes size{0};
};

/// Whether a number fits a member of a structure (SEG-43).
template <class Member>
[[nodiscard]] constexpr bool fits_member(u64 n) noexcept {
    return static_cast<u64>(static_cast<meta::bare<Member>>(n)) == n;
}

/// Whether a form of the descriptor has a table of banks. END offsets are SIZE_T: where that is narrower than the
/// table's, there is no array to point at.
template <members::segment_descriptor Descriptor>
[[nodiscard]] consteval bool says_banks() {
    if constexpr (members::descriptor_banks<Descriptor>) {
        return sizeof(*Descriptor::pBankRangeTable) == sizeof(usize);
    } else {
        return false;
    }
}

/// Whether a form of the descriptor has a member for everything that a row says.
///
/// @param version  the interface version that the driver registers with: its flags are those that can be said
template <members::segment_descriptor Descriptor>
[[nodiscard]] constexpr bool has_members_for(entry const& e, wddm version) noexcept {
    if ((e.flags.value & essential_flags.value & ~flags_of_version(version)) != 0) {
        return false;
    }
    if constexpr (!members::descriptor_v2_0<Descriptor>) {
        if (e.flags.has(flag::supports_cpu_host_aperture) || e.flags.has(flag::vpr_supported) || !e.invalid.empty()) {
            return false;
        }
    }
    if constexpr (!members::descriptor_system_memory_end<Descriptor>) {
        if (e.flags.has(flag::partially_preserved_during_hibernate)) {
            return false;
        }
    }
    if constexpr (!says_banks<Descriptor>()) {
        if (e.flags.has(flag::use_banking) || e.banks.count != 0) {
            return false;
        }
    }
    return true;
}

/// Whether the numbers of a row fit the members that a form has for them.
template <members::segment_descriptor Descriptor>
[[nodiscard]] constexpr bool fits_members(entry const& e) noexcept {
    bool fits = fits_member<decltype(Descriptor::Size)>(e.size.n);
    if constexpr (members::descriptor_commit_limit<Descriptor>) {
        fits = fits && fits_member<decltype(Descriptor::CommitLimit)>(e.commit_limit.n);
    }
    if constexpr (members::descriptor_system_memory_end<Descriptor>) {
        fits = fits && fits_member<decltype(Descriptor::SystemMemoryEndAddress)>(e.system_memory_end.n);
    }
    if constexpr (members::descriptor_v2_0<Descriptor>) {
        fits = fits && fits_member<decltype(Descriptor::VprRangeStartOffset)>(e.vpr.start.n);
        fits = fits && fits_member<decltype(Descriptor::VprRangeSize)>(e.vpr.size.n);
    }
    return fits;
}

/// Whether a form of the descriptor can say what a row is.
///
/// @param version  the interface version that the driver registers with: only its flags can be reported
/// @return none; not_placed; form_cannot_express: a host aperture in forms 1 and 3, banks in 4 and 5, holes and
///         protected memory in 1 and 3, partial hibernation in 1, an essential flag that the version does not have
///         (SEG-22); too_large: a size above SIZE_T; inconsistent: a slab size that DXGK_PAGESIZE does not have
template <members::segment_descriptor Descriptor>
[[nodiscard]] constexpr query_reason judge_descriptor(entry const& e, wddm version, agp_range const& agp) noexcept {
    if (e.kind == kind::agp_aperture) {
        return fits_member<decltype(Descriptor::Size)>(agp.size.n) ? query_reason::none : query_reason::too_large;
    }
    if (!is_placed(e)) {
        return query_reason::not_placed;
    }
    if constexpr (members::descriptor_segment_type<Descriptor>) {
        if (!is_slab(e.slab)) {
            return query_reason::inconsistent;
        }
    }
    if (!has_members_for<Descriptor>(e, version)) {
        return query_reason::form_cannot_express;
    }
    return fits_members<Descriptor>(e) ? query_reason::none : query_reason::too_large;
}

/// Fills the members that only forms 4 and 5 have.
template <members::segment_descriptor Descriptor>
constexpr void fill_later_members(entry const& e, Descriptor& made) noexcept {
    if constexpr (members::descriptor_v2_0<Descriptor>) {
        made.NumInvalidMemoryRanges = static_cast<u32>(e.invalid.count);
        made.VprRangeStartOffset = static_cast<meta::bare<decltype(made.VprRangeStartOffset)>>(e.vpr.start.n);
        made.VprRangeSize = static_cast<meta::bare<decltype(made.VprRangeSize)>>(e.vpr.size.n);
        made.VprAlignment = e.vpr.alignment;
        made.NumVprSupported = e.vpr.count;
    }
    if constexpr (members::descriptor_vpr_reserve<Descriptor>) {
        made.VprReserveSize = e.vpr.reserve;
    }
    if constexpr (members::descriptor_uefi_ranges<Descriptor>) {
        made.NumUEFIFrameBufferRanges = static_cast<u32>(e.uefi_frame_buffer.count);
    }
    if constexpr (members::descriptor_segment_type<Descriptor>) {
        // AMB-11: DXGK_SEGMENTTYPE has two names and no page. Segments without memory of their own are system memory
        // (0), all others are local (1). DXGK_PAGESIZE counts powers of two from 4 KiB.
        using type = meta::bare<decltype(made.SegmentType)>;
        using page_size = meta::bare<decltype(made.SlabSize)>;
        made.SegmentType = static_cast<type>(is_aperture(e) ? 0 : 1);
        made.SlabSize = static_cast<page_size>(e.slab.n <= page_bytes ? 0 : log2_of(e.slab.n >> page_shift_lg2));
    }
}

/// Makes a descriptor in the form of its type. Members that the row says nothing about are 0.
///
/// SEG-17: the CPU's way to the segment is one of two members that share storage; SupportsCpuHostAperture says which.
/// SEG-21: SystemMemoryEndAddress is 0 unless PartiallyPreservedDuringHibernate is set.
///
/// @tparam Descriptor  DXGK_SEGMENTDESCRIPTOR, 3, 4 or 5 of the included header, or a mirror
/// @param e        a row that judge_descriptor accepts for this form
/// @param version  the interface version that the driver registers with: flags of later versions stay 0
/// @param agp      base and size for an AGP row, which come from the system (SEG-12)
template <members::segment_descriptor Descriptor>
[[nodiscard]] constexpr Descriptor make_descriptor(entry const& e, wddm version, agp_range const& agp) noexcept {
    using address = meta::bare<decltype(Descriptor{}.BaseAddress.QuadPart)>;
    bool const is_agp = e.kind == kind::agp_aperture;
    Descriptor made{};
    made.Flags.Value = e.flags.value & flags_of_version(version);
    made.BaseAddress.QuadPart = static_cast<address>(is_agp ? agp.base : e.base.n);
    made.Size = static_cast<meta::bare<decltype(made.Size)>>(is_agp ? agp.size.n : e.size.n);
    if constexpr (members::descriptor_commit_limit<Descriptor>) {
        bytes const limit = commit_limit_of(e, is_agp ? agp.size : e.size);
        made.CommitLimit = static_cast<meta::bare<decltype(made.CommitLimit)>>(limit.n);
    }
    if constexpr (members::descriptor_system_memory_end<Descriptor>) {
        bool const partly_kept = e.flags.has(flag::partially_preserved_during_hibernate);
        made.SystemMemoryEndAddress =
            static_cast<meta::bare<decltype(made.SystemMemoryEndAddress)>>(partly_kept ? e.system_memory_end.n : 0);
    }
    if constexpr (says_banks<Descriptor>()) {
        // The system knows where the last bank ends: one that is left out of the table counts (SEG-24).
        made.NbOfBanks = bank_count(e);
        made.pBankRangeTable = casts::bank_table<meta::bare<decltype(made.pBankRangeTable)>>(e.banks.data);
    }
    made.CpuTranslatedAddress.QuadPart = static_cast<address>(e.cpu.n);
    if constexpr (members::descriptor_v2_0<Descriptor>) {
        if (e.flags.has(flag::supports_cpu_host_aperture)) {
            using physical = meta::bare<decltype(made.CpuHostAperture)>;
            physical where{};
            where.PhysicalAddress = static_cast<meta::bare<decltype(where.PhysicalAddress)>>(e.host_aperture.base.n);
            where.SizeInPages = e.host_aperture.size_in_pages;
            made.CpuHostAperture = where;
        }
    }
    fill_later_members(e, made);
    return made;
}

}  // namespace wddmcore::segment::detail
