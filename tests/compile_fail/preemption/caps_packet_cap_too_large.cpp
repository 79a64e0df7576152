// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `hw_queue_packet_cap` has 4 bits: 1 to 15 packets, or 0 for no claim

#ifdef BAD
#    define gpu_claim claims.hw_queue_packet_cap = 16
#endif
#include "caps_good_gpu.hpp"
