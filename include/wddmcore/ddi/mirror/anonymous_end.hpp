// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Ends what anonymous_begin.hpp began.

#if defined(_MSC_VER) && !defined(__clang__)
#    pragma warning(pop)
#else
#    pragma GCC diagnostic pop
#endif
