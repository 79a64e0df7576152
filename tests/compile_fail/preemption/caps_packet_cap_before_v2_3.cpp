// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `hw_queue_packet_cap` needs a `version` of WDDM 2.3 or later

#define gpu_list {copies}
#define gpu_claim claims.hw_queue_packet_cap = 8
#ifdef BAD
#    define gpu_caps static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v2_2};
#endif
#include "caps_good_gpu.hpp"
