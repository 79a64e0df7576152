// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a raw number says no unit

#include <wddmcore/segment/allocation/allocation.hpp>
#include <wddmcore/segment/table/table.hpp>

using namespace wddmcore;
using segment::at;

#ifdef BAD
constexpr segment::allocation texture{.size = {1 << 20}};
#else
constexpr segment::allocation texture{.size = 1 * mib};
#endif
static_assert(texture.size == 1 * mib);
