// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/span.hpp"
#include "flags.hpp"
#include "place.hpp"

/// One row of a segment table, in the DDI's words and with no version: what every query form is made from.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// What a segment is; never changes after AddDevice (SEG-02).
enum class kind : u32 {
    memory,                       ///< local memory without linear CPU access
    cpu_visible_memory,           ///< local memory inside a BAR (SEG-14)
    memory_behind_host_aperture,  ///< local memory that the CPU reaches through a CPU host aperture (SEG-15)
    aperture,                     ///< holds no bits: maps system memory (SEG-10)
    agp_aperture,                 ///< the AGP aperture; its base and size are the system's (SEG-11, SEG-12)
    hidden,                       ///< not reported, no id; takes part in overlap and picture (SEG-29)
};

/// A part of a segment, from its start.
struct memory_range {
    segment_offset start{0};
    bytes size{0};
};

/// Where the CPU host aperture lies, and how many of the segment's pages fit it (SEG-36).
struct cpu_host_aperture {
    cpu_physical_address base{};
    u32 size_in_pages = 0;
};

/// The video-protected region of a segment (SEG-32).
struct vpr {
    segment_offset start{0};
    bytes size{0};
    u32 alignment = 0;  ///< bytes
    u32 count = 0;      ///< NumVprSupported
    u32 reserve = 0;    ///< VprReserveSize, bytes
};

/// One row. Users write the builders of `builders.hpp`; this is what they become.
struct entry {
    segment::kind kind = kind::memory;
    segment_id id{0};
    segment_address base{0};
    bytes size{0};
    bytes commit_limit{0};  ///< the size, for memory; of an aperture 0 is the size too (SEG-23)
    segment::flags flags{};
    cpu_physical_address cpu{};         ///< CpuTranslatedAddress, of memory that the CPU sees
    cpu_host_aperture host_aperture{};  ///< in its place, behind a host aperture (SEG-17)
    bytes system_memory_end{0};         ///< SystemMemoryEndAddress: the last byte, inclusive (SEG-21)
    segment::vpr vpr{};
    span<usize const> banks{nullptr, 0};           ///< END offsets, bytes, as wide as SIZE_T (SEG-24)
    span<memory_range const> invalid{nullptr, 0};  ///< holes in the memory (SEG-31)
    span<memory_range const> uefi_frame_buffer{nullptr, 0};
    bytes slab{0};               ///< SlabSize of form 5
    char const* name = nullptr;  ///< for pictures and logs
};

/// Whether every number of a row is known.
[[nodiscard]] constexpr bool is_placed(entry const& e) noexcept {
    return is_placed(e.base) && is_placed(e.size) && is_placed(e.commit_limit) && is_placed(e.cpu) &&
           is_placed(e.host_aperture.base) && is_placed(e.system_memory_end) && is_placed(e.vpr.start) &&
           is_placed(e.vpr.size);
}

/// Whether a row is an aperture of either kind.
[[nodiscard]] constexpr bool is_aperture(entry const& e) noexcept {
    return e.kind == kind::aperture || e.kind == kind::agp_aperture;
}

/// The bytes of the pages in which a segment is managed (SEG-09, SEG-31, SEG-36).
[[nodiscard]] constexpr bytes segment_page(entry const& e) noexcept {
    return e.flags.has(flag::use_64kb_pages) ? 64 * kib : bytes{page_bytes};
}

/// The commit limit that a row reports: 0 in the row stands for the size; the limit of an AGP aperture is cut to the
/// size that the system has (SEG-12, SEG-23).
///
/// @param size  of the row; of an AGP row that of the system's aperture
[[nodiscard]] constexpr bytes commit_limit_of(entry const& e, bytes size) noexcept {
    if (e.commit_limit == bytes{0}) {
        return size;
    }
    return e.kind == kind::agp_aperture ? lesser(e.commit_limit, size) : e.commit_limit;
}

/// How many banks a row has (SEG-24): the last end may be left out, because it is the segment's.
///
/// A row whose size is not placed yet may have one more than it lists.
///
/// @return 0 for a row without banks
[[nodiscard]] constexpr u32 bank_count(entry const& e) noexcept {
    if (e.banks.empty()) {
        return 0;
    }
    return static_cast<u32>(e.banks.count) + (e.banks[e.banks.count - 1] == e.size.n ? 0u : 1u);
}

/// A whole table, whoever holds it: rows in the order of their ids, then hidden ones.
///
/// A team that builds its rows otherwise can still use the queries: they take nothing but this.
struct view {
    span<entry const> reported{nullptr, 0};  ///< [0] has id 1 (SEG-05)
    span<entry const> hidden{nullptr, 0};
    segment_id paging_buffer{0};  ///< PagingBufferSegmentId: 0 or an aperture (SEG-40)
};

}  // namespace wddmcore::segment
