// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: `state_survives_patching` exists but is not a `static constexpr bool`

#ifdef BAD
#    define gpu_options bool state_survives_patching = true;
#endif
#include "caps_good_gpu.hpp"
