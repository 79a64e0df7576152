// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `virtual_addressing` of `scheduling` may be claimed, and `caps` has neither

#ifndef BAD
#    define adapter_changes made.io_mmu = claim::yes
#endif
#define scheduling_changes made.virtual_addressing = claim::yes
#include "good_adapter.hpp"
