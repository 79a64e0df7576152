// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/types.hpp"
#include "../hardware_queue_table.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

// Bytes of one command: where a command stands tells which one it is.
inline constexpr std::uint32_t command_bytes = 16;

/// One command of a DMA buffer.
struct command {
    enum class kind : std::uint8_t { work, wait, signal, hang, fence };
    kind does = kind::work;
    std::uint32_t other = 0;  ///< of wait: the packet; of signal: the native fence
    std::uint64_t value = 0;  ///< of signal
};

/// A DMA buffer on its way through a queue.
struct packet {
    enum class stage : std::uint8_t { queued, submitted, completed, aborted };
    std::uint32_t number = 0;
    std::uint32_t queue = 0;
    std::uint64_t buffer = 0;
    std::uint64_t fence = 0;  ///< HwQueueProgressFenceId
    std::vector<command> commands;
    std::uint32_t executed = 0;
    bool in_ring = false;
    bool retired = false;  ///< neither GPU nor CPU use the buffer any more
    stage now = stage::queued;

    /// Whether its fence may be written (HWS-06): all work is done, and where the hardware retires buffers, it did.
    [[nodiscard]] bool may_signal(bool released_by_hardware) const {
        bool const only_fence_left = executed + 1 == commands.size() && commands.back().does == command::kind::fence;
        return released_by_hardware ? retired : executed == commands.size() || only_fence_left;
    }
    [[nodiscard]] bool is_over() const { return now == stage::completed || now == stage::aborted; }
};

/// A queue, as the system knows it.
struct os_queue {
    std::uint32_t index = 0;
    std::uint32_t context = 0;
    std::uint32_t slot = 0;  ///< which of the run's queues, also when its context is replaced
    void* handle = nullptr;  ///< the driver's
    std::uint64_t ring = 0;
    std::uint64_t fence_address = 0;
    std::uint64_t progress = 0;  ///< the fence's memory, which GPU and driver write
    std::uint64_t seen = 0;      ///< what the system has read there
    std::uint64_t next_fence = 0;
    std::deque<std::uint32_t> waiting;  ///< packets that were not submitted yet
    std::deque<std::uint32_t> flying;   ///< packets that were, oldest first
    bool destroyed = false;
};

/// A hardware context, as the system knows it.
struct os_context {
    enum class wish : std::uint8_t { run, suspending, suspended };
    enum class start : std::uint8_t { created, resumed, engine_resumed };
    std::uint32_t index = 0;
    std::uint32_t slot = 0;
    std::uint32_t node = 0;
    std::uint64_t area = 0;
    void* handle = nullptr;  ///< the driver's
    std::vector<std::uint32_t> queues;
    wish wanted = wish::run;
    start last_start = start::created;
    std::uint64_t fence = 0;            ///< contextSuspendFence of the newest suspension
    std::vector<std::uint64_t> fences;  ///< of all of them
    std::uint32_t generation = 0;       ///< counts them
    std::uint64_t asked_at = 0;         ///< step of the newest one
    bool resumed_early = false;         ///< since the newest one was asked for, before its acknowledgement
    bool overtook = false;              ///< the newest one came after such a resumption (HWS-02)
    bool read_newest = false;           ///< the driver has read the acknowledgement of the newest one
    bool read_stale = false;            ///< it has read one of an older one since
    std::uint32_t band = 1;             ///< DXGK_SCHEDULING_PRIORITY_BAND
    std::int32_t priority = 0;          ///< in its process
    bool invalid = false;               ///< the driver has invalidated it (HWS-08)
    bool hit = false;                   ///< a reset discarded its work, in truth
    bool destroyed = false;
};

/// A node, as the system knows it.
struct os_node {
    std::uint32_t node = 0;
    bool halted = false;                         ///< since a reset, until it is resumed (HWS-08)
    std::optional<std::uint32_t> first, second;  ///< the newest list
    std::uint32_t list_generation = 0;
    std::uint64_t list_asked_at = 0;          ///< step of the newest switch
    std::uint64_t list_waits_since = 0;       ///< step of the first one that was not reported
    bool list_pending = false;                ///< the switch was not reported yet
    bool list_known = false;                  ///< it was, and no reset came since
    bool list_read = false;                   ///< the driver has read that the hardware has switched
    std::vector<std::uint64_t> stale_values;  ///< what the hardware echoed of older lists, as far as it was read
    std::uint64_t seen_progress = 0;
    std::uint64_t quiet_since = 0;
    std::optional<std::size_t> log;  ///< the newest
};

/// What the driver asked of a node and the hardware has not taken yet.
struct request {
    enum class kind : std::uint8_t { run, suspend, list };
    kind what = kind::run;
    std::uint64_t area = 0, second = 0, value = 0;
    std::uint32_t generation = 0;  ///< of the system's suspension or switch that was the newest then
    std::uint32_t context = 0;     ///< the system's index of it
};

/// An event with what the system knows of it.
struct told_event {
    wddmcore_queue_event what{};
    std::uint32_t generation = 0;
    std::uint32_t subject = 0;  ///< index of the context or the fence
};

/// A packet in a ring.
struct ring_entry {
    wddmcore_queue_packet what{};
    std::uint32_t packet = 0;
    bool begun = false;
    std::uint32_t draining = 0;  ///< steps until it is retired
};

/// A ring, as the hardware knows it.
struct hardware_ring {
    std::uint64_t address = 0;
    std::uint32_t queue = 0;
    std::deque<ring_entry> entries;
    std::deque<ring_entry> draining;
};

/// A context, as the hardware knows it.
struct hardware_context {
    std::uint64_t area = 0;
    std::uint32_t context = 0;  ///< the system's index
    void* name = nullptr;
    std::deque<hardware_ring> rings;
    std::size_t next_ring = 0;
    bool runnable = false;
    std::optional<std::uint32_t> band;
    std::int32_t priority = 0;
    bool hit = false;  ///< by the last reset
};

/// An entry of the log that the hardware has begun to write.
struct posted_entry {
    std::size_t log = 0;
    std::uint32_t index = 0, wraps = 0;  ///< of the entry itself
    std::uint64_t time = 0;
    void* name = nullptr;
    std::uint32_t state = 0;
    std::uint32_t left = 0;  ///< steps until it is in memory
};

/// A node, as the hardware knows it.
struct hardware_node {
    std::uint32_t node = 0;
    std::deque<hardware_context> contexts;
    std::size_t next_context = 0;
    std::uint64_t loaded = 0;  ///< area of the context on the chip; 0: none
    std::uint64_t first = 0, second = 0;
    std::deque<request> requests;
    std::optional<request> saving;  ///< a suspension under way
    std::uint32_t saving_left = 0;
    std::deque<told_event> events;
    std::deque<posted_entry> posted;
    std::optional<std::size_t> log;
    std::uint32_t log_next = 0, log_wraps = 0;
    bool halted = false;
    bool hung = false;
    std::uint64_t progress = 0;
};

/// A scheduling log: header and entries, as words.
struct scheduling_log {
    std::uint32_t node = 0;
    std::uint64_t address = 0;
    std::uint32_t entries = 0;
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> left_as;  ///< what it held when it was replaced
    bool replaced = false;
};

/// A native fence: what is in memory, and what the hardware has seen of it.
struct native_fence {
    std::uint32_t index = 0;
    void* handle = nullptr;  ///< the driver's
    std::uint64_t current_address = 0, monitored_address = 0;
    std::uint64_t current = 0;
    std::uint64_t monitored = ~std::uint64_t{0};
    std::uint64_t seen_monitored = ~std::uint64_t{0};  ///< the hardware's copy
    std::uint64_t next_value = 1;
    bool watched = false;
    bool owed = false;      ///< the driver has read that it was signaled, and has not reported it
    bool told = false;      ///< reported since the newest update
    u64* window = nullptr;  ///< during an update: where the driver sees the monitored value
};

}  // namespace wddmcore::testing::hardware_queues::parts
