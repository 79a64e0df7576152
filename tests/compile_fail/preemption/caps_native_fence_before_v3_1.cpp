// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `native_gpu_fence` needs a `version` of WDDM 3.1 or later

#define gpu_list {copies}
#define gpu_claim claims.native_gpu_fence = claim::at_run_time
#ifdef BAD
#    define gpu_caps static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v3_0};
#endif
#include "caps_good_gpu.hpp"
