// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: linked adapters: every physical adapter of a link must have the same number of `engines`

// Two types whose chips may have different numbers of nodes.
#include "caps_good_gpu.hpp"

struct other_gpu {
    wddmcore::u32 nodes = 0;
    static constexpr wddmcore::preemption_engine engines[] = {three_d, copies, copies};
#ifdef BAD
    static constexpr wddmcore::chosen_within node_count{2u, 3u, &other_gpu::nodes};
#else
    static constexpr wddmcore::chosen_within node_count{3u, 3u, &other_gpu::nodes};
#endif
};

static_assert(wddmcore::check_linked_adapters<good_gpu, good_gpu, other_gpu>());
