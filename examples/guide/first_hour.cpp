// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include <own_hardware/my_gpu.hpp>
#include <wddmcore/mirror.hpp>

#include <cstdio>

using namespace wddmcore;
using examples::my_gpu;

int main() {
    // region: request
    my_gpu gpu;
    u32 buffer[32];
    mirror::v2_0::dxgkarg_buildpagingbuffer args{};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.Operation = static_cast<u32>(paging_operation::fill);
    args.Fill.FillSize = 3 * 1024 * 1024;
    args.Fill.FillPattern = 0xCAFE;
    args.Fill.Destination.SegmentId = 1;
    args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(examples::video_memory);
    ntstatus const answer = build_paging_buffer(gpu, args);
    // end: request

    // region: print
    auto const words = static_cast<u32*>(args.pDmaBuffer) - buffer;
    std::printf("status %08x, %td dwords, token %u\n", static_cast<unsigned>(answer), words, args.MultipassOffset);
    for (auto i = 0; i < words; i += 8) {
        std::printf("  code %u  pattern %04x  to %02x%08x  %u bytes\n", buffer[i], buffer[i + 1], buffer[i + 3],
                    buffer[i + 2], buffer[i + 6]);
    }
    // end: print

    // region: twice
    args.pDmaBuffer = buffer;
    args.DmaSize = 40;  // room for one command of 32 bytes
    args.MultipassOffset = 0;
    for (int pass = 1; pass != 4; ++pass) {
        ntstatus const again = build_paging_buffer(gpu, args);
        std::printf("pass %d: status %08x, token %u\n", pass, static_cast<unsigned>(again), args.MultipassOffset);
        args.pDmaBuffer = buffer;  // the system submits the buffer, and calls again with another
    }
    // end: twice
    return answer == status::success && words == 24 ? 0 : 1;
}
