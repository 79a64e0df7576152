// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "rig.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace capacity_test {
namespace {
using namespace preemption_rig;

/// Fills a ring, finds it full, and empties it again.
template <u32 Capacity>
void fill_and_empty(serial first) {
    auto const owned = std::make_unique<rig<Capacity>>(inside, 0, first);
    rig<Capacity>& r = *owned;
    for (u32 i = 0; i < Capacity; ++i) {
        REQUIRE(r.e.submit(r.make(i + 1)) == only(action::hand_over));
    }
    engine_snapshot const full = r.e.snapshot();
    CHECK(r.e.count() == Capacity);
    CHECK(r.e.submit(r.make(0xFFFF)) == only(action::full));
    CHECK(r.e.reject(r.make(0xFFFF), r.gone()) == only(action::full));
    CHECK(r.e.snapshot() == full);
    r.hand_over();
    CHECK(r.handed == Capacity);
    for (u32 i = 0; i < Capacity; ++i) {
        if (r.e.at(first + i).cookie != i + 1) {
            FAIL("another packet at " << i);
        }
    }
    CHECK(r.e.submit(r.make(0xFFFF)) == only(action::full));
    CHECK(r.completed(first + (Capacity - 1)) == only(action::completed));
    CHECK(r.last() == Capacity);
    CHECK(r.left(fate::completed) == Capacity);
    CHECK(r.e.state() == engine_state::idle);
    CHECK(r.e.submit(r.make(9)) == only(action::hand_over));
    CHECK(r.e.next().number == first + Capacity);
}

TEST_CASE("INT-14: as many packets as the capacity are held, with one more the ring says that it is full") {
    fill_and_empty<1>({1});
    fill_and_empty<2>({0xFFFF'FFFFu});
    fill_and_empty<64>({0xFFFF'FFE0u});
    fill_and_empty<32768>({1});
    fill_and_empty<32768>({0xFFFF'C000u});
}

TEST_CASE("INT-14: what the system demands is compared with the capacity") {
    static_assert(rig<64>::machine::holds(64));
    static_assert(!rig<64>::machine::holds(65));
    CHECK(rig<1>::machine::holds(0));
}

TEST_CASE("PRE-15: a full ring that is preempted gives everything back, and holds as much again meanwhile") {
    rig<4> r{inside};
    r.submit(1);
    r.submit(2);
    CHECK(r.preempt(3) == only(action::ask));
    CHECK(r.e.submit(r.make(4)) == actions{});
    CHECK(r.e.submit(r.make(5)) == actions{});
    CHECK(r.e.submit(r.make(6)) == only(action::full));
    CHECK(r.stopped({0}, false) == both(action::preempted, action::hand_over));
    CHECK(r.left(fate::preempted) == 2);
    r.hand_over();
    CHECK(r.handed == 4);
    CHECK(r.e.count() == 2);
}

TEST_CASE("PRE-12: a ring of one packet preempts, resumes and completes") {
    rig<1> r{inside};
    r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    CHECK(r.e.submit(r.make(3)) == only(action::full));
    CHECK(r.stopped({0}, true) == both(action::interrupted, action::preempted));
    CHECK(r.e.report().interrupted == serial{1});
    CHECK(r.completed(r.submit(3)) == only(action::completed));
    CHECK(r.handed == 2);
}

TEST_CASE("AMB-18: serials go round once and more in a ring that is never empty") {
    rig<4> r{inside, 0, {0xFFFF'FF00u}};
    serial oldest = r.submit(0);
    for (u32 i = 1; i < 1000; ++i) {
        serial const newest = r.submit(i);
        REQUIRE(r.completed(oldest) == only(action::completed));
        REQUIRE(r.last() == i - 1);
        oldest = newest;
    }
    CHECK(r.e.oldest() == serial{0xFFFF'FF00u + 999});
    CHECK(r.e.ignored() == 0);
}
}  // namespace
}  // namespace capacity_test
