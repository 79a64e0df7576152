// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `caps` leaves something to AddDevice

#ifdef BAD
#    define adapter_changes made.io_mmu = claim::at_run_time
#endif
#include "good_adapter.hpp"
