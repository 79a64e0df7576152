// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A transfer that does not fit its paging buffer: the driver answers "insufficient", the system submits what is there
// and calls again with another buffer and the same arguments. Only MultipassOffset, 32 bits, survives between two
// calls. It counts pages, so each pass begins exactly where the last one ended, and terabytes do not overflow it.

#include <hardware/cpu.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <cstdio>

using namespace wddmcore;
using gpu = examples::cpu::processor<>;

/// An MDL as the system makes it: the page numbers follow the header.
struct page_list {
    mirror::vista::mdl header;
    usize numbers[10];
};

int main() {
    gpu hw{};
    hw.segments[1] = {{{0x80'0000'0000}, {16 * mib}}, false};
    page_list list{{}, {0x50, 0x51, 0x52, 0x90, 0x33, 0x34, 0x70, 0x71, 0x72, 0x73}};
    list.header.ByteCount = 10 * 4096;

    // An eviction: ten pages, the last of them incomplete, from the segment to system memory.
    mirror::v1_3::dxgkarg_buildpagingbuffer args{};
    args.Operation = static_cast<u32>(paging_operation::transfer);
    args.Transfer.TransferSize = 10 * 4096 - 1000;
    args.Transfer.Flags.AllocationIsIdle = 1;
    args.Transfer.Source.SegmentId = 2;
    args.Transfer.Source.SegmentAddress.QuadPart = 0x80'0000'8000;
    args.Transfer.Destination.SegmentId = 0;  // an MDL
    args.Transfer.Destination.pMdl = &list.header;

    std::printf("smallest paging buffer: %llu bytes, one copy of this hardware\n", smallest_paging_buffer<gpu>.n);
    std::printf("pass  buffer  token before -> after  commands  answer\n");
    u64 moved = 0;
    ntstatus answer = status::graphics_insufficient_dma_buffer;
    for (u32 pass = 0; answer == status::graphics_insufficient_dma_buffer && pass != 10; ++pass) {
        constexpr u32 sizes[] = {40, 12, 68, 32};  // any sizes; the second is too small for a command
        u32 buffer[17];
        args.pDmaBuffer = buffer;
        args.DmaSize = sizes[pass % 4];
        u32 const before = args.MultipassOffset;
        answer = build_paging_buffer(hw, args);
        // What a GPU would do: records of 8 dwords, code 1, destination in 2-3, source in 4-5, bytes in 6-7.
        u32 commands = 0;
        for (u32 const* at = buffer; at != args.pDmaBuffer; at += 8, ++commands) {
            u64 const to = at[2] | u64{at[3]} << 32;
            u64 const from = at[4] | u64{at[5]} << 32;
            if (to != u64{list.numbers[moved / 4096]} * 4096 || from != 0x80'0000'8000 + moved) {
                std::printf("a page was lost or repeated\n");
                return 1;
            }
            moved += at[6];
        }
        std::printf("%4u  %6u  %12u -> %-5u  %8u  %s\n", pass, args.DmaSize, before, args.MultipassOffset, commands,
                    answer == status::success ? "success" : "insufficient: come back");
        if (answer != status::success && args.MultipassOffset * u64{4096} != moved) {
            std::printf("the token does not say what was done\n");
            return 1;
        }
    }
    std::printf("%llu bytes of %u, in runs of consecutive pages\n", moved, 10 * 4096 - 1000);
    return answer == status::success && moved == args.Transfer.TransferSize ? 0 : 1;
}
