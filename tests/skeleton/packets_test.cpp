// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Which packets the driver of examples/kmd_skeleton takes, whose they are, and what is left of those that are refused or
// cancelled: as the system sees it, through the driver's table.
#include <doctest/doctest.h>
#include <kmd_skeleton/table.hpp>

#include <utility>
#include <vector>

namespace skeleton_test {

using namespace wddmcore;
using namespace wddmcore::examples::skeleton;

namespace {

constexpr u32 ring_capacity = 64;  // AMB-54
constexpr u32 packet_cap = gpu::scheduling.hw_queue_packet_cap;

/// The system's services, and two nodes whose packets take as long as a test wants.
struct world {
    wddmcore_system_services services{};
    wddmcore_gpu registers{};
    std::vector<wddmcore_gpu_packet> written{};
    wddmcore_gpu_status news[2] = {};
    u32 asked = 0;

    world() {
        services.size = sizeof services;
        services.system = this;
        services.notify_interrupt = [](void*, void const*) WDDMCORE_DRIVER_CALL {};
        services.queue_dpc = [](void*) WDDMCORE_DRIVER_CALL { return 1; };
        services.notify_dpc = [](void*) WDDMCORE_DRIVER_CALL {};
        services.synchronize_execution = [](void*, int(WDDMCORE_DRIVER_CALL * routine)(void*), void* context, unsigned,
                                            int* returned) WDDMCORE_DRIVER_CALL {
            int const answer = routine(context);
            if (returned != nullptr) {
                *returned = answer;
            }
            return int{status::success};
        };
        registers.size = sizeof registers;
        registers.gpu = this;
        registers.enqueue = [](void* w, unsigned, unsigned, wddmcore_gpu_packet const* p)
                                WDDMCORE_DRIVER_CALL { static_cast<world*>(w)->written.push_back(*p); };
        registers.request_stop = [](void* w, unsigned, unsigned, unsigned generation)
                                     WDDMCORE_DRIVER_CALL { static_cast<world*>(w)->asked = generation; };
        registers.disarm = [](void*, unsigned, unsigned) WDDMCORE_DRIVER_CALL {};
        registers.read_status = [](void* w, unsigned n, unsigned, wddmcore_gpu_status* now)
                                    WDDMCORE_DRIVER_CALL { *now = std::exchange(static_cast<world*>(w)->news[n], {}); };
        registers.reset = [](void*, unsigned, unsigned) WDDMCORE_DRIVER_CALL { return 0; };
    }
};

using submission = ddi::dxgkarg_submitcommandvirtual;

struct started {
    world around{};
    driver under_test{};
    wddmcore_driver_table t = table_of(under_test);
    std::vector<void*> contexts{};  ///< those that are left, which end with the test

    started() {
        under_test.found = {.memory = 16 * mib, .bar = {0xE000'0000}, .save_areas = {0x2000, 0x3000}};
        REQUIRE(t.add_device(t.adapter) == 0);
        REQUIRE(t.start_device(t.adapter, &around.services, &around.registers) == 0);
    }
    started(started const&) = delete;
    ~started() {
        for (void* context : contexts) {
            static_cast<void>(t.destroy_context(t.adapter, context));
        }
    }
    void* context(u32 node, bool system = false, u64 save_area = 0x5000) {
        wddmcore_context_arguments args{node, 1, system, save_area, nullptr};
        REQUIRE(t.create_context(t.adapter, &args) == 0);
        contexts.push_back(args.context);
        return args.context;
    }
    void destroy(void* context) {
        REQUIRE(t.destroy_context(t.adapter, context) == 0);
        std::erase(contexts, context);
    }

    /// 64 bytes of commands whose address the private data has.
    static submission packet(void* context, u32 node, u32 fence, packet_data* own) {
        submission args{};
        args.hContext = context;
        args.NodeOrdinal = node;
        args.SubmissionFenceId = fence;
        args.DmaBufferSize = 64;
        args.pDmaBufferPrivateData = own;
        return args;
    }
    int submit(submission const& args) { return t.submit_command_virtual(t.adapter, &args); }
    int submit(void* context, u32 node, u32 fence, bool good = true) {
        packet_data own{good ? 0u : 1u, 0, 0x1000};
        return submit(packet(context, node, fence, &own));
    }
    void preempt(u32 node, u32 fence) {
        ddi::dxgkarg_preemptcommand args{};
        args.NodeOrdinal = node;
        args.PreemptionFenceId = fence;
        REQUIRE(t.preempt_command(t.adapter, &args) == 0);
    }
    /// The interrupt for what a node says, and its DPC.
    void say(u32 node, wddmcore_gpu_status const& news) {
        around.news[node] = news;
        REQUIRE(t.interrupt_routine(t.adapter, 0) != 0);
        t.dpc_routine(t.adapter);
    }
    /// The last written packet has finished.
    void finish(u32 node) {
        wddmcore_gpu_status news{};
        news.news = wddmcore_gpu_completed;
        news.completed = around.written.back().serial;
        say(node, news);
    }
    /// The node stops at the newest request: with nothing left, or in the last written packet.
    void stop(u32 node, bool half_run) {
        wddmcore_gpu_status news{};
        news.news = wddmcore_gpu_stopped;
        news.stopped_generation = around.asked;
        news.stopped_half_run = half_run;
        news.stopped_through = around.written.back().serial - (half_run ? 1 : 0);
        say(node, news);
    }
    u32 last_fence(u32 node) {
        ddi::dxgkarg_querycurrentfence fence{};
        fence.NodeOrdinal = node;
        REQUIRE(t.query_current_fence(t.adapter, &fence) == 0);
        return fence.CurrentFence;
    }
};

}  // namespace

TEST_CASE("skeleton, PRE-30: refused packets leave room in the ring for those that the system may still submit") {
    started s;
    void* const context = s.context(0);
    u32 fence = 1;
    REQUIRE(s.submit(context, 0, fence) == 0);  // a long one
    u32 in_flight = 1;
    u32 refused = 0;
    while (in_flight != packet_cap - 1) {
        int const answer = s.submit(context, 0, ++fence, false);
        REQUIRE(fence < 2 * ring_capacity);
        if (answer == 0) {
            CHECK((s.around.written.back().flags & wddmcore_gpu_fence_only) != 0);
            ++in_flight;
        } else {
            CHECK(answer == status::invalid_parameter);
            ++refused;
        }
    }
    CHECK(refused == ring_capacity - packet_cap);
    REQUIRE(s.submit(context, 0, ++fence) == 0);
    CHECK(s.around.written.size() == packet_cap);
    CHECK(s.around.written.back().flags == 0);
    s.finish(0);
    CHECK(s.last_fence(0) == fence);
    s.destroy(context);
}

TEST_CASE("skeleton, PGB-15: a packet that names no context has the system's newest one on its node, or the default") {
    started s;
    u32 fence = 0;
    auto const save_area_of_next = [&]() -> u64 {
        REQUIRE(s.submit(nullptr, 1, ++fence) == 0);
        REQUIRE(s.around.written.size() == fence);
        s.finish(1);
        return s.around.written.back().context;
    };
    CHECK(save_area_of_next() == 0x3000);
    void* const first = s.context(1, true, 0x6000);
    CHECK(save_area_of_next() == 0x6000);
    void* const second = s.context(1, true, 0x7000);
    CHECK(save_area_of_next() == 0x7000);
    s.destroy(second);
    CHECK(save_area_of_next() == 0x6000);
    s.destroy(first);
    CHECK(save_area_of_next() == 0x3000);
}

TEST_CASE("skeleton, TDR-14: a cancelled packet never goes on, whatever its offset and whoever names its address") {
    started s;
    void* context = nullptr;
    packet_data own{0, 0, 0x1040};
    auto args = started::packet(nullptr, 1, 1, &own);
    ddi::dxgkarg_cancelcommand cancel{};
    cancel.pDmaBufferPrivateData = &own;
    cancel.DmaBufferSize = 0x1000;
    cancel.DmaBufferSubmissionStartOffset = 0x40;
    cancel.DmaBufferSubmissionEndOffset = 0x80;  // 64 bytes
    u32 expected = 0;
    SUBCASE("the private data names it") { context = s.context(1); }
    SUBCASE("the structures name it") {
        context = s.context(1);
        own.address = 0;
        args.DmaBufferVirtualAddress = cancel.DmaBufferVirtualAddress = 0x1040;
    }
    SUBCASE("it names no context") {}
    SUBCASE("another portion of its buffer is cancelled") {
        context = s.context(1);
        own.address = 0;
        args.DmaBufferVirtualAddress = 0x1040;
        cancel.DmaBufferVirtualAddress = 0x1080;
        cancel.DmaBufferSubmissionStartOffset = 0x80;
        cancel.DmaBufferSubmissionEndOffset = 0xC0;
        expected = wddmcore_gpu_resume;
    }
    args.hContext = cancel.hContext = context;
    REQUIRE(s.submit(args) == 0);
    s.preempt(1, 2);
    s.stop(1, true);
    REQUIRE(s.t.cancel_command(s.t.adapter, &cancel) == 0);
    args.SubmissionFenceId = 3;
    REQUIRE(s.submit(args) == 0);
    CHECK(s.around.written.back().flags == expected);
}

TEST_CASE("skeleton, PRE-30: a refused packet may outlive its context in the ring") {
    started s;
    void* const first = s.context(0);
    void* const second = s.context(0, false, 0x6000);
    REQUIRE(s.submit(first, 0, 1) == 0);
    s.preempt(0, 2);
    u32 const asked = s.around.asked;
    u32 const last = s.around.written.back().serial;
    REQUIRE(s.submit(second, 0, 3, false) == status::invalid_parameter);
    s.finish(0);
    s.destroy(second);                                // as far as the system knows, nothing of it is left
    void* const third = s.context(1, false, 0x7000);  // it may lie where the second one lay
    REQUIRE(s.submit(third, 1, 4) == 0);
    s.preempt(1, 5);
    s.stop(1, true);
    wddmcore_gpu_status stopped{};
    stopped.news = wddmcore_gpu_stopped;
    stopped.stopped_generation = asked;
    stopped.stopped_through = last;
    s.say(0, stopped);
    CHECK(s.last_fence(0) == 3);
    REQUIRE(s.submit(third, 1, 6) == 0);
    CHECK(s.around.written.back().flags == wddmcore_gpu_resume);
    s.destroy(first);
    s.destroy(third);
    CHECK(s.t.stop_device(s.t.adapter) == 0);
    CHECK(s.t.remove_device(s.t.adapter) == 0);
}

TEST_CASE("skeleton, PRE-30: a packet that was stopped half-run and is refused when it comes back leaves no state") {
    started s;
    void* const context = s.context(0);
    REQUIRE(s.submit(context, 0, 1) == 0);
    s.preempt(0, 2);
    s.stop(0, true);
    REQUIRE(s.submit(context, 0, 3, false) == status::invalid_parameter);
    REQUIRE(s.submit(context, 0, 4) == 0);
    CHECK(s.around.written.back().flags == 0);
    s.finish(0);
    s.destroy(context);
}

}  // namespace skeleton_test
