// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "wddmcore/base/types.hpp"

/// The rows of the layout tables. Numbers come in pairs: 64-bit machines, then i686.

namespace layout {

using wddmcore::u32;
using wddmcore::u64;
using wddmcore::usize;

constexpr usize pick(usize wide, usize narrow) { return sizeof(void*) == 8 ? wide : narrow; }

template <class Type>
Type& object() noexcept;

template <class, class>
constexpr bool same = false;
template <class Type>
constexpr bool same<Type, Type> = true;

// Evaluated by the compiler, so a value-initialised object is also proven to be usable in a constant expression.
template <class Type>
constexpr bool is_plain() {
    [[maybe_unused]] Type const value{};
    return __is_aggregate(Type) && __is_trivially_copyable(Type) && __is_standard_layout(Type);
}

// A bit-field has no offset, and clang reads none in a constant expression through another union member or a bit cast.
// So the optimiser decides: the call below disappears exactly when the bits are where the numbers say, and a call that
// stays is an error. The tables are therefore compiled with optimisation.
__attribute__((error("a bit-field is not where the numbers say"))) void bit_field_moved();

}  // namespace layout

#define ddi_record(type, size64, align64, size32, align32)                                 \
    static_assert(sizeof(type) == layout::pick(size64, size32), "size of " #type);         \
    static_assert(alignof(type) == layout::pick(align64, align32), "alignment of " #type); \
    static_assert(layout::is_plain<type>(), #type " is no plain aggregate");

#define ddi_member(type, path, offset64, size64, offset32, size32)                                                   \
    static_assert(__builtin_offsetof(type, path) == layout::pick(offset64, offset32), "offset of " #type "." #path); \
    static_assert(sizeof(layout::object<type>().path) == layout::pick(size64, size32), "size of " #type "." #path);

// A layout is the same with an older structure in a newer one's place, so the type is compared too.
#define ddi_type(type, path, expected) \
    static_assert(layout::same<decltype(layout::object<type>().path), expected>, "type of " #type "." #path);

// A member that i686 lacks: read from the 64-bit form, which has a name on every machine.
#define ddi_wide_member(type, path, offset64, size64)                                           \
    static_assert(sizeof(void*) != 8 || __builtin_offsetof(type##_wide, path) == (offset64),    \
                  "offset of " #type "." #path);                                                \
    static_assert(sizeof(void*) != 8 || sizeof(layout::object<type##_wide>().path) == (size64), \
                  "size of " #type "." #path);                                                  \
    static_assert(layout::same<type, type##_wide> == (sizeof(void*) == 8), #type " has the wrong members");

#define ddi_bits(type, path, offset64, offset32, word, mask)                               \
    {                                                                                      \
        type value;                                                                        \
        __builtin_memset(&value, 0, sizeof value);                                         \
        --value.path;                                                                      \
        layout::word unit = 0;                                                             \
        unsigned char const* const bytes = reinterpret_cast<unsigned char const*>(&value); \
        __builtin_memcpy(&unit, bytes + layout::pick(offset64, offset32), sizeof unit);    \
        if (unit != mask) {                                                                \
            layout::bit_field_moved();                                                     \
        }                                                                                  \
    }

#define ddi_unchanged(type, older, newer)                                                     \
    static_assert(layout::same<wddmcore::mirror::older::type, wddmcore::mirror::newer::type>, \
                  #type " of " #newer " is not that of " #older);

#define ddi_changed(type, older, newer)                                                        \
    static_assert(!layout::same<wddmcore::mirror::older::type, wddmcore::mirror::newer::type>, \
                  #type " of " #newer " is still that of " #older);

#define ddi_bound(name, version, type)                                                                          \
    static_assert(                                                                                              \
        layout::same<wddmcore::mirror_binding<wddmcore::wddm::version>::name, wddmcore::mirror::version::type>, \
        #name " of the binding of " #version " is not the mirror's");

#define ddi_unbound(name, version)                                                                         \
    static_assert(layout::same<wddmcore::mirror_binding<wddmcore::wddm::version>::name, wddmcore::absent>, \
                  #name " of the binding of " #version " is not absent");
