// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `support_per_engine_tdr` needs a `version` of Windows 8 or later

#define gpu_list {copies}
#define gpu_claim claims = {.support_per_engine_tdr = claim::yes, .recovery = wddmcore::recovery_functions::per_engine}
#ifdef BAD
#    define gpu_caps static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::win7};
#endif
#include "caps_good_gpu.hpp"
