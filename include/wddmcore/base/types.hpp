// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../config.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// Integer names. The kernel C run-time has no <stdint.h>, so the library brings its own (law 1).
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;

/// As wide as a pointer, like SIZE_T, ULONG_PTR and DXGK_PAGE_NUMBER.
using usize = decltype(sizeof 0);

static_assert(sizeof(u8) == 1 && sizeof(u16) == 2 && sizeof(u32) == 4 && sizeof(u64) == 8);
static_assert(sizeof(i8) == 1 && sizeof(i16) == 2 && sizeof(i32) == 4 && sizeof(i64) == 8);
static_assert(sizeof(usize) == sizeof(void*));

}  // namespace wddmcore
