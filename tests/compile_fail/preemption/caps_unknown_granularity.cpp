// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: a granularity is none of the DDI's numbers 0, 100, 200, 300, 400 and 500

#ifdef BAD
#    define gpu_list                                    \
        {                                               \
            {                                           \
                .compute = { compute_granularity{150} } \
            }                                           \
        }
#endif
#include "caps_good_gpu.hpp"
