// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: capabilities: `gpu_mmu` may be claimed, so say how page tables are written

#ifdef BAD
#    define adapter_changes made.gpu_mmu = claim::at_run_time
#endif
#include "good_adapter.hpp"
