// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `iommu` leaves a claim `at_run_time`

#ifdef BAD
#    define iommu_changes made.isolation = claim::at_run_time
#endif
#include "good_adapter.hpp"
