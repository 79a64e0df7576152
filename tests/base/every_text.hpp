// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/types.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Every value of an enumeration from 0 to `last` has words; that of `silent` is "", and what has no name is "?".
///
/// @param alike  how many values share their words with one before
template <class E>
void expect_texts(E silent, E last, u32 alike = 0) {
    std::set<std::string> seen;
    u32 repeated = 0;
    for (u32 number = 0; number <= static_cast<u32>(last); ++number) {
        CAPTURE(number);
        std::string const words = text_of(static_cast<E>(number));
        if (static_cast<E>(number) == silent) {
            CHECK(words.empty());
            continue;
        }
        CHECK(words.size() > 10);
        CHECK(words != "?");
        repeated += seen.insert(words).second ? 0u : 1u;
    }
    CHECK(repeated == alike);
    CHECK(std::string(text_of(static_cast<E>(static_cast<u32>(last) + 1))) == "?");
}

/// The same of an enumeration in which every value is said.
template <class E>
void expect_texts(E last) {
    expect_texts(static_cast<E>(~u32{0}), last);
}

}  // namespace wddmcore::testing
