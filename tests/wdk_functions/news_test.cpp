// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the DDI functions of wdk/ make of a node's news, and of what a halted node was doing.
#include "noting_gpu.hpp"

namespace wdk_functions_test {

namespace {

constexpr u32 completed = DXGK_INTERRUPT_DMA_COMPLETED;
constexpr u32 preempted = DXGK_INTERRUPT_DMA_PREEMPTED;
constexpr u32 faulted = DXGK_INTERRUPT_DMA_PAGE_FAULTED;
constexpr u32 resets_engine = preemption::page_fault_flag::engine_reset_required;
using kinds = std::vector<u32>;

/// Three packets are in the ring of node 0; the last and the one before it have these serials.
struct three_packets {
    started s{};
    DXGKARG_CREATECONTEXT context = s.context(0);
    wddmcore_engine_news news{};
    u32 last = 0;

    three_packets() {
        for (u32 fence = 1; fence != 4; ++fence) {
            REQUIRE(s.submit(context.hContext, 0, fence) == status::success);
        }
        last = s.gpu.written.back().serial;
    }
};

TEST_CASE(
    "INT-02: a fault that names its packet is reported ahead of later completions, with the reset that it needs") {
    three_packets t;
    t.news.faulted = t.news.fault_names_packet = 1;
    t.news.faulted_serial = t.last - 1;
    u32 flags = 0;
    SUBCASE("the node skipped the packet and went on") {
        t.news.completed = 1;
        t.news.completed_serial = t.last;
        t.s.say(0, t.news);
        CHECK(t.s.gpu.records == kinds{completed, faulted, completed});
    }
    SUBCASE("the node stands still") {
        t.news.fault_halts = 1;
        flags = resets_engine;
        t.s.say(0, t.news);
        CHECK(t.s.gpu.records == kinds{completed, faulted});
        CHECK(t.s.last_fence(0) == 2);  // the faulted one is over, the last one is not
    }
    CHECK(t.s.gpu.fault_flags == flags);
    CHECK(t.s.gpu.dpcs == 1);
    t.s.destroy(t.context);
}

TEST_CASE("INT-09: a fault that names no packet comes after the completions") {
    three_packets t;
    t.news.completed = t.news.faulted = 1;
    t.news.completed_serial = t.last - 1;
    t.s.say(0, t.news);
    CHECK(t.s.gpu.records == kinds{completed, faulted});
    CHECK((t.s.gpu.fault_flags & preemption::page_fault_flag::fence_invalid) != 0);
    CHECK(t.s.last_fence(0) == 2);
    t.s.destroy(t.context);
}

TEST_CASE("INT-08: what nobody has reported yet is reported, with a DPC, before the current fence is named") {
    three_packets t;
    t.s.gpu.news[0].completed = 1;
    t.s.gpu.news[0].completed_serial = t.last;
    CHECK(t.s.last_fence(0) == 3);
    CHECK(t.s.gpu.records == kinds{completed});
    CHECK(t.s.gpu.dpcs == 1);
    CHECK(t.s.last_fence(0) == 3);
    CHECK(t.s.gpu.dpcs == 1);
    t.s.destroy(t.context);
}

TEST_CASE("PRE-26: packets that waited come back, and their context is not asked to resume what never began") {
    three_packets t;
    t.s.preempt(0, 9);
    REQUIRE(t.s.gpu.stops == 1);
    t.news.stopped = 1;
    t.news.stopped_generation = t.s.gpu.asked;
    t.news.stopped_serial = t.last - 2;
    t.s.say(0, t.news);
    CHECK(t.s.gpu.records == kinds{completed, preempted});
    CHECK(t.s.last_fence(0) == 1);
    REQUIRE(t.s.submit(t.context.hContext, 0, 10) == status::success);
    CHECK(t.s.gpu.written.back().kind == wddmcore_packet_runs);
    t.s.finish(0);
    t.s.destroy(t.context);
}

/// Answers a stop request only when there is something to stop.
struct silent_gpu : noting_gpu {
    static constexpr preemption_engine engines[2] = {
        {.graphics = {graphics_preemption_granularity::primitive_boundary, 64 * kib}},
        {.other = {other_preemption_granularity::inside_dma_buffer, 4 * kib}}};
};
static_assert(wdk::check_device<silent_gpu>());

TEST_CASE("PRE-26: a request that finds nothing to stop is withdrawn, and answered all the same") {
    started_as<silent_gpu> s;
    auto const context = s.context(0);
    REQUIRE(s.submit(context.hContext, 0, 1) == status::success);
    s.preempt(0, 2);
    REQUIRE(s.gpu.stops == 1);
    s.finish(0);
    CHECK(s.gpu.withdrawn == 1);
    CHECK(s.gpu.records == kinds{completed, preempted});
    CHECK(s.gpu.dpcs == 1);
    s.destroy(context);
}

/// Writes nothing where it has nothing to say.
struct terse_gpu : noting_gpu {
    void read_news(u32 n, wddmcore_engine_news& now) noexcept {
        if (news[n].completed != 0) {
            noting_gpu::read_news(n, now);
        }
    }
};

TEST_CASE("INT-05: news that were read once are not told again, also by a driver that leaves them alone") {
    started_as<terse_gpu> s;
    auto const context = s.context(0);
    REQUIRE(s.submit(context.hContext, 0, 1) == status::success);
    s.finish(0);
    CHECK(wdk::interrupt_routine<terse_gpu>(s.handle, 0) == 0);
    s.destroy(context);
}

TEST_CASE("PRE-29: a packet without commands is not executed") {
    started s;
    auto const context = s.context(0);
    packet_data own{0, 0, 0x1000};
    auto args = started::packet(context.hContext, 0, 1, &own);
    args.DmaBufferSize = 0;
    REQUIRE(s.submit(args) == status::success);
    CHECK(s.gpu.written.back().kind == wddmcore_packet_only_fences);
    s.finish(0);
    s.destroy(context);
}

TEST_CASE("a packet of a context with physical addresses has its window") {
    started s;
    auto const context = s.context(0);
    DXGKARG_SUBMITCOMMAND args{};
    args.hContext = context.hContext;
    args.SubmissionFenceId = 1;
    args.DmaBufferPhysicalAddress.QuadPart = 0x4000;
    args.DmaBufferSubmissionStartOffset = 0x40;
    args.DmaBufferSubmissionEndOffset = 0x80;
    REQUIRE(wdk::submit_command<noting_gpu>(s.handle, &args) == status::success);
    auto const& written = s.gpu.written.back();
    CHECK(written.kind == wddmcore_packet_runs);
    CHECK(written.buffer == 0x4000);
    CHECK(written.start == 0x40);
    CHECK(written.end == 0x80);
    s.finish(0);
    CHECK(s.last_fence(0) == 1);
    s.destroy(context);
}

TEST_CASE("TDR-06: a reset names as aborted what the halted node says that it was executing") {
    started s;
    auto const context = s.context(0);
    REQUIRE(s.submit(context.hContext, 0, 5) == status::success);
    REQUIRE(s.submit(context.hContext, 0, 6) == status::success);
    u32 aborted = 0;
    SUBCASE("one packet") {
        s.gpu.halted = wddmcore_halted_in_packet;  // the last that was written
        aborted = 6;
    }
    SUBCASE("it cannot tell: the oldest (AMB-47)") { aborted = 5; }
    SUBCASE("nothing") {
        s.gpu.halted = wddmcore_halted_idle;
        s.gpu.news[0].completed = 1;
        s.gpu.news[0].completed_serial = s.gpu.written.front().serial;
        aborted = 5;  // the newest that is over (TDR-06)
    }
    DXGKARG_RESETENGINE reset{};
    CHECK(wdk::reset_engine<noting_gpu>(s.handle, &reset) == status::success);
    CHECK(reset.LastAbortedFenceId == aborted);
    s.destroy(context);
}

TEST_CASE("TDR-04: the nodes that a reset disturbs are those that the driver names") {
    started s;
    DXGKARG_QUERYDEPENDENTENGINEGROUP group{};
    group.NodeOrdinal = 1;
    CHECK(wdk::query_dependent_engine_group<noting_gpu>(s.handle, &group) == status::success);
    CHECK(group.DependentNodeOrdinalMask == 2);
}

}  // namespace

}  // namespace wdk_functions_test
