// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/assert.hpp"
#include "../../base/units.hpp"

/// The CPU's own accesses to memory that a driver mapped.
///
/// Every access is volatile, aligned and of at most a machine word. Aligned, because device memory on ARM64 faults on
/// anything else; volatile, because two mappings may be the same memory at two addresses: the compiler sees no overlap
/// there and must not choose another order, or another function.
///
/// All functions here: any IRQL at which the memory may be touched, no OS state.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail::cpu {

/// A mapping as bytes: a void* in a driver, a u8* in a test that runs in constant evaluation.
[[nodiscard]] constexpr u8* bytes_of(auto mapping) noexcept { return static_cast<u8*>(mapping); }

/// Moves one word or byte.
template <class Word>
WDDMCORE_INLINE void move_word(u8* to, u8 const* from) noexcept {
    *reinterpret_cast<Word volatile*>(to) = *reinterpret_cast<Word const volatile*>(from);
}

/// How many bytes an address lies past the start of a machine word.
[[nodiscard]] WDDMCORE_INLINE usize past_word(u8 const* at) noexcept {
    return reinterpret_cast<usize>(at) % sizeof(usize);
}

/// Copies from the first byte to the last, right for places that overlap when the destination is the lower one; or
/// downward, from the last to the first, right when it is the higher one.
template <bool Downward>
WDDMCORE_NOINLINE constexpr void copy_bytes(u8* to, u8 const* from, usize size) noexcept {
    usize done = 0;
    auto const next = [&](usize length) { return Downward ? size - done - length : done; };
    if (in_constant_evaluation()) {
        for (; done != size; ++done) {
            to[next(1)] = from[next(1)];
        }
        return;
    }
    if (past_word(to) == past_word(from)) {
        for (; done != size && past_word(to + next(0)) != 0; ++done) {
            move_word<u8>(to + next(1), from + next(1));
        }
        for (; size - done >= sizeof(usize); done += sizeof(usize)) {
            move_word<usize>(to + next(sizeof(usize)), from + next(sizeof(usize)));
        }
    }
    for (; done != size; ++done) {
        move_word<u8>(to + next(1), from + next(1));
    }
}

/// The byte that a pattern, little-endian and repeated, puts `index` bytes after its beginning (AMB-09).
[[nodiscard]] constexpr u8 pattern_byte(u32 pattern, usize index) noexcept {
    return static_cast<u8>(pattern >> (index % 4 * 8));
}

/// Fills with a pattern that begins at the first byte, wherever that lies.
WDDMCORE_NOINLINE constexpr void fill_bytes(u8* to, usize size, u32 pattern) noexcept {
    usize done = 0;
    if (in_constant_evaluation()) {
        for (; done != size; ++done) {
            to[done] = pattern_byte(pattern, done);
        }
        return;
    }
    for (; done != size && past_word(to + done) != 0; ++done) {
        *static_cast<u8 volatile*>(to + done) = pattern_byte(pattern, done);
    }
    usize word = 0;
    for (usize i = sizeof(usize); i != 0; --i) {
        word = word << 8 | pattern_byte(pattern, done + i - 1);
    }
    for (; size - done >= sizeof(usize); done += sizeof(usize)) {
        *reinterpret_cast<usize volatile*>(to + done) = word;
    }
    for (; done != size; ++done) {
        *static_cast<u8 volatile*>(to + done) = pattern_byte(pattern, done);
    }
}

/// Reads one byte and drops it; the compiler may not leave it out (OP03-02).
constexpr void touch_byte(u8 const* at) noexcept {
    if (!in_constant_evaluation()) {
        static_cast<void>(*static_cast<u8 const volatile*>(at));
    }
}

/// Writes one byte, and no neighbour (OP04-01). Which value is arbitrary.
constexpr void write_byte(u8* at) noexcept {
    if (in_constant_evaluation()) {
        *at = 0;
    } else {
        *static_cast<u8 volatile*>(at) = 0;
    }
}

}  // namespace wddmcore::paging::detail::cpu
