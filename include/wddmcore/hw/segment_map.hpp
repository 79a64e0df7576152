// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// Where a reported segment lies. A size of 0 means that no segment of that id was reported.
struct segment_place {
    segment_address base;
    bytes size;
};

/// Whether an id means system memory in the structures that came with WDDM 2.9 and later.
///
/// AMB-21: every page has 0 there; the newest header also defines 31 and does not say where it applies. Both are taken,
/// and nothing is read from a segment's address for either.
[[nodiscard]] constexpr bool is_system_memory(segment_id id) noexcept { return id.n == 0 || id.n == 31; }

namespace hw {

/// The segments as this adapter reported and placed them.
///
/// For hardware authors: `segment_place place(segment_id) const`, for any id; `bool is_aperture(segment_id) const`, for
/// ids that have a place.
template <class Hw>
concept segment_map = requires(Hw const& hw, segment_id id) {
    { hw.place(id) } -> meta::same_as<segment_place>;
    { hw.is_aperture(id) } -> meta::same_as<bool>;
};

}  // namespace hw
}  // namespace wddmcore
