// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `paging_buffer_size` is below `wddmcore::smallest_paging_buffer`

#ifdef BAD
#    define gpu_paging_buffer_size static constexpr bytes paging_buffer_size{16};
#endif
#include "good_adapter.hpp"
