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
