// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "twin.hpp"
#include "window_gfx10.hpp"
#include "window_gpu.hpp"

#include <base/expect_both.hpp>
#include <doctest/doctest.h>

namespace window_constant_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape engine = shapes::engine(shapes::physical, 1023 * page_bytes, 4, hw::overlap::by_direction, 4);
constexpr window_shape window{.slots = 4};
using gpu = window_gpu<engine, window>;

constexpr usize numbers[] = {0x77, 0x40, 0x99, 0x60, 0x50, 0x51, 0x52, 0x53, 0x54};
constexpr twin_mdl mdl{9 * 4096, 0, numbers};

/// Four pages through the window, five by one copy, and padding to a unit of four dwords.
constexpr bool builds_what_it_should() {
    gpu hw = window_gpu_with_segments<gpu>();
    twin_arguments args{};
    u32 buffer[64];  // uninitialised: a word that is read before it is written is an error of the compiler
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.Operation = static_cast<u32>(paging_operation::transfer);
    args.Transfer.TransferSize = 9 * page_bytes - 100;
    args.Transfer.Source.SegmentId = local_memory;
    args.Transfer.Source.SegmentAddress.QuadPart = 0x10'0000'0000;
    args.Transfer.Destination.pMdl = &mdl;
    if (build_paging_buffer(hw, args) != status::success || args.MultipassOffset != 9) {
        return false;
    }
    u32 const expected[] = {window_wait_mark | 2,
                            window_wait_mark | 2,
                            window_head_mark,
                            0,
                            4,
                            0x77'005,
                            0,
                            0x40'005,
                            0,
                            0x99'005,
                            0,
                            0x60'005,
                            0,
                            window_flush_mark | 3,
                            0,
                            4};
    for (u32 i = 0; i != 16; ++i) {
        if (buffer[i] != expected[i]) {
            return false;
        }
    }
    recorded_command const first = decode_record(buffer + 16);
    recorded_command const second = decode_record(buffer + 27);
    return args.pDmaBuffer == buffer + 40 && first.destination == recorded_address{window_start, window_space} &&
           first.source == recorded_address{0, segment_space(local_memory)} && first.size == 4 * page_bytes &&
           second.destination == recorded_address{0x50'000, system_space} &&
           second.source == recorded_address{4 * page_bytes, segment_space(local_memory)} &&
           second.size == 5 * page_bytes - 100 && buffer[38] == (padding_head | 2 << 8);
}

/// The AMD packets of a window, dword by dword, from the packet lists of the vendor's public driver.
constexpr bool encodes_packets() {
    windowed_gfx10 const hw = windowed_gfx10::started({}, {.address = 0x7E'0000'0000,
                                                           .entries = 0x12'3456'7000,
                                                           .word = 0xAB'CDEF'0010,
                                                           .request_register = 0x1A,
                                                           .done_register = 0x6C});
    u32 head[4];
    hw.encode_window_head(head, 3, 5);
    u32 flush[9];
    hw.encode_window_flush(flush, 3, 5);
    u32 wait[15];
    hw.encode_window_wait(wait);
    return head[0] == 2 && head[1] == 0x3456'7018 && head[2] == 0x12 && head[3] == 9 && flush[0] == 0xF000'000E &&
           flush[1] == 0x1A && flush[2] == 1 && flush[3] == 0x3000'0008 && flush[4] == 0x6C && flush[5] == 0 &&
           flush[6] == 1 && flush[7] == 1 && flush[8] == 0xFFF'0000 && wait[0] == 2 && wait[1] == 0xCDEF'0010 &&
           wait[2] == 0xAB && wait[3] == 0 && wait[4] == 0 && wait[5] == 0x0003'0005 && wait[6] == 0xCDEF'0010 &&
           wait[7] == 0xAB && wait[8] == 1 && wait[9] == 0xB000'0008 && wait[10] == 0xCDEF'0010 && wait[11] == 0xAB &&
           wait[12] == 1 && wait[13] == ~u32{0} && wait[14] == 0xFFF'0000 &&
           windowed_gfx10::window_entry_bits() == 0x77;
}

}  // namespace

TEST_CASE("OP00-10 window: a transfer through a window in constant evaluation") {
    expect_both(builds_what_it_should());
}

TEST_CASE("OP00-10 window: packets of the window that figures are measured with") { expect_both(encodes_packets()); }

}  // namespace window_constant_test
