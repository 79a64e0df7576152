// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_input.hpp"

#include <wddmcore/ddi.hpp>

/// Requests of any quality from the fuzzer's bytes, each object behind them in heap memory of exactly its size.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

inline constexpr u8 unwritten = 0xA5;        ///< what a fresh paging buffer and fresh private data are full of
inline constexpr u32 longest_list = 700;     ///< pages of an MDL or a listed ADL
inline constexpr u32 buffer_limit = 0x1000;  ///< bytes of a paging buffer

template <class Args>
class request {
public:
    Args args;

    template <class Hw>
    request(input& in, Hw const& hw, u32 smallest) {
        // What no member below sets is noise: whoever reads it acts on it.
        std::memset(static_cast<void*>(&args), in.byte(), sizeof args);
        fresh_buffer(in, smallest, false);
        u32 const common[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 17, 17};
        u8 const choice = in.byte();
        args.Operation = choice < 225   ? common[choice % 15]
                         : choice < 254 ? choice % 31u
                                        : static_cast<u32>(in.word(4));
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
    exact_block buffer_;
    exact_block private_;
    exact_block lists_[2];

    static void* handle(input& in) {
        return in.one_in(3) ? nullptr : reinterpret_cast<void*>(usize{0x1000} + in.byte());
    }

    /// Pages of a run; one in four is about as long as an engine's largest copy, or as what the list copy looks at.
    static u32 run_length(input& in) {
        constexpr u32 edges[] = {2, 3, 4, 254, 255, 256, 257, 258, 299, 300, 301, 511, 512, 513, 514, 600};
        switch (in.byte() & 3) {
            case 0: return edges[in.byte() % 16];
            case 1: return 1 + static_cast<u32>(in.word(2)) % longest_list;
            default: return 1 + in.byte() % 4u;
        }
    }

    /// Page numbers as runs: mostly consecutive, then a jump.
    static void fill_pages(input& in, usize* pages, u32 count) {
        for (u32 done = 0; done != count;) {
            u32 const run = lesser(count - done, run_length(in));
            usize const first =
                in.one_in(8) ? static_cast<usize>(in.number() & 0xF'FFFF'FFFF'FFFF) : static_cast<usize>(in.word(2));
            for (u32 i = 0; i != run; ++i) {
                pages[done + i] = (first + i) & 0xF'FFFF'FFFF'FFFF;
            }
            done += run;
        }
    }

    u32 list_length(input& in) { return in.one_in(4) ? static_cast<u32>(in.word(2)) % longest_list : in.byte() % 24u; }

    /// An MDL for `want` bytes, or nearly so, or none at all.
    mirror::vista::mdl* mdl(input& in, u64 want, exact_block& where) {
        if (in.one_in(32)) {
            return nullptr;
        }
        mirror::vista::mdl header{};
        header.ByteOffset = in.one_in(4) ? static_cast<u32>(in.word(2)) % 8192u : 0;
        header.ByteCount = in.one_in(3) || want > longest_list * page_bytes
                               ? list_length(in) * static_cast<u32>(page_bytes) + in.byte() % 3u
                               : static_cast<u32>(want) + in.byte() % 2u * 4096;
        u32 const count = static_cast<u32>(pages_spanned(bytes{u64{header.ByteOffset} + header.ByteCount}).n);
        where = exact_block(sizeof header + count * sizeof(usize), 0);
        std::memcpy(where.data(), &header, sizeof header);
        fill_pages(in, reinterpret_cast<usize*>(where.data() + sizeof header), count);
        return reinterpret_cast<mirror::vista::mdl*>(where.data());
    }

    /// An ADL of either form; the flag tells which, and PageCount may be a lie only where no list is behind it.
    template <class Adl>
    void adl(input& in, Adl& out) {
        out.Flags.Value = in.byte() & 0xFEu;
        if (in.flag()) {
            out.Flags.Value |= 1;
            out.PageCount = static_cast<u32>(in.number());
            out.BasePageNumber = static_cast<usize>(in.number());
            return;
        }
        out.PageCount = list_length(in);
        out.Pages = nullptr;
        if (!in.one_in(32)) {
            lists_[0] = exact_block(out.PageCount * sizeof(usize), 0);
            fill_pages(in, reinterpret_cast<usize*>(lists_[0].data()), out.PageCount);
            out.Pages = reinterpret_cast<usize const*>(lists_[0].data());
        }
    }

    static u32 segment(input& in) { return in.one_in(8) ? static_cast<u32>(in.number()) : 1 + in.byte() % 3u; }

    /// An address that lies in the segment more often than not.
    template <class Hw>
    static i64 address(input& in, Hw const& hw, u32 id) {
        u64 const base = in.one_in(8) ? 0 : hw.place(segment_id{id}).base.n;
        return static_cast<i64>(base + in.number());
    }

    template <class Hw, class Side>
    void side(input& in, Hw const& hw, Side& out, u64 size, exact_block& list) {
        if (in.flag()) {
            out.SegmentId = 0;
            out.pMdl = mdl(in, size, list);
        } else {
            // Id 0 would make the address a pointer, and no driver can tell a wrong one.
            out.SegmentId = greater(segment(in), 1u);
            out.SegmentAddress.QuadPart = address(in, hw, out.SegmentId);
        }
    }

    template <class Hw, class Transfer>
    void transfer(input& in, Hw const& hw, Transfer& t) {
        t.hAllocation = handle(in);
        t.TransferOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
        t.TransferSize = static_cast<usize>(in.number());
        t.Flags.Value = in.byte();
        side(in, hw, t.Source, t.TransferSize, lists_[0]);
        side(in, hw, t.Destination, t.TransferSize, lists_[1]);
        if (t.Source.SegmentId != 0 && t.Destination.SegmentId != 0 && in.one_in(2)) {
            // A move within one segment, often by about a page.
            u64 const distance = in.number();
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
                args.MapApertureSegment.SegmentId = segment(in);
                args.MapApertureSegment.OffsetInPages = static_cast<usize>(in.number());
                args.MapApertureSegment.NumberOfPages = static_cast<usize>(in.number());
                args.MapApertureSegment.pMdl = mdl(in, args.MapApertureSegment.NumberOfPages * page_bytes, lists_[0]);
                args.MapApertureSegment.Flags.Value = in.byte();
                args.MapApertureSegment.MdlOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
                break;
            case 6:
                args.UnmapApertureSegment.SegmentId = segment(in);
                args.UnmapApertureSegment.OffsetInPages = static_cast<usize>(in.number());
                args.UnmapApertureSegment.NumberOfPages = static_cast<usize>(in.number());
                args.UnmapApertureSegment.DummyPage.QuadPart = static_cast<i64>(in.number());
                break;
            case 7:
                transfer(in, hw, args.SpecialLockTransfer);
                args.SpecialLockTransfer.SwizzlingRangeId = in.byte();
                args.SpecialLockTransfer.SwizzlingRangeData = in.byte();
                break;
            default: fill_in_newer(in); break;
        }
    }

    void fill_in_newer(input& in) {
        if constexpr (shape::virtual_transfer<Args>) {
            if (args.Operation == 8) {
                args.TransferVirtual.hAllocation = handle(in);
                args.TransferVirtual.AllocationOffsetInBytes = in.number();
                args.TransferVirtual.TransferSizeInBytes = in.number();
                args.TransferVirtual.SourceVirtualAddress = in.number();
                args.TransferVirtual.DestinationVirtualAddress =
                    in.flag() ? args.TransferVirtual.SourceVirtualAddress + in.number()
                              : args.TransferVirtual.SourceVirtualAddress - in.number();
            } else if (args.Operation == 9) {
                args.FillVirtual.hAllocation = handle(in);
                args.FillVirtual.FillSizeInBytes = in.number();
                args.FillVirtual.FillPattern = in.flag() ? in.byte() * 0x0101'0101u : static_cast<u32>(in.word(4));
                args.FillVirtual.DestinationVirtualAddress = in.number();
            }
        }
        if constexpr (shape::map_aperture_segment2<Args>) {
            if (args.Operation == 17) {
                args.MapApertureSegment2.SegmentId = segment(in);
                args.MapApertureSegment2.OffsetInPages = static_cast<usize>(in.number());
                args.MapApertureSegment2.NumberOfPages = static_cast<usize>(in.number());
                adl(in, args.MapApertureSegment2.Adl);
                args.MapApertureSegment2.Flags.Value = in.byte();
                args.MapApertureSegment2.AdlOffset = in.one_in(3) ? static_cast<u32>(in.number()) : 0;
            }
        }
    }
};

}  // namespace wddmcore::testing::fuzz
