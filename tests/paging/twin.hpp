// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "shapes.hpp"
#include "stream.hpp"

#include <wddmcore/paging.hpp>

/// Arguments that constant evaluation can work with: the buffer is a pointer to words, an MDL carries its pages in a
/// member, and no two operations share storage. The same code runs over them as over the DDI's own structure (law 3).
namespace wddmcore::inline WDDMCORE_ABI::testing {

struct twin_mdl {
    u32 ByteCount;
    u32 ByteOffset;
    usize const* Pages;
};
struct twin_integer {
    i64 QuadPart;
};
struct twin_side {
    u32 SegmentId;
    twin_integer SegmentAddress;
    twin_mdl const* pMdl;
};
struct twin_transfer_flags {
    u32 Swizzle;
    u32 Unswizzle;
    u32 AllocationIsIdle;
};
struct twin_place {
    u32 SegmentId;
    twin_integer SegmentAddress;
};
struct twin_access {
    u32 SegmentId;
    twin_integer PhysicalAddress;
};
struct twin_flag {
    u32 CacheCoherent;
};
struct twin_adl {
    u32 PageCount;
    struct {
        u32 Contiguous;
    } Flags;
    usize BasePageNumber;
    usize const* Pages;
};

struct twin_arguments {
    u32* pDmaBuffer;
    u32 DmaSize;
    u8* pDmaBufferPrivateData;
    u32 DmaBufferPrivateDataSize;
    u32 Operation;
    u32 MultipassOffset;
    struct {
        void* hAllocation;
        u32 TransferOffset;
        usize TransferSize;
        twin_side Source;
        twin_side Destination;
        twin_transfer_flags Flags;
        u32 MdlOffset;
    } Transfer;
    struct {
        usize FillSize;
        u32 FillPattern;
        twin_place Destination;
    } Fill;
    struct {
        void* hAllocation;
        struct {
            u32 AllocationIsIdle;
        } Flags;
        u32 SegmentId;
        twin_integer SegmentAddress;
    } DiscardContent;
    twin_access ReadPhysical;
    twin_access WritePhysical;
    struct {
        u32 SegmentId;
        usize OffsetInPages;
        usize NumberOfPages;
        twin_mdl const* pMdl;
        twin_flag Flags;
        u32 MdlOffset;
    } MapApertureSegment;
    struct {
        u32 SegmentId;
        usize OffsetInPages;
        usize NumberOfPages;
        twin_integer DummyPage;
    } UnmapApertureSegment;
    struct {
        void* hAllocation;
        u32 TransferOffset;
        usize TransferSize;
        twin_side Source;
        twin_side Destination;
        twin_transfer_flags Flags;
        u32 SwizzlingRangeId;
        u32 SwizzlingRangeData;
    } SpecialLockTransfer;
    struct {
        void* hAllocation;
        u64 AllocationOffsetInBytes;
        u64 TransferSizeInBytes;
        u64 SourceVirtualAddress;
        u64 DestinationVirtualAddress;
        u64 SourcePageTable;
        u32 TransferDirection;
        struct {
            u32 Src64KBPages;
            u32 Dst64KBPages;
        } Flags;
        u64 DestinationPageTable;
    } TransferVirtual;
    struct {
        void* hAllocation;
        u64 AllocationOffsetInBytes;
        u64 FillSizeInBytes;
        u32 FillPattern;
        u64 DestinationVirtualAddress;
    } FillVirtual;
    struct {
        u32 SegmentId;
        usize OffsetInPages;
        usize NumberOfPages;
        twin_adl Adl;
        twin_flag Flags;
        u32 AdlOffset;
        void* CpuVisibleAddress;
    } MapApertureSegment2;
};

/// Runs an operation to its end in a fresh buffer for each pass, whose words are uninitialised: a load of a word that
/// was not written is an error of the compiler (law 4). Every record goes to `each`.
///
/// @tparam Room  dwords of each buffer
/// @return whether every pass was whole records and padding, and the last one said success
template <u32 Room, class Hw, class Args, class Each>
[[nodiscard]] constexpr bool run_in_constant_evaluation(Hw& hw, Args args, Each&& each) {
    for (u32 pass = 0; pass < 64; ++pass) {
        u32 buffer[Room];
        args.pDmaBuffer = buffer;
        args.DmaSize = Room * 4;
        u32 const token = args.MultipassOffset;
        ntstatus const status = build_paging_buffer(hw, args);
        u32 const* at = buffer;
        u32 const* const end = args.pDmaBuffer;
        while (at != end && (*at & 0xFFFF'0000) == record_head) {
            each(decode_record(at));
            at += *at & 0xFF;
        }
        if (end - at >= static_cast<i64>(Hw::shape.grain) || (end - buffer) % static_cast<i64>(Hw::shape.grain) != 0) {
            return false;
        }
        for (; at != end; ++at) {
            if ((*at & 0xFFFF'0000) != padding_head) {
                return false;
            }
        }
        if (args.DmaSize != Room * 4) {
            return false;
        }
        if (status == status::success) {
            return true;
        }
        if (status != status::graphics_insufficient_dma_buffer || args.MultipassOffset <= token) {
            return false;
        }
    }
    return false;
}

/// Follows copies and fills that go upwards, page by page.
///
/// @tparam Page  called with a page's index: the destination, the source and the bytes of that page
template <class Page>
struct page_follower {
    Page page;
    u64 index = 0;   ///< page that the next byte belongs to
    u64 inside = 0;  ///< bytes of it that were seen
    bool right = true;
    u32 commands = 0;

    constexpr void operator()(recorded_command const& one) {
        ++commands;
        for (u64 done = 0; done < one.size && right;) {
            auto const [to, from, size] = page(index);
            u64 const part = lesser(size - inside, one.size - done);
            right = size > inside && one.destination + bytes{done} == to + bytes{inside} &&
                    (one.kind == record_kind::fill || one.source + bytes{done} == from + bytes{inside});
            inside += part;
            done += part;
            if (inside == size) {
                inside = 0;
                ++index;
            }
        }
    }
    [[nodiscard]] constexpr bool all(u64 pages_expected) const {
        return right && inside == 0 && index == pages_expected;
    }
};

template <class Page>
page_follower(Page) -> page_follower<Page>;

struct page_of_work {
    recorded_address to;
    recorded_address from;
    u64 size;
};

}  // namespace wddmcore::testing
