// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "system_model.hpp"

/// An engine that is moved by hand: one step, one thing that hardware does. Its interrupts stay pending until they are
/// collected, so that any legal order of delivery can be tried.
namespace preemption_test {

class hardware_model {
public:
    struct packet_in_ring {
        u8 number;
        u32 name;  ///< what it writes when it has finished
        bool resumed;
    };

    std::array<packet_in_ring, most_packets_of_a_pool> ring{};
    u8 count = 0;
    bool running = false;
    bool armed = false;
    u32 armed_generation = 0;
    bool stands = false;
    u8 faults = 0;

    u32 memory = 0;  ///< the fence
    bool completion_pending = false;
    bool stop_pending = false;
    stop pending_stop{};
    bool fault_pending = false;
    fault pending_fault{};

    bool stale_stop = false;
    u32 stale_generation = 0;
    bool late_write = false;
    u32 late_name = 0;

    void push(u8 number, u32 name, bool resumed) { ring[count++] = {number, name, resumed}; }
    [[nodiscard]] bool holds(u32 number) const;
    [[nodiscard]] bool any_interrupt() const { return completion_pending || stop_pending || fault_pending; }

    [[nodiscard]] bool may_start(setup const& s, system_model const& sys) const;
    [[nodiscard]] bool may_finish() const { return running && !stands; }
    [[nodiscard]] bool may_stop(setup const& s) const;
    [[nodiscard]] bool may_fault() const { return running && !stands && faults != 0 && !fault_pending; }
    /// The front waits for a packet that cannot run before the wait is taken back.
    [[nodiscard]] bool blocked(setup const& s, system_model const& sys) const;

    void start(setup const& s, system_model& sys);
    void finish(setup const& s, system_model& sys);
    void stop_now(setup const& s, system_model& sys);
    void fail(fault_kind kind, system_model& sys);
    /// Stops everything; with stale, what was on its way will still arrive.
    void reset(bool stale, bool keeps_fault_latch);

private:
    void clear_ring();
};

}  // namespace preemption_test
