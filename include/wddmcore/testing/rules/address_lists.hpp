// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// Address descriptor lists and what they describe (ADL), the IOMMU (IOM).
inline constexpr entry address_lists[] = {
    {"ADL-01", origin::documented, run_time | by_library, "ns-d3dkmddi-dxgk_adl.md",
     "An ADL holds a base page number when it is contiguous, else a list of PageCount page numbers: the flag is "
     "tested first."},
    {"ADL-02", origin::documented, by_library, "ns-d3dkmddi-dxgk_adl.md",
     "The page numbers of an ADL may be logical: they are never taken as physical and never mapped for the CPU."},
    {"ADL-03", origin::documented, by_library, "ns-d3dkmddi-dxgk_adl.md", "A page number is as wide as a pointer."},
    {"ADL-04", origin::documented, by_library, "ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md",
     "Offsets into an ADL count 4-KiB system pages, whatever the GPU's page."},
    {"ADL-05", origin::derived, run_time, "ns-d3dkmddi-dxgk_adl.md",
     "A range of pages lies inside its list, computed without wrapping."},
    {"ADL-06", origin::derived, run_time, "iommu-dma-remapping.md",
     "Base and page count do not wrap, and with remapping no page lies past the device's highest visible address."},
    {"ADL-07", origin::derived, by_library, "ns-d3dkmddi-dxgk_adl.md",
     "Consecutive page numbers may be merged, as long as the pages stay the same and in the same order."},
    {"ADL-08", origin::derived, by_library, "ns-d3dkmddi-dxgk_adl.md",
     "A GPU page above 4 KiB needs a whole, aligned, consecutive group of the list's pages."},
    {"ADL-09", origin::derived, run_time | by_library, "ns-d3dkmddi-dxgk_adl.md",
     "Of a list without pages nothing is read and nothing is made."},
    {"ADL-10", origin::documented, run_time | simulators, "ns-d3dkmddi-dxgkargcb_allocate_adl.md",
     "An ADL is made of whole pages of its object; only contiguous memory and IO space can be required to be "
     "contiguous."},
    {"ADL-11", origin::documented, simulators, "nc-d3dkmddi-dxgkcb_freeadl.md",
     "Memory stays locked while it has an ADL; once the ADL is freed the GPU must not use it."},
    {"ADL-12", origin::documented, run_time | simulators, "ns-d3dkmddi-dxgkargcb_destroy_physical_memory_object.md",
     "Destroying a physical memory object that still has an ADL stops the system."},
    {"ADL-13", origin::documented, run_time | simulators, "ns-d3dkmddi-dxgkargcb_open_physical_memory_object.md",
     "An object made without an adapter is opened once before its first ADL; one made with an adapter is not "
     "opened again."},
    {"ADL-14", origin::documented, run_time | simulators, "ns-d3dkmddi-dxgkargcb_destroy_physical_memory_object.md",
     "The adapter memory handle is closed exactly once, by itself or with its object."},
    {"ADL-15", origin::documented, run_time | simulators | by_library, "ns-d3dkmddi-dxgkargcb_map_physical_memory.md",
     "Mapped data begins at the returned base plus the returned offset; IO space is mapped for the kernel only."},
    {"IOM-01", origin::documented, compile_time | simulators, "iommu-dma-remapping.md",
     "Remapping needs both the highest visible address and DmaRemappingSupported."},
    {"IOM-02", origin::documented, compile_time | simulators | by_library, "ns-d3dkmddi-dxgk_iommu_caps.md",
     "Both caps are asked for before the device starts, so they depend on nothing that started hardware says."},
    {"IOM-03", origin::documented, simulators | by_library, "ns-d3dkmddi-dxgk_physical_memory_caps.md",
     "A link reports the lowest of its adapters' highest visible addresses."},
    {"IOM-04", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-dxgk_iommu_caps.md",
     "The isolation bits of the IOMMU caps equal the secure-mode bits of the memory-management caps."},
    {"IOM-05", origin::documented, compile_time | run_time | simulators, "iommu-dma-remapping.md",
     "Isolation that is required is also supported, and remapping implies MapAperture2Supported."},
    {"IOM-06", origin::documented, simulators, "iommu-dma-remapping.md",
     "Without remapping an adapter that cannot reach all installed memory does not start."},
    {"IOM-07", origin::documented, convention, "iommu-dma-remapping.md",
     "For certification from WDDM 3.0 discrete GPUs must support remapping, and integrated ones should."},
    {"IOM-08", origin::documented, convention, "iommu-dma-remapping.md",
     "One IOMMU domain serves the logical adapter: all its physical adapters see the same mapping."},
    {"IOM-09", origin::documented, run_time | simulators, "iommu-dma-remapping.md",
     "During exclusive access the device neither reads nor writes system memory, not even for fences or scan-out."},
    {"IOM-10", origin::documented, run_time | simulators, "nc-d3dkmddi-dxgkddi_beginexclusiveaccess.md",
     "Exclusive access begins, then ends, and never nests; no other call comes in between."},
    {"IOM-11", origin::documented, convention, "iommu-dma-remapping.md",
     "The driver may mask its interrupts, vsync included, during exclusive access."},
    {"IOM-12", origin::documented, compile_time | run_time | simulators, "nc-d3dkmddi-dxgkddi_beginexclusiveaccess.md",
     "A driver that supports isolation provides both functions of exclusive access; they exist from WDDM 2.4."},
    {"IOM-13", origin::documented, simulators, "iommu-dma-remapping.md",
     "With logical remapping the earlier memory callbacks are not available."},
    {"IOM-14", origin::documented, run_time | simulators, "iommu-dma-remapping.md",
     "Memory callbacks are called at APC_LEVEL or below; from WDDM 3.2 DISPATCH_LEVEL stops the system."},
    {"IOM-15", origin::documented, convention, "iommu-based-gpu-isolation.md",
     "A driver with isolation does not call the kernel's own functions that allocate, lock or map memory for its "
     "device."},
    {"IOM-16", origin::documented, convention, "nc-d3dkmddi-dxgkcb_mapmdltoiommu.md",
     "An MDL that the driver maps lives until it is unmapped."},
    {"IOM-17", origin::documented, simulators | by_library, "iommu-based-gpu-isolation.md",
     "The frame-buffer save size is whole pages, and in a link the callbacks take the lead adapter's handle."},
    {"IOM-18", origin::documented, convention, "iommu-based-gpu-isolation.md",
     "If the save area cannot be pinned as a whole, the driver saves chunk by chunk through a small buffer of its "
     "own."},
    {"IOM-19", origin::documented, run_time | simulators | by_library, "iommu-based-gpu-isolation.md",
     "Reserved physical ranges are asked for in two calls, count and array, and never overlap the system's memory."},
    {"IOM-20", origin::documented, convention, "iommu-dma-remapping.md",
     "The INF declares DmaRemappingCompatible as 3."},
    {"IOM-21", origin::documented, run_time | simulators, "ns-d3dkmddi-dxgkargcb_create_physical_memory_object.md",
     "The base of IO space, and offsets and sizes in it, are whole pages."},
    {"IOM-22", origin::derived, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_physicaladapterflags.md",
     "The GpuVaIommu bits of the physical adapters' flags and of the IOMMU caps agree."},
};

}  // namespace wddmcore::testing::rules
