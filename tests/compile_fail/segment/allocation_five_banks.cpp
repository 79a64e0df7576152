// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: too many initializers
// expect[clang-14]: excess elements in array initializer
// expect[clang-19]: excess elements in array initializer
// expect[clang-cl]: excess elements in array initializer

#include <wddmcore/segment/allocation/bank_preference.hpp>

// PREF-05: four slots.
#ifdef BAD
constexpr wddmcore::segment::bank_preference hint{{{1}, {2}, {3}, {4}, {5}}};
#else
constexpr wddmcore::segment::bank_preference hint{{{1}, {2}, {3}, {4}}};
#endif
