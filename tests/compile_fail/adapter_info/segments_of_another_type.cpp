// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `segments` exists but is neither a table

#ifdef BAD
#    define gpu_segments segment_id segments{1};
#endif
#include "good_adapter.hpp"
