// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: an engine that stops inside a DMA buffer saves state: give its size in bytes

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/claims/answers.hpp>

struct own_gpu {
    static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v2_0};
    static constexpr wddmcore::scheduling_capabilities scheduling{.virtual_addressing = wddmcore::claim::yes};
    static constexpr wddmcore::preemption_engine engines[] = {
#ifdef BAD
        {.graphics = {wddmcore::graphics_preemption_granularity::shader_boundary}},
#else
        {.graphics = {wddmcore::graphics_preemption_granularity::shader_boundary, wddmcore::mib}},
#endif
    };
};

void answer(wddmcore::mirror::win8::d3dkmdt_preemption_caps& caps) {
    wddmcore::preemption::fill_preemption_caps<own_gpu>(caps);
}
