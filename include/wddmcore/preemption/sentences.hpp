// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/sentences.hpp"
#include "scheduling_rules.hpp"

/// The sentences about wrong preemption promises: one static assertion each, in function templates that take what is
/// wrong as scalar arguments, so that exactly one error appears and it says what to do.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A member that preemption wants of a driver's hardware type.
enum class model_member : u32 {
    none,
    scheduling,
    preemption_engines,
    acknowledges_when_idle,
    stops_waiting_packets,
    state_survives_patching,
    ring_capacity,
};

/// The first member that is absent or no constant; model_member::none when all are there.
struct model_defect {
    model_member what;
    hw::defect how;
    friend constexpr bool operator==(model_defect, model_defect) = default;
};

inline constexpr model_defect model_is_whole{model_member::none, hw::defect::missing};

/// Says which member is wrong, as one compile error; says nothing for model_member::none. Always true.
template <model_member What, hw::defect How>
consteval bool model_sentence() {
    constexpr auto wrong = [](model_member what, hw::defect how) { return What == what && How == how; };
    using enum hw::defect;

    static_assert(!wrong(model_member::scheduling, missing),
                  "preemption: `scheduling` is missing: write `static constexpr wddmcore::scheduling_claims scheduling{...};`");
    static_assert(!wrong(model_member::scheduling, not_a_constant),
                  "preemption: `scheduling` exists but is not a `static constexpr wddmcore::scheduling_claims`");
    static_assert(!wrong(model_member::preemption_engines, missing),
                  "preemption_model: `preemption_engines` is missing: write `static constexpr wddmcore::hw::engine_preemption "
                  "preemption_engines[] = {...};`, one element for each node of a physical adapter");
    static_assert(!wrong(model_member::preemption_engines, not_a_constant),
                  "preemption_model: `preemption_engines` exists but is not a `static constexpr "
                  "wddmcore::hw::engine_preemption[]`");
    static_assert(!wrong(model_member::acknowledges_when_idle, missing),
                  "preemption_model: `acknowledges_when_idle` is missing: write `static constexpr bool acknowledges_when_idle "
                  "= ...;`, true when a preempt request that finds nothing to stop is still answered");
    static_assert(!wrong(model_member::acknowledges_when_idle, not_a_constant),
                  "preemption_model: `acknowledges_when_idle` exists but is not a `static constexpr bool`");
    static_assert(!wrong(model_member::stops_waiting_packets, missing),
                  "preemption_model: `stops_waiting_packets` is missing: write `static constexpr bool stops_waiting_packets = "
                  "...;`, true when a packet that waits inside its buffer can be stopped before its condition is met");
    static_assert(!wrong(model_member::stops_waiting_packets, not_a_constant),
                  "preemption_model: `stops_waiting_packets` exists but is not a `static constexpr bool`");
    static_assert(!wrong(model_member::state_survives_patching, missing),
                  "preemption_model: `state_survives_patching` is missing: write `static constexpr bool "
                  "state_survives_patching = ...;`, true when saved state stays good after its buffer was patched again");
    static_assert(!wrong(model_member::state_survives_patching, not_a_constant),
                  "preemption_model: `state_survives_patching` exists but is not a `static constexpr bool`");
    static_assert(!wrong(model_member::ring_capacity, missing),
                  "preemption_model: `ring_capacity` is missing: write `static constexpr wddmcore::u32 ring_capacity = 64;`, "
                  "packets, a power of two, at most 128");
    static_assert(!wrong(model_member::ring_capacity, not_a_constant),
                  "preemption_model: `ring_capacity` exists but is not a `static constexpr wddmcore::u32`");
    return true;
}

/// Says which rule is broken, as one compile error; says nothing for scheduling_rule::none. Always true.
///
/// @tparam Place  the engine that the rule is about
/// @tparam Value  the offending number
template <scheduling_rule Rule, u32 Place, u32 Value>
consteval bool scheduling_sentence() {
    using enum scheduling_rule;

    static_assert(Rule != version_too_old,
                  "scheduling: the declared `version` does not have a claimed bit of DXGK_VIDSCHCAPS: PreemptionAware, "
                  "NoDmaPatching and CancelCommandAware need WDDM 1.2, No64BitAtomics and LowIrqlPreemptCommand 2.0, "
                  "HwQueuePacketCap 2.3, the native fence bits 3.1 (PRE-01)");
    static_assert(Rule != preemption_needs_engines,
                  "scheduling: `preemption_aware` needs `multi_engine_aware`: alone it stops driver initialization (PRE-01)");
    static_assert(Rule != no_patching_needs_both,
                  "scheduling: `no_dma_patching` needs `preemption_aware` and `multi_engine_aware` (PRE-02)");
    static_assert(Rule != cancel_needs_engines, "scheduling: `cancel_command_aware` needs `multi_engine_aware` (PRE-02)");
    static_assert(Rule != compute_only_patching,
                  "scheduling: a compute-only driver leaves `no_dma_patching` false (AMB-35)");
    static_assert(Rule != compute_only_irql,
                  "scheduling: a compute-only driver must set `low_irql_preempt_command` (PRE-28)");
    static_assert(Rule != compute_only_granularity,
                  "preemption_model: a compute-only driver must have a compute granularity other than none, on every engine "
                  "that can do compute work (PRE-07)");
    static_assert(Rule != too_many_engines, "preemption_model: a physical adapter has at most 64 nodes (LDA-06)");
    static_assert(Rule != unknown_granularity,
                  "preemption_model: an engine's granularity is none of 0, 100, 200, 300, 400 and 500 (PRE-04)");
    static_assert(Rule != patching_under_saved_state,
                  "preemption_model: an engine stops inside buffers that name memory by physical addresses: the system may "
                  "patch such a buffer again, under the saved state; give it virtual addresses, or promise "
                  "`state_survives_patching` (AMB-51)");
    static_assert(Rule != capacity_out_of_range,
                  "preemption_model: `ring_capacity` must be a power of two from 1 to 128 packets");
    static_assert(Rule != packet_cap_out_of_range,
                  "scheduling: `hw_queue_packet_cap` has four bits, 0 to 15, and is 0 for a compute-only driver");
    static_assert(Rule != ring_below_packet_cap,
                  "preemption_model: `ring_capacity` is below `hw_queue_packet_cap`: a full ring has no answer in the DDI");
    static_assert(Rule != ring_below_default,
                  "preemption_model: `ring_capacity` must be at least 64 where `hw_queue_packet_cap` is 0: the system then "
                  "names no limit (AMB-54)");
    return true;
}

}  // namespace wddmcore::preemption
