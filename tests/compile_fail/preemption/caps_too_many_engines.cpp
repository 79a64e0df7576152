// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: there must be 1 to 64 `engines`, one for each node

#ifdef BAD
#    define gpu_engines static constexpr wddmcore::preemption_engine engines[65] = {three_d, compute, copies};
#endif
#include "caps_good_gpu.hpp"
