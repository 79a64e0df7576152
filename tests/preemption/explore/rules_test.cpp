// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "rig.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace rules_test {
namespace {
using namespace preemption_rig;

template <class Machine>
concept preempt_takes_flags = requires(Machine& e, u32 flags) { e.preempt(fence_id{1}, flags, nobody{}); };

TEST_CASE("PRE-08: a request is only begun; its report comes with the interrupt") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    CHECK(r.e.state() == engine_state::stopping);
    CHECK(r.stopped(a, false) == both(action::completed, action::preempted));
}

TEST_CASE("PRE-09: a preempt request is taken in every state, and there is no answer that could be a failure") {
    static_assert(meta::same_as<decltype(rig<>{inside}.e.preempt({1})), actions>);
    rig r{inside};
    CHECK(r.preempt(1) == only(action::preempted));
    r.submit(2);
    CHECK(r.preempt(3) == only(action::ask));
    CHECK(r.preempt(4) == actions{});
    CHECK(r.completed({1}) == only(action::completed));
    CHECK(r.preempt(5) == actions{});
    CHECK(r.stopped({0}, false) == only(action::preempted));
    r.submit(6);
    static_cast<void>(r.e.faulted_unknown());
    CHECK(r.preempt(7) == actions{});
    r.e.adapter_reset();
    CHECK(r.preempt(8) == only(action::preempted));
    CHECK(r.e.ignored() == 0);
}

TEST_CASE("PRE-10: with nothing in hardware the report is immediate, and hardware is not asked") {
    for (engine_kind const kind : {inside, between, nowhere}) {
        rig r{kind, 77};
        CHECK(r.preempt(5) == only(action::preempted));
        CHECK(r.e.report().preemption == fence_id{5});
        CHECK(r.e.report().last_completed == fence_id{77});
        CHECK(!r.e.snapshot().answer_due);
        CHECK(r.e.state() == engine_state::idle);

        serial const a = r.submit(6);
        CHECK(r.completed(a) == only(action::completed));
        CHECK(r.preempt(7) == only(action::preempted));
        CHECK(r.e.report().last_completed == fence_id{6});
    }
}

TEST_CASE("PRE-10: packets that were submitted but never handed over are given back without asking hardware") {
    rig r{inside};
    CHECK(r.e.submit(r.make(1)) == only(action::hand_over));
    CHECK(r.preempt(2) == only(action::preempted));
    CHECK(r.left(fate::preempted) == 1);
    CHECK(!r.e.next());
}

TEST_CASE("PRE-11: the report carries the request's id and the id of the last command completed") {
    rig r{inside};
    serial const a = r.submit(10);
    r.submit(11);
    CHECK(r.preempt(12) == only(action::ask));
    CHECK(r.stopped(a, false) == both(action::completed, action::preempted));
    CHECK(r.e.report().preemption == fence_id{12});
    CHECK(r.e.report().last_completed == fence_id{10});
}

TEST_CASE("PRE-11: only the answer to this request is one") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    generation const first = r.e.report().asked;
    CHECK(r.e.engine_reset(executing::nothing()) == fence_id{0});
    serial const b = r.submit(3);
    CHECK(r.preempt(4) == only(action::ask));
    CHECK(r.e.stopped(first, a, true) == actions{});
    CHECK(r.e.ignored() == 1);
    CHECK(r.stopped(b, false) == both(action::completed, action::preempted));
    CHECK(r.e.stopped(r.e.report().asked, b, false) == actions{});
}

TEST_CASE("PRE-12: what hardware executed before it stopped is reported completed, not preempted") {
    rig r{inside};
    r.submit(1);
    serial const b = r.submit(2);
    r.submit(3);
    CHECK(r.preempt(4) == only(action::ask));
    CHECK(r.stopped(b, false) == both(action::completed, action::preempted));
    CHECK(r.e.report().completed == fence_id{2});
    CHECK(r.left(fate::completed) == 2);
    CHECK(r.left(fate::preempted) == 1);
}

TEST_CASE("PRE-13: a step that completes and answers has both records, the completed one being the last completed") {
    rig r{nowhere};
    serial const a = r.submit(1);
    CHECK(r.preempt(2) == actions{});
    CHECK(r.completed(a) == both(action::completed, action::preempted));
    CHECK(r.e.report().completed == r.e.report().last_completed);
    // The order of reporting is the order of the bits.
    CHECK(static_cast<u32>(action::completed) < static_cast<u32>(action::faulted));
    CHECK(static_cast<u32>(action::faulted) < static_cast<u32>(action::preempted));
}

TEST_CASE("PRE-14: a preemption leaves the last completed id, which never names a preempted packet") {
    rig r{inside, 40};
    r.submit(41);
    r.submit(42);
    CHECK(r.preempt(43) == only(action::ask));
    CHECK(r.stopped({0}, true) == (both(action::interrupted, action::preempted)));
    CHECK(r.e.report().last_completed == fence_id{40});
    CHECK(r.last() == 40);
}

TEST_CASE("PRE-15: a preemption forgets what was submitted before the request, and not what came after it") {
    rig r{inside};
    r.submit(1);
    r.submit(2);
    CHECK(r.preempt(3) == only(action::ask));
    CHECK(r.e.submit(r.make(4)) == actions{});
    CHECK(r.stopped({0}, false) == both(action::preempted, action::hand_over));
    CHECK(r.left(fate::preempted) == 2);
    CHECK(r.e.count() == 1);
    auto const held = r.e.next();
    REQUIRE(held);
    CHECK(held.packet->fence == fence_id{4});
    CHECK(held.number == serial{3});
    CHECK(!r.e.next());
}

TEST_CASE("PRE-16: a paging packet that comes back has its old id, and a new serial") {
    rig r{inside};
    serial const first = r.submit(5, submit_flag::paging);
    CHECK(r.preempt(6) == only(action::ask));
    CHECK(r.stopped({0}, false) == only(action::preempted));
    serial const again = r.submit(5, submit_flag::paging);
    CHECK(again != first);
    CHECK(r.completed(first) == actions{});
    CHECK(r.completed(again) == only(action::completed));
    CHECK(r.last() == 5);
}

TEST_CASE("PRE-17: a render packet that comes back with a new id is a packet like any other") {
    rig r{inside};
    r.submit(5);
    CHECK(r.preempt(6) == only(action::ask));
    CHECK(r.stopped({0}, true) == both(action::interrupted, action::preempted));
    CHECK(r.completed(r.submit(7)) == only(action::completed));
    CHECK(r.e.report().completed == fence_id{7});
}

TEST_CASE("PRE-18: ids need not rise: below the last submitted, the last completed and the request's") {
    rig r{inside, 90};
    serial const a = r.submit(50);
    serial const b = r.submit(20);
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.last() == 50);
    CHECK(r.completed(b) == only(action::completed));
    CHECK(r.last() == 20);
    CHECK(r.preempt(99) == only(action::preempted));
    CHECK(r.completed(r.submit(20)) == only(action::completed));
    CHECK(r.e.ignored() == 0);
}

TEST_CASE("PRE-19: nothing depends on the Resubmission flag") {
    for (u32 const flags : {0u, submit_flag::resubmission}) {
        rig r{inside};
        serial const a = r.submit(1, flags);
        CHECK(r.preempt(2) == only(action::ask));
        CHECK(r.stopped({0}, true) == both(action::interrupted, action::preempted));
        serial const again = r.submit(3, flags);
        CHECK(r.completed(a) == actions{});
        CHECK(r.completed(again) == only(action::completed));
    }
}

TEST_CASE("PRE-24: a preempt request has nothing to decode: its flags are reserved") {
    static_assert(!preempt_takes_flags<rig<>::machine>);
    rig r{inside};
    CHECK(r.preempt(1) == only(action::preempted));
}

TEST_CASE("PRE-26: completions that race with the request count, and the answer names the newest") {
    rig r{inside};
    serial const a = r.submit(1);
    serial const b = r.submit(2);
    CHECK(r.preempt(3) == only(action::ask));
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.completed(b) == only(action::completed));
    CHECK(r.e.state() == engine_state::drained);
    CHECK(r.stopped(b, false) == only(action::preempted));
    CHECK(r.e.report().last_completed == fence_id{2});
}

TEST_CASE("PRE-26: hardware that answers only when it stopped something is disarmed before anything is released") {
    rig r{between};
    serial const a = r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    CHECK(r.e.submit(r.make(3)) == actions{});
    CHECK(r.completed(a) == both(action::completed, action::disarm));
    CHECK(r.e.submit(r.make(4)) == actions{});
    CHECK(!r.e.next());
    CHECK(r.e.disarmed(r.on_leave()) == both(action::preempted, action::hand_over));
    CHECK(!r.e.snapshot().answer_due);
    CHECK(r.e.report().last_completed == fence_id{1});
    CHECK(r.e.next().packet->fence == fence_id{3});
    CHECK(r.e.disarmed(r.on_leave()) == actions{});
    CHECK(r.e.ignored() == 1);
}

TEST_CASE("PRE-06: hardware that cannot stop is not asked, and its packets run out") {
    rig r{nowhere};
    serial const a = r.submit(1);
    serial const b = r.submit(2);
    CHECK(r.preempt(3) == actions{});
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.completed(b) == both(action::completed, action::preempted));
    CHECK(r.left(fate::completed) == 2);
}

TEST_CASE("PRE-27: the engines of two nodes know nothing of each other") {
    rig a{inside};
    rig b{inside, 9};
    serial const in_a = a.submit(1);
    b.submit(1);
    CHECK(a.preempt(2) == only(action::ask));
    CHECK(b.e.state() == engine_state::busy);
    CHECK(a.stopped(in_a, false) == both(action::completed, action::preempted));
    CHECK(b.last() == 9);
    CHECK(b.e.count() == 1);
}

TEST_CASE("PRE-29: a packet without rendering is handed over, since its fence must be written") {
    rig r{inside};
    serial const a = r.submit(1, submit_flag::null_rendering, {8, 8});
    CHECK(r.handed == 1);
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.e.report().completed == fence_id{1});
}

TEST_CASE("PRE-30: a rejected submission completes unreported when everything before it has") {
    rig r{inside};
    CHECK(r.e.reject(r.make(1), r.on_leave()) == actions{});
    CHECK(r.last() == 1);
    CHECK(r.e.count() == 0);

    serial const a = r.submit(2);
    CHECK(r.e.reject(r.make(3), r.on_leave()) == actions{});
    CHECK(r.e.reject(r.make(4), r.on_leave()) == actions{});
    serial const b = r.submit(5);
    CHECK(r.handed == 2);
    CHECK(r.last() == 1);
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.e.report().completed == fence_id{2});
    CHECK(r.last() == 4);
    CHECK(r.completed(b) == only(action::completed));
    CHECK(r.left(fate::rejected) == 3);
    CHECK(r.left(fate::completed) == 2);
}

TEST_CASE("PRE-30: a rejected submission does not overtake a request that is to be answered") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.e.reject(r.make(3), r.on_leave()) == actions{});
    CHECK(r.last() == 1);
    CHECK(r.stopped(a, false) == only(action::preempted));
    CHECK(r.e.report().last_completed == fence_id{1});
    CHECK(r.last() == 3);
    CHECK(r.e.state() == engine_state::idle);
}

TEST_CASE("PRE-30, TDR-05: a rejected submission completes also when a fault has halted the engine") {
    for (bool const rejected_first : {false, true}) {
        rig r{inside};
        serial const a = r.submit(1);
        CHECK(r.preempt(2) == only(action::ask));
        if (rejected_first) {
            CHECK(r.e.reject(r.make(3), r.on_leave()) == actions{});
        }
        CHECK(r.e.faulted(a, after_fault::needs_reset, r.on_leave()) == only(action::faulted));
        if (!rejected_first) {
            CHECK(r.e.reject(r.make(3), r.on_leave()) == actions{});
        }
        CHECK(r.last() == 3);
        CHECK(r.e.engine_reset(executing::nothing(), r.on_leave()) == fence_id{3});
    }
}
}  // namespace
}  // namespace rules_test
