// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: a bit field is written [last:first], the higher bit first
#include <wddmcore/base.hpp>

namespace {

using namespace wddmcore;

#if defined(BAD)
using opcode = bit_field<u32, 6, 7>;
#else
using opcode = bit_field<u32, 7, 6>;
#endif

[[maybe_unused]] constexpr u32 encode(u32 number) {
    return opcode::place(number) | opcode::of(number) | opcode::set(number, 1) | opcode::mask;
}

}  // namespace
