// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: wddmcore/wdk/bind.hpp: the DDI header is not there: include d3dkmddi.h before this file

#if !defined(BAD)
// What a DDI header says of itself, and the one structure that every version has.
#    define DXGKDDI_INTERFACE_VERSION_VISTA 0x1052
#    define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_VISTA
struct _DXGKARG_QUERYADAPTERINFO {
    int Type;
};
#endif

#include <wddmcore/wdk/bind.hpp>
