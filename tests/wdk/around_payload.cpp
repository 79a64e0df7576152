// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the sources of other tests want around them when they are linked into one driver. The self-checks have no rows of
// the mirrors' layouts here: the kit's own structures are compared by layout_check.cpp.

#include "../images/payload/layouts.hpp"

/// Declared by ../strict/driver.cpp, which only has to compile: nobody calls them.
void notify_interrupt(HANDLE const, DXGKARGCB_NOTIFY_INTERRUPT_DATA* const);
void queue_dpc(HANDLE);
void notify_interrupt(HANDLE const, DXGKARGCB_NOTIFY_INTERRUPT_DATA* const) {}
void queue_dpc(HANDLE) {}

namespace images {

extern "C" {
void* volatile guarded_memory[2] = {};
}

layout_row const layout_rows[1] = {};
u32 const layout_row_count = 0;
bits_row const bits_rows[1] = {};
u32 const bits_row_count = 0;

/// 1 where stage wdk shows that a check that fails is noticed.
#if !defined(WDDMCORE_PLANTED)
#    define WDDMCORE_PLANTED 0
#endif
constinit u32 const volatile planted = WDDMCORE_PLANTED;

void check_planted(checks& to) {
    to.begin("the payload itself");
    to.expect(planted == 0, "planted: this check fails");
}

}  // namespace images
