// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/interface_version.hpp"
#include "header_queries.hpp"

/// The binding of the DDI header that the driver included before: the structures that the void pointers of
/// DxgkDdiQueryAdapterInfo point to.
///
///     #include <d3dkmddi.h>
///     #include <wddmcore/wddmcore.hpp>
///     #include <wddmcore/wdk/bind.hpp>
///
/// A structure is named by its tag, which is the same in every header. What the included header does not define stays
/// incomplete: the query is not ours then. Build 26100 and older, from WDDM 1.0 (Vista) to 3.2.

#if !defined(DXGKDDI_INTERFACE_VERSION) || !defined(DXGKDDI_INTERFACE_VERSION_VISTA)
#    error "wddmcore/wdk/bind.hpp: the DDI header is not there: include d3dkmddi.h before this file"
#else

struct _DXGKARG_QUERYADAPTERINFO;

namespace wddmcore::inline WDDMCORE_ABI {

/// The structures of the included header, as it declares them for its interface version.
struct header_binding : header_queries {
    static constexpr wddm version = interface_version_of(DXGKDDI_INTERFACE_VERSION);
};
static_assert(present<::_DXGKARG_QUERYADAPTERINFO>,
              "wddmcore/wdk/bind.hpp: the DDI header is not there: include d3dkmddi.h before this file");

/// The queries of the included header's DXGKARG_QUERYADAPTERINFO need no template argument.
template <>
struct types_of<::_DXGKARG_QUERYADAPTERINFO> {
    using type = header_binding;
};

}  // namespace wddmcore

#endif
