// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "recorder.hpp"

/// The engines of the model tests: limits around pages and blocks, every grain from 1 to 5, every kind of alignment.
namespace wddmcore::inline WDDMCORE_ABI::testing::shapes {

// Only what a test plays: every operation that the capabilities reach is instantiated for every engine.
inline constexpr capabilities physical{.version = wddm::v2_9, .alternate_address_lock = claim::at_run_time};
inline constexpr capabilities by_address{.version = wddm::v2_9, .addresses = paging_addresses::gpu_virtual};
inline constexpr capabilities both_addresses{.version = wddm::v2_9, .addresses = paging_addresses::both};

inline constexpr capabilities everything{.version = wddm::v2_9,
                                         .oldest = wddm::vista,
                                         .addresses = paging_addresses::both,
                                         .aperture = aperture_forms::either,
                                         .alternate_address_lock = claim::at_run_time};

/// The same limits for copies and fills.
[[nodiscard]] constexpr engine_shape engine(capabilities const& caps, u64 limit, u64 alignment, hw::overlap overlap,
                                            u32 grain) {
    engine_shape shape{};
    shape.caps = caps;
    shape.copy_max = shape.fill_max = limit;
    shape.copy_alignment = alignment;
    shape.fill_alignment = alignment < 4 ? 4 : alignment;
    shape.copy_overlap = overlap;
    shape.grain = grain;
    return shape;
}

inline constexpr hw::overlap safe = hw::overlap::safe;
inline constexpr hw::overlap ordered = hw::overlap::by_direction;

template <capabilities const& Caps>
inline constexpr engine_shape below_a_page = engine(Caps, 1000, 8, ordered, 1);
template <capabilities const& Caps>
inline constexpr engine_shape far_below_a_page = engine(Caps, 259, 1, safe, 5);
template <capabilities const& Caps>
inline constexpr engine_shape nearly_a_page = engine(Caps, 4095, 4, ordered, 3);
template <capabilities const& Caps>
inline constexpr engine_shape one_page = engine(Caps, page_bytes, 4, ordered, 2);
template <capabilities const& Caps>
inline constexpr engine_shape odd_one_page = engine(Caps, 2 * page_bytes - 1, 1, ordered, 4);
template <capabilities const& Caps>
inline constexpr engine_shape two_pages = engine(Caps, 2 * page_bytes + 100, 1, safe, 3);
template <capabilities const& Caps>
inline constexpr engine_shape three_pages = engine(Caps, 3 * page_bytes, 64, ordered, 5);
template <capabilities const& Caps>
inline constexpr engine_shape pages_255 = engine(Caps, 255 * page_bytes, page_bytes, ordered, 4);
template <capabilities const& Caps>
inline constexpr engine_shape pages_256 = engine(Caps, 256 * page_bytes, 4, ordered, 1);
template <capabilities const& Caps>
inline constexpr engine_shape pages_257 = engine(Caps, 257 * page_bytes + 4000, 16, safe, 2);
template <capabilities const& Caps>
inline constexpr engine_shape pages_1024 = engine(Caps, 1024 * page_bytes, 4, ordered, 5);
template <capabilities const& Caps>
inline constexpr engine_shape unlimited = engine(Caps, ~u64{0}, 1, safe, 1);

}  // namespace wddmcore::testing::shapes
