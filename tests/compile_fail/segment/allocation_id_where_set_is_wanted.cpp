// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: cannot convert
// expect[clang-14]: no viable conversion
// expect[clang-19]: no viable conversion
// expect[clang-cl]: no viable conversion

#include <wddmcore/segment/allocation/allocation.hpp>

// PREF-01: a set is no id, and an id is no set.
constexpr wddmcore::segment_id vram{2};
#ifdef BAD
constexpr wddmcore::segment::allocation texture{.supported = vram};
#else
constexpr wddmcore::segment::allocation texture{.supported = wddmcore::segment::set_of(vram)};
#endif
