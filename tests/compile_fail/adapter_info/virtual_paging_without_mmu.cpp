// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `addresses` may be GPU virtual, and `caps` has neither `gpu_mmu` nor `io_mmu`

#ifdef BAD
#    define adapter_changes made.addresses = paging_addresses::both
#else
#    define adapter_changes made.addresses = paging_addresses::both, made.io_mmu = claim::yes
#endif
#include "good_adapter.hpp"
