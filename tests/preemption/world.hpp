// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "hardware_model.hpp"
#include "lockstep.hpp"

#include <wddmcore/preemption/resume_slot.hpp>

/// A system, a driver built on the machine, and an engine: everything that can happen next is an event.
namespace preemption_test {

enum class step : u8 {
    submit,
    ask,
    start,
    finish,
    stop,
    fault_runs_on,
    fault_needs_reset,
    fault_unknown,
    interrupt,
    interrupt_completion_only,
    interrupt_stop_only,
    deferred_call,
    query,
    engine_reset,
    adapter_reset,
    restart,
    stale_stop,
    late_write,
    count,
};

char const* name_of(step what);

struct event {
    step what;
    u8 packet;
};

template <class Machine>
class world {
public:
    setup const* s;
    Machine machine;
    system_model sys;
    hardware_model hardware;
    std::array<resume_slot<model_cookie>, contexts> slots{};
    bool deferred_call = false;
    bug mistake = bug::none;

    world(setup const& with, bug broken) : s(&with), mistake(broken) {
        machine.start(with.acknowledges, false, broken, with.first_id - 1, with.first_serial);
        sys.next_id = with.first_id;
        sys.last = with.first_id - 1;
        sys.preempts = with.preempts;
        sys.resets = with.resets;
        sys.adapter_resets = with.adapter_resets;
        hardware.faults = with.faults;
        hardware.memory = has(bug::completion_by_os_id) ? with.first_id - 1 : with.first_serial - 1;
    }

    [[nodiscard]] bool has(bug b) const { return mistake == b; }
    [[nodiscard]] char const* wrong() const {
        return sys.wrong != nullptr ? sys.wrong : machine.differs ? "the machine differs from its table" : nullptr;
    }

    /// Calls each(event, forced) for what can happen; forced is what the world cannot put off for ever.
    template <class Each>
    void for_each_event(Each&& each) const;

    void happen(event e);

private:
    model_packet packet_of(u32 p) const;
    u32 serial_of(u32 name) const;
    void push(u32 serial);
    void push_all(serial_range range);
    void submit(u32 p);
    void finish_slots_through(u32 serial);
    void interrupt();
    void collect_fault();
    void collect_completion();
    void collect_stop();
    void reset_engine();
    void reset_adapter();
    void notify(model_outcome const& o, bool needs_reset = false);
};

/// A fingerprint of everything that decides what can follow.
template <class Machine>
[[nodiscard]] u64 fingerprint(world<Machine> const& w);

}  // namespace preemption_test

#include "world_events.hpp"
