// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "iommu/callbacks.hpp"
#include "iommu/capabilities.hpp"
#include "iommu/exclusive_access.hpp"
#include "iommu/flag_words.hpp"
#include "iommu/function_table.hpp"
#include "iommu/judge.hpp"
#include "iommu/memory_request.hpp"
#include "iommu/physical_memory_object.hpp"
#include "iommu/reserved_ranges.hpp"
#include "iommu/rules.hpp"
#include "iommu/save_area.hpp"
#include "iommu/verdict.hpp"

/// The IOMMU's part of the DDI: what an adapter claims, and the two protocols that follow from that.
///
/// **What goes into the INF** (IOM-20), so that the system remaps the device's addresses:
///
///     [Device_Install.HW]
///     AddReg = Device_DmaRemapping
///     [Device_DmaRemapping]
///     HKR,Parameters,DmaRemappingCompatible,0x00010001,3
///
/// 3 is the display driver's value; the general page of the directive lists 0 to 2 only. The directive came with
/// Windows 10, version 1803: an earlier system does not read it and remaps nothing, so that there the device itself
/// must reach all installed memory (IOM-06; enabling-dma-remapping-for-device-drivers.md,
/// devpkey-device-dmaremappingpolicy.md).
///
/// **What is called instead of the kernel.** A driver that opted in to isolation or remapping calls none of the
/// kernel's functions that allocate, lock or map memory for its device (a logo test scans its imports, IOM-15). All
/// memory of its device comes from the callbacks of DXGKRNL_INTERFACE, at APC_LEVEL or below (IOM-14):
///
/// | since | callbacks | with logical remapping |
/// |---|---|---|
/// | 2.4 | DxgkCbAllocatePagesForMdl, DxgkCbFreePagesFromMdl | unavailable (IOM-13) |
/// | 2.4 | DxgkCbAllocateContiguousMemory, DxgkCbFreeContiguousMemory | unavailable (IOM-13) |
/// | 2.4 | DxgkCbMapMdlToIoMmu, DxgkCbUnmapMdlFromIoMmu | unavailable (IOM-13) |
/// | 2.9 | DxgkCbCreatePhysicalMemoryObject, DxgkCbDestroyPhysicalMemoryObject | to be used |
/// | 2.9 | DxgkCbOpenPhysicalMemoryObject, DxgkCbClosePhysicalMemoryObject | to be used |
/// | 2.9 | DxgkCbMapPhysicalMemory, DxgkCbUnmapPhysicalMemory | to be used |
/// | 2.9 | DxgkCbAllocateAdl, DxgkCbFreeAdl | to be used |
///
/// An MDL that the driver maps must live until it is unmapped (IOM-16). If the frame-buffer save area cannot be pinned
/// as a whole, the driver saves chunk by chunk through a small buffer that it allocated in advance (IOM-18).
///
/// **What is asked when.** The physical memory caps and the IOMMU caps are asked after AddDevice, for all physical
/// adapters, and before StartDevice, so the answers cannot depend on anything that started hardware says (IOM-02). One
/// IOMMU domain serves the logical adapter, and all its physical adapters see the same mapping (IOM-08). For
/// certification from WDDM 3.0 on, discrete GPUs must support remapping and integrated ones should (IOM-07).
