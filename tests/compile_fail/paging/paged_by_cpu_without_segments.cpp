// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segment_map: `place` is missing

#ifdef BAD
#    define driver_place
#endif
#include "cpu_driver.hpp"
