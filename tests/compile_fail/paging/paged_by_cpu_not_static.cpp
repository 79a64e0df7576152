// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: defaults: `paged_by_cpu` exists but is not a `static constexpr bool`

#ifdef BAD
#    define driver_claim bool paged_by_cpu = true;
#endif
#include "cpu_driver.hpp"
