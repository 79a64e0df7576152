// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/checked.hpp"
#include "granularity.hpp"
#include "scheduling_rules.hpp"

/// DXGK_VIDSCHCAPS as a word, and whether what it says may be said.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A bit of DXGK_VIDSCHCAPS and the first version that has it.
struct scheduling_bit {
    u32 place;
    bool claimed;
    wddm since;
};

/// The claims as bits, lowest first; HwQueuePacketCap is a number and stands beside them.
struct scheduling_bits {
    scheduling_bit bit[9];
};

[[nodiscard]] constexpr scheduling_bits bits_of(scheduling_claims const& claims) noexcept {
    return {{{0, claims.multi_engine_aware, wddm::vista},
             {1, claims.vsync_power_save_aware, wddm::vista},
             {2, claims.preemption_aware, wddm::win8},
             {3, claims.no_dma_patching, wddm::win8},
             {4, claims.cancel_command_aware, wddm::win8},
             {5, claims.no_64_bit_atomics, wddm::v2_0},
             {6, claims.low_irql_preempt_command, wddm::v2_0},
             {11, claims.native_gpu_fence, wddm::v3_1},
             {12, claims.optimized_native_fence_signaled_interrupt, wddm::v3_1}}};
}

inline constexpr u32 packet_cap_place = 7;
inline constexpr u32 largest_packet_cap = 15;

/// The word of DXGK_VIDSCHCAPS (its member Value) for claims that judge() finds legal.
///
/// Any IRQL, touches no OS state. Source page: ns-d3dkmddi-_dxgk_vidschcaps.md.
[[nodiscard]] constexpr u32 vidschcaps_value(scheduling_claims const& claims) noexcept {
    u32 value = claims.hw_queue_packet_cap << packet_cap_place;
    for (scheduling_bit const& bit : bits_of(claims).bit) {
        value |= static_cast<u32>(bit.claimed) << bit.place;
    }
    return value;
}

/// The claims by themselves: which bits exist, and which imply which (PRE-01, PRE-02, AMB-35).
[[nodiscard]] constexpr scheduling_finding judge_bits(scheduling_claims const& claims) noexcept {
    using enum scheduling_rule;
    for (scheduling_bit const& bit : bits_of(claims).bit) {
        if (bit.claimed && !at_least(claims.version, bit.since)) {
            return {version_too_old, 0, bit.place};
        }
    }
    if (claims.hw_queue_packet_cap != 0 && !at_least(claims.version, wddm::v2_3)) {
        return {version_too_old, 0, packet_cap_place};
    }
    if (claims.preemption_aware && !claims.multi_engine_aware) {
        return {preemption_needs_engines, 0, 0};
    }
    if (claims.no_dma_patching && !(claims.preemption_aware && claims.multi_engine_aware)) {
        return {no_patching_needs_both, 0, 0};
    }
    if (claims.cancel_command_aware && !claims.multi_engine_aware) {
        return {cancel_needs_engines, 0, 0};
    }
    if (claims.compute_only && claims.no_dma_patching) {
        return {compute_only_patching, 0, 0};
    }
    if (claims.compute_only && !claims.low_irql_preempt_command) {
        return {compute_only_irql, 0, 0};
    }
    if (claims.hw_queue_packet_cap > largest_packet_cap || (claims.compute_only && claims.hw_queue_packet_cap != 0)) {
        return {packet_cap_out_of_range, 0, claims.hw_queue_packet_cap};
    }
    return {none, 0, 0};
}

/// The ring against what the system may queue (AMB-54).
[[nodiscard]] constexpr scheduling_finding judge_ring(u32 packet_cap, u32 capacity) noexcept {
    using enum scheduling_rule;
    if (!is_power_of_two(capacity) || capacity > most_packets) {
        return {capacity_out_of_range, 0, capacity};
    }
    if (capacity < packet_cap) {
        return {ring_below_packet_cap, 0, packet_cap};
    }
    if (packet_cap == 0 && capacity < default_packet_cap) {
        return {ring_below_default, 0, capacity};
    }
    return {none, 0, 0};
}

/// The engines against what is claimed for them (LDA-06, PRE-04, PRE-07, AMB-51).
[[nodiscard]] constexpr scheduling_finding judge_engines(scheduling_claims const& claims, engine_promises const& all) noexcept {
    using enum scheduling_rule;
    if (all.engine_count > most_engines) {
        return {too_many_engines, 0, all.engine_count};
    }
    for (u32 i = 0; i != all.engine_count; ++i) {
        hw::engine_preemption const& engine = all.engines[i];
        u32 const graphics = engine.can_do_graphics ? static_cast<u32>(engine.graphics) : 0;
        u32 const compute = engine.can_do_compute ? static_cast<u32>(engine.compute) : 0;
        if (!is_granularity(graphics) || !is_granularity(compute)) {
            return {unknown_granularity, i, is_granularity(graphics) ? compute : graphics};
        }
        if (claims.preemption_aware && needs_surviving_state(engine) && !all.state_survives_patching) {
            return {patching_under_saved_state, i, greater(graphics, compute)};
        }
    }
    if (claims.compute_only && coarsest(all.engines, all.engine_count).compute == compute_granularity::none) {
        return {compute_only_granularity, 0, 0};
    }
    return {none, 0, 0};
}

/// The first rule that claims and engines break together; scheduling_rule::none when they break none.
///
/// The same function judges at compile time (check_preemption) and claims that were narrowed at AddDevice.
/// Any IRQL, touches no OS state. Source pages: ns-d3dkmddi-_dxgk_vidschcaps.md, gpu-preemption.md.
[[nodiscard]] constexpr scheduling_finding judge(scheduling_claims const& claims, engine_promises const& all) noexcept {
    scheduling_finding const bits = judge_bits(claims);
    if (bits.rule != scheduling_rule::none) {
        return bits;
    }
    scheduling_finding const ring = judge_ring(claims.hw_queue_packet_cap, all.ring_capacity);
    return ring.rule != scheduling_rule::none ? ring : judge_engines(claims, all);
}

}  // namespace wddmcore::preemption
