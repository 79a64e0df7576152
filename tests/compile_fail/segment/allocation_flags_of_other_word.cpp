// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: no matching function for call to
// expect[clang-14]: no matching member function for call to 'with'
// expect[clang-19]: no matching member function for call to 'with'
// expect[clang-cl]: no matching member function for call to 'with'

#include <wddmcore/segment/allocation/flags.hpp>

// PREF-10: the two layouts are two types.
constexpr wddmcore::segment::allocation_flags_wddm2 flags =
#ifdef BAD
    wddmcore::segment::allocation_flags_wddm2{}.with(wddmcore::segment::allocation_flag::use_alternate_va);
#else
    wddmcore::segment::allocation_flags_wddm2{}.with(wddmcore::segment::allocation_flag_wddm2::create_in_vpr);
#endif
