// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `chosen` exists but is not a data member of type

#ifdef BAD
#    define gpu_chosen bool chosen = true;
#endif
#include "good_adapter.hpp"
