// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `chosen_iommu` exists but is not a data member

#ifdef BAD
#    define gpu_more bool chosen_iommu = true;
#endif
#include "good_adapter.hpp"
