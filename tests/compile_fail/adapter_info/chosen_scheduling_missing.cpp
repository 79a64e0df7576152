// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `scheduling` leaves a claim `at_run_time`

#ifdef BAD
#    define scheduling_changes made.multi_engine_aware = claim::at_run_time
#endif
#include "good_adapter.hpp"
