// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/units.hpp"

/// Numbers that follow from what a hardware type promises.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// @return the whole pages that one command of at most `limit` bytes can take; 0 when it takes less than a page
///         (law 7).
[[nodiscard]] constexpr pages chunk_pages(bytes limit) noexcept { return whole_pages(limit); }
static_assert(chunk_pages(bytes{10'000}) == pages{2});

/// @return what one command takes of a page when it cannot take the whole: a multiple of the alignment.
[[nodiscard]] constexpr bytes piece_of_page(bytes limit, bytes alignment) noexcept {
    return {round_down(lesser(limit.n, page_bytes), alignment.n)};
}
static_assert(piece_of_page(bytes{1000}, bytes{64}) == bytes{960});

/// @return what one command takes of a place that begins at a page: whole pages, or what piece_of_page says.
[[nodiscard]] constexpr bytes piece_of_chunk(bytes limit, bytes alignment) noexcept {
    return limit.n < page_bytes ? piece_of_page(limit, alignment) : to_bytes(chunk_pages(limit));
}
static_assert(piece_of_chunk(bytes{10'000}, bytes{64}) == bytes{8192});

/// @return how many commands a page needs at the most: 1, or more for an engine that cannot take a page at once.
[[nodiscard]] constexpr u32 commands_per_page(bytes limit, bytes alignment) noexcept {
    return static_cast<u32>(divide_up(page_bytes, piece_of_page(limit, alignment).n));
}
static_assert(commands_per_page(4 * mib, bytes{4}) == 1 && commands_per_page(bytes{1000}, bytes{64}) == 5);

/// @param highest_visible_address  the last byte, inclusive
/// @return the last page that a device reaches (AMB-23: the limit is inclusive), of those that a list can name.
///
/// The very last number that a list can hold is left out: no page has it, and a run of pages never wraps.
[[nodiscard]] constexpr u64 last_visible_page(u64 highest_visible_address) noexcept {
    return lesser<u64>(highest_visible_address >> page_shift_lg2, ~usize{0} - 1);
}
static_assert(last_visible_page(0xFFFF'FFFF) == 0xF'FFFF);

}  // namespace wddmcore::hw
