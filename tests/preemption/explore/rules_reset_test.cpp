// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "rig.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace rules_reset_test {
namespace {
using namespace preemption_rig;

TEST_CASE("INT-07: one completion reports the newest id, and implies all before it") {
    rig r{inside};
    r.submit(1);
    r.submit(2);
    serial const c = r.submit(3);
    CHECK(r.completed(c) == only(action::completed));
    CHECK(r.e.report().completed == fence_id{3});
    CHECK(r.left(fate::completed) == 3);
    CHECK(r.e.state() == engine_state::idle);
}

TEST_CASE("INT-08: a query reports what was not reported yet, once, and answers the newest id") {
    rig r{inside};
    serial const a = r.submit(1);
    r.submit(2);
    CHECK(r.e.query_fence(a) == only(action::completed));
    CHECK(r.e.report().completed == fence_id{1});
    CHECK(r.last() == 1);
    CHECK(r.e.query_fence(a) == actions{});
    CHECK(r.completed(a) == actions{});
    CHECK(r.last() == 1);
}

TEST_CASE("INT-09: a fault implies the packets before it, and its id counts as completed") {
    rig r{inside};
    r.submit(1);
    serial const b = r.submit(2);
    serial const c = r.submit(3);
    CHECK(r.e.faulted(b, after_fault::runs_on, r.on_leave()) == both(action::completed, action::faulted));
    CHECK(r.e.report().completed == fence_id{1});
    CHECK(r.e.report().faulted == fence_id{2});
    CHECK(r.last() == 2);
    CHECK(r.left(fate::faulted) == 1);
    CHECK(r.completed(c) == only(action::completed));
}

TEST_CASE("INT-09: a fault without a packet advances nothing and halts the engine") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.e.faulted_unknown() == only(action::fault_unknown));
    CHECK(r.e.state() == engine_state::halted);
    CHECK(r.last() == 0);
    CHECK(r.completed(a) == actions{});
    CHECK(r.e.submit(r.make(2)) == actions{});
    CHECK(!r.e.next());
}

TEST_CASE("INT-09: the record of a fault names the newest packet before it that hardware had") {
    rig r{inside};
    r.submit(1);
    CHECK(r.e.reject(r.make(2), r.on_leave()) == actions{});
    serial const c = r.submit(3);
    CHECK(r.e.faulted(c, after_fault::runs_on, r.on_leave()) == both(action::completed, action::faulted));
    CHECK(r.e.report().completed == fence_id{1});
}

TEST_CASE("INT-13, AMB-18: ids and serials go on across 2^32") {
    rig r{inside, 0xFFFF'FFFEu, {0xFFFF'FFFEu}};
    u32 id = 0xFFFF'FFFFu;
    serial last{};
    for (u32 i = 0; i < 4; ++i) {
        last = r.submit(id++);
    }
    CHECK(last == serial{1});
    CHECK(r.completed({0xFFFF'FFFFu}) == only(action::completed));
    CHECK(r.last() == 0);
    CHECK(r.completed({0xFFFF'FFFEu}) == actions{});
    CHECK(r.preempt(id++) == only(action::ask));
    CHECK(r.stopped({0}, false) == both(action::completed, action::preempted));
    CHECK(r.e.report().last_completed == fence_id{1});
    CHECK(before({0xFFFF'FFFFu}, {0}));
    CHECK(!before({0}, {0xFFFF'FFFFu}));
    CHECK(preemption::detail::lies_within({0}, {0xFFFF'FFFEu}, {1}));
    CHECK(!preemption::detail::lies_within({2}, {0xFFFF'FFFEu}, {1}));
}

TEST_CASE("TDR-04: after an engine reset the queue is empty and the engine takes packets") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.e.submit(r.make(2)) == only(action::hand_over));
    CHECK(r.e.engine_reset(executing::one(a), r.on_leave()) == fence_id{1});
    CHECK(r.e.count() == 0);
    CHECK(!r.e.next());
    CHECK(r.e.state() == engine_state::idle);
    CHECK(r.e.submit(r.make(3)) == only(action::hand_over));
    CHECK(r.e.next().packet->fence == fence_id{3});
}

TEST_CASE("TDR-05: the aborted id lies from the last completed to the last submitted, in the ring's order") {
    u32 const ids[] = {7, 3, 9};  // Out of order, as paging packets are that come back.
    for (u32 completed = 0; completed <= 3; ++completed) {
        for (u32 ran = completed; ran <= 3; ++ran) {
            rig r{inside, 1};
            serial numbers[3];
            for (u32 i = 0; i < 3; ++i) {
                numbers[i] = r.submit(ids[i]);
            }
            if (completed != 0) {
                static_cast<void>(r.completed(numbers[completed - 1]));
            }
            executing const what = ran == 3 ? executing::nothing() : executing::one(numbers[ran]);
            u32 const expected = ran != 3 ? ids[ran] : completed == 0 ? 1 : ids[completed - 1];
            CHECK(r.e.engine_reset(what, r.on_leave()) == fence_id{expected});
            CHECK(r.last() == expected);
        }
    }
}

TEST_CASE("TDR-05, PRE-30: a rejected submission whose turn has come is not below the aborted id") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.e.reject(r.make(3), r.on_leave()) == actions{});
    CHECK(r.e.engine_reset(executing::nothing(), r.on_leave()) == fence_id{3});
    CHECK(r.last() == 3);
}

TEST_CASE("TDR-06: an engine that drained before its reset reports the last completed id") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.completed(a) == only(action::completed));
    CHECK(r.e.engine_reset(executing::nothing(), r.on_leave()) == fence_id{1});
    CHECK(r.e.engine_reset(executing::unknown(), r.on_leave()) == fence_id{1});
    CHECK(r.e.engine_reset(executing::one(a), r.on_leave()) == fence_id{1});
}

TEST_CASE("TDR-07: the last completed id becomes the aborted one, or the last submitted of the adapter") {
    rig r{inside};
    serial const a = r.submit(1);
    r.submit(2);
    CHECK(r.e.engine_reset(executing::one(a), r.on_leave()) == fence_id{1});
    CHECK(r.last() == 1);
    CHECK(r.left(fate::aborted) == 1);
    CHECK(r.left(fate::lost) == 1);
    r.submit(3);
    r.submit(4);
    r.e.adapter_reset(r.on_leave());
    CHECK(r.last() == 4);
}

TEST_CASE("TDR-10: what hardware says late moves nothing") {
    rig r{inside};
    serial const a = r.submit(1, submit_flag::paging);
    CHECK(r.preempt(2) == only(action::ask));
    generation const asked = r.e.report().asked;
    CHECK(r.e.engine_reset(executing::nothing(), r.on_leave()) == fence_id{0});
    serial const again = r.submit(1, submit_flag::paging);
    CHECK(r.completed(a) == actions{});
    CHECK(r.e.stopped(asked, a, true, r.on_leave()) == actions{});
    CHECK(r.e.faulted(a, after_fault::needs_reset, r.on_leave()) == actions{});
    CHECK(r.e.ignored() == 3);
    CHECK(r.last() == 0);
    CHECK(r.e.count() == 1);
    CHECK(r.completed(again) == only(action::completed));
    CHECK(r.completed(a) == actions{});
    CHECK(r.last() == 1);
}

TEST_CASE("TDR-11: an adapter reset and a restart cannot fail, and nothing is handed over between them") {
    static_assert(meta::same_as<decltype(rig<>{inside}.e.adapter_reset()), void>);
    rig r{inside};
    r.submit(1);
    r.e.adapter_reset(r.on_leave());
    CHECK(r.e.state() == engine_state::lost);
    CHECK(r.e.submit(r.make(2)) == actions{});
    CHECK(!r.e.next());
    r.e.adapter_reset(r.on_leave());
    CHECK(r.last() == 2);
    CHECK(r.e.restart(r.on_leave()) == actions{});
    CHECK(r.e.state() == engine_state::idle);
    CHECK(r.e.restart(r.on_leave()) == actions{});
    CHECK(r.e.ignored() == 1);
}

TEST_CASE("TDR-14: cancelling names no fence: it empties the context's resume slot") {
    resume_slot slot{};
    packet_identity const one{0x1000, {0, 64}};
    slot.keep(one);
    CHECK(slot.resumes(one));
    slot.forget();
    CHECK(!slot.resumes(one));
    CHECK(!slot.taken);
}

TEST_CASE("AMB-52: a half-run packet is known by its buffer and window, until it has finished") {
    resume_slot slot{};
    packet_identity const first{0x1000, {0, 32}};
    packet_identity const second{0x1000, {32, 64}};
    CHECK(!slot.resumes(first));
    slot.keep(first);
    CHECK(slot.resumes(first));
    CHECK(slot.resumes(first));
    CHECK(!slot.resumes(second));
    CHECK(!slot.resumes({0x2000, {0, 32}}));
    slot.finished(second);
    CHECK(slot.resumes(first));
    slot.keep(first);
    slot.finished(first);
    CHECK(!slot.resumes(first));
}

TEST_CASE("AMB-15: of several requests the newest id wins, there is one report, and all before it is preempted") {
    rig r{inside};
    r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    generation const asked = r.e.report().asked;
    CHECK(r.e.submit(r.make(3)) == actions{});
    CHECK(r.preempt(4) == actions{});
    CHECK(r.e.stopped(asked, {0}, false, r.on_leave()) == only(action::preempted));
    CHECK(r.e.report().preemption == fence_id{4});
    CHECK(r.left(fate::preempted) == 2);
    CHECK(r.e.stopped(asked, {0}, false, r.on_leave()) == actions{});
}

TEST_CASE("AMB-45: packets submitted during a request are held until it is answered") {
    rig r{inside};
    r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    CHECK(r.e.submit(r.make(3)) == actions{});
    CHECK(!r.e.next());
    CHECK(r.completed({2}) == actions{});
    CHECK(r.completed({1}) == only(action::completed));
    CHECK(!r.e.next());
    CHECK(r.stopped({1}, false) == both(action::preempted, action::hand_over));
    CHECK(r.e.next().packet->fence == fence_id{3});
}

TEST_CASE("AMB-46: a request that is outstanding at a reset dies unreported") {
    rig r{inside};
    serial const a = r.submit(1);
    CHECK(r.preempt(2) == only(action::ask));
    generation const asked = r.e.report().asked;
    CHECK(r.e.engine_reset(executing::one(a), r.on_leave()) == fence_id{1});
    CHECK(r.e.stopped(asked, a, false, r.on_leave()) == actions{});
    CHECK(r.completed(r.submit(3)) == only(action::completed));
    CHECK(r.e.state() == engine_state::idle);
}

TEST_CASE("AMB-47: nothing executing aborts nothing; hardware that cannot tell gives up its oldest packet") {
    for (bool const knows : {true, false}) {
        rig r{inside, 30};
        r.submit(31);
        r.submit(32);
        executing const what = knows ? executing::nothing() : executing::unknown();
        CHECK(r.e.engine_reset(what, r.on_leave()) == fence_id{knows ? 30u : 31u});
        CHECK(r.left(fate::aborted) == (knows ? 0 : 1));
        CHECK(r.left(fate::lost) == (knows ? 2 : 1));
    }
    rig r{inside, 30};
    CHECK(r.e.submit(r.make(31)) == only(action::hand_over));
    CHECK(r.e.engine_reset(executing::unknown(), r.on_leave()) == fence_id{30});
    CHECK(r.left(fate::lost) == 1);
}

TEST_CASE("AMB-48: after an adapter reset the last completed id is the newest in flight, never a preempted one") {
    rig r{inside, 5};
    r.submit(6);
    CHECK(r.preempt(7) == only(action::ask));
    CHECK(r.stopped({0}, false) == only(action::preempted));
    r.e.adapter_reset(r.on_leave());
    CHECK(r.last() == 5);
}

TEST_CASE("AMB-49: the first last completed id is what start is told, 0 if nothing") {
    CHECK(rig{inside, 123}.last() == 123);
    rig<>::machine e{};
    e.start(inside);
    CHECK(e.last_completed() == fence_id{0});
    CHECK(e.next_serial() == serial{1});
}

TEST_CASE("AMB-50: a rejected submission that is preempted or lost before its turn is dropped") {
    rig r{inside};
    r.submit(1);
    CHECK(r.e.reject(r.make(2), r.on_leave()) == actions{});
    CHECK(r.preempt(3) == only(action::ask));
    CHECK(r.stopped({0}, false) == only(action::preempted));
    CHECK(r.last() == 0);
    CHECK(r.left(fate::preempted) == 2);
    r.submit(4);
    CHECK(r.e.reject(r.make(5), r.on_leave()) == actions{});
    CHECK(r.e.engine_reset(executing::nothing(), r.on_leave()) == fence_id{0});
    CHECK(r.left(fate::lost) == 2);
    CHECK(r.left(fate::rejected) == 0);
}

TEST_CASE("AMB-61: a refused packet that a newer request covers completes before its record, whoever was faster") {
    enum class order : u32 { completion_first, request_first, with_the_answer };
    for (order const o : {order::completion_first, order::request_first, order::with_the_answer}) {
        CAPTURE(static_cast<u32>(o));
        rig r{inside};
        serial const a = r.submit(1);
        CHECK(r.preempt(2) == only(action::ask));
        CHECK(r.e.reject(r.make(3), r.on_leave()) == actions{});
        CHECK(r.e.reject(r.make(4), r.on_leave()) == actions{});
        CHECK(r.e.submit(r.make(5)) == actions{});
        if (o == order::completion_first) {
            CHECK(r.completed(a) == only(action::completed));
            CHECK(r.last() == 1);  // covered by no request yet: after the answer to the first
        }
        CHECK(r.preempt(6) == actions{});
        if (o == order::request_first) {
            CHECK(r.completed(a) == only(action::completed));
        }
        if (o != order::with_the_answer) {
            CHECK(r.last() == 4);
            CHECK(r.e.count() == 1);
        }
        CHECK(r.stopped(a, false).has(action::preempted));
        CHECK(r.e.report().preemption == fence_id{6});
        CHECK(r.e.report().last_completed == fence_id{4});
        CHECK(r.left(fate::rejected) == 2);
        CHECK(r.left(fate::preempted) == 1);
    }
}

TEST_CASE("AMB-50, AMB-61: a refused packet after one that stopped half-run is dropped with it") {
    rig r{inside};
    r.submit(1);
    CHECK(r.e.reject(r.make(2), r.on_leave()) == actions{});
    CHECK(r.preempt(3) == only(action::ask));
    CHECK(r.preempt(4) == actions{});
    CHECK(r.stopped({0}, true) == both(action::interrupted, action::preempted));
    CHECK(r.last() == 0);
    CHECK(r.left(fate::preempted) == 1);
    CHECK(r.left(fate::rejected) == 0);
}

TEST_CASE("AMB-53: submissions between adapter reset and restart are handed over after the restart") {
    rig r{inside};
    r.e.adapter_reset(r.on_leave());
    CHECK(r.e.submit(r.make(1)) == actions{});
    CHECK(!r.e.next());
    CHECK(r.e.restart(r.on_leave()) == only(action::hand_over));
    CHECK(r.e.next().packet->fence == fence_id{1});
    CHECK(r.e.state() == engine_state::busy);
}
}  // namespace
}  // namespace rules_reset_test
