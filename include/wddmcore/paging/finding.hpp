// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/units.hpp"
#include "../hw/fault.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// What a plan found wrong: a rule and the numbers that break it, or nothing.
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

/// The most pages, blocks or pieces of a request: each but the first of them has been reached by a token (PGB-06).
///
/// A token says how many are done, and comes back only while some are left, so that it is always below the count. The
/// one token that has no number of its own, 2^32, belongs to the pass that does the last of them: that pass commits 0,
/// and because it succeeds the system never hands this token back.
inline constexpr u64 most_counted = u64{1} << 32;

/// How much there is to do, and what the last page falls short of a whole one.
struct extent {
    u64 count;     ///< pages, the last one perhaps not whole; at most most_counted, of a list always fewer
    u32 short_by;  ///< bytes that the last page lacks, 0 to 4095
};

/// The same of a request whose pages are in a list, of which there are always fewer than 2^32.
struct list_extent {
    u32 count;     ///< pages, the last one perhaps not whole
    u32 short_by;  ///< bytes that the last page lacks, 0 to 4095
};

/// Narrows the work of a request that was found to lie inside its list.
[[nodiscard]] WDDMCORE_INLINE constexpr list_extent of_list(extent work) noexcept {
    return {static_cast<u32>(work.count), work.short_by};
}

/// The pages of `size` bytes.
///
/// @return too_many_pages when a 32-bit token cannot count them: more than 16 TiB (PGB-06)
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_count(u64 size) noexcept {
    return size <= to_bytes(pages{most_counted}).n
               ? nothing_wrong
               : found(paging_rule::too_many_pages, pages_spanned(bytes{size}).n, most_counted);
}

/// The same of a request that has to be about something: one test for none and for too many.
///
/// @param none  the rule that a request of no bytes breaks
/// @return that rule, too_many_pages or nothing wrong
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_size(u64 size, paging_rule none) noexcept {
    if (size - 1 < to_bytes(pages{most_counted}).n) [[likely]] {
        return nothing_wrong;
    }
    return size == 0 ? found(none, 0) : check_count(size);
}

/// The work of a request of `size` bytes, whose pages a token can count (check_count).
[[nodiscard]] WDDMCORE_INLINE constexpr extent extent_of(u64 size) noexcept {
    u64 const count = (size + (page_bytes - 1)) >> page_shift_lg2;  // so few pages that rounding up cannot wrap
    return {count, static_cast<u32>(to_bytes(pages{count}).n - size)};
}
static_assert(extent_of(4097).count == 2 && extent_of(4097).short_by == 4095);

/// A token from the OS must lie within the work (PGB-04); one that stands at its end means that nothing is left.
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_token(u32 token, u64 count) noexcept {
    return token <= count ? nothing_wrong : found(paging_rule::token_past_end, token, count);
}

}  // namespace wddmcore::paging::detail
