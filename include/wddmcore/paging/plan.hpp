// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/units.hpp"
#include "../hw/fault.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging {

/// What a plan found wrong: a rule and the numbers behind it, or nothing.
struct finding {
    bool any;
    paging_rule rule;
    u64 value;
    u64 limit;
};

inline constexpr finding nothing_wrong{};

/// A finding: the rule, the offending number and what it was held against.
[[nodiscard]] WDDMCORE_INLINE constexpr finding found(paging_rule rule, u64 value, u64 limit = 0) noexcept {
    return {true, rule, value, limit};
}

/// How much there is to do: pages that a 32-bit token can count, and what the last of them falls short of a page.
struct extent {
    u32 count;     ///< pages, the last one perhaps not whole
    u32 short_by;  ///< bytes that the last page lacks, 0 to 4095
};

/// The pages of `size` bytes.
///
/// @return too_many_pages when a 32-bit token cannot count them: 16 TiB and more (PGB-06)
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_count(u64 size) noexcept {
    constexpr u64 most = ~u32{0};
    u64 const count = pages_spanned(bytes{size}).n;
    return count <= most ? nothing_wrong : found(paging_rule::too_many_pages, count, most);
}

/// The work of a request of `size` bytes, whose pages a token can count (check_count).
[[nodiscard]] WDDMCORE_INLINE constexpr extent extent_of(u64 size) noexcept {
    pages const count = pages_spanned(bytes{size});
    return {static_cast<u32>(count.n), static_cast<u32>(to_bytes(count).n - size)};
}
static_assert(extent_of(4097).count == 2 && extent_of(4097).short_by == 4095);

/// A token from the OS must lie within the work (PGB-04); one that stands at its end means that nothing is left.
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_token(u32 token, u32 count) noexcept {
    return token <= count ? nothing_wrong : found(paging_rule::token_past_end, token, count);
}

}  // namespace wddmcore::paging
