// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: `ring_capacity` must be a power of two up to 32768 and at least `hw_queue_packet_cap`

#ifdef BAD
#    define gpu_options static constexpr wddmcore::u32 ring_capacity = 65536;
#endif
#include "caps_good_gpu.hpp"
