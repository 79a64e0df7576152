// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
