// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: capabilities: `version` declares a newer WDDM version than the included header has

#ifdef BAD
#    define adapter_binding mirror_binding<wddm::v3_1>
#endif
#include "good_adapter.hpp"
