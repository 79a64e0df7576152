// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/interface_version.hpp"
#include "../hw/preemption_model.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// What a driver claims about scheduling: the bits of DXGK_VIDSCHCAPS, and what decides which of them are legal.
///
/// A constant for compile-time checks; a copy of it may be narrowed at AddDevice (PRE-03) and judged again.
/// Source page: ns-d3dkmddi-_dxgk_vidschcaps.md.
struct scheduling_claims {
    wddm version;               ///< the interface version that the driver declares
    bool compute_only = false;  ///< a compute-only (MCDM) driver

    bool multi_engine_aware = false;
    bool vsync_power_save_aware = false;
    bool preemption_aware = false;      ///< the Windows 8 preemption model; WDDM 1.2
    bool no_dma_patching = false;       ///< no buffer is ever patched; WDDM 1.2
    bool cancel_command_aware = false;  ///< WDDM 1.2
    bool no_64_bit_atomics = false;     ///< WDDM 2.0
    bool low_irql_preempt_command = false;  ///< preempt requests arrive at low IRQL; WDDM 2.0
    u32 hw_queue_packet_cap = 0;        ///< packets that the system may queue to a node, 0 to 15; WDDM 2.3
    bool native_gpu_fence = false;      ///< WDDM 3.1
    bool optimized_native_fence_signaled_interrupt = false;  ///< WDDM 3.1
};

namespace preemption {

/// A rule about what is claimed, by what it forbids.
enum class scheduling_rule : u32 {
    none,
    version_too_old,             ///< a bit that the declared version does not have; the value is the bit
    preemption_needs_engines,    ///< PreemptionAware without MultiEngineAware
    no_patching_needs_both,      ///< NoDmaPatching without PreemptionAware and MultiEngineAware
    cancel_needs_engines,        ///< CancelCommandAware without MultiEngineAware
    compute_only_patching,       ///< NoDmaPatching of a compute-only driver
    compute_only_irql,           ///< a compute-only driver without LowIrqlPreemptCommand
    compute_only_granularity,    ///< compute granularity "none" of a compute-only driver
    too_many_engines,            ///< more nodes than the DDI numbers; the value is their count
    unknown_granularity,         ///< a number that is not in the enumeration; the place is the engine
    patching_under_saved_state,  ///< stops inside buffers that are patched again; the place is the engine
    capacity_out_of_range,       ///< the ring is no power of two from 1 to 128; the value is its size
    packet_cap_out_of_range,     ///< HwQueuePacketCap above 15, or not 0 for a compute-only driver
    ring_below_packet_cap,       ///< the ring holds fewer packets than the system may queue
    ring_below_default,          ///< HwQueuePacketCap 0 leaves the number open, and the ring holds fewer than 64
};

/// What was judged: the first broken rule, the engine it is about, and the offending value.
struct scheduling_finding {
    scheduling_rule rule;
    u32 place;
    u32 value;
    friend constexpr bool operator==(scheduling_finding, scheduling_finding) = default;
};

/// The packets that a ring must hold where HwQueuePacketCap is 0, whose meaning is written nowhere (AMB-54).
inline constexpr u32 default_packet_cap = 64;

/// The most nodes of a physical adapter (LDA-06).
inline constexpr u32 most_engines = 64;

/// The most packets of a ring: the engine machine's own limit.
inline constexpr u32 most_packets = 128;

/// All engines of an adapter, and the promises that hold for each of them.
struct engine_promises {
    hw::engine_preemption const* engines;
    u32 engine_count;
    bool state_survives_patching;
    u32 ring_capacity;
};

/// Whether a number stands in either granularity enumeration.
[[nodiscard]] constexpr bool is_granularity(u32 number) noexcept {
    return number <= 500 && number % 100 == 0;
}
static_assert(is_granularity(0) && is_granularity(500) && !is_granularity(150) && !is_granularity(600));

/// Whether an engine's saved state could come to name memory that has been patched away (AMB-51).
[[nodiscard]] constexpr bool needs_surviving_state(hw::engine_preemption const& engine) noexcept {
    bool const inside = (engine.can_do_graphics && hw::class_of(engine.graphics) == hw::stopping_class::inside_buffer) ||
                        (engine.can_do_compute && hw::class_of(engine.compute) == hw::stopping_class::inside_buffer);
    return inside && !engine.virtual_addresses;
}

}  // namespace preemption

}  // namespace wddmcore
