// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <stdint.h>
#include <string.h>

struct lent;
lent& own();
struct whole;
namespace long_name {
int in_namespace();
}

// What only the header before it gives: a standard name, a member, an overload that is chosen later, two names of the C
// library that are asked of std, a macro, a namespace's other name, a definition, what `new` at a place asks for.
inline std::vector<int>* of_library();
inline int of_type_known_by_name() { return own().member; }
template <typename T>
int of_template(T value) {
    return overloaded(value);
}
inline std::uint32_t of_c_in_std();
inline void function_of_c_in_std(lent* to) { std::memcpy(to, &own(), sizeof(int)); }
inline int of_macro() { return BAD_LENT; }
inline int of_alias() { return alias::in_namespace(); }
struct of_whole {
    whole kept;
};
inline void of_place(void* place) { new (place) int; }
