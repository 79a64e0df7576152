// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// Which members the structures of the scheduling half have, asked by name.
namespace wddmcore::inline WDDMCORE_ABI::members {

template <class Caps>
concept vidschcaps = requires(Caps& caps) { caps.MultiEngineAware; };

/// From WDDM 2.3.
template <class Caps>
concept vidschcaps_packet_cap = vidschcaps<Caps> && requires(Caps& caps) { caps.HwQueuePacketCap; };

/// From WDDM 3.1.
template <class Caps>
concept vidschcaps_native_fence = vidschcaps_packet_cap<Caps> && requires(Caps& caps) { caps.NativeGpuFence; };

/// From WDDM 3.1 and the header of build 26100: that of build 22621 has only the bit before.
template <class Caps>
concept vidschcaps_optimized_native_fence =
    vidschcaps_native_fence<Caps> && requires(Caps& caps) { caps.OptimizedNativeFenceSignaledInterrupt; };

/// D3DKMDT_PREEMPTION_CAPS, from Windows 8.
template <class Caps>
concept preemption_caps = requires(Caps& caps) {
    caps.GraphicsPreemptionGranularity;
    caps.ComputePreemptionGranularity;
};

template <class Caps>
concept flip_caps = requires(Caps const& caps) {
    caps.FlipOnVSyncMmIo;
    caps.Value;
};

/// The functions of adapter-wide recovery in DRIVER_INITIALIZATION_DATA.
template <class Data>
concept adapter_recovery = requires(Data const& data) {
    data.DxgkDdiResetFromTimeout;
    data.DxgkDdiRestartFromTimeout;
};

/// The functions of recovery per engine in DRIVER_INITIALIZATION_DATA, from Windows 8.
template <class Data>
concept engine_recovery = requires(Data const& data) {
    data.DxgkDdiQueryDependentEngineGroup;
    data.DxgkDdiQueryEngineStatus;
    data.DxgkDdiResetEngine;
};

/// D3DDDI_PATCHLOCATIONLIST.
template <class Element>
concept patch_location = requires(Element const& element) {
    element.AllocationIndex;
    element.Value;
    element.AllocationOffset;
    element.PatchOffset;
    element.SplitOffset;
};

/// DXGK_ALLOCATIONLIST.
template <class Entry>
concept allocation_list_entry = requires(Entry const& entry) {
    entry.hDeviceSpecificAllocation;
    entry.SegmentId;
    entry.PhysicalAddress.QuadPart;
};

/// What DXGKARG_PATCH and DXGKARG_SUBMITCOMMAND both say: a DMA buffer and a portion of it.
template <class Args>
concept dma_buffer_portion = requires(Args const& args) {
    args.DmaBufferSegmentId;
    args.DmaBufferPhysicalAddress.QuadPart;
    args.DmaBufferSize;
    args.DmaBufferSubmissionStartOffset;
    args.DmaBufferSubmissionEndOffset;
    args.SubmissionFenceId;
};

/// DXGKARG_PATCH.
template <class Args>
concept patch = dma_buffer_portion<Args> && requires(Args const& args) {
    args.pDmaBuffer;
    args.pAllocationList;
    args.AllocationListSize;
    args.pPatchLocationList;
    args.PatchLocationListSize;
    args.PatchLocationListSubmissionStart;
    args.PatchLocationListSubmissionLength;
};

/// What DXGKARG_RENDER and DXGKARG_PRESENT both say: the buffer to fill and the patch list to write.
template <class Args>
concept dma_buffer_output = requires(Args& args) {
    args.pDmaBuffer;
    args.DmaSize;
    args.pPatchLocationListOut;
    args.PatchLocationListOutSize;
    args.MultipassOffset;
};

/// DXGKARG_SUBMITCOMMANDTOHWQUEUE, from WDDM 2.2 and the header of build 17763: those before have no Flags or no
/// place of the progress fence.
template <class Args>
concept queue_submission = requires(Args const& args) {
    args.HwQueueProgressFenceId;
    args.DmaBufferVirtualAddress;
    args.DmaBufferSize;
    args.pDmaBufferPrivateData;
    args.DmaBufferPrivateDataSize;
    args.Flags.Value;
    args.HwQueueProgressFenceGpuVa;
};

/// DXGKARGCB_INVALIDATEHWCONTEXT, from WDDM 2.2 and the header of build 17134: those before have only the context.
template <class Args>
concept invalidate_hw_context = requires(Args& args) {
    args.hAdapter;
    args.hHwContext;
    args.Flags;
};

/// DXGK_CONTEXTINFO.
template <class Info>
concept context_info = requires(Info const& info) {
    info.AllocationListSize;
    info.PatchLocationListSize;
};

}  // namespace wddmcore::members
