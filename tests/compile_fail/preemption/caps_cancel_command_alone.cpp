// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `cancel_command_aware` needs `multi_engine_aware`

#ifdef BAD
#    define gpu_claim claims = {.cancel_command_aware = claim::yes, .virtual_addressing = claim::yes}
#endif
#include "caps_good_gpu.hpp"
