// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `dma_remapping` needs `aperture` = aperture_forms::adl

#ifdef BAD
#    define adapter_changes made.aperture = aperture_forms::mdl
#endif
#include "good_adapter.hpp"
