// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `compute_only` needs a `version` of WDDM 2.6 or later

#ifdef BAD
#    define version_of_case wddm::v2_5
#else
#    define version_of_case wddm::v2_6
#endif
#define adapter_changes \
    made.version = made.oldest = version_of_case, made.aperture = aperture_forms::mdl, made.compute_only = true
#define scheduling_changes made.kind = adapter_kind::compute_only, made.low_irql_preempt_command = claim::yes
#define gpu_engine                                                         \
    {                                                                      \
        .compute = { compute_preemption_granularity::dma_buffer_boundary } \
    }
#define iommu_changes made.dma_remapping = claim::no
#include "good_adapter.hpp"
