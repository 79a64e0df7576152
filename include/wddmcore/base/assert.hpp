// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "types.hpp"

/// The hook for promises that one part of the library makes to another and breaks.
///
/// It is not for bad input, which always gets an answer. `WDDMCORE_ASSERT` comes from config.hpp. A driver may define
/// it (as NT_ASSERT, for example) before it includes anything; otherwise no code is generated.
namespace wddmcore::inline WDDMCORE_ABI {

/// Whether the compiler itself is running this code: for what only a machine can do. Any IRQL, safe in non-paged code.
///
/// @return true in constant evaluation, false at run time
[[nodiscard]] constexpr bool in_constant_evaluation() noexcept { return __builtin_is_constant_evaluated(); }

namespace detail {

/// Not constexpr, so that calling it stops constant evaluation with an error that names it and its caller.
inline void a_promise_is_broken() noexcept {}

}  // namespace detail

/// States what the tests show to be always true. Any IRQL at which `WDDMCORE_ASSERT` may run; safe in non-paged code.
///
/// @param holds  the statement. If it is false, constant evaluation ends with a compile error, and a checked build runs
///               `WDDMCORE_ASSERT`; otherwise nothing is tested
constexpr void promise(bool holds) noexcept {
    if (in_constant_evaluation()) {
        if (!holds) {
            detail::a_promise_is_broken();
        }
    } else {
        WDDMCORE_ASSERT(holds);
    }
}

}  // namespace wddmcore
