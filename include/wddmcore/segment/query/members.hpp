// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

/// Which members the structures about segments have. Nothing else in this folder probes for members.
namespace wddmcore::inline WDDMCORE_ABI::members {

/// What DXGK_SEGMENTDESCRIPTOR, 3, 4 and 5 have in common.
template <class Descriptor>
concept segment_descriptor = requires(Descriptor& descriptor) {
    descriptor.Flags.Value;
    descriptor.BaseAddress.QuadPart;
    descriptor.CpuTranslatedAddress.QuadPart;
    descriptor.Size;
};

/// Forms 1, 3 and 4.
template <class Descriptor>
concept descriptor_commit_limit = requires(Descriptor& descriptor) { descriptor.CommitLimit; };

/// Forms 3, 4 and 5.
template <class Descriptor>
concept descriptor_system_memory_end = requires(Descriptor& descriptor) { descriptor.SystemMemoryEndAddress; };

/// Forms 1 and 3.
template <class Descriptor>
concept descriptor_banks = requires(Descriptor& descriptor) {
    descriptor.NbOfBanks;
    descriptor.pBankRangeTable;
};

/// Forms 4 and 5: a CPU host aperture, holes and protected memory.
template <class Descriptor>
concept descriptor_v2_0 = requires(Descriptor& descriptor) {
    descriptor.CpuHostAperture.PhysicalAddress;
    descriptor.CpuHostAperture.SizeInPages;
    descriptor.NumInvalidMemoryRanges;
    descriptor.VprRangeStartOffset;
    descriptor.VprRangeSize;
    descriptor.VprAlignment;
    descriptor.NumVprSupported;
};

/// Forms 4 and 5; the first public header of WDDM 2.0 has none.
template <class Descriptor>
concept descriptor_vpr_reserve = requires(Descriptor& descriptor) { descriptor.VprReserveSize; };

/// Form 4 from WDDM 2.2, and form 5.
template <class Descriptor>
concept descriptor_uefi_ranges = requires(Descriptor& descriptor) { descriptor.NumUEFIFrameBufferRanges; };

/// Form 5.
template <class Descriptor>
concept descriptor_segment_type = requires(Descriptor& descriptor) {
    descriptor.SegmentType;
    descriptor.SlabSize;
};

/// DXGK_QUERYSEGMENTIN.
template <class Input>
concept query_segment_in = requires(Input const& input) {
    input.AgpApertureBase.QuadPart;
    input.AgpApertureSize.QuadPart;
};

/// DXGK_QUERYSEGMENTOUT, 3 and 4.
template <class Output>
concept query_segment_out = requires(Output& output) {
    output.NbSegment;
    output.pSegmentDescriptor;
    output.PagingBufferSegmentId;
    output.PagingBufferSize;
    output.PagingBufferPrivateDataSize;
};

/// DXGK_QUERYSEGMENTOUT4.
template <class Output>
concept query_segment_out4 = query_segment_out<Output> && requires(Output& output) { output.SegmentDescriptorStride; };

/// DXGK_QUERYSEGMENTOUT5.
template <class Output>
concept query_segment_out5 = requires(Output& output) { output.SegmentDescriptors; };

/// DXGK_QUERYSEGMENTCOUNTOUT.
template <class Output>
concept query_segment_count_out = requires(Output& output) { output.SegmentCount; };

/// DXGK_QUERYSEGMENTMEMORYSTATE.
template <class State>
concept segment_memory_state = requires(State& state) {
    state.DriverSegmentId;
    state.PhysicalAdapterIndex;
    state.NumInvalidMemoryRanges;
    state.pMemoryRanges[0].SegmentOffset;
    state.pMemoryRanges[0].SizeInBytes;
};

/// From WDDM 2.2.
template <class State>
concept segment_memory_state_uefi =
    segment_memory_state<State> && requires(State& state) { state.NumUEFIFrameBufferRanges; };

/// DXGKARG_UNMAPCPUHOSTAPERTURE, and the members that DXGKARG_MAPCPUHOSTAPERTURE shares with it.
template <class Args>
concept cpu_host_aperture_pages = requires(Args const& args) {
    args.NumberOfPages;
    args.pCpuHostAperturePages[0];
    args.SegmentId;
    args.PhysicalAdapterIndex;
};

/// DXGKARG_MAPCPUHOSTAPERTURE.
template <class Args>
concept map_cpu_host_aperture = cpu_host_aperture_pages<Args> && requires(Args const& args) {
    args.hAllocation;
    args.pMemorySegmentPages[0];
};

}  // namespace wddmcore::members
