// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `preemption_aware` needs headers and a `version` of Windows 8 or later

#define gpu_list {copies}
#define gpu_claim claims.no_dma_patching = claim::no
#ifdef BAD
#    define gpu_caps static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::win7};
#endif
#include "caps_good_gpu.hpp"
