// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include <doctest/doctest.h>
#include <wddmcore/preemption/engine/engine_for.hpp>

#include <initializer_list>

#include "claiming_gpu.hpp"

namespace engine_test {
namespace {

using namespace wddmcore;
using namespace wddmcore::preemption;

constexpr submission<> packet(u32 fence, u32 flags = 0) { return {{fence}, flags, {0, 64}, fence}; }

/// An engine with packets 11, 12, … in hardware.
engine<8> running(u32 packets) {
    engine<8> e;
    e.start({stopping::inside_a_buffer, true});
    for (u32 i = 0; i != packets; ++i) {
        CHECK(e.submit(packet(11 + i)) == only(action::hand_over));
        CHECK(e.next());
    }
    return e;
}

TEST_CASE("INT-07: one completion reports the newest id of all that finished") {
    engine<8> e = running(2);
    CHECK(e.completed({2}) == only(action::completed));
    CHECK(e.report().completed == fence_id{12});
    CHECK(e.state() == engine_state::idle);
}

TEST_CASE("TDR-09: after a reset paging packets come back with their old ids and run once, in order") {
    engine<8> e = running(0);
    for (u32 const fence : {21u, 22u}) {
        CHECK(e.submit(packet(fence, submit_flag::paging)) == only(action::hand_over));
        CHECK(e.next());
    }
    CHECK(e.engine_reset(executing::nothing()) == fence_id{0});
    serial first{};
    for (u32 const fence : {21u, 22u}) {
        CHECK(e.submit(packet(fence, submit_flag::paging)) == only(action::hand_over));
        auto const handed = e.next();
        REQUIRE(handed);
        CHECK(handed.packet->fence == fence_id{fence});
        first = fence == 21 ? handed.number : first;
    }
    // A write from before the reset names serials that nobody has any more.
    CHECK(e.completed({first.n - 1}) == actions{});
    CHECK(e.completed(first) == only(action::completed));
    CHECK(e.report().completed == fence_id{21});
    CHECK(e.completed(first + 1) == only(action::completed));
    CHECK(e.last_completed() == fence_id{22});
}

TEST_CASE("AMB-53: packets held for the restart have not run, whatever the memory was initialised with then") {
    engine<8> e = running(1);
    e.adapter_reset();
    CHECK(e.submit(packet(31)) == actions{});
    CHECK(e.submit(packet(32)) == actions{});
    serial const in_memory{e.oldest().n - 1};
    CHECK(e.restart() == only(action::hand_over));
    CHECK(e.query_fence(in_memory) == actions{});
    CHECK(e.last_completed() == fence_id{11});
    CHECK(e.next().packet->fence == fence_id{31});
    CHECK(e.next().packet->fence == fence_id{32});
}

TEST_CASE("AMB-47: after a fault that named its packet nothing else is aborted, though hardware cannot tell") {
    engine<8> e = running(2);
    CHECK(e.faulted({1}, after_fault::needs_reset) == only(action::faulted));
    CHECK(e.engine_reset(executing::unknown()) == fence_id{11});
    // One that could not be named leaves the oldest under suspicion.
    engine<8> other = running(2);
    CHECK(other.faulted_unknown() == only(action::fault_unknown));
    CHECK(other.engine_reset(executing::unknown()) == fence_id{11});
    // A later reset is judged by itself.
    CHECK(e.submit(packet(13)) == only(action::hand_over));
    CHECK(e.next());
    CHECK(e.engine_reset(executing::unknown()) == fence_id{13});
}

struct wide_gpu : testing::claiming_gpu {
    static constexpr u32 ring_capacity = 128;
};

TEST_CASE("AMB-54: the machine of a hardware type has the ring that the type declares") {
    CHECK(meta::is_same<engine_for<testing::claiming_gpu>, engine<16>>);
    CHECK(meta::is_same<engine_for<wide_gpu>, engine<128>>);
}

}  // namespace
}  // namespace engine_test
