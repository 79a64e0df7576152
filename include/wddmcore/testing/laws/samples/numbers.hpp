// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../hw/chosen_within.hpp"
#include "../../../hw/promises/transfer/copy_engine.hpp"
#include "../../../hw/promises/transfer/fill_engine.hpp"

/// The numbers of engines, as the object has them: where the chips of one type differ, the laws judge the chip that
/// they were given. Whether those numbers are the declared ones, the law declared_numbers judges first.
namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// What the places and sizes of a copy are multiples of.
template <class Hw>
[[nodiscard]] constexpr bytes copy_unit(Hw const& hw) {
    return hw::value_of(hw, Hw::copy_alignment);
}
template <class Hw>
[[nodiscard]] constexpr bytes copy_most(Hw const& hw) {
    return hw::value_of(hw, Hw::copy_max);
}

/// What the places and sizes of a fill are multiples of.
template <class Hw>
[[nodiscard]] constexpr bytes fill_unit(Hw const& hw) {
    return hw::value_of(hw, Hw::fill_alignment);
}
template <class Hw>
[[nodiscard]] constexpr bytes fill_most(Hw const& hw) {
    return hw::value_of(hw, Hw::fill_max);
}
/// The last pattern of as many bytes as the engine repeats.
template <class Hw>
[[nodiscard]] constexpr u64 last_pattern(Hw const& hw) {
    return hw::value_of(hw, Hw::fill_pattern_bytes).n == 1 ? 0xFF : 0xFFFF'FFFF;
}
/// A pattern as requests bring it: an engine that repeats one byte is only ever given four equal ones (AMB-09).
template <class Hw>
[[nodiscard]] constexpr u32 pattern_of(Hw const& hw, u32 n) {
    return last_pattern(hw) == 0xFF ? (n & 0xFF) * 0x0101'0101u : n;
}

}  // namespace wddmcore::testing::law_parts
