// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "assert.hpp"
#include "bits.hpp"

/// The stores that write commands: whole dwords, ascending, not volatile, never read back (law 4). The encoders of a
/// hardware type use only `put32` and `put64`.
///
/// The law is about compiled code. A compiler may merge and reorder stores that are not volatile, and compilers do.
/// Words whose bytes are all equal become a memset, which stores its end first or some dwords twice; g++ (from -O2 on)
/// and clang for ARM64 reorder the stores of a command. Two empty asm statements prevent both. On x86 their only cost
/// is that a constant of equal bytes takes a register.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

namespace detail {

/// Whether all bytes of a word are the same, so that the compiler could store it by a memset.
template <class Word>
[[nodiscard]] WDDMCORE_INLINE constexpr bool bytes_equal(Word value) noexcept {
    return value == static_cast<Word>(value << 8 | (value & 0xFF));
}

/// The same word; a constant of equal bytes is hidden from the compiler.
template <class Word>
[[nodiscard]] WDDMCORE_INLINE constexpr Word not_for_memset(Word value) noexcept {
#if WDDMCORE_EMPTY_ASM
    if (!in_constant_evaluation() && __builtin_constant_p(value) && bytes_equal(value)) {
        __asm__("" : "+r"(value));
    }
#endif
    return value;
}

/// Keeps earlier stores before later ones, for compilers that would reorder them.
WDDMCORE_INLINE constexpr void keep_order() noexcept {
#if WDDMCORE_REORDERED_STORES
    if (!in_constant_evaluation()) {
        __asm__ volatile("");
    }
#endif
}

/// put64 without its two statements, which would keep a loop from becoming vectors. Only for long runs of words that
/// are not constants.
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
    keep_order();  // or the compiler would merge the two
    at[1] = high_dword(value);
}

}  // namespace detail

/// Stores one dword.
///
/// @param at     where in the command; written once, never read
/// @param value  the dword
WDDMCORE_INLINE constexpr void put32(u32* at, u32 value) noexcept {
    *at = detail::not_for_memset(value);
    detail::keep_order();
}

/// Stores two dwords, the low one first: one unaligned store on x64, two stores elsewhere and in constant evaluation.
///
/// @param at     where in the command, with room for two dwords; a multiple of 4 bytes is enough
/// @param value  both dwords, the low one first: an address, or a `dword_pair`
WDDMCORE_INLINE constexpr void put64(u32* at, u64 value) noexcept {
    detail::store64(at, detail::not_for_memset(value));
    detail::keep_order();
}

}  // namespace wddmcore
