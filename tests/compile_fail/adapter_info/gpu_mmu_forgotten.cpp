// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: capabilities: `page_tables` says how page tables are written

#ifdef BAD
#    define adapter_changes made.page_tables = update_modes::gpu_virtual
#endif
#include "good_adapter.hpp"
