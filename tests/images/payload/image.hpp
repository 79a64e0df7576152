// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "checks.hpp"

/// What an image knows of the self-checks.
namespace images {

struct verdict {
    u32 count;
    u32 failed;
    u64 hash;

    [[nodiscard]] bool passed() const { return failed == 0 && count != 0; }
};

verdict run_self_check(printer print);

}  // namespace images
