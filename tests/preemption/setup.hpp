// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "slow_engine.hpp"

#include <array>
#include <string>
#include <vector>

/// What one exploration is about: the packets, the hardware, and what may go wrong.
namespace preemption_test {

inline constexpr u32 most_packets_of_a_pool = 4;
inline constexpr u32 contexts = 3;

enum class kind : u8 {
    render,
    paging,
    context_switch,         ///< zero length
    paging_context_switch,  ///< zero length, and comes back with its old id (CTX-02)
    wait,                   ///< waits inside its buffer for another packet of the pool
    rejected,               ///< a virtual submission that the driver refuses
};

struct pool_packet {
    kind what;
    u8 context;  ///< 0 and 1 render, 2 pages
    u8 place;    ///< two packets with one place differ by their window
    u8 window;
    u8 waits_for;
};

[[nodiscard]] constexpr bool pages(kind k) { return k == kind::paging || k == kind::paging_context_switch; }
[[nodiscard]] constexpr bool is_switch(kind k) { return k == kind::context_switch || k == kind::paging_context_switch; }

struct setup {
    std::string name;
    std::vector<pool_packet> pool;
    hw::stopping_class stops = hw::stopping_class::inside_buffer;
    bool acknowledges = true;
    bool stops_waiting = true;
    bool through_known = true;
    bool cannot_tell = false;
    bool stale = false;           ///< after a reset, acknowledgements and fence writes of before still arrive
    bool second_requests = false; ///< against PRE-23
    bool submits_during_request = true;
    u8 preempts = 2;
    u8 resets = 0;
    u8 adapter_resets = 0;
    u8 faults = 0;
    bool queries = false;
    u32 first_id = 0xFFFF'FFFEu;
    u32 first_serial = 0xFFFF'FFFFu;
};

/// The packets of the nine pools, and of larger ones with `deep`.
std::vector<std::vector<pool_packet>> pools(bool deep);

/// Every pool x stopping class x trouble x kind of hardware.
std::vector<setup> setups(bool deep);

}  // namespace preemption_test
