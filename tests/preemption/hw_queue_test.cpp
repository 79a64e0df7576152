// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/hardware_queues/queue.hpp"

#include <initializer_list>

namespace hw_queue_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

using arguments = mirror::v2_2::dxgkarg_submitcommandtohwqueue;

arguments with_data(void* data, u32 size) {
    arguments args{};
    args.HwQueueProgressFenceId = 0x1'0000'0002;
    args.DmaBufferVirtualAddress = 0x7000'1000;
    args.DmaBufferSize = 0x200;
    args.DmaBufferPrivateDataSize = size;
    args.pDmaBufferPrivateData = data;
    args.Flags.Value = 2;
    args.HwQueueProgressFenceGpuVa = 0x7000'2000;
    return args;
}

// A twin with typed data, so that the compiler's evaluator can follow.
struct twin {
    u64 HwQueueProgressFenceId;
    u64 DmaBufferVirtualAddress;
    u32 DmaBufferSize;
    u32 DmaBufferPrivateDataSize;
    u8 const* pDmaBufferPrivateData;
    struct {
        u32 Value;
    } Flags;
    u64 HwQueueProgressFenceGpuVa;
};

constexpr bool copies() {
    u8 given[3] = {1, 2, 3};
    u8 room[4] = {9, 9, 9, 9};
    twin const args{1, 2, 3, 3, given, {4}, 5};
    bool const taken = take_queue_submission(args, span_of(room)).ok();
    given[0] = given[1] = given[2] = 0xDD;  // freed
    return taken && room[0] == 1 && room[1] == 2 && room[2] == 3 && room[3] == 9;
}

}  // namespace

TEST_CASE("HWS-05: the private data of a queue submission is copied, for it is freed when the call returns") {
    expect_both(copies());
    u8 given[4] = {1, 2, 3, 4};
    u8 room[4] = {};
    auto const taken = take_queue_submission(with_data(given, 4), span_of(room));
    for (u8& byte : given) {
        byte = 0xDD;
    }
    CHECK(taken.get() == queue_submission{0x1'0000'0002, {0x7000'1000}, 0x200, 2, {0x7000'2000}, 4});
    CHECK((room[0] == 1 && room[1] == 2 && room[2] == 3 && room[3] == 4));
}

TEST_CASE("HWS-05: private data that does not fit, or is missing, is refused before a byte is copied") {
    u8 given[5] = {1, 2, 3, 4, 5};
    u8 room[4] = {9, 9, 9, 9};
    CHECK(take_queue_submission(with_data(given, 5), span_of(room)).error == errc::out_of_range);
    CHECK(take_queue_submission(with_data(nullptr, 1), span_of(room)).error == errc::missing);
    CHECK((room[0] == 9 && room[1] == 9 && room[2] == 9 && room[3] == 9));
    CHECK(take_queue_submission(with_data(nullptr, 0), {nullptr, 0}).ok());
}

TEST_CASE("HWS-06: who writes the progress fence, and not before the buffer's last instruction") {
    using enum fence_writer_of_queue;
    expect_both(fence_writer_of(false, false) == user_mode_buffer);
    expect_both(fence_writer_of(false, true) == kernel_mode_buffer);
    expect_both(fence_writer_of(true, false) == retirement);
    expect_both(fence_writer_of(true, true) == retirement);
    for (u32 left = 0; left != 3; ++left) {
        for (bool const used : {false, true}) {
            CHECK(may_write_fence(user_mode_buffer, left, used) == (left == 0));
            CHECK(may_write_fence(kernel_mode_buffer, left, used) == (left == 0));
            CHECK(may_write_fence(retirement, left, used) == (left == 0 && !used));
        }
    }
}

}  // namespace hw_queue_test
