// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: this number has another unit

#include "good_segments.hpp"

#ifdef BAD
constexpr segment::memory row{.id = vram, .base = 4 * gib, .size = 4 * gib};
#else
constexpr segment::memory row{.id = vram, .base = at(0x1'0000'0000), .size = 4 * gib};
#endif
