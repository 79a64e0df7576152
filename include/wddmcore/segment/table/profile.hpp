// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/capabilities.hpp"

namespace wddmcore::inline WDDMCORE_ABI::segment {

/// What the checks of segment tables must know about a driver.
///
/// A driver that also declares older versions has a table and a profile for each, because a flag of a newer version is
/// a reserved bit in an older one.
struct profile {
    wddm version = wddm::v3_2;                         ///< the declared version that the table is for
    aperture_forms aperture = aperture_forms::either;  ///< what the driver implements (SEG-10)
    bool compute_only = false;                         ///< it needs no aperture (AMB-04)
    bool wide_sizes = sizeof(usize) == sizeof(u64);    ///< whether SIZE_T has 64 bits (SEG-43)

    friend constexpr bool operator==(profile const&, profile const&) = default;
};

/// The profile that follows from a driver's capabilities. Any IRQL, touches no OS state, safe in non-paged code.
///
/// @return the profile of the highest version in `caps`, for a SIZE_T as wide as that of this build
[[nodiscard]] constexpr profile profile_of(capabilities const& caps) noexcept {
    return {.version = caps.version, .aperture = caps.aperture, .compute_only = caps.compute_only};
}

}  // namespace wddmcore::segment
