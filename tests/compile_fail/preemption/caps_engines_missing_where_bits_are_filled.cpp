// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: `engines` is missing or not public: write

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/claims/answers.hpp>

struct own_gpu {
    static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v2_0};
    static constexpr wddmcore::scheduling_capabilities scheduling{};
#ifndef BAD
    static constexpr wddmcore::preemption_engine engines[] = {{.compute = {}}};
#endif
};

void answer(wddmcore::mirror::v2_0::dxgk_vidschcaps& caps) {
    wddmcore::preemption::fill_vidschcaps<own_gpu>(own_gpu::scheduling, wddmcore::wddm::v2_0, caps);
}
