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

/// Copies between two contiguous places, in either direction.
///
/// A group is what must stay in one buffer, so that progress counts whole pages (law 7). Those between the first and
/// the last have the same size, so that a large copy is a short loop.
///
/// @param work   pages in all, and what the last one lacks; in descending order the token counts from the end
/// @param first  the token: pages done in earlier passes, below work.count
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_contiguous(Hw const& hw, dma_writer& writer,
                                                                 typename Hw::address destination,
                                                                 typename Hw::address source, extent work, u32 first,
                                                                 copy_order order) noexcept {
    dwords const group = chunk_dwords(hw);
    u64 done = first;
    u64 left = work.count - first;
    while (writer.has(group)) {
        bool const is_last = left <= order.chunk;
        u64 const length = is_last ? left : order.chunk;
        left -= length;
        u64 const page = order.descending ? left : done;
        bytes const lacking{page + length == work.count ? work.short_by : 0};
        bytes const place = to_bytes(pages{page});
        put_copy(hw, writer, destination + place, source + place, bytes{to_bytes(pages{length}).n - lacking.n},
                 order.descending);
        if (is_last) {
            return {outcome::done, static_cast<u32>(work.count)};
        }
        done += length;
        if (!order.descending) {
            // Whole groups, until the last one: nothing about them has to be asked.
            for (; left > order.chunk && writer.has(group); left -= order.chunk, done += order.chunk) {
                bytes const next = to_bytes(pages{done});
                put_copy(hw, writer, destination + next, source + next, to_bytes(pages{order.chunk}), false);
            }
        }
    }
    return {outcome::need_buffer, static_cast<u32>(done)};
}

/// Copies between two lists of pages, and between a list and a contiguous place for engines that copy less than a page:
/// run by run, in groups as above.
///
/// @param work   pages in all, and what the last one lacks
/// @param first  the token: pages done in earlier passes, below work.count
/// @param chunk  the most pages of one group, 1 or more
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_pages(Hw const& hw, dma_writer& writer,
                                                            endpoint<Hw> const& destination, endpoint<Hw> const& source,
                                                            extent work, u32 first, u32 chunk) noexcept {
    dwords const group = chunk_dwords(hw);
    u64 done = first;
    while (done != work.count && writer.has(group)) {
        u32 const left = static_cast<u32>(lesser<u64>(work.count - done, chunk));
        u32 const length = contiguous_from(source, destination, static_cast<usize>(done), left);
        bool const has_last = done + length == work.count;
        bytes const size{to_bytes(pages{length}).n - (has_last ? work.short_by : 0)};
        put_copy(hw, writer, page_of(hw, destination, done), page_of(hw, source, done), size, false);
        done += length;
    }
    return {outcome::perhaps_out_of_reach, static_cast<u32>(done)};
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
