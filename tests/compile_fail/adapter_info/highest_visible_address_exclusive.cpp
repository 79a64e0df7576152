// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: capabilities: `highest_visible_address` must be the last byte of a page

#ifdef BAD
#    define adapter_changes made.highest_visible_address = 0x1000
#    define iommu_changes made.dma_remapping = claim::no
#endif
#include "good_adapter.hpp"
