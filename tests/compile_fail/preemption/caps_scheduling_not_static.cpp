// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: hardware type: `scheduling` exists but is not a `static constexpr

#ifdef BAD
#    define gpu_scheduling wddmcore::scheduling_capabilities scheduling = claimed();
#endif
#include "caps_good_gpu.hpp"
