// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/preemption/hardware_queues/context_list.hpp"

namespace hw_context_list_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

using list = hw_context_list<u32>;

constexpr list of(u32 first, u32 second, u64 fence = 1) {
    list engine;
    static_cast<void>(engine.switch_to(first, second, fence));
    return engine;
}

constexpr u32 running(u32 first, u32 second, bool first_blocked, bool second_blocked) {
    list engine = of(first, second);
    engine.blocked(first, first_blocked);
    engine.blocked(second, second_blocked);
    return engine.running();
}

constexpr list_answer switched(list engine, u64 fence) { return engine.switched(fence); }

}  // namespace

TEST_CASE("HWS-07: the first context runs now, the second while all queues of the first are idle or waiting") {
    expect_both(list{}.running() == 0u);
    expect_both(running(1, 2, false, false) == 1u);
    expect_both(running(1, 2, false, true) == 1u);
    expect_both(running(1, 2, true, false) == 2u);
    expect_both(running(1, 2, true, true) == 0u);
    expect_both(running(1, 0, true, false) == 0u);
    expect_both(running(1, 0, false, false) == 1u);
    // The first runs again as soon as it can.
    list engine = of(1, 2);
    engine.blocked(1, true);
    CHECK(engine.running() == 2u);
    engine.blocked(1, false);
    CHECK(engine.running() == 1u);
    // A new list begins with contexts of which nothing is known.
    engine.blocked(1, true);
    static_cast<void>(engine.switch_to(1, 2, 2));
    CHECK(engine.running() == 1u);
    // A context that is not on the list changes nothing.
    engine.blocked(3, true);
    CHECK(engine.running() == 1u);
}

TEST_CASE("HWS-07: without a first context the engine idles, whatever the second is") {
    expect_both(of(0, 2).running() == 0u);
    expect_both(of(0, 0).running() == 0u);
    expect_both(running(0, 2, false, false) == 0u);
    expect_both(running(0, 2, true, false) == 0u);  // also if somebody says that no context is blocked
}

TEST_CASE("HWS-07: a switch is reported with the fence of the newest list, once") {
    expect_both(list{}.switch_to(1, 2, 0x1'0000'0007) == list_answer{true, false, 0x1'0000'0007});
    expect_both(of(1, 2, 0x1'0000'0007).switching());
    expect_both(switched(of(1, 2, 0x1'0000'0007), 0x1'0000'0007) == list_answer{false, true, 0x1'0000'0007});
    expect_both(!switched(of(1, 2, 0x1'0000'0007), 7).report);
    list engine = of(1, 2, 8);
    static_cast<void>(engine.switch_to(3, 4, 9));
    CHECK(!engine.switched(8).report);
    CHECK(engine.switching());
    CHECK(engine.switched(9).report);
    CHECK(!engine.switching());
    CHECK(!engine.switched(9).report);
}

}  // namespace hw_context_list_test
