// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: an engine stops inside DMA buffers under `preemption_aware`: claim `cancel_command_aware` too

#ifdef BAD
#    define gpu_claim claims.cancel_command_aware = claim::no
#endif
#include "caps_good_gpu.hpp"
