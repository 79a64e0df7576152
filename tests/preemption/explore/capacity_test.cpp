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
void expect_to_fill_and_empty(serial first) {
    auto const owned = std::make_unique<rig<Capacity>>(inside, 0, first);
    rig<Capacity>& r = *owned;
    for (u32 i = 0; i < Capacity; ++i) {
        REQUIRE(r.e.submit(r.make(i + 1)) == only(action::hand_over));
    }
    engine_snapshot const full = r.e.snapshot();
    CHECK(r.e.count() == Capacity);
    CHECK(r.e.submit(r.make(0xFFFF)) == only(action::full));
    CHECK(r.e.reject(r.make(0xFFFF), r.on_leave()) == only(action::full));
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
    expect_to_fill_and_empty<1>({1});
    expect_to_fill_and_empty<2>({0xFFFF'FFFFu});
    expect_to_fill_and_empty<64>({0xFFFF'FFE0u});
    expect_to_fill_and_empty<32768>({1});
    expect_to_fill_and_empty<32768>({0xFFFF'C000u});
}

TEST_CASE("INT-14: what the system demands is compared with the capacity") {
    static_assert(rig<64>::machine::holds(64));
    static_assert(!rig<64>::machine::holds(65));
    CHECK(rig<1>::machine::holds(0));
}

/// Whether the system's own packets always find room when its driver asks before it refuses one.
template <u32 Capacity>
bool never_full(u32 packet_cap, bool asks) {
    rig<Capacity> r{inside};
    serial oldest{1};
    u32 id = 0;
    for (u32 round = 0; round < 3; ++round) {
        // The first packet is a long one; every second one after it is invalid.
        u32 in_flight = 0;
        for (u32 i = 0; i < 8 * Capacity && in_flight < packet_cap; ++i) {
            bool const invalid = i % 2 != 0;
            if (invalid && (!asks || r.e.has_room_to_reject(packet_cap))) {
                if (r.e.reject(r.make(++id), r.on_leave()) == only(action::full)) {
                    return false;
                }
                continue;
            }
            if (r.e.submit(r.make(++id, invalid ? submit_flag::null_rendering : 0)) != only(action::hand_over)) {
                return false;
            }
            ++in_flight;
        }
        r.hand_over();
        while (r.e.count() != 0) {
            oldest = r.e.oldest();
            if (!r.completed(oldest).has(action::completed)) {
                return false;
            }
        }
    }
    return r.left(fate::completed) + r.left(fate::rejected) == id;
}

TEST_CASE("PRE-30: a driver that asks before it refuses a packet keeps room for all that the system submits") {
    CHECK(never_full<16>(8, true));
    CHECK(never_full<16>(15, true));
    CHECK(never_full<16>(16, true));
    CHECK(never_full<64>(1, true));
    CHECK(!never_full<16>(16, false));
    CHECK(!never_full<16>(15, false));
}

TEST_CASE("PRE-30: room for refused packets is what the capacity has above the packet cap") {
    rig<8> r{inside};
    CHECK(r.e.room() == 8);
    CHECK(r.e.has_room_to_reject(7));
    CHECK(!r.e.has_room_to_reject(8));
    CHECK(!r.e.has_room_to_reject(9));
    CHECK(!r.e.has_room_to_reject(0xFFFF'FFFFu));
    r.submit(1);
    CHECK(r.e.room() == 7);
    CHECK(r.e.has_room_to_reject(7));  // real packets count under the cap
    CHECK(r.e.reject(r.make(2), r.on_leave()) == actions{});
    CHECK(r.e.room() == 6);
    CHECK(!r.e.has_room_to_reject(7));
    CHECK(r.e.has_room_to_reject(6));
    CHECK(r.completed({1}) == only(action::completed));
    CHECK(r.e.room() == 8);
    CHECK(r.e.has_room_to_reject(7));
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
