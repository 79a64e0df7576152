// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/preemption.hpp>
#include <wddmcore/preemption/buffers/split.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace values_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

/// Whether two values compare as equal and as different when they should, whichever comes first.
template <class T>
bool told_apart(T const& value, T const& other) {
    T const same = value;
    return value == same && !(value == other) && !(other == value) && value != other;
}

/// The union, of sets that only the machine knows.
actions joined(actions a, actions b) { return a | b; }

/// A window, twice: members are compared from the first to the last.
constexpr packet_window window{8, 16};

}  // namespace

TEST_CASE("PRE-27: an engine, a shape and a place in a buffer are equal in all members or not") {
    CHECK(told_apart(engine_id{1, 2}, {1, 3}));
    CHECK(told_apart(engine_id{1, 2}, {0, 2}));
    CHECK(told_apart(adapter_shape{2, 1}, {2, 2}));
    CHECK(told_apart(adapter_shape{2, 1}, {1, 1}));
    CHECK(told_apart(window, {8, 17}));
    CHECK(told_apart(window, {9, 16}));
    CHECK(told_apart(packet_identity{1, window}, {1, {8, 17}}));
    CHECK(told_apart(packet_identity{1, window}, {2, window}));
    CHECK(told_apart(portion{window, 1, 2}, {window, 1, 3}));
    CHECK(told_apart(portion{window, 1, 2}, {{0, 16}, 1, 2}));
}

TEST_CASE("SPL-17, FLP-05, HWS-14: answers are equal in all members or not") {
    CHECK(told_apart(user_list_answer{status::invalid_parameter, 1}, {status::invalid_parameter, 2}));
    CHECK(told_apart(user_list_answer{status::invalid_parameter, 1}, {status::success, 1}));
    CHECK(told_apart(patch_answer{patch_defect::order, 1}, {patch_defect::order, 2}));
    CHECK(told_apart(patch_answer{patch_defect::order, 1}, {patch_defect::none, 1}));
    CHECK(told_apart(primary_address{{1}, {2}}, {{1}, {3}}));
    CHECK(told_apart(primary_address{{1}, {2}}, {{0}, {2}}));
    CHECK(told_apart(flip_request{{{1}, {2}}, flip_timing::immediately, true},
                     {{{1}, {2}}, flip_timing::immediately, false}));
    CHECK(told_apart(flip_request{{{1}, {2}}, flip_timing::immediately, true},
                     {{{1}, {3}}, flip_timing::immediately, true}));
    CHECK(told_apart(queue_submission{1, {2}, 3, 4, {5}, 6}, {1, {2}, 3, 4, {5}, 7}));
    CHECK(told_apart(queue_submission{1, {2}, 3, 4, {5}, 6}, {0, {2}, 3, 4, {5}, 6}));
    CHECK(told_apart(list_answer{true, true, 1}, {true, true, 2}));
    CHECK(told_apart(list_answer{true, true, 1}, {false, true, 1}));
    CHECK(told_apart(dirty_range{1, 2}, {1, 3}));
    CHECK(told_apart(dirty_range{1, 2}, {0, 2}));
    CHECK(told_apart(broken_rule{rule::saved_state, 1, 2}, {rule::saved_state, 1, 3}));
    CHECK(told_apart(broken_rule{rule::saved_state, 1, 2}, {rule::none, 1, 2}));
}

TEST_CASE("DESIGN 5: snapshots and reports are equal in all members or not") {
    engine<4> one{};
    engine<4> other{};
    one.start({stopping::inside_a_buffer, true});
    other.start({stopping::inside_a_buffer, true});
    CHECK(one.snapshot() == other.snapshot());
    CHECK(other.completed({7}) == actions{});  // ignored: the last member
    CHECK(told_apart(one.snapshot(), other.snapshot()));
    CHECK(other.submit({{1}, 0, window, 0}) == only(action::hand_over));  // busy: the first
    CHECK(told_apart(one.snapshot(), other.snapshot()));
    report first{};
    report second{};
    second.asked = {1};
    CHECK(told_apart(first, second));
    first.completed = {1};
    CHECK(told_apart(first, second));
}

TEST_CASE("PRE-26: of every state and event what changes is known, and everything else stays") {
    struct change {
        engine_event event;
        bool left;
        engine_state from;
        engine_state to;
    };
    using enum engine_state;
    using event = engine_event;
    constexpr bool nothing_left = false;
    constexpr bool left = true;
    constexpr change changes[] = {
        {event::submitted, left, idle, busy},
        {event::preempt, nothing_left, busy, idle},
        {event::preempt, left, busy, stopping},
        {event::completed, nothing_left, busy, idle},
        {event::completed, nothing_left, stopping, drained},
        {event::stopped, nothing_left, stopping, idle},
        {event::stopped, nothing_left, drained, idle},
        {event::stopped, left, stopping, busy},
        {event::stopped, left, drained, busy},
        {event::faulted, nothing_left, busy, idle},
        {event::faulted, nothing_left, stopping, drained},
        {event::fatal_fault, nothing_left, busy, halted},
        {event::fatal_fault, nothing_left, stopping, halted},
        {event::fatal_fault, left, busy, halted},
        {event::fatal_fault, left, stopping, halted},
        {event::restarted, nothing_left, lost, idle},
        {event::restarted, left, lost, busy},
    };
    for (u32 what = 0; what != engine_events; ++what) {
        for (u32 state = 0; state != engine_states; ++state) {
            for (bool const something_left : {false, true}) {
                auto const happened = static_cast<event>(what);
                auto const from = static_cast<engine_state>(state);
                engine_state expected = from;
                for (change const& one : changes) {
                    if (one.event == happened && one.left == something_left && one.from == from) {
                        expected = one.to;
                    }
                }
                if (happened == event::adapter_reset) {
                    expected = lost;
                } else if (happened == event::engine_reset && from != lost) {
                    expected = idle;
                } else if (happened == event::reset_failed && from != lost) {
                    expected = halted;
                }
                CAPTURE(what);
                CAPTURE(state);
                CAPTURE(something_left);
                CHECK(next_state(from, happened, something_left) == expected);
            }
        }
    }
    // The word has the state beside two bits.
    using word = preemption::detail::engine_word;
    static_assert(word::state_mask >= engine_states - 1 && word::state_mask == 0b111);
    static_assert((word::refused_inside & (word::state_mask | word::released)) == 0 && word::refused_inside != 0);
    CHECK(engine_events == static_cast<u32>(event::restarted) + 1);
    CHECK(engine_states == static_cast<u32>(lost) + 1);
}

TEST_CASE("PRE-13: what an event demands is a set") {
    using enum action;
    constexpr action every[] = {completed, faulted, fault_unknown, preempted, interrupted,
                                ask,       disarm,  hand_over,     full};
    u32 bit = 1;
    for (action const one : every) {
        CHECK(static_cast<u32>(one) == bit);
        bit <<= 1;
    }
    actions const demanded = joined(only(action::completed), only(action::preempted));
    CHECK(demanded == (only(action::preempted) | action::completed));
    CHECK(demanded.has(action::completed));
    CHECK(!demanded.has(action::ask));
    CHECK(demanded.records());
    CHECK(!(only(action::ask) | action::hand_over).records());
    recovery_functions recovery = recovery_functions::reset_from_timeout;
    recovery = recovery | recovery_functions::restart_from_timeout;
    CHECK(recovery == recovery_functions::per_adapter);
    flip_caps flips = flip_caps::interval;
    flips = flips | flip_caps::independent;
    CHECK(static_cast<u32>(flips) == (1u << 2 | 1u << 4));
    CHECK(contains_all(flips, flip_caps::independent));
    CHECK(!contains_all(flips, flip_caps::on_vsync_mmio));
}

TEST_CASE("INT-14: a ring has a power of two of places, at most what its word counts") {
    u32 fitting = 0;
    for (u32 capacity = 0; capacity <= 0x2'0000; ++capacity) {
        fitting += preemption::detail::ring_capacity_fits(capacity) ? 1u : 0u;
    }
    CHECK(fitting == 16);  // 1 to 32768
    CHECK(preemption::detail::ring_capacity_fits(32768));
    CHECK(!preemption::detail::ring_capacity_fits(65536));
}

TEST_CASE("PRE-08: a row of the table of transitions keeps each state's successor apart") {
    using enum engine_state;
    preemption::detail::transition_table table{};
    table.set(engine_event::stopped, {{lost, halted, drained, stopping, busy, idle}},
              {{idle, busy, stopping, drained, halted, lost}});
    for (u32 state = 0; state != engine_states; ++state) {
        CHECK((table.row[2 * static_cast<u32>(engine_event::stopped)] >> (8 * state) & 0xFF) ==
              engine_states - 1 - state);
        CHECK((table.row[2 * static_cast<u32>(engine_event::stopped) + 1] >> (8 * state) & 0xFF) == state);
    }
    CHECK(table.row[0] == 0);
}

}  // namespace values_test
