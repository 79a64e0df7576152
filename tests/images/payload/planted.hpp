// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "checks.hpp"

/// What WDDMCORE_PLANTED asks for; without it, one check that holds.
namespace images {

inline u32 volatile largest = 0x7FFF'FFFF;

inline void check_planted(checks& to) {
    to.begin("the payload itself");
    if constexpr (planted != 6) {
        to.expect(planted != 1, "planted: this check fails");
    }
    if constexpr (planted == 2) {
        for (;;) {
            largest = largest - 1;
        }
    }
    if constexpr (planted == 3) {
        __builtin_trap();
    }
    if constexpr (planted == 4) {
        // Eight bytes at an address that is aligned for a dword and for nothing wider, as one store.
        alignas(16) static u32 words[4];
        *reinterpret_cast<u64 volatile*>(words + largest % 2) = 0x0123'4567'89AB'CDEF;
        to.expect(words[1] == 0x89AB'CDEF, "planted: an unaligned store was not noticed");
    }
    if constexpr (planted == 5) {
        i32 const sum = static_cast<i32>(largest) + static_cast<i32>(largest % 2);
        to.expect(sum != 0, "planted: undefined behaviour was not noticed");
    }
}

}  // namespace images
