// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/assert.hpp"
#include "../../base/units.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// A set of segments as the DDI has it: bit i stands for the segment with id i + 1 (PREF-01).
///
/// Any IRQL, touches no OS state, safe in non-paged code. Source page: ns-d3dkmddi-_dxgk_allocationinfo.md.
struct segment_set {
    u32 value = 0;

    /// The bit of a segment.
    ///
    /// @return the bit; 0 for an id without one: system memory (0), or an id above 32
    [[nodiscard]] static constexpr u32 bit(segment_id id) noexcept {
        return id.n == 0 || id.n > 32 ? 0 : u32{1} << (id.n - 1);
    }
    /// Whether a segment is in the set.
    ///
    /// @return false for an id without a bit, too
    [[nodiscard]] constexpr bool has(segment_id id) const noexcept { return (value & bit(id)) != 0; }
    /// The set with one more segment.
    ///
    /// @return the larger set; the same set for an id without a bit
    [[nodiscard]] constexpr segment_set with(segment_id id) const noexcept { return {value | bit(id)}; }

    friend constexpr bool operator==(segment_set, segment_set) = default;
};

/// The set of some segments: `set_of(vram, gart)`.
///
/// @param ids  of reported segments, which a checked build asserts. System memory is none of them: an allocation that
///             may live there names the aperture (SEG-27)
/// @return the set
template <class... Ids>
[[nodiscard]] constexpr segment_set set_of(Ids... ids) noexcept {
    promise(((segment_set::bit(ids) != 0) && ...));
    return {(u32{0} | ... | segment_set::bit(ids))};
}

static_assert(set_of(segment_id{1}, segment_id{3}).value == 0b101);

}  // namespace wddmcore::segment
