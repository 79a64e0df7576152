// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <doctest/doctest.h>

/// One statement for two judges (law 3): the compiler's evaluator, where undefined behaviour is an error, and the
/// machine. It is a macro because only the expression itself is a constant expression, an argument never is.
#define expect_both(...)            \
    do {                            \
        static_assert(__VA_ARGS__); \
        CHECK((__VA_ARGS__));       \
    } while (false)
