// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "noting_gpu.hpp"

namespace wdk_functions_test {

/// An adapter with hardware scheduling that notes what it is asked.
struct queueing_gpu : noting_gpu {
    struct appended {
        void* queue;
        preemption::queue_submission what;
        u8 first;  ///< byte of the private data; 0 without
    };

    ntstatus queue_opened = status::success;
    ntstatus properties = status::success;
    int properties_set = 0;
    u8 room[64] = {};
    usize room_bytes = sizeof room;
    std::vector<appended> appends{};
    std::vector<void*> closed_queues{};
    std::vector<u64> suspends{};  // fences
    std::vector<wdk::context*> resumes{};
    wdk::context* on_engine = nullptr;  // a reset catches it
    bool engine_resets = true;
    bool engine_resumes = true;
    std::vector<void*> invalidated{};  // the system's handles
    void* invalidated_adapter = nullptr;
    int invalidated_at_lock = 0;           // how many locks were held
    wdk::context* acknowledged = nullptr;  // what the next reading of news finds suspended
    u64 acknowledged_fence = 0;

    template <class Args>
    ntstatus open_hw_queue(void*, Args&, void*& own) noexcept {
        own = next_own;
        return queue_opened;
    }
    void close_hw_queue(void* own) noexcept { closed_queues.push_back(own); }
    template <class Args>
    ntstatus set_scheduling_properties(void*, Args const&) noexcept {
        ++properties_set;
        return properties;
    }
    span<u8> room_in_hw_queue(void*, u32) noexcept { return {room, room_bytes}; }
    void append_to_hw_queue(void* own, preemption::queue_submission const& what, u8 const* data) noexcept {
        appends.push_back({own, what, what.private_data_bytes != 0 ? data[0] : u8{0}});
    }
    void ask_suspend(wdk::context&, u64 fence) noexcept { suspends.push_back(fence); }
    void ask_resume(wdk::context& of) noexcept { resumes.push_back(&of); }
    bool was_on_engine(wdk::context& of) noexcept { return &of == on_engine; }
    bool reset_hw_engine(u32 n) noexcept {
        nodes_touched[n] = true;
        return engine_resets;
    }
    bool resume_hw_engine(u32 n) noexcept {
        nodes_touched[n] = true;
        return engine_resumes;
    }
    void* system_adapter() noexcept { return &room; }
    void invalidate_hw_context(DXGKARGCB_INVALIDATEHWCONTEXT& args) noexcept {
        invalidated.push_back(args.hHwContext);
        invalidated_adapter = args.hAdapter;
        invalidated_at_lock += locked;
    }
    void read_news(u32 n, wddmcore_engine_news& now) noexcept {
        noting_gpu::read_news(n, now);
        if (acknowledged != nullptr) {
            static_cast<void>(wdk::context_suspended<queueing_gpu>(*acknowledged, acknowledged_fence));
            acknowledged = nullptr;
        }
    }
};
static_assert(wdk::check_device<queueing_gpu>() && wdk::check_hw_queues<queueing_gpu>());

/// Two contexts of node 0 and one of node 1, whose system handles are known, and a queue of the first.
struct queued {
    started_as<queueing_gpu> s{};
    int system_handles[3] = {};
    wdk::context* contexts[3] = {};
    int own_queue = 0;
    DXGKARG_CREATEHWQUEUE queue{};

    queued() {
        for (u32 i = 0; i != 3; ++i) {
            DXGKARG_CREATECONTEXT args{};
            args.hContext = &system_handles[i];
            args.NodeOrdinal = i / 2;
            args.EngineAffinity = 1;
            REQUIRE(s.create(args) == status::success);
            contexts[i] = static_cast<wdk::context*>(args.hContext);
        }
        s.gpu.next_own = &own_queue;
        REQUIRE(wdk::create_hw_queue<queueing_gpu>(contexts[0], &queue) == status::success);
    }
    ~queued() {
        CHECK(wdk::destroy_hw_queue<queueing_gpu>(queue.hHwQueue) == status::success);
        for (wdk::context* each : contexts) {
            CHECK(wdk::destroy_context<queueing_gpu>(each) == status::success);
        }
        CHECK(s.gpu.blocks == 0);
        CHECK(s.gpu.locked == 0);
    }
    queued(queued const&) = delete;
    queued& operator=(queued const&) = delete;

    ntstatus set_properties(u32 i = 0) {
        DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES args{};
        args.hContext = contexts[i];
        return wdk::set_context_scheduling_properties<queueing_gpu>(s.handle, &args);
    }
    ntstatus suspend(u64 fence, u32 i = 0) {
        DXGKARG_SUSPENDCONTEXT args{};
        args.hContext = contexts[i];
        args.contextSuspendFence = fence;
        return wdk::suspend_context<queueing_gpu>(s.handle, &args);
    }
    ntstatus resume(u32 i = 0) {
        DXGKARG_RESUMECONTEXT args{};
        args.hContext = contexts[i];
        return wdk::resume_context<queueing_gpu>(s.handle, &args);
    }
    bool acknowledge(u64 fence, u32 i = 0) { return wdk::context_suspended<queueing_gpu>(*contexts[i], fence); }
    ntstatus reset_engine(u32 node = 0, u32 engine = 0) {
        DXGKARG_RESETHWENGINE args{node, engine};
        return wdk::reset_hw_engine<queueing_gpu>(s.handle, &args);
    }
    ntstatus resume_engine(u32 node = 0, u32 engine = 0) {
        DXGKARG_RESUMEHWENGINE args{node, engine};
        return wdk::resume_hw_engine<queueing_gpu>(s.handle, &args);
    }
    [[nodiscard]] DXGKARG_SUBMITCOMMANDTOHWQUEUE submission(u64 fence) const {
        DXGKARG_SUBMITCOMMANDTOHWQUEUE args{};
        args.hHwQueue = queue.hHwQueue;
        args.HwQueueProgressFenceId = fence;
        args.DmaBufferVirtualAddress = 0x10'0000;
        args.DmaBufferSize = 64;
        return args;
    }
    ntstatus submit(DXGKARG_SUBMITCOMMANDTOHWQUEUE const& args) {
        return wdk::submit_command_to_hw_queue<queueing_gpu>(s.handle, &args);
    }
    ntstatus submit(u64 fence) { return submit(submission(fence)); }
};

}  // namespace wdk_functions_test
