// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/limits.hpp"
#include "../../hw/promises/transfer/copy_engine.hpp"
#include "../finding.hpp"
#include "../writer.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// In which order, and in which steps, a contiguous copy is made.
struct copy_order {
    bool descending;  ///< from the last page to the first
    u32 chunk;        ///< the most pages of one group of commands, 1 or more
};

/// The pages that one copy command takes, as far as a token can count; 0 for an engine that takes less than one.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u32 pages_of_copy(Hw const& hw) noexcept {
    return static_cast<u32>(lesser<u64>(hw::chunk_pages(hw::value_of(hw, Hw::copy_max)).n, ~u32{0}));
}

/// The same for the engine of all in the range that takes the fewest.
template <class Hw>
inline constexpr u32 fewest_pages_of_copy =
    static_cast<u32>(lesser<u64>(hw::chunk_pages(hw::least_of(Hw::copy_max)).n, ~u32{0}));

/// Ascending, in the largest chunks of whole pages that the engine takes.
///
/// @param pages_of_copy  as the function of that name
[[nodiscard]] WDDMCORE_INLINE constexpr copy_order largest_chunks(u32 pages_of_copy) noexcept {
    return {false, greater(pages_of_copy, 1u)};
}

/// Chooses the order for two ranges of one address space (OP08-07).
///
/// Where they do not overlap: ascending, in the largest chunks. Where they do, the part of the source that a chunk
/// would destroy is read first, so the order follows the direction. An engine whose single copy is undefined on
/// overlap also gets chunks no longer than the distance; a distance below one page cannot be done by chunks of pages
/// at all. A distance of 0 is reported like any other: a plain copy of it is done already (unless_to_itself).
///
/// @param source, destination  first bytes of the two ranges in one address space
/// @param promised             what one command promises for places that overlap
/// @param pages_of_copy        as the function of that name
/// @param order                written when nothing is wrong
/// @return overlap_below_page or nothing wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding choose_order(u64 source, u64 destination, bytes size,
                                                             hw::overlap promised, u32 pages_of_copy,
                                                             copy_order& order) noexcept {
    copy_order chosen = largest_chunks(pages_of_copy);
    if (!ranges_overlap(source, size.n, destination, size.n)) {
        order = chosen;
        return nothing_wrong;
    }
    bool const upward = destination > source;
    u64 const distance = upward ? destination - source : source - destination;
    if (promised == hw::overlap::by_direction) {
        if (distance < page_bytes) {
            return found(paging_rule::overlap_below_page, distance, page_bytes);
        }
        chosen.chunk = static_cast<u32>(lesser<u64>(chosen.chunk, whole_pages(bytes{distance}).n));
    }
    chosen.descending = upward;
    order = chosen;
    return nothing_wrong;
}

/// The commands that one chunk needs at the most: one, or several per page for an engine that copies less than a page.
template <class Hw>
inline constexpr u32 commands_per_chunk =
    hw::commands_per_page(hw::least_of(Hw::copy_max), hw::most_of(Hw::copy_alignment));

/// The dwords of one chunk's commands: of this engine, where they differ within its range.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr dwords chunk_dwords(Hw const& hw) noexcept {
    if constexpr (commands_per_chunk<Hw> == 1) {
        return Hw::copy_dwords;
    } else {
        return {Hw::copy_dwords.n *
                hw::commands_per_page(hw::value_of(hw, Hw::copy_max), hw::value_of(hw, Hw::copy_alignment))};
    }
}

/// Writes the commands for one chunk, whose room is there. Only an engine that copies less than a page writes several.
template <class Hw>
WDDMCORE_INLINE constexpr void put_copy(Hw const& hw, dma_writer& writer, typename Hw::address destination,
                                        typename Hw::address source, bytes size, bool descending) noexcept {
    if constexpr (commands_per_chunk<Hw> == 1) {
        hw.encode_copy(writer.take(Hw::copy_dwords), destination, source, size);
    } else {
        bytes const piece = hw::piece_of_chunk(hw::value_of(hw, Hw::copy_max), hw::value_of(hw, Hw::copy_alignment));
        u64 const count = divide_up(size.n, piece.n);
        for (u64 i = 0; i != count; ++i) {
            bytes const offset = (descending ? count - 1 - i : i) * piece;
            bytes const length{lesser(piece.n, size.n - offset.n)};
            hw.encode_copy(writer.take(Hw::copy_dwords), destination + offset, source + offset, length);
        }
    }
}

}  // namespace wddmcore::paging::detail
