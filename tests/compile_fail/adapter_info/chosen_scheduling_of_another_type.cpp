// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `chosen_scheduling` exists but is not a data member

#ifdef BAD
#    define gpu_more int chosen_scheduling = 0;
#endif
#include "good_adapter.hpp"
