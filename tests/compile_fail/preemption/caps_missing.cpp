// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: hardware type: `caps` is missing: write `static constexpr wddmcore::capabilities caps

#ifdef BAD
#    define gpu_caps
#endif
#include "caps_good_gpu.hpp"
