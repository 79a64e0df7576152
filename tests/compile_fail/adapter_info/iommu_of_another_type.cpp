// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `iommu` exists but is not a `static constexpr

#ifdef BAD
#    define gpu_iommu wddmcore::iommu::capabilities iommu{};
#endif
#include "good_adapter.hpp"
