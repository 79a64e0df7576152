// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "assert.hpp"
#include "bits.hpp"

/// The only stores into memory that the GPU reads: whole dwords, ascending, not volatile, never read back (law 4).
///
/// The law is about compiled code. A compiler may merge and reorder stores that are not volatile, and does so in two
/// places: words whose bytes are all alike become a memset, which stores its end first or some dwords twice, and g++
/// (from -O2 on) and clang for ARM64 schedule the stores of a command as they like. Two empty statements keep both from
/// it; on x86 they cost no instruction but that a constant of like bytes needs a register.
namespace wddmcore::inline WDDMCORE_ABI {

namespace detail {

/// Whether all bytes of a word are the same: what could be part of a memset.
template <class Word>
[[nodiscard]] WDDMCORE_INLINE constexpr bool bytes_equal(Word value) noexcept {
    return value == static_cast<Word>(value << 8 | (value & 0xFF));
}

/// A word whose bytes the compiler does not know, if it knew that they are alike.
template <class Word>
[[nodiscard]] WDDMCORE_INLINE constexpr Word not_for_memset(Word value) noexcept {
#if WDDMCORE_EMPTY_ASM
    if (!in_constant_evaluation() && __builtin_constant_p(value) && bytes_equal(value)) {
        __asm__("" : "+r"(value));
    }
#endif
    return value;
}

/// Keeps the stores before this place before those after it, where the compiler would not.
WDDMCORE_INLINE constexpr void keep_order() noexcept {
#if WDDMCORE_REORDERED_STORES
    if (!in_constant_evaluation()) {
        __asm__ volatile("");
    }
#endif
}

/// put64 for words that are many and no constants, where a loop is to become vectors: without its care.
WDDMCORE_INLINE constexpr void store64(u32* at, u64 value) noexcept {
#if WDDMCORE_UNALIGNED_STORES
    if (!in_constant_evaluation()) {
#    if defined(_MSC_VER) && !defined(__clang__)
        *reinterpret_cast<u64 __unaligned*>(at) = value;
#    else
        __builtin_memcpy(at, &value, sizeof value);
#    endif
        return;
    }
#endif
    at[0] = low_dword(value);
    keep_order();  // which also keeps the two from becoming one
    at[1] = high_dword(value);
}

}  // namespace detail

/// Stores one dword.
WDDMCORE_INLINE constexpr void put32(u32* at, u32 value) noexcept {
    *at = detail::not_for_memset(value);
    detail::keep_order();
}

/// Stores two dwords, the low one first: one unaligned store on x64, two dwords elsewhere and in constant evaluation.
///
/// Any IRQL, non-paged safe, touches no OS state.
WDDMCORE_INLINE constexpr void put64(u32* at, u64 value) noexcept {
    detail::store64(at, detail::not_for_memset(value));
    detail::keep_order();
}

}  // namespace wddmcore
