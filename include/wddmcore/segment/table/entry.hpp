// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/span.hpp"
#include "flags.hpp"
#include "place.hpp"

/// One row of a segment table, in the DDI's words and for every version: all query forms are made from it.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// What a segment is. It never changes after AddDevice (SEG-02).
enum class kind : u32 {
    memory,                       ///< local memory that the CPU cannot access linearly
    cpu_visible_memory,           ///< local memory inside a BAR (SEG-14)
    memory_behind_host_aperture,  ///< local memory that the CPU reaches through a CPU host aperture (SEG-15)
    aperture,                     ///< has no memory of its own: maps system memory (SEG-10)
    agp_aperture,                 ///< the AGP aperture; its base and size come from the system (SEG-11, SEG-12)
    hidden,                       ///< not reported, no id; counts for overlaps and the picture (SEG-29)
};

/// A part of a segment, as an offset from its start and a size.
struct memory_range {
    segment_offset start{0};
    bytes size{0};
};

/// Where the CPU host aperture lies, and how many pages of the segment fit in it (SEG-36).
struct cpu_host_aperture {
    cpu_physical_address base{};
    u32 size_in_pages = 0;  ///< SizeInPages
};

/// The video-protected region of a segment (SEG-32).
struct vpr {
    segment_offset start{0};
    bytes size{0};
    u32 alignment = 0;  ///< bytes
    u32 count = 0;      ///< NumVprSupported
    u32 reserve = 0;    ///< VprReserveSize, bytes
};

/// One row. Drivers write the builders of `builders.hpp`, which become rows.
struct entry {
    segment::kind kind = kind::memory;
    segment_id id{0};
    segment_address base{0};
    bytes size{0};
    bytes commit_limit{0};  ///< for memory the size; for an aperture 0 stands for the size (SEG-23)
    segment::flags flags{};
    cpu_physical_address cpu{};         ///< CpuTranslatedAddress, for memory that the CPU sees
    cpu_host_aperture host_aperture{};  ///< instead of it, for memory behind a host aperture (SEG-17)
    bytes system_memory_end{0};         ///< SystemMemoryEndAddress: the last byte, inclusive (SEG-21)
    segment::vpr vpr{};
    span<usize const> banks{nullptr, 0};           ///< END offsets, bytes, as wide as SIZE_T (SEG-24)
    span<memory_range const> invalid{nullptr, 0};  ///< holes in the memory (SEG-31)
    span<memory_range const> uefi_frame_buffer{nullptr, 0};
    bytes slab{0};               ///< SlabSize of form 5
    char const* name = nullptr;  ///< for pictures and logs
};

/// Whether every number of a row is known.
///
/// @return false while one of them is at_start
[[nodiscard]] constexpr bool is_placed(entry const& e) noexcept {
    return is_placed(e.base) && is_placed(e.size) && is_placed(e.commit_limit) && is_placed(e.cpu) &&
           is_placed(e.host_aperture.base) && is_placed(e.system_memory_end) && is_placed(e.vpr.start) &&
           is_placed(e.vpr.size);
}

/// Whether a row's base and size say where the segment is.
///
/// @return false while one of them is at_start, and for an AGP aperture, whose place the system knows (SEG-12)
[[nodiscard]] constexpr bool has_place(entry const& e) noexcept {
    return e.kind != kind::agp_aperture && is_placed(e.base) && is_placed(e.size);
}

/// Whether a row is an aperture of either kind.
///
/// @return false for memory, and for a hidden range
[[nodiscard]] constexpr bool is_aperture(entry const& e) noexcept {
    return e.kind == kind::aperture || e.kind == kind::agp_aperture;
}

/// The size of the pages in which a segment is managed (SEG-09, SEG-31, SEG-36).
///
/// @return 4 or 64 KiB
[[nodiscard]] constexpr bytes segment_page(entry const& e) noexcept {
    return e.flags.has(flag::use_64kb_pages) ? 64 * kib : bytes{page_bytes};
}

/// The commit limit that is reported for a row. 0 in the row stands for the size; the limit of an AGP aperture is at
/// most the size of the system's aperture (SEG-12, SEG-23).
///
/// @param e     a row
/// @param size  of the row; for an AGP row, of the system's aperture
/// @return bytes
[[nodiscard]] constexpr bytes commit_limit_of(entry const& e, bytes size) noexcept {
    if (e.commit_limit == bytes{0}) {
        return size;
    }
    return e.kind == kind::agp_aperture ? lesser(e.commit_limit, size) : e.commit_limit;
}

/// How many banks a row has (SEG-24). The last end may be left out, because it is the end of the segment.
///
/// A row whose size is not placed yet may turn out to have one bank more than it lists.
///
/// @return 0 for a row without banks
[[nodiscard]] constexpr u32 bank_count(entry const& e) noexcept {
    if (e.banks.empty()) {
        return 0;
    }
    return static_cast<u32>(e.banks.count) + (e.banks[e.banks.count - 1] == e.size.n ? 0u : 1u);
}

/// A whole table, whoever owns it: the reported rows in the order of their ids, then the hidden ones.
///
/// A driver that makes its rows in another way can still use the queries, because this is all that they take.
struct view {
    span<entry const> reported{nullptr, 0};  ///< [0] has id 1 (SEG-05)
    span<entry const> hidden{nullptr, 0};
    segment_id paging_buffer{0};  ///< PagingBufferSegmentId: 0 or an aperture (SEG-40)
};

/// The row of a segment.
///
/// @return null for an id that is not reported, such as 0
[[nodiscard]] constexpr entry const* find(view const& v, segment_id id) noexcept {
    return id.n == 0 || id.n > v.reported.count ? nullptr : &v.reported[id.n - 1];
}

}  // namespace wddmcore::segment
