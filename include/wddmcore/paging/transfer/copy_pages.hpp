// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "plan.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// What a walk that looks at single pages answers: a side that is paged has its pages judged before the commit.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress walked(endpoint<Hw> const& one, endpoint<Hw> const& other, extent work,
                                                        u64 done) noexcept {
    u32 const token = static_cast<u32>(done);
    if (one.paged() || other.paged()) {
        return {outcome::perhaps_out_of_reach, token};
    }
    return {done == work.count ? outcome::done : outcome::need_buffer, token};
}

/// Whether page `index` of an endpoint, which is not its first, is next to the page before it.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool follows(endpoint<Hw> const& where, usize index) noexcept {
    return !where.paged() || adl::detail::follows(where.list + index);
}

/// How many pages from `first` on are consecutive on both sides, at most `limit`.
///
/// Both lists are walked together: a long run of one that the other cuts short would be walked again for every piece.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u32 contiguous_from(endpoint<Hw> const& one, endpoint<Hw> const& other,
                                                            usize first, u32 limit) noexcept {
    if (!one.paged() && !other.paged()) {
        return limit;
    }
    u32 length = 1;
    while (length != limit && follows(one, first + length) && follows(other, first + length)) {
        ++length;
    }
    return length;
}

/// Copies between any two endpoints, run by run: between two contiguous places, two lists of pages, and for engines
/// that copy less than a page.
///
/// A group is what must stay in one buffer, so that progress counts whole pages (law 7).
///
/// @param work   pages in all, and what the last one lacks; in descending order the token counts from the end
/// @param first  the token: pages done in earlier passes, at most work.count
/// @param order  descending only between two contiguous places
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_pages(Hw const& hw, dma_writer& writer,
                                                            endpoint<Hw> const& destination, endpoint<Hw> const& source,
                                                            extent work, u32 first, copy_order order) noexcept {
    dwords const group = chunk_dwords(hw);
    u64 done = first;
    while (done != work.count) {
        if (!writer.has(group)) {
            return walked(destination, source, work, done);
        }
        u32 const left = static_cast<u32>(lesser<u64>(work.count - done, order.chunk));
        u32 const length = contiguous_from(source, destination, static_cast<usize>(done), left);
        u64 const page = order.descending ? work.count - done - length : done;
        bool const has_last = page + length == work.count;
        bytes const size{to_bytes(pages{length}).n - (has_last ? work.short_by : 0)};
        put_copy(hw, writer, page_of(hw, destination, page), page_of(hw, source, page), size, order.descending);
        done += length;
    }
    return walked(destination, source, work, done);
}

/// Copies page by page through the hardware's layout change (OP00-08).
template <class Hw>
[[nodiscard]] constexpr progress copy_swizzled(Hw const& hw, dma_writer& writer, endpoint<Hw> const& destination,
                                               endpoint<Hw> const& source, extent work, u32 first,
                                               swizzle_request const& request, bool descending) noexcept {
    u64 done = first;
    while (done != work.count) {
        if (!writer.has(Hw::swizzle_dwords)) {
            return walked(destination, source, work, done);
        }
        u64 const page = descending ? work.count - 1 - done : done;
        bool const is_last = page + 1 == work.count;
        hw.encode_swizzled_copy(writer.take(Hw::swizzle_dwords),
                                hw::swizzled_copy<Hw>{
                                    .destination = page_of(hw, destination, page),
                                    .source = page_of(hw, source, page),
                                    .allocation_offset = request.allocation_offset + to_bytes(pages{page}).n,
                                    .size = static_cast<u32>(page_bytes - (is_last ? work.short_by : 0)),
                                    .direction = request.direction,
                                    .allocation = request.allocation,
                                    .range_id = request.range_id,
                                    .range_data = request.range_data,
                                });
        ++done;
    }
    return walked(destination, source, work, done);
}

}  // namespace wddmcore::paging::detail
