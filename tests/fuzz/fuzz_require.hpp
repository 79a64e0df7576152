// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/config.hpp>

#include <cstdio>
#include <cstdlib>

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Stops the fuzzer with the rule that does not hold.
inline void require(bool holds, char const* rule) {
    if (!holds) [[unlikely]] {
        std::fprintf(stderr, "broken: %s\n", rule);
        std::abort();
    }
}

}  // namespace wddmcore::testing::fuzz
