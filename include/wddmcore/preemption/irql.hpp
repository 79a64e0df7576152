// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// At which level the system calls a function, for the functions whose level depends on something.
enum class call_level : u32 {
    passive,    ///< PASSIVE_LEVEL: the function may be pageable
    dispatch,   ///< DISPATCH_LEVEL: nonpaged
    device,     ///< the adapter's interrupt level: nonpaged code and data only
    undefined,  ///< any level, nothing may be assumed: nonpaged
};

/// Whether code and data may be pageable there.
[[nodiscard]] constexpr bool may_be_pageable(call_level level) noexcept { return level == call_level::passive; }

}  // namespace wddmcore::preemption
