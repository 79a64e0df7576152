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

void answer(wddmcore::mirror::win8::d3dkmdt_preemption_caps& caps) {
    wddmcore::preemption::fill_preemption_caps<own_gpu>(caps);
}
