// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/buffers/lazy_switch.hpp>
#include <wddmcore/preemption/buffers/split.hpp>
#include <wddmcore/preemption/engine/engine.hpp>
#include <wddmcore/preemption/engine/routing.hpp>
#include <wddmcore/preemption/hardware_queues/context.hpp>
#include <wddmcore/preemption/hardware_queues/context_list.hpp>
#include <wddmcore/preemption/records/notify.hpp>
#include <wddmcore/preemption/recovery/engine_status.hpp>
#include <wddmcore/preemption/recovery/tdr.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "judged.hpp"
#include "patch_request.hpp"

/// One step of the machines at a time, where a long history would hide what it leaves behind.
namespace machine_corners_test {

using namespace wddmcore;
using namespace wddmcore::preemption;
using namespace wddmcore::testing;
using preemption::engine;

namespace {

constexpr submission<> packet(u32 fence) { return {{fence}, 0, {0, 64}, fence}; }

/// An engine with packets 11, 12, ... in hardware, whose serials begin with 1.
engine<8> running(u32 packets, engine_kind kind = {stopping::inside_a_buffer, true}) {
    engine<8> e;
    e.start(kind);
    for (u32 i = 0; i != packets; ++i) {
        static_cast<void>(e.submit(packet(11 + i)));
        static_cast<void>(e.next());
    }
    return e;
}

struct left {
    u32 fence;
    fate why;
    friend bool operator==(left const&, left const&) = default;
};

template <class Record>
Record garbage() {
    Record made;
    std::memset(static_cast<void*>(&made), 0xA5, sizeof made);
    return made;
}

}  // namespace

TEST_CASE("AMB-49: an engine that is started again knows nothing of what it was") {
    engine<8> fresh;
    fresh.start({stopping::inside_a_buffer, true}, {5}, {100});
    CHECK(fresh.snapshot().mark == serial{100});
    CHECK(fresh.snapshot().request == fence_id{0});
    CHECK(fresh.snapshot().asked == generation{0});
    engine<8> used = running(2);
    CHECK(used.completed({77}) == actions{});
    CHECK(used.preempt({50}) == only(action::ask));
    CHECK(used.report().asked == generation{1});
    CHECK(used.snapshot().answer_due);
    CHECK(used.ignored() == 1);
    used.start({stopping::inside_a_buffer, true}, {5}, {100});
    CHECK(used.snapshot() == fresh.snapshot());
    CHECK(used.report().asked == fresh.report().asked);
    // A fault that named its packet is forgotten, too: a reset that cannot tell aborts the oldest (AMB-47).
    used = running(2);
    static_cast<void>(used.faulted({1}, after_fault::needs_reset));
    used.start({stopping::inside_a_buffer, true});
    static_cast<void>(used.submit(packet(11)));
    static_cast<void>(used.next());
    used.engine_reset_failed();
    CHECK(used.engine_reset(executing::unknown()) == fence_id{11});
}

TEST_CASE("PRE-15: each request to the hardware has the next generation") {
    engine<8> e = running(1);
    CHECK(e.preempt({50}) == only(action::ask));
    CHECK(e.report().asked == generation{1});
    static_cast<void>(e.stopped({1}, {1}, false));
    static_cast<void>(e.submit(packet(12)));
    static_cast<void>(e.next());
    CHECK(e.preempt({51}) == only(action::ask));
    CHECK(e.report().asked == generation{2});
}

TEST_CASE("PRE-10: refused packets behind the last one are no work of the hardware") {
    engine<8> e = running(1);
    CHECK(e.reject(packet(12)) == actions{});
    CHECK(e.completed({1}) == only(action::completed));
    CHECK(e.last_completed() == fence_id{12});
    CHECK(e.preempt({50}) == only(action::preempted));
    CHECK(e.state() == engine_state::idle);
}

TEST_CASE("PRE-30: a refused packet waits for every packet before it, one completion after another") {
    engine<8> e = running(2);
    CHECK(e.reject(packet(13)) == actions{});
    CHECK(e.completed({1}) == only(action::completed));
    CHECK(e.last_completed() == fence_id{11});
    CHECK(e.completed({2}) == only(action::completed));
    CHECK(e.last_completed() == fence_id{13});
    CHECK(e.state() == engine_state::idle);
}

TEST_CASE("PRE-30: a place of the ring that held a refused packet is handed over only when it is taken again") {
    engine<8> e = running(1);
    CHECK(e.reject(packet(12)) == actions{});  // serial 2
    CHECK(e.completed({1}) == only(action::completed));
    for (u32 number = 3; number != 9; ++number) {
        CHECK(e.submit(packet(10 + number)) == only(action::hand_over));
        CHECK(e.next());
    }
    CHECK(e.completed({7}) == only(action::completed));
    CHECK(e.reject(packet(19)) == actions{});  // serial 9; the place after it is that of serial 2
    CHECK_FALSE(e.next());
    CHECK(e.submit(packet(20)) == only(action::hand_over));
    CHECK(e.next().number == serial{10});
}

TEST_CASE("TDR-06, INT-09: each packet that leaves is told with its fate, in order") {
    std::vector<left> seen;
    auto const note = [&seen](auto const& p, fate why) { seen.push_back({p.fence.n, why}); };
    engine<8> e = running(3);
    CHECK(e.engine_reset(executing::one({2}), note) == fence_id{12});
    CHECK(seen == std::vector<left>{{11, fate::completed}, {12, fate::aborted}, {13, fate::lost}});
    seen.clear();
    e = running(3);
    CHECK(e.faulted({2}, after_fault::runs_on, note) == (only(action::completed) | action::faulted));
    CHECK(seen == std::vector<left>{{11, fate::completed}, {12, fate::faulted}});
    seen.clear();
    e = running(3);
    CHECK(e.preempt({50}) == only(action::ask));
    CHECK(e.stopped({1}, {1}, true, note) == (only(action::completed) | action::interrupted | action::preempted));
    CHECK(seen == std::vector<left>{{11, fate::completed}, {12, fate::half_run}, {13, fate::preempted}});
}

TEST_CASE("TDR-10, PRE-15: after a fatal fault or a reset of the adapter no answer of the hardware is due") {
    engine<8> e = running(1);
    CHECK(e.preempt({50}) == only(action::ask));
    static_cast<void>(e.faulted({1}, after_fault::needs_reset));
    CHECK(e.state() == engine_state::halted);
    CHECK_FALSE(e.snapshot().answer_due);
    // Nothing is left, so a request is answered at once.
    CHECK(e.preempt({51}) == only(action::preempted));
    e = running(1);
    CHECK(e.preempt({50}) == only(action::ask));
    CHECK(e.faulted_unknown() == only(action::fault_unknown));
    CHECK_FALSE(e.snapshot().answer_due);
    e = running(1);
    CHECK(e.preempt({50}) == only(action::ask));
    e.adapter_reset();
    CHECK_FALSE(e.snapshot().answer_due);
    CHECK(e.last_completed() == fence_id{11});
    CHECK(e.engine_reset(executing::nothing()) == fence_id{11});
}

TEST_CASE("TDR-10: a fault that nobody can name withdraws what was known of an earlier one") {
    engine<8> e = running(3);
    static_cast<void>(e.faulted({1}, after_fault::runs_on));
    CHECK(e.faulted_unknown() == only(action::fault_unknown));
    CHECK(e.engine_reset(executing::unknown()) == fence_id{12});
}

TEST_CASE("TDR-09: after a reset hardware has nothing, and what was never handed over is not kept for it") {
    engine<8> e = running(1);
    static_cast<void>(e.submit(packet(12)));
    static_cast<void>(e.engine_reset(executing::nothing()));
    CHECK(e.snapshot().handed == e.snapshot().next);
    CHECK(e.snapshot().oldest == e.snapshot().next);
}

TEST_CASE("INT-14: a ring holds as many packets as it has places") {
    CHECK(engine<8>::holds(8));
    CHECK_FALSE(engine<8>::holds(9));
    CHECK(preemption::detail::ring_capacity_fits(1));
    CHECK(preemption::detail::ring_capacity_fits(64));
    CHECK_FALSE(preemption::detail::ring_capacity_fits(0));
    CHECK_FALSE(preemption::detail::ring_capacity_fits(12));
}

TEST_CASE("TDR-06: hardware that executes nothing, or cannot tell, names no packet") {
    CHECK(executing::nothing().packet == serial{0});
    CHECK(executing::unknown().packet == serial{0});
}

TEST_CASE("PRE-12: the policy of the interrupt lock adds and returns what was there") {
    u64 word = 40;
    CHECK(under_interrupt_lock::add(word, 2) == 40);
    CHECK(word == 42);
    CHECK(preemption::detail::engine_word{0x7'0000'0005}.low() == 5);
    CHECK(preemption::detail::engine_word{0x7'0000'0005}.tail() == 7);
}

TEST_CASE("LDA-09: the node of an index has 16 bits, the lowest included") {
    CHECK(node_metadata_status({1, 1}, 0) == status::success);
    CHECK(node_metadata_status({1, 1}, 1) == status::invalid_parameter);
}

TEST_CASE("TDR-02: a node that no adapter has is in no group") {
    CHECK(dependent_nodes(63, 0, 64) == u64{1} << 63);
    CHECK(dependent_nodes(64, 0, 64) == 0);
}

TEST_CASE("TDR-03: a sample is the serial above the place in the buffer") {
    CHECK(progress_of({0x1234}, 0x5678).n == 0x1234'0000'5678);
}

TEST_CASE("CTX-02: the Paging flag is wrong only where a switch leaves a context with the other one") {
    lazy_switch<u32> switches;
    // Nothing is loaded, so nothing is left.
    CHECK(switches.handed_over(submit_flag::context_switch | submit_flag::paging, {0, 0}, 0).paging_bit_is_right);
    switch_plan<u32> const runs = switches.handed_over(submit_flag::paging, {0, 64}, 7);
    CHECK((runs.executes && runs.paging_bit_is_right));
    switch_plan<u32> const bare = switches.handed_over(submit_flag::null_rendering, {0, 64}, 7);
    CHECK((!bare.executes && bare.paging_bit_is_right));
    CHECK_FALSE(switches.handed_over(submit_flag::context_switch, {0, 0}, 0).paging_bit_is_right);
    switches.stopped_with(9, true);
    CHECK(switches.handed_over(submit_flag::context_switch | submit_flag::paging, {0, 0}, 0).paging_bit_is_right);
    switches.stopped_with(9, false);
    CHECK(switches.handed_over(submit_flag::context_switch, {0, 0}, 0).paging_bit_is_right);
}

TEST_CASE("HWS-01, HWS-08: what needs nothing of the hardware succeeds, and says so") {
    hw_context context;
    CHECK(context.resume().status == status::success);
    CHECK(context.resume() == hw_answer{status::success, 0, 0});
    CHECK(context.suspend(8).status == status::pending);
    CHECK(context.acknowledged(8).has(hw_action::report));
    CHECK(context.suspend(9) == hw_answer{status::success, 0, 8});
    static_cast<void>(context.engine_reset(false));
    CHECK(context.resume() == hw_answer{status::success, 0, 8});
    CHECK(context.suspend(10) == hw_answer{status::success, 0, 8});
    CHECK(context.engine_resumed() == hw_answer{status::success, 0, 8});
}

TEST_CASE("HWS-07: a list that was reported is not reported again, whatever comes between") {
    hw_context_list<u32> list;
    static_cast<void>(list.switch_to(1, 2, 5));
    CHECK(list.switched(5).report);
    CHECK_FALSE(list.switched(4).report);
    CHECK_FALSE(list.switched(5).report);
}

TEST_CASE("INT-09, HWS-01, HWS-07: a record over old memory has all of its members") {
    using data_2_4 = mirror::v2_4::dxgkargcb_notify_interrupt_data;
    int something = 0;
    auto fault = garbage<data_2_4>();
    fault_details details{};
    details.process = &something;
    fill_faulted(fault, {0x99}, details, {3, 1});
    CHECK(fault.DmaPageFaulted.FaultedProcessHandle == &something);
    CHECK(fault.Flags.Value == 0);
    auto suspended = garbage<data_2_4>();
    fill_suspended(suspended, &something, 12);
    CHECK(suspended.SuspendContextCompleted.ContextSuspendFence == 12);
    CHECK(suspended.Flags.Value == 0);
    auto switched = garbage<data_2_4>();
    fill_list_switched(switched, 13, {3, 1});
    CHECK(switched.HwContextListSwitchCompleted.ContextSwitchFence == 13);
    CHECK(switched.Flags.Value == 0);
}

TEST_CASE("SPL-02: the first element counts for the next split point") {
    element const list[] = {element_of(1, 0, 0, 0x10, 0x40), element_of(1, 0, 0, 0x90, 0x80)};
    CHECK(next_split_point(span<element const>{list, 2}, 0, 0x100) == 0x40);
}

TEST_CASE("SPL-07: an empty portion is one; SPL-15: each bit below the alignment is misaligned") {
    request<> one;
    one.args.DmaBufferSubmissionEndOffset = one.args.DmaBufferSubmissionStartOffset;
    one.args.PatchLocationListSubmissionLength = 0;
    CHECK(one.run() == nothing_wrong);
    for (u32 const by : {1u, 2u, 3u}) {
        request<> odd;
        odd.list[1].PatchOffset += by;
        CHECK(odd.run() == patch_answer{patch_defect::misaligned, 1});
        CHECK(odd.untouched());
    }
}

TEST_CASE("PRE-05, CTX-07: an engine that runs nothing stops nowhere and saves nothing") {
    CHECK(preemption::detail::coarsest_of({}) == 0);
    CHECK(saved_state_of({}) == bytes{0});
}

TEST_CASE("AMB-51: work without a name of its own can stop inside a buffer, too") {
    preemption_engine const inside{.other = {static_cast<other_preemption_granularity>(200), 4 * kib}};
    CHECK(preemption::detail::stops_inside(inside));
}

TEST_CASE("PRE-01: of several broken rules the first one is told") {
    constexpr preemption_engine good{.other = {other_preemption_granularity::dma_buffer_boundary}};
    auto const judged_engine = [](preemption_engine const& engine, scheduling_capabilities const& claims,
                                  u32 ring_capacity = 64, wddm version = wddm::v3_2) {
        preemption_engine const engines[] = {engine};
        return preemption::detail::judge({version, claims, span_of(engines), false, ring_capacity});
    };
    CHECK(judged_engine({}, {}) == broken_rule{rule::engine_runs_nothing, 0, 0});
    auto const graphics = static_cast<graphics_preemption_granularity>(7);
    auto const compute = static_cast<compute_preemption_granularity>(8);
    auto const other = static_cast<other_preemption_granularity>(9);
    CHECK(judged_engine({.graphics = {graphics}, .compute = {compute}}, {}).value == 7);
    CHECK(judged_engine({.compute = {compute}, .other = {other}}, {}).value == 8);
    // The bits, then the ring, then recovery, then the kind of adapter.
    scheduling_capabilities claims{};
    claims.native_gpu_fence = claim::yes;
    CHECK(judged_engine(good, claims, 3, wddm::v3_0).what == rule::native_fence_before_v3_1);
    claims = {};
    claims.recovery = recovery_functions::none;
    CHECK(judged_engine(good, claims, 3).what == rule::ring_capacity);
    claims.kind = adapter_kind::compute_only;
    claims.flips = flip_caps::interval;
    CHECK(judged_engine(good, claims).what == rule::no_adapter_recovery);
    // Windows 7 asks nothing of recovery that is not claimed.
    CHECK(judged_engine(good, {}, 64, wddm::win7) == no_rule_broken);
}

}  // namespace machine_corners_test
