/* SPDX-License-Identifier: MIT
 * Copyright (c) wddmcore contributors
 *
 * The kit's headers that a display driver includes, in an order that works for C and C++. The project includes this file
 * before each source (/FI), so that the sources are those of the other tests. */
#if defined(__cplusplus)
extern "C" {
#endif

#include <ntddk.h>

#include <windef.h>
#include <winerror.h>
#include <wingdi.h>

#include <ntddvdeo.h>
#include <winddi.h>

#include <d3dkmddi.h>
#include <d3dkmthk.h>
#include <dispmprt.h>

#if defined(__cplusplus)
}
#endif
