// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"
#include "display/options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing {
class trace;
}

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// The steps of both granularity enumerations, D3DKMDT_GRAPHICS_ and D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY.
enum class granularity : std::uint32_t {
    nowhere = 0,       ///< not even queued buffers can be removed (PRE-06)
    dma_buffer = 100,  ///< between buffers
    primitive = 200,   ///< compute: dispatch
    triangle = 300,    ///< compute: thread group
    pixel = 400,       ///< compute: thread
    shader = 500,      ///< one instruction
};

/// All of them, from coarse to fine.
inline constexpr granularity granularities[] = {granularity::nowhere,  granularity::dma_buffer, granularity::primitive,
                                                granularity::triangle, granularity::pixel,      granularity::shader};

/// What the model of time says; model numbers, measured nowhere.
struct timing {
    std::uint64_t step_ns = 1000;  ///< one command of a DMA buffer
    /// From 200 on: after how many commands the engine can stop inside a buffer. One each for 200, 300, 400, 500.
    std::uint32_t stop_every[4] = {8, 4, 2, 1};
    /// Time to save the state that lies on the chip then, in commands. Finer stops save more.
    std::uint32_t save_steps[4] = {0, 1, 1, 2};
    std::uint64_t timeout_steps = 400;   ///< the delay after which an unanswered request is a timeout, in commands
    std::uint64_t dependent_steps = 60;  ///< the time that dependent engines have to preempt (TDR-13)
    std::uint64_t quantum_steps = 60;    ///< an engine without progress for so long is always preempted
};

/// How often a thing happens, of 100 occasions.
struct chances {
    std::uint32_t engine_steps = 75;       ///< an engine executes while another does
    std::uint32_t submit = 60;             ///< of each engine, at each step
    std::uint32_t preempt = 6;             ///< of each engine, at each step
    std::uint32_t preempt_idle = 2;        ///< of each engine with nothing in flight
    std::uint32_t interrupt = 45;          ///< a pending interrupt is delivered
    std::uint32_t interrupt_inside = 15;   ///< the same in the middle of a driver's call at dispatch level
    std::uint32_t spurious_interrupt = 2;  ///< one of another device on the same line
    std::uint32_t dpc = 60;                ///< a queued DPC runs
    std::uint32_t query = 3;               ///< the current fence is queried
    std::uint32_t paging = 12;             ///< of new packets on a node that pages
    std::uint32_t context_switch = 8;      ///< of new packets: to the null context, zero length
    std::uint32_t null_rendering = 6;      ///< of new render packets: NullRendering, nothing of them is executed
    std::uint32_t zero_length = 4;         ///< a render packet whose window is empty
    std::uint32_t split = 25;              ///< a buffer comes in portions; physical submission only
    std::uint32_t broadcast = 25;          ///< in a link: one goes to both adapters; where the driver patches
    std::uint32_t wait = 15;               ///< a packet waits for another's signal
    std::uint32_t rejected = 4;            ///< a virtual packet is invalid
    std::uint32_t null_context = 30;       ///< a paging packet comes without its context
    std::uint32_t merged_stop = 40;        ///< completions before a stop are told by the stop alone
};

/// Faults, hangs and resets, of 1000 new packets (or of 100 resets).
struct troubles {
    std::uint32_t fault = 0;          ///< the engine skips the packet and goes on; WDDM 2.0
    std::uint32_t fault_reset = 0;    ///< the engine halts; WDDM 2.0
    std::uint32_t fault_unknown = 0;  ///< the engine halts and cannot name the packet; WDDM 2.0
    std::uint32_t hang = 0;           ///< the engine executes nothing more until it is reset
    std::uint32_t paging_hang = 0;    ///< of 1000 new paging packets: the same
    std::uint32_t removals = 0;       ///< of 1000 steps: a context is terminated, its packets are cancelled (TDR-14)
    std::uint32_t reset_fails = 0;    ///< of 100 engine resets
    std::uint32_t late = 60;          ///< of 100 resets: stale interrupts come after it
    bool cannot_tell = false;         ///< a halted engine does not know what it was executing
};

/// Some of each, so that a run of some hundred packets has all of them.
inline constexpr troubles usual_troubles{.fault = 20,
                                         .fault_reset = 20,
                                         .fault_unknown = 20,
                                         .hang = 20,
                                         .paging_hang = 20,
                                         .removals = 5,
                                         .reset_fails = 20};

/// What the masks of nodes have bits for.
inline constexpr std::uint32_t most_nodes = 32;

/// Everything but the driver and the seed that decides a run.
struct options {
    std::uint32_t nodes = 4;    ///< 1 .. most_nodes
    std::uint32_t engines = 1;  ///< of each node: 1, or 2 for a link of two adapters
    /// Where an engine can stop.
    granularity stops_at = granularity::primitive;
    /// An engine with an empty ring answers a stop request, too.
    bool acknowledges_when_idle = true;
    bool virtual_addresses = false;  ///< DxgkDdiSubmitCommandVirtual, WDDM 2.0
    std::uint64_t system_base = 0;   ///< physical form: where the GPU sees address 0, and DMA buffers lie
    /// @return where the GPU sees address 0 of DMA buffers, in bytes
    [[nodiscard]] std::uint64_t buffers_base() const { return virtual_addresses ? 0 : system_base; }
    bool submissions_during_request = true;  ///< AMB-45
    std::uint32_t paging_nodes = 1;          ///< nodes with a paging context, as bits
    std::uint32_t dependent_nodes = 0;       ///< nodes that one's reset disturbs together, as bits
    std::uint32_t ring_entries = 8;          ///< HwQueuePacketCap: most packets in flight on one engine
    std::uint32_t contexts = 3;              ///< of each engine
    std::uint32_t packets = 60;              ///< render and paging packets of the whole run
    std::uint32_t most_steps = 6;            ///< commands of one buffer, at least 2
    std::uint32_t first_fence_id = 1;        ///< on every engine; near 0xFFFFFFFF it wraps (AMB-18)
    std::uint32_t fence_id_distance = 0;     ///< between the first ids of two engines, so that no id is used twice
    bool patch = true;                       ///< patch before physical submission if the driver can
    bool probes = false;                     ///< also send what Windows never sends; reported apart
    bool keep_journal = false;               ///< tell line by line what happens, in report::journal
    testing::trace* trace = nullptr;         ///< events go here; kept by the caller
    std::size_t stop_after = 1;              ///< broken rules; 0: go on where that is possible
    struct timing timing{};                  ///< how long things take
    struct chances chances{};                ///< how often things happen
    struct troubles troubles{};              ///< faults, hangs and resets; none at first
    display_options display{};               ///< flips by registers, of drivers that do them
    /// A DMA buffer is lent to DxgkDdiPatch or DxgkDdiCancelCommand, at the physical address that submissions name;
    /// without an address, it is over.
    std::function<void(std::span<std::byte const> buffer, std::optional<std::uint64_t> address)> on_dma_buffer{};
};

}  // namespace wddmcore::testing::scheduler
