// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `paging_buffer_size` does not fit 32 bits

#ifdef BAD
#    define gpu_paging_buffer_size static constexpr bytes paging_buffer_size = 4 * gib;
#endif
#include "good_adapter.hpp"
