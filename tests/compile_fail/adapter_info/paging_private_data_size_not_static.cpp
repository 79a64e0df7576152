// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `paging_private_data_size` exists but is not a

#ifdef BAD
#    define gpu_more bytes paging_private_data_size{16};
#endif
#include "good_adapter.hpp"
