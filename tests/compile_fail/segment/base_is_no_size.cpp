// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: cannot convert 'wddmcore::v0::bytes' to 'wddmcore::v0::u64'
// expect[clang-14]: no viable conversion from 'wddmcore::bytes' to 'wddmcore::u64'
// expect[clang-19]: no viable conversion from 'bytes' to 'u64'
// expect[clang-cl]: no viable conversion from 'bytes' to 'u64'

#include "good_segments.hpp"

#ifdef BAD
constexpr segment::memory row{.id = vram, .base = 4 * gib, .size = 4 * gib};
#else
constexpr segment::memory row{.id = vram, .base = at(0x1'0000'0000), .size = 4 * gib};
#endif
