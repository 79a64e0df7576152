// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: a display driver with `preemption_aware` needs flip_caps::on_vsync_mmio

#ifdef BAD
#    define gpu_claim claims.flips = wddmcore::flip_caps::immediate_mmio
#endif
#include "caps_good_gpu.hpp"
