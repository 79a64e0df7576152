// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: `engines` is missing: write `static constexpr wddmcore::preemption_engine engines[] =

#ifdef BAD
#    define gpu_engines
#endif
#include "caps_good_gpu.hpp"
