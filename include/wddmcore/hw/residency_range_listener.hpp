// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// A part of an allocation became resident, or stopped being so.
///
/// Experimental: no public page says more than the structure's member names (AMB-11).
struct residency_range {
    void* allocation;
    u32 first_page;  ///< 4-KiB pages from the allocation's start
    u32 page_count;
    bool resident;
    segment_id segment;      ///< as the request names it
    segment_offset offset;   ///< from the start of a segment that was reported; 0 in system memory
    usize const* page_list;  ///< of the request's MDL, in system memory; else NULL. Which page of the MDL is the first
                             ///< of the range, no page says: the hardware type decides
    u64 list_pages;          ///< how many pages the MDL has
};

/// Hears by command which part of an allocation is where (operation 21, experimental): partial residency is tracked for
/// each range (OP21-01).
///
/// For hardware authors: `static constexpr dwords residency_range_dwords`, 1 to 256, the exact length of
/// `void encode_residency_range(u32* at, wddmcore::hw::residency_range const&) const`.
template <class Hw>
concept residency_range_by_command = requires(Hw const& hw, u32* at, residency_range const& range) {
    requires meta::is_constant_of<dwords, Hw::residency_range_dwords>;
    { hw.encode_residency_range(at, range) } -> meta::same_as<void>;
};

/// Hears of it at once, on the CPU. Where there is a buffer, commands are preferred.
///
/// For hardware authors: `void notify_residency_range(wddmcore::hw::residency_range const&)`, called once for each
/// change.
template <class Hw>
concept residency_range_at_once = requires(Hw& hw, residency_range const& range) {
    { hw.notify_residency_range(range) } -> meta::same_as<void>;
};

/// Hears which part of an allocation is where, in one way or in both.
template <class Hw>
concept residency_range_listener = residency_range_by_command<Hw> || residency_range_at_once<Hw>;

}  // namespace wddmcore::hw
