// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A source file of its own: what it includes costs time, and nothing of it is left in the image.

// region: layouts
#include <ntddk.h>

#include <dispmprt.h>

#include <wddmcore/wdk/layout_check.hpp>

#if DBG
/// DriverEntry of a checked build calls it: C++ has no offset of a bit-field, so bits are looked at here.
extern "C" NTSTATUS CheckLayouts(VOID) {
    return wddmcore::wdk::moved_bit() == nullptr ? STATUS_SUCCESS : STATUS_REVISION_MISMATCH;
}
#endif
// end: layouts
