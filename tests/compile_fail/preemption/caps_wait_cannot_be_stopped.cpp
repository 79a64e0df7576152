// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: with `preemption_aware` a packet that waits in hardware must be stoppable before its condition is met

#ifdef BAD
#    define gpu_list                                                                        \
        {                                                                                   \
            {                                                                               \
                .other = copies.other, .waits = wddmcore::hardware_waits::cannot_be_stopped \
            }                                                                               \
        }
#endif
#include "caps_good_gpu.hpp"
