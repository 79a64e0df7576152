// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: a_promise_is_broken
// expect[clang-14]: must be initialized by a constant expression
// expect[clang-19]: must be initialized by a constant expression
// expect[clang-cl]: must be initialized by a constant expression
//
// Law 3: where the compiler runs the code, taking the value of a refusal is an error.
#include <wddmcore/base.hpp>

namespace {

using namespace wddmcore;

constexpr result<u32> half_of(u32 n) { return n % 2 == 0 ? good(n / 2) : refused<u32>(errc::misaligned); }

#if defined(BAD)
[[maybe_unused]] constexpr u32 half = half_of(7).get();
#else
[[maybe_unused]] constexpr u32 half = half_of(8).get();
#endif

}  // namespace
