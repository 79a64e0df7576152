// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/assert.hpp"
#include "../base/bits.hpp"

/// The only stores into memory that the GPU reads: whole dwords, ascending, not volatile, never read back (law 4).
namespace wddmcore::inline WDDMCORE_ABI {

/// Stores one dword.
WDDMCORE_INLINE constexpr void put32(u32* at, u32 value) noexcept { *at = value; }

/// Stores two dwords, the low one first: one unaligned store on x86, two dwords on ARM64 and in constant evaluation.
///
/// Any IRQL, non-paged safe, touches no OS state.
WDDMCORE_INLINE constexpr void put64(u32* at, u64 value) noexcept {
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
    at[1] = high_dword(value);
}

}  // namespace wddmcore
