// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `caps` leaves something to AddDevice

#ifdef BAD
#    define adapter_changes made.oldest = wddm::v2_0
#endif
#include "good_adapter.hpp"
