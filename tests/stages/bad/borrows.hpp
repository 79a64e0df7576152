// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <stdint.h>
#include <string.h>

struct lent;
lent& own();

// Six names that only the header before it gives: a standard one, a member, an overload that is chosen later, two of the C
// library that are asked of std, a macro.
inline std::vector<int>* of_library();
inline int of_type_known_by_name() { return own().member; }
template <typename T>
int of_template(T value) {
    return overloaded(value);
}
inline std::uint32_t of_c_in_std();
inline void function_of_c_in_std(lent* to) { std::memcpy(to, &own(), sizeof(int)); }
inline int of_macro() { return BAD_LENT; }
