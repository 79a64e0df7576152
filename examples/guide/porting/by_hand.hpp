// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <cstring>

/// A driver's paging as it is written by hand, with the mistakes that such code usually has. porting.md replaces it, one
/// operation after the other. The mirror stands for d3dkmddi.h, and the hardware executes the records of
/// hardware/cpu.hpp and cpu_virtual.hpp.
namespace guide::by_hand {

using namespace wddmcore;
using NTSTATUS = ntstatus;
using DXGKARG_BUILDPAGINGBUFFER = mirror::v2_0::dxgkarg_buildpagingbuffer;
using DXGK_PTE = mirror::vista::dxgk_pte;

struct GART_ENTRY {
    u64 Page;
    u64 Coherent;
};

struct ADAPTER {
    u64 SystemBase;  // where the chip sees system page 0
    u64 VramBase;
    GART_ENTRY* Gart;  // BAR 2
};

struct PACKET_COPY {
    u32 Head, Zero;
    u64 Destination, Source, Bytes;
};
struct PACKET_FILL {
    u32 Head, Pattern;
    u64 Destination, Bytes, Zero;
};

/// Puts one packet into the paging buffer.
template <class PACKET>
NTSTATUS Emit(DXGKARG_BUILDPAGINGBUFFER* pArgs, PACKET const& Packet) {
    if (pArgs->DmaSize < sizeof Packet) {
        return status::graphics_insufficient_dma_buffer;
    }
    std::memcpy(pArgs->pDmaBuffer, &Packet, sizeof Packet);
    pArgs->pDmaBuffer = static_cast<u8*>(pArgs->pDmaBuffer) + sizeof Packet;
    pArgs->DmaSize -= static_cast<u32>(sizeof Packet);
    return status::success;
}

// region: content
inline NTSTATUS TransferVirtual(DXGKARG_BUILDPAGINGBUFFER* pArgs) {
    auto const& Transfer = pArgs->TransferVirtual;
    for (u64 Done = 0; Done < Transfer.TransferSizeInBytes; Done += 4096) {  // a packet for each page
        PACKET_COPY const Packet{0x0801, 0, Transfer.DestinationVirtualAddress + Done,
                                 Transfer.SourceVirtualAddress + Done, 4096};
        if (NTSTATUS const Status = Emit(pArgs, Packet); Status != status::success) {
            return Status;
        }
    }
    return status::success;
}

inline NTSTATUS FillVirtual(DXGKARG_BUILDPAGINGBUFFER* pArgs) {
    auto const& Fill = pArgs->FillVirtual;
    for (u64 Done = 0; Done < Fill.FillSizeInBytes; Done += 4096) {
        PACKET_FILL const Packet{0x0802, Fill.FillPattern, Fill.DestinationVirtualAddress + Done, 4096, 0};
        if (NTSTATUS const Status = Emit(pArgs, Packet); Status != status::success) {
            return Status;
        }
    }
    return status::success;
}
// end: content

// region: aperture
inline NTSTATUS MapApertureSegment(ADAPTER* pAdapter, DXGKARG_BUILDPAGINGBUFFER* pArgs) {
    auto const& Map = pArgs->MapApertureSegment;
    auto const* pPages = reinterpret_cast<usize const*>(Map.pMdl + 1);
    for (usize i = 0; i < Map.NumberOfPages; i++) {
        pAdapter->Gart[Map.OffsetInPages + i] = {pPages[i], Map.Flags.CacheCoherent};
    }
    return status::success;
}

inline NTSTATUS UnmapApertureSegment(ADAPTER* pAdapter, DXGKARG_BUILDPAGINGBUFFER* pArgs) {
    auto const& Unmap = pArgs->UnmapApertureSegment;
    for (usize i = 0; i < Unmap.NumberOfPages; i++) {
        pAdapter->Gart[Unmap.OffsetInPages + i] = {0, 0};
    }
    return status::success;
}
// end: aperture

// region: page tables
inline u64 EncodePte(ADAPTER* pAdapter, DXGK_PTE const& Pte, bool Leaf) {
    if (!Pte.Valid) {
        return 0;
    }
    u64 const Base = Pte.Segment == 0 ? pAdapter->SystemBase : pAdapter->VramBase;
    u64 Entry = 1 | (Base + (Pte.PageAddress << 12));
    if (Leaf) {
        Entry |= u64{Pte.ReadOnly} << 1 | 1 << 5;
    }
    return Entry;
}

inline NTSTATUS UpdatePageTable(ADAPTER* pAdapter, DXGKARG_BUILDPAGINGBUFFER* pArgs) {
    auto const& Update = pArgs->UpdatePageTable;
    auto* pTable = static_cast<u64*>(Update.PageTableAddress.CpuVirtual) + Update.StartIndex;
    for (u32 i = 0; i < Update.NumPageTableEntries; i++) {
        DXGK_PTE const& Pte = Update.pPageTableEntries[Update.Flags.Repeat ? 0 : i];
        pTable[i] = EncodePte(pAdapter, Pte, Update.PageTableLevel == 0);
    }
    return status::success;
}

inline NTSTATUS FlushTlb(DXGKARG_BUILDPAGINGBUFFER*) {
    return status::success;  // "the chip snoops its page tables"
}
// end: page tables

// region: switch
inline NTSTATUS BuildPagingBuffer(ADAPTER* pAdapter, DXGKARG_BUILDPAGINGBUFFER* pArgs) {
    switch (static_cast<paging_operation>(pArgs->Operation)) {
        case paging_operation::virtual_transfer: return TransferVirtual(pArgs);
        case paging_operation::virtual_fill: return FillVirtual(pArgs);
        case paging_operation::map_aperture_segment: return MapApertureSegment(pAdapter, pArgs);
        case paging_operation::unmap_aperture_segment: return UnmapApertureSegment(pAdapter, pArgs);
        case paging_operation::update_page_table: return UpdatePageTable(pAdapter, pArgs);
        case paging_operation::flush_tlb: return FlushTlb(pArgs);
        default: return status::not_supported;
    }
}
// end: switch

}  // namespace guide::by_hand
