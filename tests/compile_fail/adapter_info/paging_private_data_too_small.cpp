// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `paging_private_data_size` is missing or below `record_bytes`

#ifdef BAD
#    define gpu_more records_submissions
#endif
#include "good_adapter.hpp"
