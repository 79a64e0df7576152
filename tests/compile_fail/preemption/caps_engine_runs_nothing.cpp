// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: an engine runs nothing: say of graphics, compute or other work where it stops

#ifdef BAD
#    define gpu_list    \
        {               \
            three_d, {} \
        }
#endif
#include "caps_good_gpu.hpp"
