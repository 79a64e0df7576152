// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/stores.hpp"

/// Leaf entries of 8 bytes that have the same flags: the attributes are asked for once, and an entry is its page number
/// shifted, plus a constant.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Whether the flags of eight elements are those of the first of the request.
[[nodiscard]] WDDMCORE_INLINE constexpr bool eight_flags_equal(auto const* e, u64 flags) noexcept {
    // A chain of comparisons takes two instructions an entry; gathering the differences would take three.
    return e[0].Flags == flags && e[1].Flags == flags && e[2].Flags == flags && e[3].Flags == flags &&
           e[4].Flags == flags && e[5].Flags == flags && e[6].Flags == flags && e[7].Flags == flags;
}

/// Writes one line of eight with the same attributes.
template <u32 Shift, class Sink, class Pte>
WDDMCORE_INLINE constexpr void put_eight(Sink const& to, u32 first, Pte const* e, u64 add) noexcept {
    to.put(first, (e[0].PageAddress << Shift) + add);
    to.put(first + 1, (e[1].PageAddress << Shift) + add);
    to.put(first + 2, (e[2].PageAddress << Shift) + add);
    to.put(first + 3, (e[3].PageAddress << Shift) + add);
    to.put(first + 4, (e[4].PageAddress << Shift) + add);
    to.put(first + 5, (e[5].PageAddress << Shift) + add);
    to.put(first + 6, (e[6].PageAddress << Shift) + add);
    to.put(first + 7, (e[7].PageAddress << Shift) + add);
}

/// Stores whole lines, whose pages were judged before, while their flags are those given; two a step.
///
/// @return entries stored, a multiple of eight
template <u32 Shift, class Sink, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr u32 store_equal_flags(Sink to, Pte const* from, u32 count, u64 flags,
                                                              u64 add) noexcept {
    static_assert(Sink::judged_before);
    Pte const* e = from;
    for (u32 left = count / 16; left != 0 && eight_flags_equal(e, flags) && eight_flags_equal(e + 8, flags); --left) {
        put_eight<Shift>(to, 0, e, add);
        put_eight<Shift>(to, 8, e + 8, add);
        e += 16;
        to.step(16);
    }
    u32 const done = static_cast<u32>(e - from);
    if (count - done < 8 || !eight_flags_equal(e, flags)) {
        return done;
    }
    put_eight<Shift>(to, 0, e, add);
    return done + 8;
}

/// How many lines from the first on have these flags.
[[nodiscard]] WDDMCORE_INLINE constexpr u32 lines_of_equal_flags(auto const* e, u32 lines, u64 flags) noexcept {
    u32 left = lines;
    for (; left >= 4 && eight_flags_equal(e, flags) && eight_flags_equal(e + 8, flags) &&
           eight_flags_equal(e + 16, flags) && eight_flags_equal(e + 24, flags);
         left -= 4) {
        e += 32;
    }
    for (; left != 0 && eight_flags_equal(e, flags); --left) {
        e += 8;
    }
    return lines - left;
}

/// Writes lines of the same attributes into a command.
///
/// Two forms of the same: clang makes vectors of elements that follow in a loop, g++ of eight that are written out, and
/// neither of the other's. A command lies nowhere near the system's array (`__restrict`).
/// @return every bit that some page number has
#if defined(__clang__)
template <u32 Shift, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr u64 put_lines_of_equal_flags(u32* __restrict at, Pte const* __restrict e,
                                                                     u32 lines, u64 add) noexcept {
    u64 seen = 0;
    usize const count = usize{lines} * 8;
    for (usize k = 0; k != count; ++k) {
        u64 const page = e[k].PageAddress;
        seen |= page;
        wddmcore::detail::store64(at + 2 * k, (page << Shift) + add);
    }
    return seen;
}
#else
template <u32 Shift, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr u64 put_lines_of_equal_flags(u32* at, Pte const* e, u32 lines,
                                                                     u64 add) noexcept {
    u64 seen = 0;
    for (u32 left = lines; left != 0; --left) {
        // All eight are read before one is stored: only then are two of them an operand.
        u64 const page[8] = {e[0].PageAddress, e[1].PageAddress, e[2].PageAddress, e[3].PageAddress,
                             e[4].PageAddress, e[5].PageAddress, e[6].PageAddress, e[7].PageAddress};
        wddmcore::detail::store64(at, (page[0] << Shift) + add);
        wddmcore::detail::store64(at + 2, (page[1] << Shift) + add);
        wddmcore::detail::store64(at + 4, (page[2] << Shift) + add);
        wddmcore::detail::store64(at + 6, (page[3] << Shift) + add);
        wddmcore::detail::store64(at + 8, (page[4] << Shift) + add);
        wddmcore::detail::store64(at + 10, (page[5] << Shift) + add);
        wddmcore::detail::store64(at + 12, (page[6] << Shift) + add);
        wddmcore::detail::store64(at + 14, (page[7] << Shift) + add);
        // From the array again: kept for this, the numbers would not fit the registers.
        seen |= e[0].PageAddress | e[1].PageAddress | e[2].PageAddress | e[3].PageAddress | e[4].PageAddress |
                e[5].PageAddress | e[6].PageAddress | e[7].PageAddress;
        e += 8;
        at += 16;
    }
    return seen;
}
#endif

/// What writing lines of the same attributes came to.
struct equal_flags_put {
    u32 count;  ///< entries written, a multiple of eight
    u64 pages;  ///< every bit that some page number of theirs has
};

/// Writes whole lines into a command while their flags are those given. Their page numbers are gathered, to be judged
/// before the commit.
///
/// Flags are compared ahead, a block at a time, because a word of the stream is written only once (law 4); the block is
/// still in the nearest cache when it is read again. A function of its own, because next to the state of a request the
/// flags would get no register.
template <u32 Shift, class Pte>
[[nodiscard]] WDDMCORE_NOINLINE WDDMCORE_STORES_IN_ORDER constexpr equal_flags_put put_equal_flags(u32* at,
                                                                                                   Pte const* e,
                                                                                                   u32 count, u64 flags,
                                                                                                   u64 add) noexcept {
    constexpr u32 block = 64;
    u32 left = count / 8;
    u64 pages = 0;
    for (;;) {
        u32 const lines = lines_of_equal_flags(e, lesser(left, block), flags);
        pages |= put_lines_of_equal_flags<Shift>(at, e, lines, add);
        left -= lines;
        if (lines != block || left == 0) {
            return {(count / 8 - left) * 8, pages};
        }
        e += usize{block} * 8;
        at += usize{block} * 16;
    }
}

}  // namespace wddmcore::paging::detail
