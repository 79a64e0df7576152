// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "types.hpp"

/// The hook for broken promises between the library's own parts.
///
/// It is not for bad input: that is answered. `WDDMCORE_ASSERT` comes from config.hpp; a driver defines it before
/// including anything (NT_ASSERT fits), else nothing is generated.
namespace wddmcore::inline WDDMCORE_ABI {

/// True where the compiler itself runs the code.
[[nodiscard]] constexpr bool in_constant_evaluation() noexcept { return __builtin_is_constant_evaluated(); }

/// Not constexpr, so a call of it stops constant evaluation: the compiler names it, and the caller.
inline void a_promise_is_broken() noexcept {}

/// States what tests prove always true. In constant evaluation a false statement stops the compiler.
constexpr void promise(bool holds) noexcept {
    if (in_constant_evaluation()) {
        if (!holds) {
            a_promise_is_broken();
        }
    } else {
        WDDMCORE_ASSERT(holds);
    }
}

}  // namespace wddmcore
