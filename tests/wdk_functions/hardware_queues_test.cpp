// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of wdk/ for hardware scheduling. No simulator plays these.
#include "queueing_gpu.hpp"

#include <wddmcore/mirror.hpp>

namespace wdk_functions_test {

namespace {

constexpr u32 suspended = static_cast<u32>(preemption::interrupt_type::suspend_context_completed);

TEST_CASE("HWS-05: a submission is appended with a copy of its private data") {
    queued q;
    REQUIRE(q.set_properties() == status::success);
    u8 data[4] = {0x5A, 1, 2, 3};
    auto args = q.submission(7);
    args.pDmaBufferPrivateData = data;
    args.DmaBufferPrivateDataSize = sizeof data;
    args.HwQueueProgressFenceGpuVa = 0x2000;
    args.Flags.Value = 1;
    REQUIRE(q.submit(args) == status::success);
    data[0] = 0;
    REQUIRE(q.s.gpu.appends.size() == 1);
    auto const& made = q.s.gpu.appends[0];
    CHECK(made.queue == &q.own_queue);
    CHECK(made.what == preemption::queue_submission{7, {0x10'0000}, 64, 1, {0x2000}, 4});
    CHECK(made.first == 0x5A);
    CHECK(q.s.gpu.room[3] == 3);
}

TEST_CASE("HWS-05: the structure of WDDM 2.2 says as much as the newest; without its later members it is none") {
    queued q;
    REQUIRE(q.set_properties() == status::success);
    mirror::v2_2::dxgkarg_submitcommandtohwqueue args{};
    args.hHwQueue = q.queue.hHwQueue;
    args.HwQueueProgressFenceId = 3;
    CHECK(wdk::submit_command_to_hw_queue<queueing_gpu>(q.s.handle, &args) == status::success);
    CHECK(q.s.gpu.appends.back().what.progress_fence == 3);
    struct of_build_17134 {
        void* hHwQueue;
        u64 HwQueueProgressFenceId;
        u64 DmaBufferVirtualAddress;
        u32 DmaBufferSize;
        u32 DmaBufferPrivateDataSize;
        void* pDmaBufferPrivateData;
    };
    CHECK(members::queue_submission<mirror::v2_2::dxgkarg_submitcommandtohwqueue>);
    CHECK(!members::queue_submission<of_build_17134>);
}

TEST_CASE("HWS-05: private data that is NULL, or one dword longer than the room, is refused") {
    queued q;
    REQUIRE(q.set_properties() == status::success);
    u32 data[4] = {};
    auto args = q.submission(1);
    args.DmaBufferPrivateDataSize = sizeof data;
    SUBCASE("NULL") {}
    SUBCASE("no room") {
        args.pDmaBufferPrivateData = data;
        q.s.gpu.room_bytes = sizeof data - sizeof data[0];
    }
    CHECK(q.submit(args) == status::invalid_parameter);
    CHECK(q.s.gpu.appends.empty());
}

TEST_CASE("HWS-04: a queue takes submissions once the context has its scheduling properties") {
    queued q;
    CHECK(q.submit(1) == status::invalid_device_state);
    q.s.gpu.properties = status::not_supported;
    CHECK(q.set_properties() == status::not_supported);
    CHECK(q.submit(1) == status::invalid_device_state);
    q.s.gpu.properties = status::success;
    CHECK(q.set_properties() == status::success);
    CHECK(q.s.gpu.properties_set == 2);
    CHECK(q.submit(1) == status::success);
    CHECK(q.s.gpu.appends.size() == 1);
}

TEST_CASE("a queue that cannot be created leaves nothing behind") {
    queued q;
    int const blocks = q.s.gpu.blocks;
    DXGKARG_CREATEHWQUEUE args{};
    args.hHwQueue = &args;
    q.s.gpu.queue_opened = status::not_supported;
    CHECK(wdk::create_hw_queue<queueing_gpu>(q.contexts[0], &args) == status::not_supported);
    q.s.gpu.allocations_left = 0;
    CHECK(wdk::create_hw_queue<queueing_gpu>(q.contexts[0], &args) == status::no_memory);
    CHECK(args.hHwQueue == &args);
    CHECK(q.s.gpu.blocks == blocks);
}

TEST_CASE("HWS-01: a suspension is pending until the hardware echoes its fence, and then reported once") {
    queued q;
    REQUIRE(q.suspend(11) == status::pending);
    CHECK(q.s.gpu.suspends == std::vector<u64>{11});
    CHECK(q.acknowledge(11));
    CHECK(q.s.gpu.records == std::vector<u32>{suspended});
    CHECK(q.s.whole.record.SuspendContextCompleted.ContextSuspendFence == 11);
    CHECK(q.s.gpu.dpcs == 1);
    CHECK(!q.acknowledge(11));
    CHECK(q.s.gpu.dpcs == 1);
    CHECK(q.suspend(12) == status::success);
    CHECK(q.s.gpu.suspends.size() == 1);
}

TEST_CASE("AMB-62: the record of a suspended context names the system's handle") {
    queued q;
    REQUIRE(q.suspend(1, 1) == status::pending);
    REQUIRE(q.acknowledge(1, 1));
    CHECK(q.s.whole.record.SuspendContextCompleted.hContext == &q.system_handles[1]);
}

TEST_CASE("HWS-02: an acknowledgement that a newer suspension has overtaken is not reported") {
    queued q;
    REQUIRE(q.suspend(1) == status::pending);
    CHECK(q.resume() == status::success);
    CHECK(q.s.gpu.resumes == std::vector<wdk::context*>{q.contexts[0]});
    REQUIRE(q.suspend(2) == status::pending);
    CHECK(!q.acknowledge(1));
    CHECK(q.s.gpu.records.empty());
    CHECK(q.acknowledge(2));
}

TEST_CASE("HWS-04: a context begins resumed, so resuming it asks nothing") {
    queued q;
    CHECK(q.resume() == status::success);
    CHECK(q.s.gpu.resumes.empty());
}

TEST_CASE("HWS-01: an acknowledgement that an interrupt brings is reported with its DPC") {
    queued q;
    REQUIRE(q.suspend(5) == status::pending);
    q.s.gpu.acknowledged = q.contexts[0];
    q.s.gpu.acknowledged_fence = 5;
    static_cast<void>(wdk::interrupt_routine<queueing_gpu>(q.s.handle, 0));
    CHECK(q.s.gpu.records == std::vector<u32>{suspended});
    CHECK(q.s.gpu.dpcs == 1);
}

TEST_CASE("HWS-08: a reset invalidates the context that it caught, outside the lock and once") {
    queued q;
    REQUIRE(q.set_properties() == status::success);
    REQUIRE(q.set_properties(1) == status::success);
    q.s.gpu.on_engine = q.contexts[0];
    CHECK(q.reset_engine() == status::success);
    CHECK(q.s.gpu.invalidated == std::vector<void*>{&q.system_handles[0]});
    CHECK(q.s.gpu.invalidated_adapter == q.s.gpu.system_adapter());
    CHECK(q.s.gpu.invalidated_at_lock == 0);
    CHECK(q.submit(1) == status::invalid_device_state);
    q.s.gpu.on_engine = nullptr;
    CHECK(q.resume_engine() == status::success);
    CHECK(q.s.gpu.resumes == std::vector<wdk::context*>{q.contexts[1]});
    CHECK(q.s.gpu.invalidated.size() == 1);
}

TEST_CASE("HWS-08: contexts of another node are not asked") {
    queued q;
    q.s.gpu.on_engine = q.contexts[2];
    CHECK(q.reset_engine() == status::success);
    CHECK(q.s.gpu.invalidated.empty());
    CHECK(q.reset_engine(1) == status::success);
    CHECK(q.s.gpu.invalidated == std::vector<void*>{&q.system_handles[2]});
}

TEST_CASE("HWS-08: a suspension that waits when the engine is reset is reported") {
    queued q;
    REQUIRE(q.suspend(3) == status::pending);
    CHECK(q.reset_engine() == status::success);
    CHECK(q.s.gpu.records == std::vector<u32>{suspended});
    CHECK(q.s.gpu.dpcs == 1);
    CHECK(q.suspend(4) == status::success);
    CHECK(q.resume() == status::success);
    CHECK(q.s.gpu.resumes.empty());
    CHECK(q.resume_engine() == status::success);
    REQUIRE(q.s.gpu.resumes.size() == 2);
}

TEST_CASE("HWS-08: an acknowledgement that nobody has read is read before the reset") {
    queued q;
    REQUIRE(q.suspend(3) == status::pending);
    q.s.gpu.acknowledged = q.contexts[0];
    q.s.gpu.acknowledged_fence = 3;
    q.s.gpu.on_engine = q.contexts[0];
    CHECK(q.reset_engine() == status::success);
    CHECK(q.s.gpu.records.size() == 1);
    CHECK(q.s.gpu.invalidated.empty());
}

TEST_CASE("HWS-08: an engine that cannot be reset or resumed is said to be so, and one that is not there") {
    queued q;
    q.s.gpu.engine_resets = q.s.gpu.engine_resumes = false;
    q.s.gpu.on_engine = q.contexts[0];
    CHECK(q.reset_engine() == status::unsuccessful);
    CHECK(q.s.gpu.invalidated.empty());
    CHECK(q.resume_engine() == status::unsuccessful);
    CHECK(q.s.gpu.resumes.empty());
    CHECK(q.reset_engine(2) == status::invalid_parameter);
    CHECK(q.reset_engine(0, 1) == status::invalid_parameter);
    CHECK(q.resume_engine(2) == status::invalid_parameter);
    CHECK(q.resume_engine(0, 1) == status::invalid_parameter);
}

TEST_CASE("HWS-08: what an engine could not resume runs after the restart of the adapter") {
    queued q;
    REQUIRE(q.reset_engine() == status::success);
    q.s.gpu.engine_resumes = false;
    REQUIRE(q.resume_engine() == status::unsuccessful);
    REQUIRE(wdk::reset_from_timeout<queueing_gpu>(q.s.handle) == status::success);
    REQUIRE(wdk::restart_from_timeout<queueing_gpu>(q.s.handle) == status::success);
    CHECK(q.s.gpu.resumes.size() == 2);
    CHECK(q.suspend(9) == status::pending);
    CHECK(q.acknowledge(9));
}

/// Reset in a driver whose records are of a version before suspensions.
TEST_CASE("HWS-01: before WDDM 2.4 there is no record of a suspension") {
    CHECK(!preemption::reports_suspensions<mirror::v2_3::dxgkargcb_notify_interrupt_data>);
    CHECK(preemption::reports_suspensions<mirror::v2_4::dxgkargcb_notify_interrupt_data>);
}

}  // namespace

}  // namespace wdk_functions_test
