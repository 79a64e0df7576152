// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What is wrong on purpose, so that the stage can show that it notices: WDDMCORE_PLANTED is 0 for nothing, 1 a check
// that fails, 2 an endless loop, 3 a trap, 4 an unaligned wide store, 5 undefined behaviour, 6 one check fewer, 7 one
// bit of a hashed buffer.

#include "payload/checks.hpp"

namespace images {

extern "C" {
void* volatile guarded_memory[2] = {};
}

constinit u32 const volatile planted = WDDMCORE_PLANTED;

namespace {

u32 volatile largest = 0x7FFF'FFFF;

/// Eight bytes at an address that is aligned for a dword and for nothing wider, as one store.
void store_unaligned(checks& to) {
    u8* const place = static_cast<u8*>(guarded_memory[0]) + 4;
    *reinterpret_cast<u64 volatile*>(place) = largest;
    to.expect(false, "planted: an unaligned store was not noticed");
}

void add_too_much(checks& to) {
    i32 const sum = static_cast<i32>(largest) + static_cast<i32>(largest % 2);
    to.expect(sum == 0, "planted: undefined behaviour was not noticed");
}

}  // namespace

void check_planted(checks& to) {
    to.begin("the payload itself");
    if (planted != 6) {
        to.expect(planted != 1, "planted: this check fails");
    }
    switch (planted) {
        case 2:
            for (;;) {
                largest = largest - 1;
            }
        case 3: __builtin_trap();
        case 4: store_unaligned(to); break;
        case 5: add_too_much(to); break;
        default: break;
    }
}

}  // namespace images
