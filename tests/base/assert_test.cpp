// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/base/assert.hpp>
#include <wddmcore/base/meta.hpp>

#include "expect_both.hpp"

#include <doctest/doctest.h>

namespace assert_test {

namespace {

using namespace wddmcore;

/// A value that exists only where the promise holds, so that a template argument can ask for it.
constexpr bool promised(bool holds) {
    promise(holds);
    return true;
}

template <bool Holds>
concept promise_is_constant = requires { typename meta::constant<promised(Holds)>; };

TEST_CASE("assert: a kept promise is a constant expression, a broken one is none") {
    expect_both(promise_is_constant<true>);
    expect_both(!promise_is_constant<false>);
}

constexpr u32 half(u32 even) {
    promise(even % 2 == 0);
    return even / 2;
}

template <u32 N>
concept has_half = requires { typename meta::constant<half(N)>; };

TEST_CASE("assert: the compiler judges a promise where it is made, with the values of that call") {
    expect_both(has_half<0> && has_half<2> && has_half<0xFFFF'FFFE>);
    expect_both(!has_half<1> && !has_half<0xFFFF'FFFF>);
}

TEST_CASE("assert: a function knows who runs it") {
    expect_both(noexcept(promise(true)) && noexcept(in_constant_evaluation()));
    static_assert(in_constant_evaluation());
    // Assigned, not initialised: the compiler may evaluate an initialiser itself.
    bool by_compiler = true;
    by_compiler = in_constant_evaluation();
    CHECK_FALSE(by_compiler);
}

TEST_CASE("assert: kept promises cost nothing at run time") {
    u32 volatile number = 6;
    CHECK(half(number) == 3);
}

}  // namespace

}  // namespace assert_test
