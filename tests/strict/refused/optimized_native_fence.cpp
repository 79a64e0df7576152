// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 22621 WDDM3_1
// expect: scheduling: `optimized_native_fence_signaled_interrupt` is claimed, but DXGK_VIDSCHCAPS of the included
// expect: it begins with build 26100

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

using wddmcore::claim;
using wddmcore::wddm;

struct gpu {
    static constexpr wddmcore::capabilities caps{.version = wddm::v3_1,
                                                 .addresses = wddmcore::paging_addresses::gpu_virtual};
    static constexpr wddmcore::scheduling_capabilities scheduling{
        .native_gpu_fence = claim::at_run_time, .optimized_native_fence_signaled_interrupt = claim::at_run_time};
    static constexpr wddmcore::preemption_engine engines[1] = {
        {.other = {wddmcore::other_preemption_granularity::none}}};
};

void fill(wddmcore::scheduling_capabilities const& chosen, DXGK_VIDSCHCAPS* caps) {
    wddmcore::preemption::fill_vidschcaps<gpu>(chosen, wddm::v3_1, *caps);
}
