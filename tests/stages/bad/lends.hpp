// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#define BAD_LENT 1

// What borrows.hpp uses without including it.
struct lent {
    int member;
};
template <typename T>
int overloaded(T);
int overloaded(lent);
