// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `compute_only` of `caps` and `kind` of `scheduling` say different things

#ifdef BAD
#    define adapter_changes made.compute_only = true
#endif
#include "good_adapter.hpp"
