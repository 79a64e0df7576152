// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `caps` leaves something to AddDevice

#ifdef BAD
#    define adapter_changes made.aperture = aperture_forms::either
#    define iommu_changes made.dma_remapping = claim::no
#endif
#include "good_adapter.hpp"
