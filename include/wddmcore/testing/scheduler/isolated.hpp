// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm/isolated.hpp"
#include "scenario.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// The same as `testing::run_isolated`: `run_isolated([&] { return scheduler::run(table, options, seed); })` gives a
/// verdict even when the driver crashes or never returns; its `last_call` is the driver's function that was called
/// last.
using testing::run_isolated;

}  // namespace wddmcore::testing::scheduler
