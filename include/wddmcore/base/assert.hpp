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
[[nodiscard]] constexpr bool in_constant_evaluation() noexcept {
    return __builtin_is_constant_evaluated();
}

/// States what tests prove always true. In constant evaluation a false statement stops the compiler.
constexpr void promise(bool holds) noexcept {
    if (in_constant_evaluation()) {
        // Dividing by zero is no constant expression: the compiler names this line and the caller.
        static_cast<void>(1 / static_cast<int>(holds));
    } else {
        WDDMCORE_ASSERT(holds);
    }
}

}  // namespace wddmcore
