// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: `ring_capacity` exists but is not a `static constexpr wddmcore::u32`

#ifdef BAD
#    define gpu_options wddmcore::u32 ring_capacity = 64;
#endif
#include "caps_good_gpu.hpp"
