// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "allocation.hpp"
#include "sets.hpp"

/// What follows from the set of segments in which an allocation may lie.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The alignment of an allocation: what it asks for, rounded up to 64 KiB if one of its segments has 64-KiB pages
/// (PREF-07).
///
/// AMB-41: one page says that the system rounds, another that the driver must. The driver does.
///
/// @param table      the reported segments
/// @param supported  where the allocation may be
/// @param wanted     bytes; 0: no requirement
/// @return the alignment for `allocation::alignment`; errc::overflow when it does not fit 32 bits
[[nodiscard]] constexpr result<bytes> alignment_for(view const& table, segment_set supported, bytes wanted) noexcept {
    constexpr u64 large_page = u64{64} << 10;
    bool const large = detail::intersects(supported, detail::segments_with(table, flag::use_64kb_pages));
    checked<u64> const rounded = round_up(large && wanted.n == 0 ? large_page : wanted.n, large ? large_page : 1);
    if (!rounded.ok || rounded.value > ~u32{0}) {
        return refused<bytes>(errc::overflow);
    }
    return good(bytes{rounded.value});
}

}  // namespace wddmcore::segment
