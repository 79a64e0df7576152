// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of wdk/ when an adapter starts a second time, and when a period of its engine status begins.
#include "noting_gpu.hpp"

namespace wdk_functions_test {

namespace {

TEST_CASE("a second start knows nothing of the time before the stop") {
    started s;
    DXGKARG_BEGINEXCLUSIVEACCESS begin{};
    REQUIRE(wdk::begin_exclusive_access<noting_gpu>(s.handle, &begin) == status::success);
    auto const before = s.context(0);
    REQUIRE(s.submit(before.hContext, 0, 41) == status::success);
    REQUIRE(s.submit(nullptr, 1, 42) == status::success);
    s.preempt(1, 43);
    s.stop_half_run(1);
    s.gpu.news[0].completed = 1;
    s.gpu.news[0].completed_serial = 1;  // nobody has read it
    s.destroy(before);
    s.gpu.nodes_touched[0] = s.gpu.nodes_touched[1] = false;

    s.start();
    CHECK(s.gpu.nodes_touched[0]);
    CHECK(s.gpu.nodes_touched[1]);
    auto const context = s.context(0);
    REQUIRE(s.submit(context.hContext, 0, 1) == status::success);
    CHECK(wdk::interrupt_routine<noting_gpu>(s.handle, 0) == 0);
    CHECK(s.last_fence(0) == 0);
    s.finish(0);
    CHECK(s.last_fence(0) == 1);
    REQUIRE(s.submit(nullptr, 1, 2) == status::success);
    CHECK(s.gpu.written.back().kind == wddmcore_packet_runs);
    CHECK(wdk::begin_exclusive_access<noting_gpu>(s.handle, &begin) == status::success);
    s.destroy(context);
    CHECK(s.gpu.blocks == 0);
}

TEST_CASE("a node that cannot be reset does not start") {
    started s;
    s.gpu.resets = false;
    CHECK(wdk::start_scheduling<noting_gpu>(s.handle) == status::unsuccessful);
}

TEST_CASE("TDR-03: an engine that has not moved since the start, its reset or the restart is not responsive") {
    started s;
    auto const responds = [&s] {
        DXGKARG_QUERYENGINESTATUS asked{};
        REQUIRE(wdk::query_engine_status<noting_gpu>(s.handle, &asked) == status::success);
        return asked.EngineStatus.Value != 0;
    };
    s.gpu.news[0].progress = 7;
    SUBCASE("start") { s.start(); }
    SUBCASE("engine reset") {
        DXGKARG_RESETENGINE reset{};
        REQUIRE(wdk::reset_engine<noting_gpu>(s.handle, &reset) == status::success);
    }
    SUBCASE("restart") {
        REQUIRE(wdk::reset_from_timeout<noting_gpu>(s.handle) == status::success);
        REQUIRE(wdk::restart_from_timeout<noting_gpu>(s.handle) == status::success);
    }
    CHECK(!responds());
    s.gpu.news[0].progress = 8;
    CHECK(responds());
    CHECK(!responds());
}

}  // namespace

}  // namespace wdk_functions_test
