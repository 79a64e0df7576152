// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#include <cstddef>
#include <cstdint>

namespace wddmcore::inline WDDMCORE_ABI::testing {
class trace;
}

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues {

/// How often a thing happens, of 100 occasions.
struct chances {
    std::uint32_t node_steps = 75;          ///< a node executes while another does
    std::uint32_t requests = 50;            ///< the hardware takes the next request of a node, at each step
    std::uint32_t merged_requests = 30;     ///< of a suspension that was taken back before the hardware began with it
    std::uint32_t submit = 60;              ///< of each queue with a packet, at each step
    std::uint32_t suspend = 5;              ///< of each context that runs, at each step
    std::uint32_t resume = 20;              ///< of each suspended context
    std::uint32_t resume_early = 20;        ///< of each context whose suspension was not acknowledged yet (HWS-02)
    std::uint32_t suspend_again = 5;        ///< of each suspended context (HWS-01)
    std::uint32_t replace = 4;              ///< of each suspended context: it is destroyed, and another one is made
    std::uint32_t properties = 3;           ///< of each context, at each step: other scheduling properties
    std::uint32_t switch_list = 10;         ///< of each node with a list, at each step
    std::uint32_t empty_list = 15;          ///< of these switches: no first context (HWS-07)
    std::uint32_t new_log = 4;              ///< of each node, at each step (HWS-09)
    std::uint32_t update = 25;              ///< monitored values are updated, at each step (HWS-10)
    std::uint32_t node_inside_update = 40;  ///< the GPU goes on between the steps of an update
    std::uint32_t interrupt = 45;           ///< a pending interrupt is delivered
    std::uint32_t interrupt_inside = 15;    ///< the same in the middle of a driver's call below device level
    std::uint32_t spurious_interrupt = 2;   ///< one of another device on the same line
    std::uint32_t dpc = 60;                 ///< a queued DPC runs
    std::uint32_t wait = 15;                ///< of new packets: it waits for an older one
    std::uint32_t signal = 40;              ///< of new packets: it signals a native fence, where its queue has one
    std::uint32_t empty = 5;                ///< of new packets: no commands, where the hardware writes the fence
};

/// Hangs and resets, of 1000 new packets or of 100 resets.
struct troubles {
    std::uint32_t hang = 0;          ///< of 1000 new packets: the node executes nothing more until it is reset
    std::uint32_t reset_fails = 0;   ///< of 100 engine resets
    std::uint32_t resume_fails = 0;  ///< of 100 resumptions of an engine: the hardware does not schedule again
    bool cannot_tell = false;        ///< the hardware does not know whose work a reset discarded
};

/// Some of each, so that a run of some hundred packets has all of them.
inline constexpr troubles usual_troubles{.hang = 30, .reset_fails = 15, .resume_fails = 15};

/// What the masks of nodes have bits for.
inline constexpr std::uint32_t most_nodes = 32;

/// Everything but the driver and the seed that decides a run.
struct options {
    std::uint32_t nodes = 2;                  ///< 1 .. most_nodes
    std::uint32_t list_nodes = 2;             ///< nodes that the system gives lists of contexts (HWS-07), as bits
    std::uint32_t fence_release_nodes = 1;    ///< nodes with RingBufferFenceRelease (HWS-06), as bits
    std::uint32_t contexts = 3;               ///< of each node
    std::uint32_t queues = 2;                 ///< of each context
    std::uint32_t ring_entries = 8;           ///< most packets in flight in one queue
    std::uint32_t packets = 60;               ///< of the whole run
    std::uint32_t most_commands = 6;          ///< of one buffer, at least 2
    std::uint32_t fences = 3;                 ///< native fences; 0: none are made
    bool native_fences_enabled = true;        ///< what the system answers when it is asked (HWS-11)
    bool hardware_writes_log = true;          ///< else the driver does (HWS-09)
    std::uint32_t log_entries = 5;            ///< of one scheduling log, at least 1
    std::uint64_t first_fence = 0xFFFF'FFF0;  ///< contextSuspendFence and progress fences: they pass 32 bits soon
    std::uint32_t save_steps = 2;             ///< time to save a context, in commands
    std::uint32_t drain_steps = 2;            ///< time after the last command in which a buffer is still used
    std::uint32_t quantum_steps = 60;         ///< a node without progress for so long is looked at
    std::uint32_t timeout_steps = 300;        ///< after which a suspension or a switch is a timeout, in commands
    std::uint64_t step_ns = 1000;             ///< one command of a DMA buffer
    bool keep_journal = false;                ///< tell line by line what happens, in report::journal
    testing::trace* trace = nullptr;          ///< events go here; kept by the caller
    std::size_t stop_after = 1;               ///< broken rules; 0: go on where that is possible
    struct chances chances{};                 ///< how often things happen
    struct troubles troubles{};               ///< hangs and resets; none at first
};

}  // namespace wddmcore::testing::hardware_queues
