// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: NotifyIoMmuUnmap needs `gpu_va_iommu` in the profile

#define allocation_change texture.flags2.value = 1u << 5
#include "good_allocation.hpp"

inline constexpr wddmcore::segment::allocation_profile notified{.version = wddmcore::wddm::v3_2,
                                                                .allocation_notification = true,
#ifdef BAD
                                                                .gpu_va_iommu = false};
#else
                                                                .gpu_va_iommu = true};
#endif
static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, notified>());
