// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption.hpp>

/// What the example driver keeps for contexts, packets and engines.
namespace wddmcore::examples {

/// For submissions outside the interrupt lock. A driver uses the WDK's functions here (see word_policy).
struct submit_outside {
    static u64 load(u64 const& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
    static u64 add(u64& word, u64 amount) { return __atomic_fetch_add(&word, amount, __ATOMIC_SEQ_CST); }
    static u32 load(u32 const& cell) { return __atomic_load_n(&cell, __ATOMIC_ACQUIRE); }
    static void store(u32& cell, u32 value) { __atomic_store_n(&cell, value, __ATOMIC_RELEASE); }
};

/// What the driver keeps for a context.
struct context {
    preemption::engine_id where;
    u64 save_area;
    preemption::resume_slot half_run{};
};

/// What goes through the ring with a packet.
struct packet_cookie {
    context* owner;
    u64 buffer;
};

/// One engine of one node: the machine, and what the driver adds to it.
template <class Policy>
struct engine_unit {
    preemption::engine<64, Policy, packet_cookie> machine;
    preemption::engine_status status{};
    context* paging = nullptr;  // the system's own context, for paging packets that name none
};

/// Updates the resume slots: a half-run packet is remembered until it has finished.
struct packet_leaves {
    void operator()(preemption::submission<packet_cookie> const& p, preemption::fate why) const {
        preemption::packet_identity const same{p.cookie.buffer, p.window};
        switch (why) {
            case preemption::fate::half_run: p.cookie.owner->half_run.keep(same); break;
            case preemption::fate::preempted:
            case preemption::fate::lost: break;
            default: p.cookie.owner->half_run.finished(same);
        }
    }
};

}  // namespace wddmcore::examples
