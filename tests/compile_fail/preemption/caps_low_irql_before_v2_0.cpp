// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `low_irql_preempt_command` needs a `version` of WDDM 2.0 or later

#define gpu_list {copies}
#define gpu_claim claims = {.low_irql_preempt_command = claim::yes}
#ifdef BAD
#    define gpu_caps static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v1_3};
#endif
#include "caps_good_gpu.hpp"
