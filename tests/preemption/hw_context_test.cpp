// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "hw_context_world.hpp"

namespace hw_context_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

using enum hw_context_state;

constexpr u64 big = 0x1'0000'0000;  // fences are 64 bits: their low halves are 0

constexpr hw_context fresh() { return {}; }
constexpr hw_context asked(u64 fence = big) {
    hw_context context;
    static_cast<void>(context.suspend(fence));
    return context;
}
constexpr hw_context is_suspended() {
    hw_context context = asked();
    static_cast<void>(context.acknowledged(big));
    return context;
}
constexpr hw_context is_invalidated() {
    hw_context context;
    static_cast<void>(context.engine_reset(true));
    static_cast<void>(context.engine_resumed());
    return context;
}
constexpr hw_context halted(hw_context context) {
    static_cast<void>(context.engine_reset(false));
    return context;
}

constexpr u32 bits(hw_action a) { return static_cast<u32>(a); }
constexpr u32 nothing = 0;

// An answer and the state after it.
struct taken {
    hw_answer answer;
    hw_context_state state;
};

constexpr taken suspend(hw_context context, u64 fence) {
    hw_answer const answer = context.suspend(fence);
    return {answer, context.state()};
}
constexpr taken resume(hw_context context) {
    hw_answer const answer = context.resume();
    return {answer, context.state()};
}
constexpr taken acknowledge(hw_context context, u64 fence) {
    hw_answer const answer = context.acknowledged(fence);
    return {answer, context.state()};
}
constexpr taken reset(hw_context context, bool was_on_engine) {
    hw_answer const answer = context.engine_reset(was_on_engine);
    return {answer, context.state()};
}
constexpr taken resume_engine(hw_context context) {
    hw_answer const answer = context.engine_resumed();
    return {answer, context.state()};
}

constexpr bool is(taken const& t, ntstatus status, u32 actions, hw_context_state state) {
    return t.answer.status == status && t.answer.actions == actions && t.state == state;
}
constexpr bool does(taken const& t, u32 actions, hw_context_state state) {
    return is(t, status::success, actions, state);
}

}  // namespace

TEST_CASE("HWS-01: suspending answers success when nothing is on the GPU, else pending and a report with the fence") {
    expect_both(is(suspend(fresh(), big), status::pending, bits(hw_action::ask_suspend), suspending));
    expect_both(suspend(fresh(), big).answer.suspend_fence == big);
    expect_both(is(suspend(asked(), big + 1), status::pending, bits(hw_action::ask_suspend), suspending));
    expect_both(does(suspend(is_suspended(), big + 1), nothing, suspended));
    expect_both(does(suspend(is_invalidated(), big + 1), nothing, invalidated));
    expect_both(does(acknowledge(asked(), big), bits(hw_action::report), suspended));
    expect_both(acknowledge(asked(), big).answer.suspend_fence == big);
}

TEST_CASE("HWS-02: only the acknowledgement of the newest suspension counts") {
    expect_both(does(acknowledge(asked(), big + 1), nothing, suspending));
    expect_both(does(acknowledge(asked(), 0), nothing, suspending));  // 64 bits are compared, not 32
    expect_both(does(acknowledge(fresh(), big), nothing, resumed));
    expect_both(does(acknowledge(is_suspended(), big), nothing, suspended));
    expect_both(does(acknowledge(is_invalidated(), big), nothing, invalidated));
    // Suspend, resume, suspend without waiting: the first acknowledgement comes late.
    hw_context context = asked(big);
    CHECK(does(resume(context), bits(hw_action::ask_resume), resumed));
    static_cast<void>(context.resume());
    static_cast<void>(context.suspend(big + 1));
    CHECK(does(acknowledge(context, big), nothing, suspending));
    CHECK(does(acknowledge(context, big + 1), bits(hw_action::report), suspended));
}

TEST_CASE("HWS-04: a context starts resumed, and its scheduling properties come before its first submission") {
    expect_both(fresh().state() == resumed && fresh().may_run());
    expect_both(does(resume(fresh()), nothing, resumed));
    expect_both(!fresh().takes_submissions());
    hw_context context;
    context.properties_set();
    CHECK(context.takes_submissions());
    static_cast<void>(context.suspend(big));
    CHECK(context.takes_submissions());
    static_cast<void>(context.engine_reset(true));
    CHECK(!context.takes_submissions());
}

TEST_CASE("HWS-08: an engine reset invalidates what was on the engine, and nothing runs until the engine is resumed") {
    expect_both(does(reset(fresh(), true), bits(hw_action::invalidate), invalidated));
    expect_both(does(reset(fresh(), false), nothing, resumed));
    expect_both(!halted(fresh()).may_run());
    expect_both(does(resume_engine(halted(fresh())), bits(hw_action::ask_resume), resumed));
    expect_both(does(resume_engine(fresh()), nothing, resumed));
    expect_both(does(resume_engine(halted(is_suspended())), nothing, suspended));
    expect_both(does(resume(halted(is_suspended())), nothing, resumed));
    expect_both(does(suspend(halted(fresh()), big), nothing, suspended));
    expect_both(does(resume(is_invalidated()), nothing, invalidated));
    expect_both(does(resume_engine(is_invalidated()), nothing, invalidated));
    expect_both(does(reset(is_suspended(), true), nothing, suspended));
    expect_both(does(reset(is_invalidated(), true), nothing, invalidated));
    // A suspension that waits is acknowledged by the reset.
    expect_both(does(reset(asked(), false), bits(hw_action::report), suspended));
    expect_both(does(reset(asked(), true), bits(hw_action::report) | bits(hw_action::invalidate), invalidated));
    expect_both(reset(asked(), false).answer.suspend_fence == big);
}

TEST_CASE("HWS-08: an engine that cannot be resumed fails the call, so that the system resets the adapter") {
    expect_both(resume_hw_engine_status(true) == status::success);
    expect_both(!succeeded(resume_hw_engine_status(false)));
}

TEST_CASE("HWS-08: invalidating names the system's handle of the context") {
    struct flags_twin {
        u32 Value;
    };
    struct twin {  // the members of the page; no layout is claimed
        void* hAdapter;
        void* hHwContext;
        flags_twin Flags;
    };
    int adapter = 0;
    int context = 0;
    twin args{nullptr, nullptr, {~0u}};
    fill_invalidate_hw_context(args, &adapter, &context);
    CHECK(args.hAdapter == &adapter);
    CHECK(args.hHwContext == &context);
    CHECK(args.Flags.Value == 0u);
}

TEST_CASE("HWS-01 HWS-02 HWS-03 HWS-08: every order of suspensions, resumptions, resets and late acknowledgements") {
    exploration const found = explore<hw_context>();
    MESSAGE("hardware context: " << found.states << " states, " << found.steps << " steps, to closure");
    CHECK(found.violation == "");
    CHECK(found.states > 1000);
}

TEST_CASE("HWS-02: accepting any acknowledgement is caught") {
    CHECK(explore<accepts_any>().violation == "HWS-03: suspended, and still on the GPU");
}

TEST_CASE("HWS-01: a suspension that is called done at once is caught") {
    CHECK(explore<calls_it_done>().violation == "HWS-03: suspended, and still on the GPU");
}

TEST_CASE("HWS-08: a reset that leaves a suspension waiting is caught") {
    CHECK(explore<forgets_suspension>().violation == "HWS-01: the system waits for a report that never comes");
}

TEST_CASE("HWS-08: a context that runs before its engine is resumed is caught") {
    CHECK(explore<runs_while_halted>().violation == "a halted engine is asked to run");
}

TEST_CASE("HWS-08: a context that lost its work and is not invalidated is caught") {
    CHECK(explore<invalidates_nothing>().violation == "a context lost its work and is not invalidated");
}

TEST_CASE("HWS-08: an engine that is resumed without its contexts is caught") {
    CHECK(explore<wakes_nobody>().violation == "the hardware does not run what it should");
}

TEST_CASE("HWS-03: an engine that is resumed with its suspended contexts is caught") {
    CHECK(explore<wakes_everybody>().violation == "HWS-03: suspended, and still on the GPU");
}

TEST_CASE("HWS-02: a resumption that does not end the suspension under way is caught") {
    CHECK(explore<keeps_suspending>().violation == "the hardware does not run what it should");
}

}  // namespace hw_context_test
