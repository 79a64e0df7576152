// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `paging_buffer_size` exists but is not a `static constexpr wddmcore::bytes`

#ifdef BAD
#    define gpu_paging_buffer_size bytes paging_buffer_size = 64 * kib;
#endif
#include "good_adapter.hpp"
