// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// Building paging buffers, whatever the operation (PGB).
inline constexpr entry paging_buffers[] = {
    {"PGB-01", origin::documented, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "The room left in the buffer is checked before every write; too little is said only as "
     "STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER."},
    {"PGB-02", origin::documented, simulators | by_library, "ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md",
     "On return pDmaBuffer points one past the last byte written, after a partial write too."},
    {"PGB-03", origin::documented, run_time | simulators | by_library, "ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md",
     "Only the start of a fresh buffer is aligned (to 4 KiB): any alignment in between is the driver's own padding."},
    {"PGB-04", origin::documented, run_time | simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "MultipassOffset starts at 0, is left alone by the system, and is all that carries progress from pass to pass."},
    {"PGB-05", origin::derived, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "A pass resumes from MultipassOffset alone, and with a fresh buffer it always gets further."},
    {"PGB-06", origin::derived, run_time | simulators | by_library, "ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md",
     "MultipassOffset has 32 bits, so it counts pages, entries or commands: bytes would overflow at 4 GiB."},
    {"PGB-07", origin::documented, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "The commands of one pass are complete by themselves: other work may run before the next pass."},
    {"PGB-08", origin::documented, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "Any status but success, insufficient buffer and (for three operations) busy stops the system."},
    {"PGB-09", origin::documented, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "Busy may be answered only while AllocationIsIdle is clear; the retry comes with it set and must get done."},
    {"PGB-10", origin::documented, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "The build function itself never touches memory that may still be in use; its commands do."},
    {"PGB-11", origin::documented, run_time | simulators | by_library,
     "ns-d3dkmddi-_dxgk_buildpagingbuffer_updatepagetable.md",
     "Without a buffer an operation is carried out at once, and insufficient buffer is never answered (OBS-02)."},
    {"PGB-12", origin::documented, convention, "ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md",
     "The GPU address of the write position is DmaBufferGpuVirtualAddress + DmaBufferWriteOffset; 0 means not "
     "mapped."},
    {"PGB-13", origin::documented, run_time | simulators | by_library, "ns-d3dkmddi-_dxgkarg_submitcommand.md",
     "A buffer's private data is zeroed only when the buffer is made; a driver keeps one record of it, or one for "
     "each submission."},
    {"PGB-14", origin::documented, simulators, "ns-d3dkmddi-_dxgkarg_patch.md",
     "A paging buffer is patched without lists, in place, and cannot change its size."},
    {"PGB-15", origin::documented, simulators, "nc-d3dkmddi-dxgkddi_submitcommand.md",
     "A paging submission has the Paging flag and may have neither device nor context."},
    {"PGB-16", origin::documented, simulators, "ns-d3dkmddi-_dxgkarg_submitcommand.md",
     "One paging buffer can back several submissions, each a window of bytes that need not start at 0."},
    {"PGB-17", origin::documented, convention, "threading-and-synchronization-first-level.md",
     "Build, patch, preempt, submit and reset of an adapter exclude each other, but level-zero calls run beside "
     "them."},
    {"PGB-18", origin::documented, convention, "system-paging-process.md",
     "Paging runs in the system context, except page-table updates of tiled resources, which run in a companion "
     "context."},
    {"PGB-19", origin::documented, convention, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "Building runs at PASSIVE_LEVEL, submit and preempt at DISPATCH_LEVEL: code that both use must not be "
     "pageable."},
    {"PGB-20", origin::documented, convention, "ns-d3dkmddi-_dxgk_buildpagingbuffer_notifyresidency.md",
     "An operation queued earlier may still be running when the next is built: the commands themselves keep the "
     "order."},
    {"PGB-21", origin::documented, simulators | by_library, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "A NULL allocation handle means a linear operation on a DMA buffer or a page table."},
    {"PGB-22", origin::derived, compile_time | run_time | simulators, "nc-d3dkmddi-dxgkddi_buildpagingbuffer.md",
     "An operation that was not done is never answered with success, an unknown one included."},
    {"PGB-23", origin::documented, convention, "live-migration-on-gpup-devices.md",
     "What the paging process maps is not physically contiguous: one GPU virtual range may hit scattered pages."},
};

}  // namespace wddmcore::testing::rules
