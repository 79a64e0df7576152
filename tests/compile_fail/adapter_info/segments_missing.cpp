// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `segments` is missing or not public: write a member `wddmcore::segment::table<n> segments`

#ifdef BAD
// The processor keeps its own list under this name, which describes no adapter: hidden, there is none.
#    define gpu_segments \
    private:             \
        using examples::cpu::processor<claims()>::segments;
#endif
#include "good_adapter.hpp"
