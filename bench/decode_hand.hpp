// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <gate/decode_requests.hpp>

/// What the hand loops of decode.op share. They are written for this one hardware, with the checks that keep a
/// malformed request from being carried out: a range inside its segment or list, sums that do not wrap, the token, the
/// room. They answer with a status alone: which rule was broken is not said, and no hook is asked.
///
/// They also lack what the requests of decode.op do not need: pages on both sides of a transfer, page tables written
/// by the CPU, repeated, above the leaf or at a physical address, and of operation 22 the unmap notice, which this
/// hardware does not claim.
namespace bench::decode_op::by_hand {

using namespace wddmcore;
using ::decode::arguments;

inline constexpr u64 last_page = decode_gpu::caps.highest_visible_address >> page_shift_lg2;
inline constexpr u64 most_pages = u64{1} << 32;
static_assert((last_page & (last_page + 1)) == 0, "or-ed page numbers are compared with it");

/// Whether a packet can be written at all.
template <u32 Dwords>
WDDMCORE_INLINE bool is_ready(arguments const& args) {
    return reinterpret_cast<usize>(args.pDmaBuffer) % 4 == 0 && args.pDmaBuffer != nullptr &&
           args.DmaSize >= Dwords * 4;
}

/// Why one cannot: no buffer is a mistake, a small one is not.
WDDMCORE_NOINLINE inline ntstatus not_ready(arguments const& args) {
    bool const wrong =
        args.pDmaBuffer == nullptr || args.DmaSize == 0 || reinterpret_cast<usize>(args.pDmaBuffer) % 4 != 0;
    return wrong ? status::invalid_parameter : status::graphics_insufficient_dma_buffer;
}

/// A request of one packet.
template <u32 Dwords, class Encode>
WDDMCORE_INLINE ntstatus put_one(arguments& args, Encode encode) {
    if (args.MultipassOffset != 0) {
        return args.MultipassOffset == 1 ? status::success : status::invalid_parameter;
    }
    if (!is_ready<Dwords>(args)) {
        return not_ready(args);
    }
    u32* const at = static_cast<u32*>(args.pDmaBuffer);
    encode(at);
    args.pDmaBuffer = at + Dwords;
    args.MultipassOffset = 1;
    return status::success;
}

/// A request of `count` pages, pieces or blocks, of which a packet takes `most`; the packets that fit are counted once.
template <u32 Dwords, class Encode>
WDDMCORE_INLINE ntstatus put_chunks(arguments& args, u64 count, u64 most, Encode encode) {
    u64 done = args.MultipassOffset;
    if (done >= count) {
        return done == count ? status::success : status::invalid_parameter;
    }
    if (!is_ready<Dwords>(args)) {
        return not_ready(args);
    }
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    for (u32 fit = args.DmaSize / (Dwords * 4); fit != 0 && done != count; --fit) {
        u64 const length = count - done < most ? count - done : most;
        encode(at, done, length);
        at += Dwords;
        done += length;
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = static_cast<u32>(done);
    return done == count ? status::success : status::graphics_insufficient_dma_buffer;
}

/// The same of single pages of a list, which must be within reach: they are judged while they are written.
template <u32 Dwords, class Page, class Encode>
WDDMCORE_INLINE ntstatus put_pages(arguments& args, u32 count, Page page_of, Encode encode) {
    u32 index = args.MultipassOffset;
    if (index >= count) {
        return index == count ? status::success : status::invalid_parameter;
    }
    if (!is_ready<Dwords>(args)) {
        return not_ready(args);
    }
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    u32 const fit = args.DmaSize / (Dwords * 4);
    u32 const end = count - index < fit ? count : index + fit;
    u64 seen = 0;
    for (; index != end; ++index) {
        u64 const page = page_of(index);
        seen |= page;
        encode(at, index, page);
        at += Dwords;
    }
    if (seen > last_page) {
        return status::invalid_parameter;
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = index;
    return index == count ? status::success : status::graphics_insufficient_dma_buffer;
}

/// Whether `size` bytes, at least one, from `offset` on are inside; nothing is inside a segment that does not exist.
template <class Hw>
WDDMCORE_INLINE bool holds(Hw const& hw, u32 segment, u64 offset, u64 size) {
    u64 const all = hw.place({segment}).size.n;
    return offset < all && size <= all - offset;
}

/// A place in a segment, named by its address.
struct spot {
    bool good;
    u64 offset;
};

template <class Hw>
WDDMCORE_INLINE spot find(Hw const& hw, u32 segment, u64 address, u64 size) {
    u64 const offset = address - hw.place({segment}).base.n;  // of an address below the base: too large
    return {holds(hw, segment, offset, size), offset};
}

/// Pages of an MDL; NULL when they are not in it.
inline usize const* pages_of(mirror::v3_2::mdl const* mdl, u64 first, u64 count) {
    if (mdl == nullptr) {
        return nullptr;
    }
    u64 const all = (u64{mdl->ByteOffset} + mdl->ByteCount + (page_bytes - 1)) >> page_shift_lg2;
    return first + count <= all ? reinterpret_cast<usize const*>(mdl + 1) + first : nullptr;
}

inline u64 pages_in(u64 size) { return (size + (page_bytes - 1)) >> page_shift_lg2; }

/// One packet at one place: operations 2 to 4.
template <u32 Dwords, class Hw, class Encode>
WDDMCORE_INLINE ntstatus put_at(Hw const& hw, arguments& args, u32 segment, i64 address, Encode encode) {
    spot const place = find(hw, segment, static_cast<u64>(address), 1);
    if (!place.good) {
        return status::invalid_parameter;
    }
    return put_one<Dwords>(args, [&](u32* at) { encode(at, hw.from_segment({segment}, {place.offset})); });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus discard_content(Hw& hw, arguments& args) {
    auto const& request = args.DiscardContent;
    return put_at<Hw::discard_dwords.n>(
        hw, args, request.SegmentId, request.SegmentAddress.QuadPart,
        [&](u32* at, auto place) { hw.encode_discard(at, place, request.hAllocation); });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus read_physical(Hw& hw, arguments& args) {
    auto const& request = args.ReadPhysical;
    return put_at<Hw::access_dwords.n>(hw, args, request.SegmentId, request.PhysicalAddress.QuadPart,
                                       [&hw](u32* at, auto place) { hw.encode_read(at, place); });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus write_physical(Hw& hw, arguments& args) {
    auto const& request = args.WritePhysical;
    return put_at<Hw::access_dwords.n>(hw, args, request.SegmentId, request.PhysicalAddress.QuadPart,
                                       [&hw](u32* at, auto place) { hw.encode_write(at, place); });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus flush_tlb(Hw& hw, arguments& args) {
    auto const& request = args.FlushTlb;
    auto const& root = request.RootPageTableAddress;
    if (request.StartVirtualAddress > request.EndVirtualAddress ||
        (root.SegmentId != 0 && !holds(hw, root.SegmentId, root.SegmentOffset, 1))) {
        return status::invalid_parameter;
    }
    return put_one<Hw::flush_dwords.n>(args, [&](u32* at) {
        hw.encode_flush(at, {{{root.SegmentId}, {root.SegmentOffset}}, request.hProcess, {0}, {0}});
    });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus signal_monitored_fence(Hw& hw, arguments& args) {
    auto const& request = args.SignalMonitoredFence;
    if (request.MonitoredFenceGpuVa % Hw::fence_bytes.n != 0) {
        return status::invalid_parameter;
    }
    return put_one<Hw::fence_dwords.n>(args, [&](u32* at) {
        hw.encode_fence(at, hw.from_virtual({request.MonitoredFenceGpuVa}), request.MonitoredFenceValue);
    });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus notify_residency(Hw& hw, arguments& args) {
    auto const& request = args.NotifyResidency;
    hw::residency_change change{request.hAllocation, request.Resident != 0, {0}, {0}};
    if (change.resident) {
        change.segment.n = request.PhysicalAddress.SegmentId;
        change.offset.n = request.PhysicalAddress.SegmentOffset;
        if (!holds(hw, change.segment.n, change.offset.n, 1)) {
            return status::invalid_parameter;
        }
    }
    return put_one<Hw::residency_dwords.n>(args, [&](u32* at) { hw.encode_residency(at, change); });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus notify_residency2(Hw& hw, arguments& args) {
    auto const& request = args.NotifyResidency2;
    hw::residency_range range{request.hAllocation,
                              request.AllocationOffsetInPages,
                              request.SizeInPages,
                              request.Resident != 0,
                              {0},
                              {0},
                              nullptr,
                              0};
    if (range.page_count == 0 || range.first_page + (range.page_count - 1) < range.first_page) {
        return status::invalid_parameter;
    }
    if (range.resident) {
        range.segment.n = request.SegmentId;
        if (request.SegmentId == 0 || request.SegmentId == 31) {
            auto const* const list = request.Mdl;
            if (list == nullptr) {
                return status::invalid_parameter;
            }
            range.list_pages = pages_in(u64{list->ByteOffset} + list->ByteCount);
            range.page_list = range.list_pages == 0 ? nullptr : reinterpret_cast<usize const*>(list + 1);
        } else {
            range.offset.n = request.PhysicalAddress.SegmentOffset;
            if (!holds(hw, request.SegmentId, range.offset.n, u64{range.page_count} * page_bytes)) {
                return status::invalid_parameter;
            }
        }
    }
    return put_one<Hw::residency_range_dwords.n>(args, [&](u32* at) { hw.encode_residency_range(at, range); });
}

}  // namespace bench::decode_op::by_hand
