// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_request_wddm2.hpp"

/// Requests of any quality from the fuzzer's bytes, each object behind them in heap memory of exactly its size.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

template <class Args>
class request : public wddm2_requests {
public:
    Args args;

    template <class Hw>
    request(input& in, Hw const& hw, u32 smallest) {
        // What no member below sets is noise: whoever reads it acts on it.
        std::memset(static_cast<void*>(&args), in.byte(), sizeof args);
        fresh_buffer(in, smallest, false);
        args.Operation = operation<Hw>(in);
        args.MultipassOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
        fill_in(in, hw);
    }

    /// A fresh paging buffer and private data. Mostly usable ones when `good`; of any kind otherwise.
    void fresh_buffer(input& in, u32 smallest, bool good) {
        u8 const kind = in.byte();
        u32 size = smallest * (1 + kind % 4) + in.byte() % 64;
        u32 const misaligned = !good && kind % 16 == 15 ? 1 + in.byte() % 3u : 0;
        if (!good && kind % 4 == 1) {
            size = in.byte();
        }
        if (kind % 16 == 2) {
            size = buffer_limit;
        }
        buffer_ = exact_block(misaligned + size, unwritten);
        args.pDmaBuffer = !good && kind % 32 == 30 ? nullptr : buffer_.data() + misaligned;
        args.DmaSize = args.pDmaBuffer == nullptr && in.flag() ? static_cast<u32>(in.number()) : size;
        u32 const private_size = good ? 64 : in.byte() % 48u;
        private_ = exact_block(private_size, unwritten);
        args.pDmaBufferPrivateData = !good && kind % 64 == 33 ? nullptr : private_.data();
        args.DmaBufferPrivateDataSize = private_size;
        args.hSystemContext = nullptr;
    }

    [[nodiscard]] exact_block const& buffer() const { return buffer_; }
    [[nodiscard]] exact_block const& private_data() const { return private_; }

private:
    template <class Hw>
    static u32 operation(input& in) {
        constexpr u32 moves[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 17, 17};
        constexpr u32 wddm2_ones[] = {10, 11, 11, 11, 11, 12, 13, 14, 14, 15, 16, 18, 19, 20, 21, 22, 22};
        constexpr u32 all[] = {0,  1,  5,  6,  7,  8,  8,  9,  17, 17, 10, 11, 11,
                               11, 11, 12, 13, 14, 14, 15, 16, 18, 19, 20, 21, 22};
        constexpr u32 lists[] = {0, 0, 0, 0, 0, 7, 8, 9};
        u8 const choice = in.byte();
        if (choice >= 254) {
            return static_cast<u32>(in.word(4));
        }
        return choice >= 225                     ? choice % 31u
               : example_packets<Hw> && late<Hw> ? all[choice % 26]
               : late<Hw>                        ? wddm2_ones[choice % 17]
               : windowed<Hw> && choice % 2 == 0 ? lists[choice / 2 % 8]
                                                 : moves[choice % 15];
    }

    exact_block buffer_;
    exact_block private_;

    /// A range that lies in the aperture more often than not.
    template <class Range>
    static void aperture_range(input& in, Range& range) {
        range.SegmentId = in.flag() ? aperture_id : segment(in);
        range.OffsetInPages = static_cast<usize>(in.flag() ? in.number() : in.byte() % 44u);
        range.NumberOfPages = static_cast<usize>(in.flag() ? in.number() : in.byte() % 44u);
    }

    template <class Hw, class Transfer>
    void transfer(input& in, Hw const& hw, Transfer& t) {
        t.hAllocation = handle(in);
        t.TransferOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
        t.TransferSize = static_cast<usize>(aligned(in, hw, in.number()));
        t.Flags.Value = in.byte();
        side(in, hw, t.Source, t.TransferSize, lists_[0]);
        side(in, hw, t.Destination, t.TransferSize, lists_[1]);
        if (t.Source.SegmentId != 0 && t.Destination.SegmentId != 0 && in.one_in(2)) {
            // A move within one segment, often by about a page.
            u64 const distance = aligned(in, hw, in.number());
            u64 const from = static_cast<u64>(t.Source.SegmentAddress.QuadPart);
            t.Destination.SegmentId = t.Source.SegmentId;
            t.Destination.SegmentAddress.QuadPart = static_cast<i64>(in.flag() ? from + distance : from - distance);
        }
    }

    template <class Hw>
    void fill_in(input& in, Hw const& hw) {
        switch (args.Operation) {
            case 0:
                transfer(in, hw, args.Transfer);
                args.Transfer.MdlOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
                break;
            case 1:
                args.Fill.hAllocation = handle(in);
                args.Fill.FillSize = static_cast<usize>(in.number());
                args.Fill.FillPattern = in.flag() ? in.byte() * 0x0101'0101u : static_cast<u32>(in.word(4));
                args.Fill.Destination.SegmentId = segment(in);
                args.Fill.Destination.SegmentAddress.QuadPart = address(in, hw, args.Fill.Destination.SegmentId);
                break;
            case 2:
                args.DiscardContent.hAllocation = handle(in);
                args.DiscardContent.Flags.Value = in.byte();
                args.DiscardContent.SegmentId = segment(in);
                args.DiscardContent.SegmentAddress.QuadPart = address(in, hw, args.DiscardContent.SegmentId);
                break;
            case 3:
                args.ReadPhysical.SegmentId = segment(in);
                args.ReadPhysical.PhysicalAddress.QuadPart = address(in, hw, args.ReadPhysical.SegmentId);
                break;
            case 4:
                args.WritePhysical.SegmentId = segment(in);
                args.WritePhysical.PhysicalAddress.QuadPart = address(in, hw, args.WritePhysical.SegmentId);
                break;
            case 5:
                aperture_range(in, args.MapApertureSegment);
                args.MapApertureSegment.pMdl = mdl(in, args.MapApertureSegment.NumberOfPages * page_bytes, lists_[0]);
                args.MapApertureSegment.Flags.Value = in.byte();
                args.MapApertureSegment.MdlOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
                break;
            case 6:
                aperture_range(in, args.UnmapApertureSegment);
                args.UnmapApertureSegment.DummyPage.QuadPart = static_cast<i64>(in.number());
                break;
            case 7:
                transfer(in, hw, args.SpecialLockTransfer);
                args.SpecialLockTransfer.SwizzlingRangeId = in.byte();
                args.SpecialLockTransfer.SwizzlingRangeData = in.byte();
                break;
            default: fill_in_newer(in, hw); break;
        }
    }

    template <class Hw>
    void fill_in_newer(input& in, Hw const& hw) {
        if constexpr (members::virtual_transfer<Args>) {
            if (args.Operation == 8) {
                args.TransferVirtual.hAllocation = handle(in);
                args.TransferVirtual.AllocationOffsetInBytes = in.number();
                args.TransferVirtual.TransferSizeInBytes = aligned(in, hw, in.number());
                args.TransferVirtual.SourceVirtualAddress = aligned(in, hw, in.number());
                u64 const distance = aligned(in, hw, in.number());
                args.TransferVirtual.DestinationVirtualAddress =
                    in.flag() ? args.TransferVirtual.SourceVirtualAddress + distance
                              : args.TransferVirtual.SourceVirtualAddress - distance;
            } else if (args.Operation == 9) {
                args.FillVirtual.hAllocation = handle(in);
                args.FillVirtual.FillSizeInBytes = in.number();
                args.FillVirtual.FillPattern = in.flag() ? in.byte() * 0x0101'0101u : static_cast<u32>(in.word(4));
                args.FillVirtual.DestinationVirtualAddress = in.number();
            }
        }
        if constexpr (members::map_aperture_segment2<Args>) {
            if (args.Operation == 17) {
                aperture_range(in, args.MapApertureSegment2);
                adl(in, args.MapApertureSegment2.Adl);
                args.MapApertureSegment2.Flags.Value = in.byte();
                args.MapApertureSegment2.AdlOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
            }
        }
        fill_in_late(in, hw, args);
    }
};

}  // namespace wddmcore::testing::fuzz
