// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: `engines` exists but is not a `static constexpr wddmcore::preemption_engine` array

#ifdef BAD
#    define gpu_engines wddmcore::preemption_engine engines[1] = {three_d};
#endif
#include "caps_good_gpu.hpp"
