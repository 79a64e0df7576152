// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: linked adapters: every physical adapter of a link must have the same number of `engines`

#include "caps_good_gpu.hpp"

struct other_gpu {
#ifdef BAD
    static constexpr wddmcore::preemption_engine engines[] = {three_d, copies};
#else
    static constexpr wddmcore::preemption_engine engines[] = {three_d, copies, copies};
#endif
};

static_assert(wddmcore::check_linked_adapters<good_gpu, good_gpu, other_gpu>());
