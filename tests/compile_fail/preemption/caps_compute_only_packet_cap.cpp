// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `hw_queue_packet_cap` is reserved for a compute-only driver: leave it 0

#define gpu_kind wddmcore::adapter_kind::compute_only
#ifdef BAD
#    define gpu_claim claims.hw_queue_packet_cap = 8
#endif
#include "caps_good_gpu.hpp"
