// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/breach.hpp"

/// The sentences about wrong claims for scheduling: one static assertion each, in a function template that takes the
/// broken rule, the place and the value as scalar arguments, so that exactly one error appears, says what to do, and
/// names both numbers.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What claims for scheduling, or the hardware's promise of how it stops, can break.
///
/// A vocabulary of its own, since each rule is one sentence of the compiler, and a driver that judges what it chose at
/// AddDevice gets the same rule as a value.
enum class rule : u32 {
    none,

    engines_missing,
    engines_not_a_constant,
    scheduling_missing,
    scheduling_not_a_constant,
    ring_capacity_not_a_constant,
    node_count_not_a_number,
    state_survives_patching_not_a_constant,

    number_of_engines,             ///< LDA-06
    node_count_range,              ///< LDA-06
    engine_runs_nothing,           ///< PRE-05
    unknown_granularity,           ///< PRE-04
    saved_state,                   ///< AMB-51
    stops_inside_patched_buffers,  ///< AMB-51
    wait_cannot_be_stopped,        ///< PRE-22
    cancel_command_missing,        ///< TDR-14, AMB-52

    preemption_before_win8,      ///< PRE-01
    preemption_alone,            ///< PRE-01
    no_dma_patching_alone,       ///< PRE-02
    cancel_command_before_win8,  ///< PRE-02
    cancel_command_alone,        ///< PRE-02
    virtual_addressing_before_v2_0,
    no_dma_patching_with_physical_addresses,  ///< SPL-13
    no_64_bit_atomics_before_v2_0,
    low_irql_before_v2_0,  ///< PRE-28
    packet_cap_before_v2_3,
    packet_cap_too_large,
    ring_capacity,  ///< AMB-54
    native_fence_before_v3_1,
    native_fence_not_asked_for,  ///< HWS-11
    optimized_interrupt_alone,
    paging_node,  ///< LDA-08

    no_adapter_recovery,        ///< TDR-01
    per_engine_before_win8,     ///< TDR-01
    no_engine_recovery,         ///< TDR-01
    no_flip_on_vsync,           ///< FLP-01
    compute_only_flips,         ///< FLP-08
    compute_only_granularity,   ///< PRE-07
    compute_only_preempt_irql,  ///< PRE-28
    compute_only_patching,      ///< AMB-35
    compute_only_packet_cap,    ///< AMB-54
    live_migration_alone,       ///< HWS-13

    different_node_counts,     ///< LDA-02
    chosen_undecided,          ///< only of what was chosen at run time: a claim is still open
    chosen_more_than_claimed,  ///< only of what was chosen at run time
};

/// The first rule that claims break; rule::none when they break none. Its place is the node, physical adapter or
/// claim.
using broken_rule = breach<rule>;

inline constexpr broken_rule no_rule_broken{rule::none, 0, 0};  ///< nothing was found

namespace detail {

using rule_check = wddmcore::detail::first_breach<rule>;

/// The words of the rules, in the order of their enumeration.
inline constexpr char const* rule_texts[] = {
    "",

    ("preemption_model: `engines` is missing or not public: write `static constexpr wddmcore::preemption_engine "
     "engines[] = {...};`, one element for each node"),
    "preemption_model: `engines` exists but is not a `static constexpr wddmcore::preemption_engine` array",
    ("hardware type: `scheduling` is missing or not public: write `static constexpr wddmcore::scheduling_capabilities "
     "scheduling{...};`"),
    "hardware type: `scheduling` exists but is not a `static constexpr wddmcore::scheduling_capabilities`",
    "preemption_model: `ring_capacity` exists but is not a `static constexpr wddmcore::u32`",
    ("preemption_model: `node_count` exists but is not a `static constexpr wddmcore::u32`, nor `chosen_within` a range "
     "of them"),
    "preemption_model: `state_survives_patching` exists but is not a `static constexpr bool`",

    "preemption_model: there must be 1 to 64 `engines`, one for each node",
    ("preemption_model: `node_count` must be 1 to the number of `engines`, and the least of its range not above its "
     "most"),
    ("preemption_model: an engine runs nothing: say of graphics, compute or other work where it stops, for example "
     "`.other = {wddmcore::other_preemption_granularity::dma_buffer_boundary}`"),
    "preemption_model: a granularity is none of the DDI's numbers 0, 100, 200, 300, 400 and 500",
    ("preemption_model: an engine that stops inside a DMA buffer saves state: give its size in bytes beside the "
     "granularity"),
    ("preemption_model: an engine stops inside a DMA buffer, which is patched again before it goes on: claim "
     "`virtual_addressing`, promise `static constexpr bool state_survives_patching = true;`, or stop at the DMA buffer "
     "boundary"),
    ("preemption_model: with `preemption_aware` a packet that waits in hardware must be stoppable before its condition "
     "is met"),
    ("scheduling: an engine stops inside DMA buffers under `preemption_aware`: claim `cancel_command_aware` too, or a "
     "later packet of the same buffer goes on from the state of one that was removed"),

    "scheduling: `preemption_aware` needs headers and a `version` of Windows 8 or later",
    "scheduling: `preemption_aware` needs `multi_engine_aware`: the system stops a driver that claims it alone",
    "scheduling: `no_dma_patching` needs `preemption_aware` and `multi_engine_aware`",
    "scheduling: `cancel_command_aware` needs a `version` of Windows 8 or later",
    "scheduling: `cancel_command_aware` needs `multi_engine_aware`",
    "scheduling: `virtual_addressing` needs a `version` of WDDM 2.0 or later",
    ("scheduling: `no_dma_patching` opts out of the check of patched bindings, which only `virtual_addressing` makes "
     "unnecessary"),
    "scheduling: `no_64_bit_atomics` needs a `version` of WDDM 2.0 or later",
    "scheduling: `low_irql_preempt_command` needs a `version` of WDDM 2.0 or later",
    "scheduling: `hw_queue_packet_cap` needs a `version` of WDDM 2.3 or later",
    "scheduling: `hw_queue_packet_cap` has 4 bits: 1 to 15 packets, or 0 for no claim",
    ("preemption_model: `ring_capacity` must be a power of two up to 32768 and at least `hw_queue_packet_cap`, or 64 "
     "where that is 0"),
    "scheduling: `native_gpu_fence` needs a `version` of WDDM 3.1 or later",
    ("scheduling: `native_gpu_fence` must be `claim::at_run_time`: it may be advertised only after the system said "
     "that the feature is enabled"),
    "scheduling: `optimized_native_fence_signaled_interrupt` needs `native_gpu_fence`",
    "scheduling: `paging_node` must be below the number of `engines`",

    "scheduling: `recovery` must hold reset_from_timeout and restart_from_timeout: every driver has both",
    "scheduling: `support_per_engine_tdr` needs a `version` of Windows 8 or later",
    ("scheduling: `support_per_engine_tdr` needs all of recovery_functions::per_engine: query_dependent_engine_group, "
     "query_engine_status and reset_engine beside the two adapter-wide functions"),
    ("scheduling: a display driver with `preemption_aware` needs flip_caps::on_vsync_mmio in `flips`: the scheduler "
     "preempts even with flips pending"),
    "scheduling: a compute-only driver has flip_caps::none",
    ("preemption_model: a compute-only driver needs an engine for compute, and none of them may stop at "
     "compute_preemption_granularity::none"),
    "scheduling: a compute-only driver needs `low_irql_preempt_command`",
    "scheduling: a compute-only driver has no `no_dma_patching`",
    "scheduling: `hw_queue_packet_cap` is reserved for a compute-only driver: leave it 0",
    "scheduling: `live_migration` needs `dirty_bit_tracking`",

    "linked adapters: every physical adapter of a link must have the same number of `engines`",
    "scheduling: what was chosen at AddDevice leaves a claim open",
    "scheduling: what was chosen at AddDevice claims what `scheduling` does not",
};
static_assert(sizeof rule_texts / sizeof *rule_texts == static_cast<u32>(rule::chosen_more_than_claimed) + 1);

}  // namespace detail

/// A rule of scheduling claims, in words. Any IRQL, safe in non-paged code.
///
/// @return "" for rule::none, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    return wddmcore::detail::text_in(detail::rule_texts, what);
}

/// Says what is wrong, as one compile error; nothing for rule::none. @return true, always
template <rule What, u32 Place, u64 Value>
consteval bool sentence() {
    using enum rule;
    static_assert(
        What != engines_missing,
        "preemption_model: `engines` is missing or not public: write `static constexpr wddmcore::preemption_engine "
        "engines[] = {...};`, one element for each node");
    static_assert(
        What != engines_not_a_constant,
        "preemption_model: `engines` exists but is not a `static constexpr wddmcore::preemption_engine` array");
    static_assert(What != scheduling_missing,
                  "hardware type: `scheduling` is missing or not public: write `static constexpr "
                  "wddmcore::scheduling_capabilities scheduling{...};`");
    static_assert(What != scheduling_not_a_constant,
                  "hardware type: `scheduling` exists but is not a `static constexpr "
                  "wddmcore::scheduling_capabilities`");
    static_assert(What != ring_capacity_not_a_constant,
                  "preemption_model: `ring_capacity` exists but is not a `static constexpr wddmcore::u32`");
    static_assert(What != node_count_not_a_number,
                  "preemption_model: `node_count` exists but is not a `static constexpr wddmcore::u32`, nor "
                  "`chosen_within` a range of them");
    static_assert(What != state_survives_patching_not_a_constant,
                  "preemption_model: `state_survives_patching` exists but is not a `static constexpr bool`");

    static_assert(What != number_of_engines, "preemption_model: there must be 1 to 64 `engines`, one for each node");
    static_assert(What != node_count_range,
                  "preemption_model: `node_count` must be 1 to the number of `engines`, and the least of its range not "
                  "above its most");
    static_assert(What != engine_runs_nothing,
                  "preemption_model: an engine runs nothing: say of graphics, compute or other work where it stops, "
                  "for example `.other = {wddmcore::other_preemption_granularity::dma_buffer_boundary}`");
    static_assert(What != unknown_granularity,
                  "preemption_model: a granularity is none of the DDI's numbers 0, 100, 200, 300, 400 and 500");
    static_assert(What != saved_state,
                  "preemption_model: an engine that stops inside a DMA buffer saves state: give its size in bytes "
                  "beside the granularity");
    static_assert(What != stops_inside_patched_buffers,
                  "preemption_model: an engine stops inside a DMA buffer, which is patched again before it goes on: "
                  "claim `virtual_addressing`, promise `static constexpr bool state_survives_patching = true;`, or "
                  "stop at the DMA buffer boundary");
    static_assert(What != wait_cannot_be_stopped,
                  "preemption_model: with `preemption_aware` a packet that waits in hardware must be stoppable before "
                  "its condition is met");

    static_assert(What != cancel_command_missing,
                  "scheduling: an engine stops inside DMA buffers under `preemption_aware`: claim "
                  "`cancel_command_aware` too, or a later packet of the same buffer goes on from the state of one that "
                  "was removed");

    static_assert(What != preemption_before_win8,
                  "scheduling: `preemption_aware` needs headers and a `version` of Windows 8 or later");
    static_assert(What != preemption_alone,
                  "scheduling: `preemption_aware` needs `multi_engine_aware`: the system stops a driver that claims it "
                  "alone");
    static_assert(What != no_dma_patching_alone,
                  "scheduling: `no_dma_patching` needs `preemption_aware` and `multi_engine_aware`");
    static_assert(What != cancel_command_before_win8,
                  "scheduling: `cancel_command_aware` needs a `version` of Windows 8 or later");
    static_assert(What != cancel_command_alone, "scheduling: `cancel_command_aware` needs `multi_engine_aware`");
    static_assert(What != virtual_addressing_before_v2_0,
                  "scheduling: `virtual_addressing` needs a `version` of WDDM 2.0 or later");
    static_assert(What != no_dma_patching_with_physical_addresses,
                  "scheduling: `no_dma_patching` opts out of the check of patched bindings, which only "
                  "`virtual_addressing` makes unnecessary");
    static_assert(What != no_64_bit_atomics_before_v2_0,
                  "scheduling: `no_64_bit_atomics` needs a `version` of WDDM 2.0 or later");
    static_assert(What != low_irql_before_v2_0,
                  "scheduling: `low_irql_preempt_command` needs a `version` of WDDM 2.0 or later");
    static_assert(What != packet_cap_before_v2_3,
                  "scheduling: `hw_queue_packet_cap` needs a `version` of WDDM 2.3 or later");
    static_assert(What != packet_cap_too_large,
                  "scheduling: `hw_queue_packet_cap` has 4 bits: 1 to 15 packets, or 0 for no claim");
    static_assert(What != ring_capacity,
                  "preemption_model: `ring_capacity` must be a power of two up to 32768 and at least "
                  "`hw_queue_packet_cap`, or 64 where that is 0");
    static_assert(What != native_fence_before_v3_1,
                  "scheduling: `native_gpu_fence` needs a `version` of WDDM 3.1 or later");
    static_assert(What != native_fence_not_asked_for,
                  "scheduling: `native_gpu_fence` must be `claim::at_run_time`: it may be advertised only after the "
                  "system said that the feature is enabled");
    static_assert(What != optimized_interrupt_alone,
                  "scheduling: `optimized_native_fence_signaled_interrupt` needs `native_gpu_fence`");
    static_assert(What != paging_node, "scheduling: `paging_node` must be below the number of `engines`");

    static_assert(
        What != no_adapter_recovery,
        "scheduling: `recovery` must hold reset_from_timeout and restart_from_timeout: every driver has both");
    static_assert(What != per_engine_before_win8,
                  "scheduling: `support_per_engine_tdr` needs a `version` of Windows 8 or later");
    static_assert(What != no_engine_recovery,
                  "scheduling: `support_per_engine_tdr` needs all of recovery_functions::per_engine: query_dependent_"
                  "engine_group, query_engine_status and reset_engine beside the two adapter-wide functions");
    static_assert(What != no_flip_on_vsync,
                  "scheduling: a display driver with `preemption_aware` needs flip_caps::on_vsync_mmio in `flips`: the "
                  "scheduler preempts even with flips pending");
    static_assert(What != compute_only_flips, "scheduling: a compute-only driver has flip_caps::none");
    static_assert(What != compute_only_granularity,
                  "preemption_model: a compute-only driver needs an engine for compute, and none of them may stop at "
                  "compute_preemption_granularity::none");
    static_assert(What != compute_only_preempt_irql,
                  "scheduling: a compute-only driver needs `low_irql_preempt_command`");
    static_assert(What != compute_only_patching, "scheduling: a compute-only driver has no `no_dma_patching`");
    static_assert(What != compute_only_packet_cap,
                  "scheduling: `hw_queue_packet_cap` is reserved for a compute-only driver: leave it 0");
    static_assert(What != live_migration_alone, "scheduling: `live_migration` needs `dirty_bit_tracking`");

    static_assert(What != different_node_counts,
                  "linked adapters: every physical adapter of a link must have the same number of `engines`");
    return true;
}

}  // namespace wddmcore::preemption
