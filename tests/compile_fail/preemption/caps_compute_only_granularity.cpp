// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: a compute-only driver needs an engine for compute, and none of them may stop at

#define gpu_kind wddmcore::adapter_kind::compute_only
#ifdef BAD
#    define gpu_list {compute, {.compute = {compute_granularity::none}}, copies}
#endif
#include "caps_good_gpu.hpp"
