// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/units.hpp"

/// How promises are judged, the same for all.
///
/// A file of this folder holds what a hardware type may promise about one thing: the concepts, which users of the
/// library and authors of hardware read, and in namespace `detail` a struct `..._promise` with one function, `kept<Hw,
/// Aloud>()`. It looks for what is wrong, most basic first, and has beside each condition the sentence that the author
/// of the hardware type reads. Quietly it answers true or false; aloud, the first thing that is wrong is a compile
/// error with its sentence, and the only one.
///
/// An optional promise has several members that go together, and a variable `declares_...` beside it: who declares one
/// of them means to keep the promise. The address of an overloaded or templated function cannot be taken, so that its
/// length is looked for as well. A private member is as good as none: a required one gets the sentence "is missing or
/// not public", an optional one is left out in silence.
namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// Whether a hardware type keeps all promises of a list. Aloud: the first one that it breaks says what is wrong.
///
/// @tparam Promises  structs with a `kept`, the most basic first: what a later one reads, an earlier one has judged
template <class Hw, bool Aloud, class First, class... Rest>
[[nodiscard]] consteval bool keeps() {
    if constexpr (!First::template kept<Hw>()) {
        return First::template kept<Hw, Aloud>();
    } else if constexpr (sizeof...(Rest) != 0) {
        return keeps<Hw, Aloud, Rest...>();
    } else {
        return true;
    }
}

/// Several promises as one.
template <class... Promises>
struct all_of {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        return keeps<Hw, Aloud, Promises...>();
    }
};

/// Whether a command's length is one that a paging buffer can be made for.
[[nodiscard]] consteval bool is_command_length(dwords length) { return length.n >= 1 && length.n <= 256; }

}  // namespace wddmcore::hw::detail
