// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `optimized_native_fence_signaled_interrupt` is claimed, but DXGK_VIDSCHCAPS of the included
// expect: no such bit: it begins with build 26100

#include <wddmcore/mirror.hpp>
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

/// Build 22621 has WDDM 3.1 and the first of the two bits.
struct answer_of_22621 : wddmcore::mirror::v3_1::dxgk_vidschcaps {
    void OptimizedNativeFenceSignaledInterrupt();
};
#if defined(BAD)
using answer = answer_of_22621;
#else
using answer = wddmcore::mirror::v3_1::dxgk_vidschcaps;
#endif

void fill(wddmcore::scheduling_capabilities const& chosen, answer& caps) {
    wddmcore::preemption::fill_vidschcaps<gpu>(chosen, wddm::v3_1, caps);
}
