// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/hw/promises/keeps.hpp>

/// Promises of a hardware type, asked by a test.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Whether `Promise` is kept by `Hw`, without a sentence where it is not.
template <class Promise, class Hw>
constexpr bool keeps = Promise::template kept<Hw>();

}  // namespace wddmcore::testing
