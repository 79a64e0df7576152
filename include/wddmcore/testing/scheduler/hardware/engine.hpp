// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../link/twin.hpp"
#include "effects.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// What one engine does when it is advanced by one step.
class engine_step {
public:
    engine_step(world& w, hardware_engine& e) : w_(w), e_(e), os_(w.os_of(e)) {}

    /// One command, or one step of stopping, or nothing.
    void advance() {
        if (e_.halted || e_.fault_halted || e_.hung) {
            return;
        }
        if (e_.armed && stops()) {
            return;
        }
        if (!e_.ring.empty()) {
            execute(e_.ring.front());
        }
    }

private:
    [[nodiscard]] bool inside() const { return w_.opt.stops_at >= granularity::primitive; }

    // From 200 on, as an index of the arrays of the model of time.
    [[nodiscard]] std::size_t level() const { return static_cast<std::size_t>(w_.opt.stops_at) / 100 - 2; }

    // Whether the step was used for stopping.
    [[nodiscard]] bool stops() {
        if (e_.saving != 0) {
            if (--e_.saving == 0) {
                save(e_.ring.front());
                answer(true);
            }
            return true;
        }
        if (e_.ring.empty()) {
            if (w_.opt.acknowledges_when_idle) {
                answer(false);
            }
            return w_.opt.acknowledges_when_idle;
        }
        if (w_.opt.stops_at == granularity::nowhere) {
            return false;
        }
        ring_entry const& first = e_.ring.front();
        if (!first.begun) {
            answer(false);
            return true;
        }
        if (!inside() || first.at == end_of(first) || !can_stop_at(first)) {
            return false;
        }
        e_.saving = w_.opt.timing.save_steps[level()] + 1;
        return true;
    }

    [[nodiscard]] bool can_stop_at(ring_entry const& r) const {
        std::uint64_t const done = (r.at - r.what.buffer - r.what.start) / step_bytes;
        return e_.waiting || done % w_.opt.timing.stop_every[level()] == 0;
    }

    void save(ring_entry const& r) {
        save_area& area = area_at(r.what.context);
        area.valid = true;
        area.cancelled = false;
        area.begin = r.what.buffer + r.what.start;
        area.end = end_of(r);
        area.at = r.at;
        e_.loaded = 0;
        if (packet* const p = packet_of(r)) {
            p->half = true;
            ++w_.out.count.half_run;
            span(*p, true);
        }
    }

    void answer(bool half) {
        e_.ring.clear();
        e_.armed = false;
        e_.stopped_waiting = e_.waiting;
        e_.waiting = false;
        e_.latch.news |= wddmcore_gpu_stopped;
        if ((e_.latch.news & wddmcore_gpu_completed) != 0 && w_.hardware_random.chance(w_.opt.chances.merged_stop)) {
            e_.latch.news &= ~static_cast<unsigned>(wddmcore_gpu_completed);  // the answer says it too
        }
        e_.latch.stopped_generation = e_.generation;
        e_.latch.stopped_through = e_.retired;
        e_.latch.stopped_half_run = half ? 1 : 0;
        ++e_.progress;
        w_.event(os_, half ? "engine stops inside a packet" : "engine stops");
    }

    void execute(ring_entry& r) {
        packet* const p = packet_of(r);
        if (!r.begun && !begin(r, p)) {
            return;
        }
        if ((r.what.flags & wddmcore_gpu_fence_only) != 0 || r.at >= end_of(r)) {
            retire(r, p);
            return;
        }
        command const* const c = command_at(r.at);
        if (c == nullptr) {
            w_.broken(rule::pre_15, "the engine was sent to memory that holds no DMA buffer any more", os_);
            retire(r, p);
            return;
        }
        packet& owner = w_.packets[packet_on(w_, c->packet, e_.engine)];
        if (is_blocked(*c)) {
            return;
        }
        e_.waiting = false;
        effects(w_).happen(owner, *c, e_, os_);
        ++e_.progress;
        switch (c->does) {
            case command::kind::hang: e_.hung = true; return;
            case command::kind::fault: fault(r, owner, true, false); return;
            case command::kind::fault_reset: fault(r, owner, true, true); return;
            case command::kind::fault_unknown: fault(r, owner, false, true); return;
            case command::kind::wait:
            case command::kind::work: break;
        }
        r.at += step_bytes;
        if (r.at >= end_of(r)) {
            retire(r, p);
        }
    }

    // A semaphore, or a fault that waits until the one before it was read.
    [[nodiscard]] bool is_blocked(command const& c) {
        e_.waiting = c.does == command::kind::wait && !w_.packets[c.awaited].signalled;
        bool const faults = c.does == command::kind::fault || c.does == command::kind::fault_reset ||
                            c.does == command::kind::fault_unknown;
        return e_.waiting || (faults && (e_.latch.news & wddmcore_gpu_faulted) != 0);
    }

    // Whether the packet could begin: one that waits at its very start has not begun.
    [[nodiscard]] bool begin(ring_entry& r, packet* p) {
        std::uint64_t const start = r.what.buffer + r.what.start;
        r.at = start;
        bool const resumes = (r.what.flags & wddmcore_gpu_resume) != 0;
        if (!resumes && (r.what.flags & wddmcore_gpu_fence_only) == 0 && r.at < end_of(r)) {
            command const* const first = command_at(r.at);
            if (first != nullptr && is_blocked(*first)) {
                return false;
            }
        }
        switch_context(r);
        r.begun = true;
        e_.began_at = w_.now();
        if (p == nullptr) {
            return true;
        }
        if (resumes) {
            resume(r, *p);
        } else if (p->half) {
            w_.broken(w_.is_2_0() ? rule::amb_52 : rule::pre_19,
                      "a packet that was stopped half run begins again: " + world::name(*p), os_);
        }
        p->half = false;
        return true;
    }

    void resume(ring_entry& r, packet const& p) {
        save_area& area = area_at(r.what.context);
        std::uint64_t const start = r.what.buffer + r.what.start;
        if (area.valid && p.half && area.begin == start && area.end == end_of(r)) {
            w_.held(w_.is_2_0() ? rule::amb_52 : rule::pre_19);
            r.at = area.at;
            area.valid = false;
            return;
        }
        rule const which = area.valid && area.cancelled     ? rule::tdr_14
                           : w_.is_2_0() && p.submitted > 1 ? rule::pre_19
                                                            : rule::amb_52;
        w_.broken(which, "the engine was to go on with a packet that was not stopped half run: " + world::name(p), os_);
        r.at = area.valid && area.at >= start && area.at <= end_of(r) ? area.at : start;
    }

    void switch_context(ring_entry const& r) {
        if ((r.what.flags & wddmcore_gpu_keep_context) != 0 || e_.loaded == r.what.context) {
            return;
        }
        if (e_.loaded != 0) {
            static_cast<void>(area_at(e_.loaded));
        }
        if (r.what.context != 0) {
            static_cast<void>(area_at(r.what.context));
        }
        e_.loaded = r.what.context;
    }

    // The hardware reads or writes a context allocation.
    [[nodiscard]] save_area& area_at(std::uint64_t address) {
        save_area& area = w_.areas[address];
        if (!area.resident) {
            w_.broken(rule::ctx_03,
                      "the engine uses the context allocation at " + world::hex(address) +
                          " although the switch away from it has completed",
                      os_);
        }
        return area;
    }

    void retire(ring_entry const& r, packet* p) {
        e_.retired = r.what.serial;
        e_.latch.completed = r.what.serial;
        e_.latch.news |= wddmcore_gpu_completed;
        ++e_.progress;
        if (p != nullptr) {
            p->finished = true;
            p->signalled = true;
            span(*p, false);
        }
        e_.ring.pop_front();
    }

    void fault(ring_entry const& r, packet& p, bool known, bool needs_reset) {
        e_.latch.news |= wddmcore_gpu_faulted;
        e_.latch.fault_known = known ? 1 : 0;
        e_.latch.fault_serial = known ? r.what.serial : 0;
        e_.latch.fault_needs_reset = needs_reset ? 1 : 0;
        e_.fault_halted = needs_reset;
        p.faulted = true;
        p.signalled = true;
        span(p, false);
        w_.event(os_, "fault in " + world::name(p));
        if (known) {
            e_.ring.pop_front();
        }
    }

    void span(packet const& p, bool goes_on) {
        w_.say("node " + std::to_string(e_.node) + " engine " + std::to_string(e_.engine) + ": " + world::name(p) +
               (goes_on ? " is stopped" : " leaves the engine"));
        if (w_.opt.trace != nullptr) {
            w_.opt.trace->span(w_.track(w_.index_of(e_.node, e_.engine)), world::name(p), e_.began_at,
                               w_.now() + w_.opt.timing.step_ns - e_.began_at);
            if (p.flow != 0) {
                w_.opt.trace->flow(p.flow, w_.track(w_.index_of(e_.node, e_.engine)), e_.began_at);
            }
        }
    }

    [[nodiscard]] static std::uint64_t end_of(ring_entry const& r) { return r.what.buffer + r.what.end; }

    [[nodiscard]] command const* command_at(std::uint64_t address) const {
        auto const after = w_.memory.upper_bound(address);
        if (after == w_.memory.begin()) {
            return nullptr;
        }
        auto const& [base, commands] = *std::prev(after);
        std::uint64_t const index = (address - base) / step_bytes;
        return index < commands.size() ? &commands[static_cast<std::size_t>(index)] : nullptr;
    }

    // By the address of its first byte; a packet without a buffer address is the oldest one that has no commands.
    [[nodiscard]] packet* packet_of(ring_entry const& r) {
        auto const found = w_.windows.find(r.what.buffer + r.what.start);
        if (found != w_.windows.end()) {
            return &w_.packets[packet_on(w_, found->second, e_.engine)];
        }
        for (flight const& f : os_.flights) {
            packet& p = w_.packets[f.packet];
            if ((p.commands == 0 || p.null_rendering) && !p.finished && !p.silent) {
                return &p;
            }
        }
        return nullptr;
    }

    world& w_;
    hardware_engine& e_;
    os_engine& os_;
};

}  // namespace wddmcore::testing::scheduler::parts
