// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "checks.hpp"

#include <wddmcore/preemption.hpp>

/// The preemption and fence machine: a system that submits and preempts, hardware that runs and stops, and the rules
/// between them. Serials and fence ids pass zero on the way.
namespace images {

/// Submissions without the interrupt lock: with the kit's functions in a driver of the kit (tests/wdk), elsewhere with
/// what the compilers have instead.
struct submit_outside {
#if defined(WDDMCORE_IN_KIT)
    static u64 load(u64 const& word) { return ReadULong64Acquire(&word); }
    static u64 add(u64& word, u64 amount) {
        return static_cast<u64>(
            InterlockedExchangeAdd64(reinterpret_cast<LONG64 volatile*>(&word), static_cast<LONG64>(amount)));
    }
    static u32 load(u32 const& cell) { return ReadULongAcquire(reinterpret_cast<ULONG const volatile*>(&cell)); }
    static void store(u32& cell, u32 value) { WriteULongRelease(reinterpret_cast<ULONG volatile*>(&cell), value); }
#else
    static u64 load(u64 const& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
    static u64 add(u64& word, u64 amount) { return __atomic_fetch_add(&word, amount, __ATOMIC_SEQ_CST); }
    static u32 load(u32 const& cell) { return __atomic_load_n(&cell, __ATOMIC_ACQUIRE); }
    static void store(u32& cell, u32 value) { __atomic_store_n(&cell, value, __ATOMIC_RELEASE); }
#endif
};

/// One engine with its system and its hardware.
template <class Policy>
class engine_world {
public:
    engine_world(checks& to, u64 seed) : to_(to), random_(seed) {}

    void run(u32 events) {
        engine_.start({preemption::stopping::inside_a_buffer, false}, {first_fence - 1}, {0xFFFF'FFF0});
        for (u32 i = 0; i != events; ++i) {
            switch (random_.below(8)) {
                case 0:
                case 1:
                case 2: submit(made_ != most_packets); break;
                case 3:
                case 4:
                case 5: finish_one(); break;
                case 6: preempt(); break;
                default: stop(); break;
            }
        }
        // Whatever is left comes to its end.
        for (u32 i = 0; done_ != made_ && i != 10 * most_packets; ++i) {
            submit(false);
            finish_one();
            stop();
        }
        to_.expect(done_ == made_, "every packet ran to its end, once", done_);
        to_.expect(made_ > events / 8 && answered_ > events / 50, "packets and preemptions were many", answered_);
        to_.expect(held_ != 0, "packets were held while a request was outstanding", held_);
        to_.expect(wrong_ == 0, "each event demanded what it may", wrong_);
        to_.expect(engine_.ignored() == 0, "no event was ignored", engine_.ignored());
        to_.hash(made_);
        to_.hash(answered_);
    }

private:
    static constexpr u32 capacity = 16;
    static constexpr u32 most_packets = 1024;
    static constexpr u32 first_fence = 0xFFFF'FF00;
    static constexpr u32 first_request = 0x5000'0000;
    using machine = preemption::engine<capacity, Policy, u32>;

    enum class place : u8 { system, ring, done };
    struct given {
        preemption::serial number;
        u32 packet;
    };

    /// What the ring tells of packets that leave.
    struct leaving {
        engine_world* world;
        void operator()(preemption::submission<u32> const& p, preemption::fate why) const {
            world->to_.hash(p.cookie);
            world->to_.hash(static_cast<u32>(why));
            world->left(p, why);
        }
    };
    void left(preemption::submission<u32> const& p, preemption::fate why) {
        bool const back = why == preemption::fate::preempted || why == preemption::fate::half_run;
        wrong_ += at_[p.cookie] != place::ring;
        at_[p.cookie] = back ? place::system : place::done;
        if (!back) {
            wrong_ += why != preemption::fate::completed || p.cookie != finished_;
            finished_fence_ = p.fence.n;
            ++done_;
        }
    }

    /// The oldest packet that the system has, or a new one.
    void submit(bool may_make) {
        u32 packet = 0;
        while (packet != made_ && at_[packet] != place::system) {
            ++packet;
        }
        if (engine_.room() == 0 || (packet == made_ && !may_make)) {
            return;
        }
        made_ += packet == made_;
        at_[packet] = place::ring;
        preemption::actions const demanded = engine_.submit({{first_fence + fences_++}, 0, {0, 8}, packet});
        held_ += requested_ && !demanded.has(preemption::action::hand_over);
        perform(demanded);
    }
    void finish_one() {
        if (in_hardware_ == 0) {
            return;
        }
        given const done = hardware_[0];
        --in_hardware_;
        for (u32 i = 0; i != in_hardware_; ++i) {
            hardware_[i] = hardware_[i + 1];
        }
        through_ = done.number;
        finished_ = done.packet;
        perform(engine_.completed(done.number, leaving{this}));
    }
    void preempt() {
        if (!requested_) {
            requested_ = true;
            perform(engine_.preempt({first_request + answered_}, leaving{this}));
        }
    }
    void stop() {
        if (armed_) {
            bool const half = in_hardware_ != 0 && random_.below(2) != 0;
            armed_ = false;
            in_hardware_ = 0;
            perform(engine_.stopped(generation_, through_, half, leaving{this}));
        }
    }

    void perform(preemption::actions demanded) {
        using preemption::action;
        preemption::report const ids = engine_.report();
        to_.hash(demanded.bits);
        wrong_ += demanded.has(action::faulted) || demanded.has(action::fault_unknown) || demanded.has(action::full);
        if (demanded.has(action::completed)) {
            to_.hash(ids.completed.n);
            wrong_ += ids.completed.n != finished_fence_ || engine_.last_completed().n != finished_fence_;
        }
        if (demanded.has(action::preempted)) {
            to_.hash(ids.preemption.n);
            to_.hash(ids.last_completed.n);
            wrong_ += !requested_ || ids.preemption.n != first_request + answered_;
            wrong_ += ids.last_completed.n != engine_.last_completed().n;
            requested_ = false;
            ++answered_;
        }
        if (demanded.has(action::ask)) {
            wrong_ += armed_;
            armed_ = true;
            generation_ = ids.asked;
        }
        if (demanded.has(action::disarm)) {
            wrong_ += !armed_;
            armed_ = false;
            perform(engine_.disarmed(leaving{this}));
        }
        if (demanded.has(action::hand_over)) {
            while (auto const next = engine_.next()) {
                to_.hash(next.number.n);
                wrong_ += in_hardware_ == capacity || armed_ || next.number.n != serial_of_next(next.number.n);
                if (in_hardware_ != capacity) {
                    hardware_[in_hardware_++] = {next.number, next.packet->cookie};
                }
            }
        }
    }
    /// Hardware gets serials in their order.
    u32 serial_of_next(u32 number) {
        bool const rises = given_ == 0 || static_cast<i32>(number - newest_) > 0;
        newest_ = number;
        ++given_;
        return rises ? number : ~number;
    }

    checks& to_;
    numbers random_;
    machine engine_{};
    given hardware_[capacity] = {};
    place at_[most_packets] = {};
    preemption::serial through_{0xFFFF'FFEF};
    preemption::generation generation_{};
    u32 in_hardware_ = 0, made_ = 0, fences_ = 0, done_ = 0, answered_ = 0, held_ = 0, given_ = 0, newest_ = 0;
    u32 finished_ = 0, finished_fence_ = 0, wrong_ = 0;
    bool armed_ = false, requested_ = false;
};

inline void check_engines(checks& to) {
    to.begin("preemption and fences, in the interrupt lock");
    for (u64 seed = 1; seed != 9; ++seed) {
        engine_world<preemption::under_interrupt_lock>(to, seed).run(2000);
    }
    to.begin("preemption and fences, submissions outside of it");
    for (u64 seed = 1; seed != 9; ++seed) {
        engine_world<submit_outside>(to, seed + 100).run(2000);
    }

    to.begin("hardware contexts");
    preemption::hw_context context{};
    numbers random(7);
    u32 answers = 0;
    for (u32 i = 0; i != 400; ++i) {
        preemption::hw_answer answer{};
        if (i % 25 == 0) {
            context = {};  // an invalidated context stays so
        }
        switch (random.below(5)) {
            case 0: answer = context.suspend(u64{0xFFFF'FFFF'0000'0000} + i); break;
            case 1: answer = context.resume(); break;
            case 2: answer = context.acknowledged(u64{0xFFFF'FFFF'0000'0000} + i - random.below(3)); break;
            case 3: answer = context.engine_reset(random.below(2) != 0); break;
            default: answer = context.engine_resumed(); break;
        }
        to.hash(static_cast<u32>(answer.status));
        to.hash(answer.actions);
        to.hash64(answer.suspend_fence);
        to.hash(static_cast<u32>(context.state()));
        answers += answer.status == status::success;
    }
    to.expect(answers > 100, "events of a hardware context are answered", answers);
}

}  // namespace images
