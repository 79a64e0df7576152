// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#define BAD_LENT 1

// What borrows.hpp uses without including it.
struct lent {
    int member;
};
namespace long_name {
inline int in_namespace() { return 1; }
}  // namespace long_name
namespace alias = long_name;
struct whole {};
template <typename T>
int overloaded(T);
int overloaded(lent);
