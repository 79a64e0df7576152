// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: the last bit of a bit field lies outside its word
#include <wddmcore/base.hpp>

namespace {

using namespace wddmcore;

#if defined(BAD)
using high_part = bit_field<u32, 32, 16>;
#else
using high_part = bit_field<u32, 31, 16>;
#endif

[[maybe_unused]] constexpr u32 encode(u32 number) {
    return high_part::place(number) | high_part::of(number) | high_part::set(number, 1) | high_part::mask;
}

}  // namespace
