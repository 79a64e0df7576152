// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: address_space: `address` is missing

#ifdef BAD
#    define driver_claim
#endif
#include "cpu_driver.hpp"
