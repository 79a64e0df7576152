// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// Memory segments (SEG) and the segments that an allocation prefers (PREF).
inline constexpr entry segments[] = {
    {"SEG-01", origin::documented, simulators | by_library, "initializing-use-of-memory-segments.md",
     "The first segment query has no descriptor array: the driver writes the count, nothing else, and succeeds; "
     "the second call fills everything."},
    {"SEG-02", origin::documented, run_time | simulators | by_library,
     "using-memory-segments-to-describe-the-gpu-address-space.md",
     "Both passes of a segment query give the same count, and count and kinds stay fixed for the life of the "
     "adapter."},
    {"SEG-03", origin::documented, run_time | simulators | by_library, "ns-d3dkmddi-_dxgk_querysegmentout4.md",
     "QUERYSEGMENT4 steps through its descriptors by the caller's stride, never by the size of the type the "
     "driver was compiled with."},
    {"SEG-04", origin::documented, run_time | simulators | by_library, "ne-d3dkmddi-_dxgk_queryadapterinfotype.md",
     "Each version has its query form: QUERYSEGMENT below WDDM 1.2, QUERYSEGMENT3 from 1.2, QUERYSEGMENT4 from "
     "2.0; form 2 is reserved."},
    {"SEG-05", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_querysegmentout4.md",
     "A segment's id is its position in the reported array, counted from 1; id 0 never names a reported segment."},
    {"SEG-06", origin::derived, compile_time | simulators, "ns-d3dukmdt-_dxgk_pte.md",
     "At most 30 segments can be reported from WDDM 2.0 (id 31 is system memory) and 31 before, because ids have "
     "5 bits."},
    {"SEG-07", origin::documented, compile_time | run_time | simulators,
     "using-memory-segments-to-describe-the-gpu-address-space.md", "Segments do not overlap in the GPU address space."},
    {"SEG-08", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_segmentdescriptor3.md",
     "The size of a segment is a multiple of 4096 bytes."},
    {"SEG-09", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "With Use64KBPages the base and the size of a segment are multiples of 64 KiB."},
    {"SEG-10", origin::documented, compile_time | run_time, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "An aperture holds no bits, and a driver that reports one implements the map and unmap operations."},
    {"SEG-11", origin::documented, compile_time | simulators, "initializing-use-of-memory-segments.md",
     "An AGP segment carries no other flag, is the only one, and is reported only where the system has an AGP "
     "aperture."},
    {"SEG-12", origin::documented, run_time | by_library, "ns-d3dkmddi-_dxgk_segmentdescriptor3.md",
     "The base and size of an AGP segment are ignored by the system, so no address may be derived from them."},
    {"SEG-13", origin::documented, compile_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "CacheCoherent is legal only together with Aperture."},
    {"SEG-14", origin::documented, compile_time | simulators, "mapping-virtual-addresses-to-a-memory-segment.md",
     "CpuVisible promises that a byte has the same offset in the segment and in the BAR; it does not apply to "
     "apertures."},
    {"SEG-15", origin::documented, compile_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "A segment is CpuVisible or has a CPU host aperture, never both."},
    {"SEG-16", origin::documented, compile_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "SupportsCachedCpuHostAperture requires SupportsCpuHostAperture."},
    {"SEG-17", origin::documented, compile_time | run_time, "ns-d3dkmddi-_dxgk_segmentdescriptor4.md",
     "CpuTranslatedAddress and CpuHostAperture share storage; SupportsCpuHostAperture says which of the two is "
     "meant."},
    {"SEG-18", origin::documented, compile_time | run_time, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "An allocation takes PitchAlignedSize in a PitchAlignment segment, which is never in an eviction set."},
    {"SEG-19", origin::documented, compile_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "PopulatedFromSystemMemory is for memory segments that the driver itself backed with RAM; on an aperture it "
     "means nothing."},
    {"SEG-20", origin::documented, compile_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "Of the three preservation flags four combinations are legal: none, standby, standby with hibernate, standby "
     "with partial hibernate."},
    {"SEG-21", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_segmentdescriptor3.md",
     "SystemMemoryEndAddress is non-zero exactly when PartiallyPreservedDuringHibernate is set, and names the "
     "last byte."},
    {"SEG-22", origin::documented, compile_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "ReservedSysMem belongs to the system, and reserved flags of a segment stay clear."},
    {"SEG-23", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_segmentdescriptor3.md",
     "The commit limit of a memory segment is its size; that of an aperture may be lower."},
    {"SEG-24", origin::documented, compile_time | run_time | simulators,
     "dividing-a-memory-space-segment-into-banks.md",
     "UseBanking needs a table of bank ends that rise strictly from above 0; the last end may be left out. Only "
     "below WDDM 2.0."},
    {"SEG-25", origin::documented, compile_time | run_time | simulators,
     "dividing-a-memory-space-segment-into-banks.md",
     "Banks divide a memory segment, not an aperture, and cover it without gaps."},
    {"SEG-26", origin::documented, compile_time | simulators, "gpu-segments.md",
     "From WDDM 2.0 a driver reports exactly one aperture; a compute-only driver may report none (AMB-04)."},
    {"SEG-27", origin::documented, compile_time | run_time, "gpu-segments.md",
     "System memory is never reported as a segment: an allocation that may live there names the aperture."},
    {"SEG-28", origin::documented, simulators | by_library, "gpu-segments.md",
     "WDDM 1.x segment addresses include the segment's base, while page-table entries and D3DGPU_PHYSICAL_ADDRESS "
     "hold offsets."},
    {"SEG-29", origin::documented, compile_time, "using-memory-segments-to-describe-the-gpu-address-space.md",
     "Memory that processes share lies in a segment; memory outside every segment is never given to a process."},
    {"SEG-30", origin::documented, convention, "gpu-segments.md",
     "From WDDM 2.0 memory segments are pools of pages: only what is accessed physically or displayed is "
     "contiguous."},
    {"SEG-31", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_memoryrange.md",
     "An invalid range of a segment starts at a page of that segment and is whole pages long."},
    {"SEG-32", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_segmentdescriptor4.md",
     "A video-protected range is aligned to VprAlignment, lies inside its segment, and contains its reserve."},
    {"SEG-33", origin::documented, convention, "process-residency-budgets.md",
     "ApplicationTarget marks only the segments that count in application budgets."},
    {"SEG-34", origin::documented, convention, "resizable-bar-support.md",
     "After its BAR was resized a driver reports one CpuVisible memory segment and no CPU host aperture."},
    {"SEG-35", origin::documented, simulators | by_library, "cpu-host-aperature.md",
     "The CPU host aperture works as soon as the segments are reported: VidMm sets up its own page tables through "
     "it."},
    {"SEG-36", origin::documented, simulators | by_library, "ns-d3dkmddi-_dxgkarg_mapcpuhostaperture.md",
     "A page of a CPU host aperture has the size of the segment's page, so the last one may reach past the "
     "allocation."},
    {"SEG-37", origin::documented, run_time | simulators, "ns-d3dkmddi-_dxgkarg_mapcpuhostaperture.md",
     "A host-aperture map has one list of aperture pages and one of memory pages, equally long; neither is "
     "contiguous in general."},
    {"SEG-38", origin::documented, simulators | by_library, "ns-d3dkmddi-_dxgkarg_mapcpuhostaperture.md",
     "The allocation handle of a host-aperture map is NULL for page tables, so it is not dereferenced."},
    {"SEG-39", origin::documented, simulators | by_library, "specifying-segments-for-dma-buffers.md",
     "DMA buffers live in apertures or, with an empty set, in system memory; naming a memory segment fails "
     "context creation."},
    {"SEG-40", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_querysegmentout3.md",
     "PagingBufferSegmentId is 0 or the id of an aperture."},
    {"SEG-41", origin::derived, compile_time | run_time | simulators, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "A paging buffer has room for the largest command group that cannot be split, or building it never ends."},
    {"SEG-42", origin::documented, convention, "standby-hibernate-optimizations.md",
     "A driver that wants the hibernation shortcuts reports a preservation flag for each segment that is capable "
     "of it."},
    {"SEG-43", origin::derived, compile_time | run_time, "ns-d3dkmddi-_dxgk_segmentdescriptor4.md",
     "In query forms 1 to 4 sizes and commit limits must fit SIZE_T, so a 32-bit system cannot be told of more "
     "than 4 GiB."},
    {"PREF-01", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_allocationinfo.md",
     "Bit i of a segment set stands for the segment with id i + 1, and sets name only reported segments."},
    {"PREF-02", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_allocationinfo.md",
     "A preferred segment is also in the supported set."},
    {"PREF-03", origin::documented, compile_time | run_time | simulators | by_library,
     "ns-d3dkmddi-_dxgk_allocationinfo.md",
     "From WDDM 2.0 only the write set counts; the read set is written alike unless an MMU set uses its storage."},
    {"PREF-04", origin::documented, compile_time, "ns-d3dukmdt-_d3dddi_segmentpreference.md",
     "The preference word has five slots of a 5-bit id and a direction, highest priority first; id 0 leaves a "
     "slot empty."},
    {"PREF-05", origin::documented, compile_time | run_time, "ns-d3dkmddi-_dxgk_segmentbankpreference.md",
     "The bank word has four slots of a 7-bit id and a direction; the banks are those of the segment preferred "
     "first."},
    {"PREF-06", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_allocationinfo.md",
     "The eviction set names apertures only; an empty set moves content straight to locked system memory."},
    {"PREF-07", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_segmentflags.md",
     "If a supported segment uses 64-KiB pages, the alignment of the allocation is a multiple of 64 KiB."},
    {"PREF-08", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_allocationinfo.md",
     "An allocation has a size, and its pitch-aligned size is 0 or at least that."},
    {"PREF-09", origin::documented, compile_time | run_time | simulators, "ns-d3dkmddi-_dxgk_allocationinfo.md",
     "The priority of an allocation is not 0; a driver that does not manage priorities uses the normal one."},
    {"PREF-10", origin::documented, compile_time | run_time, "ns-d3dkmddi-_dxgk_allocationinfo.md",
     "Below WDDM 2.0 a driver fills Flags, from 2.0 on FlagsWddm2: they share storage but not their bits."},
    {"PREF-11", origin::documented, compile_time | run_time, "gpu-segments.md",
     "What an engine addresses physically needs AccessedPhysically, or its references are rejected and it is "
     "never mapped in the aperture."},
    {"PREF-12", origin::documented, convention, "gpu-segments.md",
     "AccessedPhysically is not set just because the display reads a primary: that would pin aperture space all "
     "the time."},
    {"PREF-13", origin::documented, compile_time | run_time | simulators,
     "ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.md", "ExplicitResidencyNotification requires AccessedPhysically."},
    {"PREF-14", origin::documented, compile_time | run_time | simulators, "iommu-dma-remapping.md",
     "MapApertureCpuVisible requires the capability MapAperture2Supported, or the allocation is not created."},
    {"PREF-15", origin::documented, compile_time | run_time, "iommu-dma-remapping.md",
     "MAP_APERTURE_SEGMENT2 brings a CPU address only with MapAperture2Supported, MapApertureCpuVisible and "
     "AccessedPhysically together."},
    {"PREF-16", origin::documented, compile_time | run_time | simulators,
     "ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.md",
     "Cached and PermanentSysMem require CpuVisible; a primary takes neither, nor Protected, nor existing system "
     "memory."},
    {"PREF-17", origin::documented, compile_time | run_time | simulators,
     "ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.md",
     "At most one of Protected, PermanentSysMem, ExistingSysMem and ExistingKernelSysMem is set."},
    {"PREF-18", origin::documented, compile_time | run_time | simulators, "allocation-usage-tracking.md",
     "A CPU-visible allocation that may lie where the CPU cannot reach also lists the aperture, so that a lock "
     "always succeeds."},
    {"PREF-19", origin::documented, compile_time | run_time | simulators, "sharing-backing-store-with-kmd.md",
     "ShareBackingStoreWithKmd needs a shared allocation, apertures only, no existing memory, and a feature that "
     "was found enabled."},
    {"PREF-20", origin::documented, compile_time | run_time | simulators,
     "ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.md",
     "HistoryBuffer requires CpuVisible, Cached where apertures are coherent, and no other flag."},
    {"PREF-21", origin::documented, convention, "ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.md",
     "A pinned overlay or capture allocation has the last 20 percent of its segment; evictions should keep to the "
     "other 80."},
    {"PREF-22", origin::documented, convention, "ns-d3dkmddi-dxgk_allocationinfoflags2.md",
     "From WDDM 3.2 an allocation may be partly resident or spread over segments unless its flags opt out."},
    {"PREF-23", origin::documented, convention, "nc-d3dkmddi-dxgkddi_createallocation.md",
     "The private data of an allocation belongs to the adapter and must not refer to the device that created it."},
};

}  // namespace wddmcore::testing::rules
