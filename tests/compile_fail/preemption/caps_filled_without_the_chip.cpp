// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: fill_preemption_caps: the chips of this hardware type differ in their `node_count`: hand over the object

#define gpu_options          \
    wddmcore::u32 nodes = 3; \
    static constexpr wddmcore::chosen_within node_count{1u, 3u, &good_gpu::nodes};
#include "caps_good_gpu.hpp"

#include <wddmcore/ddi/mirror/wddm2/v2_9.hpp>
#include <wddmcore/preemption/claims/answers.hpp>

void fill(good_gpu const& gpu, wddmcore::mirror::v2_9::d3dkmdt_preemption_caps& caps) {
#ifdef BAD
    static_cast<void>(gpu);
    wddmcore::preemption::fill_preemption_caps<good_gpu>(caps);
#else
    wddmcore::preemption::fill_preemption_caps(gpu, caps);
#endif
}
