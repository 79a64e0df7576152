// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_expectation.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// What came of one request.
struct played_request {
    u32 operation;
    u32 passes;
    bool carried_out;  ///< work, and all of it done
    verdict what;      ///< of the last pass
};

}  // namespace wddmcore::testing::fuzz
