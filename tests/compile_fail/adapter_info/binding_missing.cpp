// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: nothing says which structures the void pointers of these arguments are

#ifdef BAD
#    define adapter_binding of_args
#endif
#include "good_adapter.hpp"
