// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: `paged_by_cpu` with GPU virtual paging addresses needs map_virtual

#define through_the_executor
#ifdef BAD
#    define driver_map_virtual
#endif
#include "cpu_driver.hpp"
