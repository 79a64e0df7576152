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

template <usize Length>
constexpr bool same(u32 const (&got)[Length], u32 const (&expected)[Length]) {
    for (usize i = 0; i != Length; ++i) {
        if (got[i] != expected[i]) {
            return false;
        }
    }
    return true;
}

/// The AMD packets of a window, dword by dword, from the packet lists of the vendor's public driver.
constexpr bool encodes_packets() {
    windowed_gfx10 const hw = windowed_gfx10::started({}, {.address = 0x7E'0000'0000,
                                                           .entries = 0x12'3456'7000,
                                                           .hub = {.request_register = 0x1A,
                                                                   .acknowledge_register = 0x1B,
                                                                   .request = 0x00F8'0001,
                                                                   .vmids = 1,
                                                                   .scratch = 0xAB'CDEF'0010}});
    u32 head[4];
    hw.encode_window_head(head, 3, 5);
    u32 flush[19];
    hw.encode_window_flush(flush, 3, 5);
    u32 wait[10];
    hw.encode_window_wait(wait);
    constexpr u32 right_head[4] = {2, 0x3456'7018, 0x12, 9};
    constexpr u32 right_flush[19] = {0x0003'0005, 0xCDEF'0010, 0xAB,        4,    0xB000'0008, 0xCDEF'0010, 0xAB, 4,
                                     ~u32{0},     0xFFF'0000,  0xF000'000E, 0x1A, 0x00F8'0001, 0x3000'0008, 0x6C, 0,
                                     1,           1,           0xFFF'0000};
    constexpr u32 right_wait[10] = {0x0003'0005, 0xCDEF'0010, 0xAB, 0,       0xB000'0008,
                                    0xCDEF'0010, 0xAB,        0,    ~u32{0}, 0xFFF'0000};
    return same(head, right_head) && same(flush, right_flush) && same(wait, right_wait) &&
           windowed_gfx10::window_entry_bits() == 0x77;
}

}  // namespace

TEST_CASE("OP00-10 window: a transfer through a window in constant evaluation") {
    expect_both(builds_what_it_should());
}

TEST_CASE("OP00-10 window: packets of the window that figures are measured with") { expect_both(encodes_packets()); }

}  // namespace window_constant_test
