// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: a compute-only driver needs `low_irql_preempt_command`

#define gpu_kind wddmcore::adapter_kind::compute_only
#ifdef BAD
#    define gpu_claim claims.low_irql_preempt_command = claim::no
#endif
#include "caps_good_gpu.hpp"
