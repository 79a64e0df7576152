// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a raw number says no unit

#include <wddmcore/segment/allocation/allocation.hpp>
#include <wddmcore/segment/table/table.hpp>

using namespace wddmcore;
using segment::at;

#ifdef BAD
constexpr segment::memory vram{.id = {1}, .base = at(0x80'0000'0000), .size = 512 << 20};
#else
constexpr segment::memory vram{.id = {1}, .base = at(0x80'0000'0000), .size = 512 * mib};
#endif
static_assert(vram.size == 512 * mib);
