// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "shapes.hpp"
#include "window_player.hpp"

/// The windows of the tests: from one slot up, with and without a flush and a wait, entries of both widths, and engines
/// whose copies are shorter or longer than a chunk.
namespace wddmcore::inline WDDMCORE_ABI::testing::window_shapes {

inline constexpr capabilities narrow{.version = wddm::v1_3, .highest_visible_address = (u64{1} << 36) - 1};
inline constexpr capabilities wide{.version = wddm::v1_3, .highest_visible_address = (u64{1} << 52) - 1};

[[nodiscard]] constexpr engine_shape engine(capabilities const& caps, u64 copy_pages, u32 grain) {
    return shapes::engine(caps, copy_pages * page_bytes, 4, hw::overlap::by_direction, grain);
}
inline constexpr engine_shape one_page = engine(wide, 1, 2);
inline constexpr engine_shape three_pages = engine(wide, 3, 5);
inline constexpr engine_shape pages_100 = engine(wide, 100, 1);
inline constexpr engine_shape pages_1023 = engine(wide, 1023, 4);
inline constexpr engine_shape narrow_1023 = engine(narrow, 1023, 3);
inline constexpr engine_shape whole = engine(wide, u64{1} << 40, 1);

inline constexpr window_shape one_slot{.slots = 1};
inline constexpr window_shape seven{.slots = 7, .write_max = 5};
inline constexpr window_shape slots_64{.slots = 64};
inline constexpr window_shape in_order{.slots = 100, .flush = 0, .wait = 0};
inline constexpr window_shape slots_512{.slots = 512};
inline constexpr window_shape four_bytes{.slots = 512, .entry_bytes = 4, .shift = 8, .flush = 0};
inline constexpr window_shape many{.slots = 3000, .write_max = 100'000};

using one_slot_gpu = window_gpu<pages_100, one_slot>;
using copies_of_a_page_gpu = window_gpu<one_page, slots_64>;
using copies_of_three_gpu = window_gpu<three_pages, slots_64>;
using seven_gpu = window_gpu<pages_1023, seven>;
using common_gpu = window_gpu<pages_100, slots_64>;
using in_order_gpu = window_gpu<pages_1023, in_order>;
using large_gpu = window_gpu<pages_1023, slots_512>;
using four_byte_gpu = window_gpu<narrow_1023, four_bytes>;
using many_gpu = window_gpu<whole, many>;

}  // namespace wddmcore::testing::window_shapes
