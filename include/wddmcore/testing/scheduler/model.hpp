// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"
#include "../scheduler_table.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

/// What the simulator knows of contexts, packets and engines: data only.
namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

inline constexpr std::uint32_t step_bytes = 64;  ///< bytes of one command in a DMA buffer

/// One command of a buffer.
struct command {
    enum class kind : std::uint8_t { work, wait, fault, fault_reset, fault_unknown, hang };
    kind does = kind::work;
    std::uint32_t packet = 0;   ///< whose effect it is
    std::uint32_t index = 0;    ///< in its packet
    std::uint32_t awaited = 0;  ///< for wait: the packet that has to finish first
};

/// A packet: what the scheduler wants, and what really happened to it.
struct packet {
    enum class kind : std::uint8_t { render, paging, context_switch };
    enum class stage : std::uint8_t { queued, in_flight, completed, aborted, cancelled };

    std::uint32_t number = 0;   ///< in the order of creation
    std::uint32_t context = 0;  ///< index
    kind is = kind::render;
    bool paging = false;  ///< the Paging flag: also on a switch away from the paging context (CTX-02)
    bool null_rendering = false;
    bool invalid = false;  ///< the driver is to refuse it
    bool null_handle = false;
    std::uint64_t buffer = 0;
    std::uint32_t buffer_size = 0;
    std::uint32_t start = 0;
    std::uint32_t end = 0;
    std::uint32_t commands = 0;
    std::optional<std::uint32_t> waits_for{};  ///< number of the packet that has to finish first
    /// Number of the packet with the same bytes on the other adapter of the link: the buffer is broadcast (LDA-05).
    std::optional<std::uint32_t> twin{};

    stage now = stage::queued;
    bool silent = false;  ///< the driver refused it
    std::uint32_t fence = 0;
    bool had_fence = false;
    bool came_back = false;
    std::uint32_t submitted = 0;  ///< how often
    bool given = false;           ///< to the engine, since it was submitted last

    // What really happened.
    std::uint32_t executed = 0;  ///< commands, in order
    bool finished = false;       ///< the engine wrote its serial
    bool faulted = false;
    bool signalled = false;  ///< packets that wait for it may go on
    bool half = false;       ///< stopped inside, and not resumed yet
    bool held = false;       ///< submitted while a request was outstanding
    bool reset_hit = false;  ///< was in flight when an engine or the adapter was reset
    bool blamed = false;     ///< a broken rule was reported of its commands: what follows from it is not
    std::uint64_t flow = 0;  ///< of its last submission, in the trace
    wddmcore_packet_private_data private_data{};
};

/// A context allocation as the hardware sees it.
struct save_area {
    bool resident = false;
    bool valid = false;       ///< holds a half-run packet
    std::uint64_t begin = 0;  ///< addresses of its window
    std::uint64_t end = 0;
    std::uint64_t at = 0;    ///< address of the next command
    bool cancelled = false;  ///< the packet was cancelled (TDR-14)
};

/// A context and its packets that are not in flight, in order.
struct context {
    std::uint32_t index = 0;
    std::uint32_t node = 0;
    std::uint32_t engine = 0;
    bool system = false;
    void* handle = nullptr;
    std::uint64_t area = 0;  ///< address of its context allocation
    std::deque<std::uint32_t> queue;
    std::vector<std::uint32_t> all;  ///< every packet it ever had, in order
    std::size_t cursor = 0;          ///< in `all`: the packet that the next effect must belong to
    bool removed = false;            ///< nothing new is submitted
    bool destroyed = false;
    std::optional<std::uint32_t> farewell;  ///< the switch that leaves it for good, once it is removed
};

/// One submission that the driver has and has not reported.
struct flight {
    std::uint32_t fence = 0;
    std::uint32_t packet = 0;
    std::uint64_t sequence = 0;
};

/// A preempt request that is not reported yet.
struct request {
    std::uint32_t fence = 0;
    std::uint64_t before = 0;  ///< submissions with a smaller sequence are preempted by it
    std::uint64_t at = 0;      ///< nanoseconds
    std::uint64_t step = 0;
    std::uint64_t progress = 0;  ///< of the engine, then
    bool was_idle = false;
    bool found_waiting = false;  ///< a packet waited for a semaphore then
    bool asked = false;          ///< the driver asked the hardware
    bool stopped = false;        ///< and was told that it stopped
    std::uint64_t flow = 0;      ///< in the trace
};

/// One engine as the scheduler sees it.
struct os_engine {
    std::uint32_t node = 0;
    std::uint32_t engine = 0;
    std::deque<flight> flights;
    std::optional<request> asked;
    std::uint32_t paging_first = 0;  ///< preempted paging packets, to be submitted before anything else (PRE-16)
    std::uint32_t last_completed = 0;
    std::uint32_t last_submitted = 0;
    bool used = false;  ///< something was submitted
    std::uint32_t next_id = 1;
    std::uint32_t ended_by_reset = 0;  ///< the id of a request that a reset ended (AMB-46)
    bool request_died = false;
    bool reset_once = false;
    bool last_from_reset = false;   ///< last_completed was set by a reset and not since (TDR-07)
    bool last_from_fault = false;   ///< the same of a fault (INT-09)
    bool last_from_silent = false;  ///< the same of a rejected packet (PRE-30)
    bool driver_is_empty = false;   ///< an engine reset succeeded, but the adapter is reset as well
    /// The last completed id of a preemption that was reported after the snapshot.
    std::optional<std::uint32_t> late_preemption;
    std::optional<std::uint64_t> stale_stop_at;  ///< step in which a stop from before a reset came
    bool ignored = false;                        ///< its interrupts, since the snapshot (TDR-10)
    std::uint64_t quiet_since = 0;               ///< step of the last progress
    std::uint64_t seen_progress = 0;
};

/// A packet in an engine's ring.
struct ring_entry {
    wddmcore_gpu_packet what{};
    std::uint64_t at = 0;  ///< address of the next command
    bool begun = false;
};

/// One engine of the simulated hardware.
struct hardware_engine {
    std::uint32_t node = 0;
    std::uint32_t engine = 0;
    std::deque<ring_entry> ring;
    std::uint64_t loaded = 0;  ///< address of the save area of the context on the chip; 0: the null context
    bool armed = false;
    std::uint32_t generation = 0;
    std::uint32_t saving = 0;   ///< steps until a stop is told
    bool halted = false;        ///< by the driver
    bool fault_halted = false;  ///< by itself
    bool hung = false;
    bool waiting = false;
    bool stopped_waiting = false;  ///< the last stop found a packet that waits for a semaphore
    bool used = false;             ///< a packet was ever given to it
    std::uint32_t polls = 0;       ///< readings of its status in the driver's call with the next number
    std::uint64_t polled_in = 0;
    std::uint32_t retired = 0;  ///< serial that completed last, as the engine knows
    std::uint32_t progress = 0;
    wddmcore_gpu_status latch{};
    std::uint64_t began_at = 0;              ///< nanoseconds: the packet that runs, or came onto the chip last
    bool reset_failed = false;               ///< since the driver's call began
    wddmcore_gpu_halted truth{};             ///< what it was doing when it was halted
    std::optional<std::uint32_t> executing;  ///< and which packet that was
};

/// An interrupt or a write from before a reset that arrives after it.
struct stale_event {
    std::size_t engine = 0;
    bool stop = false;  ///< an old stop report, else an old completion
    std::uint32_t serial = 0;
    std::uint32_t generation = 0;
    std::uint64_t due = 0;  ///< step
};

}  // namespace wddmcore::testing::scheduler::parts
