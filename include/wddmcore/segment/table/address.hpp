// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "entry.hpp"

/// The two ways to name a byte of a segment, and how to get from one to the other (SEG-28).
///
/// A `segment_address` includes the segment's base, like the arguments of WDDM 1.x; a `segment_offset` does not, like
/// D3DGPU_PHYSICAL_ADDRESS and page-table entries. They are separate types, and neither converts to the other.
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md, ns-d3dukmdt-_dxgk_pte.md, gpu-segments.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The offset of an address.
///
/// @param v        any table
/// @param id       the segment
/// @param address  the segment's base included
/// @return the offset; missing for an id that is not reported or has no place; out_of_range outside the segment
[[nodiscard]] constexpr result<segment_offset> to_offset(view const& v, segment_id id,
                                                         segment_address address) noexcept {
    entry const* const row = find(v, id);
    if (row == nullptr || !has_place(*row)) {
        return refused<segment_offset>(errc::missing);
    }
    return range_contains<u64>(row->base.n, row->size.n, address.n, 1) ? good(segment_offset{address.n - row->base.n})
                                                                       : refused<segment_offset>(errc::out_of_range);
}

/// The address of an offset.
///
/// @param v       any table
/// @param id      the segment
/// @param offset  from the start of the segment
/// @return the address; missing for an id that is not reported or has no place; out_of_range outside the segment
[[nodiscard]] constexpr result<segment_address> to_address(view const& v, segment_id id,
                                                           segment_offset offset) noexcept {
    entry const* const row = find(v, id);
    if (row == nullptr || !has_place(*row)) {
        return refused<segment_address>(errc::missing);
    }
    return offset.n < row->size.n ? good(segment_address{row->base.n + offset.n})
                                  : refused<segment_address>(errc::out_of_range);
}

}  // namespace wddmcore::segment
