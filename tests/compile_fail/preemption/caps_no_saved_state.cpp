// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: an engine that stops inside a DMA buffer saves state: give its size in bytes

#ifdef BAD
#    define gpu_list                                                \
        {                                                           \
            {                                                       \
                .compute = { compute_granularity::thread_boundary } \
            }                                                       \
        }
#endif
#include "caps_good_gpu.hpp"
