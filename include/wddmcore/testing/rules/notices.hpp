// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// Allocation notices, which are operation 22 (NTF).
inline constexpr entry notices[] = {
    {"NTF-01", origin::documented, compile_time, "allocation-notification.md",
     "Allocation notices exist from WDDM 3.2."},
    {"NTF-02", origin::documented, compile_time | run_time, "allocation-notification.md",
     "A driver asks for notices allocation by allocation, with NotifyEviction and NotifyIoMmuUnmap of the second "
     "flag word."},
    {"NTF-03", origin::documented, run_time, "ns-d3dkmddi-dxgk_notifyallocflags.md",
     "A notice is of an eviction or of an IOMMU unmap: exactly one of the two bits is set."},
    {"NTF-04", origin::documented, run_time | simulators, "ns-d3dkmddi-dxgk_buildpagingbuffer_notifyalloc.md",
     "An eviction notice names no process and an address of the paging process; an unmap notice names a process "
     "and its address."},
    {"NTF-05", origin::documented, simulators | by_library, "ns-d3dkmddi-dxgk_buildpagingbuffer_notifyalloc.md",
     "GpuVirtualAddressAtOffset already includes OffsetInBytes."},
    {"NTF-06", origin::documented, run_time | simulators | by_library,
     "ns-d3dkmddi-dxgk_buildpagingbuffer_notifyalloc.md",
     "A notice is for a part of an allocation; several calls may cover the whole of it."},
    {"NTF-07", origin::documented, convention, "allocation-notification.md",
     "The system maps the allocation, has the notice built and submitted in its own context, and then unmaps it."},
    {"NTF-08", origin::documented, convention, "allocation-notification.md",
     "An eviction notice comes only when an allocation leaves an aperture or system memory."},
    {"NTF-09", origin::documented, convention, "allocation-notification.md",
     "For an unmap the notice is built and submitted, all paging work ends, and only then the IOMMU unmaps."},
    {"NTF-10", origin::documented, simulators, "allocation-notification.md",
     "After an unmap notice nothing touches the allocation's addresses, and no cache holds anything of it."},
    {"NTF-11", origin::documented, compile_time | run_time, "allocation-notification.md",
     "Unmap notices come only with the GpuVaIoMmu or GpuVaIoMmuGlobal model."},
    {"NTF-12", origin::derived, simulators | by_library, "allocation-notification.md",
     "What an eviction notice asks for is finished by its own commands, because the unmap follows their submission."},
    {"NTF-13", origin::derived, compile_time | run_time, "allocation-notification.md",
     "Compression blocks do not straddle chunks, or the paging VA space holds the whole allocation."},
    {"NTF-14", origin::derived, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "No block is handled twice: to decompress plain data again would destroy it."},
    {"NTF-15", origin::derived, by_library, "allocation-notification.md",
     "NotifyEviction without local memory and without hardware scheduling deserves a warning: by default no "
     "paging VA space exists."},
    {"NTF-16", origin::derived, run_time | by_library, "allocation-notification.md",
     "A notice for which there is nothing to do may emit nothing and succeed."},
};

}  // namespace wddmcore::testing::rules
