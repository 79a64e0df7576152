// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: hardware type: `scheduling` is missing: write `static constexpr wddmcore::scheduling_capabilities

#ifdef BAD
#    define gpu_scheduling
#endif
#include "caps_good_gpu.hpp"
