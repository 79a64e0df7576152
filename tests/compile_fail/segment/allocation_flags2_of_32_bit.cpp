// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: DXGK_ALLOCATIONINFO has no `Flags2` on 32-bit systems: neither NotifyEviction nor any other flag

#include <wddmcore/segment/allocation/flags.hpp>

// What `.with(...)` means on a 32-bit system; the compilers of these cases are 64-bit ones.
#ifdef BAD
constexpr wddmcore::usize pointer_bytes = 4;
#else
constexpr wddmcore::usize pointer_bytes = 8;
#endif
wddmcore::segment::allocation_flags2 notified() {
    return wddmcore::segment::allocation_flags2{}.with<pointer_bytes>(
        wddmcore::segment::allocation_flag2::notify_eviction);
}
