// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: `engines` exists but is not a `static constexpr wddmcore::preemption_engine` array

#ifdef BAD
#    define gpu_engines static constexpr graphics_granularity engines[] = {graphics_granularity::none};
#endif
#include "caps_good_gpu.hpp"
