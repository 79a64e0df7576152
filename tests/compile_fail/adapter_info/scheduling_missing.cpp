// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: hardware type: `scheduling` is missing

#ifdef BAD
#    define gpu_scheduling
#endif
#include "good_adapter.hpp"
