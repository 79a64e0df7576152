// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/recovery/engine_status.hpp"
#include "wddmcore/preemption/recovery/tdr.hpp"

#include <initializer_list>

namespace tdr_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

constexpr adapter_shape shape{6, 1};
constexpr engine_after_reset finished{true, true, true};

struct group_answer {
    ntstatus status;
    u64 mask;
};

constexpr group_answer ask_group(u32 node, u64 others, adapter_shape adapter = shape) {
    mirror::win8::dxgkarg_querydependentenginegroup args{node, 0, 0xDEAD};
    ntstatus const status = answer_dependent_engine_group(args, others, adapter);
    return {status, args.DependentNodeOrdinalMask};
}

struct reset_answer {
    ntstatus status;
    u32 aborted;
    friend constexpr bool operator==(reset_answer, reset_answer) = default;
};

// An engine that has completed one packet and has three more in hardware, of which one may be executing when it is
// reset.
struct to_reset {
    engine<8> machine{};
    u32 left[7] = {};

    struct counter {
        to_reset* r;
        constexpr void operator()(submission<> const&, fate why) const { ++r->left[static_cast<u32>(why)]; }
    };

    constexpr to_reset(u32 completed, u32 first, u32 second, u32 third) {
        machine.start({stopping::inside_a_buffer, true}, {completed});
        for (u32 const id : {first, second, third}) {
            static_cast<void>(machine.submit({{id}, 0, {0, 8}, id}));
        }
        while (machine.next()) {
        }
    }
    constexpr reset_answer answer(engine_after_reset after, executing ran) {
        mirror::win8::dxgkarg_resetengine args{0, 0, 0xDEAD};
        ntstatus const status = answer_reset_engine(args, after, machine, ran, counter{this});
        return {status, args.LastAbortedFenceId};
    }
};

constexpr reset_answer reset(engine_after_reset after, executing ran) {
    return to_reset{5, 6, 7, 9}.answer(after, ran);
}

// After a refusal the packets are there for the adapter reset that follows, and nothing moves until then.
constexpr bool a_refusal_keeps(u32 completed, u32 first, u32 second, u32 third, engine_after_reset after,
                               executing ran) {
    to_reset r{completed, first, second, third};
    bool held = r.answer(after, ran) == reset_answer{status::unsuccessful, completed};
    held = held && r.machine.last_completed() == fence_id{completed} && r.machine.count() == 3 && !r.machine.next();
    for (u32 const number : {1u, 2u, 3u}) {
        held = held && r.machine.completed({number}, to_reset::counter{&r}) == actions{};
    }
    held = held && r.machine.submit({{20}, 0, {0, 8}, 0}) == actions{} && !r.machine.next();
    for (u32 const count : r.left) {
        held = held && count == 0;
    }
    r.machine.adapter_reset(to_reset::counter{&r});
    return held && r.machine.last_completed() == fence_id{20} && r.left[static_cast<u32>(fate::lost)] == 4;
}

// The answers to a row of samples: bit i is the answer to sample i; all questions succeed, or bit 31 is set.
template <u32 Count>
constexpr u32 answers(engine_progress first, engine_progress const (&samples)[Count]) {
    engine_status engine;
    engine.start(first);
    u32 bits = 0;
    for (u32 i = 0; i != Count; ++i) {
        mirror::win8::dxgkarg_queryenginestatus args{};
        args.EngineStatus.Value = 0xFFFF'FFFEu;
        bits |= engine.answer(args, samples[i]) == status::success ? 0u : 1u << 31;
        bits |= args.EngineStatus.Value > 1 ? 1u << 30 : args.EngineStatus.Value << i;
    }
    return bits;
}

constexpr engine_progress moving[] = {{1}, {2}, {3}};
constexpr engine_progress stuck[] = {{7}, {7}, {7}};
constexpr engine_progress stops_and_goes[] = {{7}, {8}, {8}, {9}};
constexpr engine_progress goes_back[] = {{9}, {3}, {3}};

}  // namespace

TEST_CASE("TDR-02: the dependent nodes contain the one that was asked about") {
    for (u32 nodes = 1; nodes <= 64; ++nodes) {
        for (u32 node = 0; node != nodes; ++node) {
            u64 const itself = u64{1} << node;
            CHECK(dependent_nodes(node, 0, nodes) == itself);
            CHECK((dependent_nodes(node, ~u64{0}, nodes) & itself) != 0);
            CHECK(dependent_nodes(node, ~u64{0}, nodes) == low_mask<u64>(nodes));
        }
    }
    expect_both(ask_group(2, 0).mask == 0b000100u);
    expect_both(ask_group(2, 0b100010u).mask == 0b100110u);
    expect_both(ask_group(63, 1, {64, 1}).mask == 0x8000'0000'0000'0001u);
}

TEST_CASE("TDR-03: the dependent group is always answered with success") {
    expect_both(ask_group(2, 0).status == status::success);
    expect_both(ask_group(99, 0).status == status::success);
    expect_both(ask_group(99, 0).mask == 0u);
    expect_both(ask_group(0xFFFF'FFFFu, 3).status == status::success);
}

TEST_CASE(
    "TDR-03: an engine is responsive only if it moved since the last question, and the answer is always success") {
    expect_both(answers({0}, moving) == 0b111u);
    expect_both(answers({7}, stuck) == 0b000u);
    expect_both(answers({0}, stuck) == 0b001u);
    expect_both(answers({7}, stops_and_goes) == 0b1010u);
    expect_both(answers({9}, goes_back) == 0b010u);
    // Serial and place both count, also when the serial wraps.
    expect_both(progress_of({5}, 0) != progress_of({6}, 0));
    expect_both(progress_of({5}, 0x100) != progress_of({5}, 0x104));
    expect_both(progress_of({0xFFFF'FFFFu}, 0) != progress_of({0}, 0));
}

TEST_CASE("TDR-03: responsive is bit 0 of the status, and its reserved bits are 0") {
    mirror::win8::dxgkarg_queryenginestatus args{};
    args.EngineStatus.Value = ~0u;
    engine_status engine;
    engine.start({0});
    CHECK(engine.answer(args, {1}) == status::success);
    CHECK((args.EngineStatus.Responsive == 1u && args.EngineStatus.Reserved == 0u));
    CHECK(engine.answer(args, {1}) == status::success);
    CHECK((args.EngineStatus.Responsive == 0u && args.EngineStatus.Reserved == 0u));
}

TEST_CASE("TDR-05 AMB-18: an aborted id lies from last completed to last submitted, modulo 2^32") {
    expect_both(aborted_id_is_legal({5}, {5}, {9}));
    expect_both(aborted_id_is_legal({9}, {5}, {9}));
    expect_both(!aborted_id_is_legal({4}, {5}, {9}));
    expect_both(!aborted_id_is_legal({10}, {5}, {9}));
    expect_both(aborted_id_is_legal({0}, {0xFFFF'FFFEu}, {1}));
    expect_both(!aborted_id_is_legal({2}, {0xFFFF'FFFEu}, {1}));
    expect_both(!aborted_id_is_legal({0xFFFF'FFFDu}, {0xFFFF'FFFEu}, {1}));
    // Against counting: every id around a range that crosses the wrap.
    for (u32 length = 0; length != 6; ++length) {
        for (u32 from_first = 0; from_first != 16; ++from_first) {
            fence_id const first{0xFFFF'FFFDu};
            fence_id const id{first.n - 8 + from_first};
            bool const inside = from_first >= 8 && from_first - 8 <= length;
            CHECK(aborted_id_is_legal(id, first, {first.n + length}) == inside);
        }
    }
}

TEST_CASE(
    "TDR-05, TDR-07: an aborted id that would bugcheck the system ends in an adapter reset, which names the newest") {
    expect_both(reset(finished, executing::one({2})) == reset_answer{status::success, 7});
    // A paging packet that came back with its old id 4, after one with 7.
    expect_both(to_reset{5, 7, 4, 9}.answer(finished, executing::one({2})) == reset_answer{status::unsuccessful, 5});
    expect_both(a_refusal_keeps(5, 7, 4, 9, finished, executing::one({2})));
    expect_both(a_refusal_keeps(5, 6, 10, 9, finished, executing::one({2})));
    expect_both(!a_refusal_keeps(5, 6, 7, 9, finished, executing::one({2})));
    expect_both(a_refusal_keeps(5, 6, 7, 9, {false, true, true}, executing::one({2})));
}

TEST_CASE("TDR-07, TDR-10: last completed never goes back over a reset of an engine that is refused") {
    // Paging 5 is preempted and comes back after 7, which was held; 7 completes, and the engine hangs in 5.
    engine<8> e{};
    e.start({stopping::inside_a_buffer, true});
    auto const submit = [&e](u32 id, u32 flags) {
        actions const demanded = e.submit({{id}, flags, {0, 8}, id});
        while (e.next()) {
        }
        return demanded;
    };
    CHECK(submit(5, submit_flag::paging) == only(action::hand_over));
    CHECK(e.preempt({6}) == only(action::ask));
    CHECK(submit(7, 0) == actions{});
    CHECK(e.stopped(e.report().asked, {0}, false) == (only(action::preempted) | action::hand_over));
    CHECK(e.next().packet->fence == fence_id{7});
    CHECK(submit(5, submit_flag::paging | submit_flag::resubmission) == only(action::hand_over));
    CHECK(submit(8, 0) == only(action::hand_over));
    CHECK(e.completed({2}) == only(action::completed));
    CHECK(e.last_completed() == fence_id{7});

    mirror::win8::dxgkarg_resetengine args{};
    CHECK(answer_reset_engine(args, finished, e, executing::one({3})) == status::unsuccessful);
    CHECK(args.LastAbortedFenceId == 7);
    CHECK(e.last_completed() == fence_id{7});
    CHECK(e.newest_submitted() == fence_id{8});
    CHECK(e.state() == engine_state::halted);
    CHECK(e.completed({4}) == actions{});
    e.adapter_reset();
    CHECK(e.last_completed() == fence_id{8});
    CHECK(e.restart() == actions{});
    CHECK(submit(5, submit_flag::paging | submit_flag::resubmission) == only(action::hand_over));
}

TEST_CASE("TDR-07: what a reset would answer can be asked before, and is what it answers") {
    executing const each[] = {executing::nothing(), executing::one({1}), executing::one({3}), executing::one({7}),
                              executing::unknown()};
    u32 const expected[] = {5, 6, 9, 5, 6};
    for (u32 i = 0; i < 5; ++i) {
        CAPTURE(i);
        to_reset r{5, 6, 7, 9};
        engine_snapshot const before = r.machine.snapshot();
        CHECK(r.machine.aborted_by_reset(each[i]) == fence_id{expected[i]});
        CHECK(r.machine.snapshot() == before);
        CHECK(r.machine.engine_reset(each[i]) == fence_id{expected[i]});
    }
}

TEST_CASE("TDR-08: a reset that fails withdraws the request that is outstanding, and a lost adapter stays lost") {
    to_reset r{5, 6, 7, 9};
    CHECK(r.machine.preempt({10}) == only(action::ask));
    generation const asked = r.machine.report().asked;
    CHECK(r.answer({}, executing::nothing()).status == status::unsuccessful);
    CHECK(r.machine.stopped(asked, {3}, true) == actions{});
    CHECK(r.machine.count() == 3);
    r.machine.adapter_reset();
    CHECK(r.answer({}, executing::nothing()) == reset_answer{status::unsuccessful, 9});
    CHECK(r.machine.state() == engine_state::lost);
}

TEST_CASE("TDR-06: an engine that drained before its reset names the last completed id") {
    to_reset r{5, 6, 7, 9};
    CHECK(r.machine.completed({3}) == only(action::completed));
    CHECK(r.answer(finished, executing::nothing()) == reset_answer{status::success, 9});
    CHECK(r.answer(finished, executing::one({3})) == reset_answer{status::success, 9});
}

TEST_CASE("TDR-04: an engine reset succeeds only when it is done, the queue is empty and the node is ready") {
    for (u32 bits = 0; bits != 8; ++bits) {
        engine_after_reset const after{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
        CHECK((engine_reset_status(after) == status::success) == (bits == 7));
        CHECK((reset(after, executing::one({2})).status == status::success) == (bits == 7));
    }
}

TEST_CASE("TDR-08: an engine reset that fails names a legal id all the same") {
    // The system may read it before it looks at the status.
    expect_both(reset({false, true, true}, executing::one({2})).aborted == 5u);
}

TEST_CASE("TDR-15: debug information is collected at passive level for the two timeouts, else at an undefined level") {
    expect_both(collects_debug_info_at_passive_level(0x117));
    expect_both(collects_debug_info_at_passive_level(0x141));
    for (u32 const reason : {0u, 0x10Eu, 0x116u, 0x118u, 0x119u, 0x140u, 0x142u}) {
        CHECK(!collects_debug_info_at_passive_level(reason));
    }
}

}  // namespace tdr_test
