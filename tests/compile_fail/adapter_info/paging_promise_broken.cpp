// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: copy_engine: `copy_max` must be at least

#ifdef BAD
#    define gpu_more static constexpr bytes copy_max{0};
#endif
#include "good_adapter.hpp"
