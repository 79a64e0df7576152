// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "capabilities.hpp"
#include "granularity.hpp"
#include "sentences.hpp"

/// One judge for compile time and run time: from claims and engines to the first broken rule.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption::detail {

/// Everything that a hardware type says about scheduling, as values.
struct scheduling_model {
    wddm version;  ///< the highest interface version that is ever declared
    scheduling_capabilities claims;
    span<preemption_engine const> engines;
    bool state_survives_patching;
    u32 ring_capacity;  ///< packets
};

/// Whether every way to decide `a` and `b` apart from each other keeps "a only with b".
///
/// Both may be left to run time: whether they were then decided together is asked of what was chosen.
[[nodiscard]] constexpr bool only_with(claim a, claim b) noexcept {
    return a == claim::no || b == claim::yes || (a == claim::at_run_time && b == claim::at_run_time);
}
static_assert(only_with(claim::at_run_time, claim::yes) && !only_with(claim::yes, claim::at_run_time));

/// Judges a claim that begins with a version.
constexpr void judge_since(rule_check& check, claim claimed, wddm version, wddm since, rule what) noexcept {
    check.when(may_be_yes(claimed) && version < since, what, static_cast<u64>(version));
}

/// Judges a claim that needs another one (only_with).
constexpr void judge_pair(rule_check& check, claim claimed, claim needed, rule what) noexcept {
    check.when(!only_with(claimed, needed), what, static_cast<u64>(needed));
}

/// Whether one kind of work of an engine stops inside a DMA buffer.
[[nodiscard]] constexpr bool stops_inside(auto const& point) noexcept {
    return point.runs && stopping_at(static_cast<u32>(point.granularity)) == stopping::inside_a_buffer;
}

/// Whether an engine stops some kind of work there.
[[nodiscard]] constexpr bool stops_inside(preemption_engine const& engine) noexcept {
    return stops_inside(engine.graphics) || stops_inside(engine.compute) || stops_inside(engine.other);
}

/// Judges one kind of work of one engine: a number of the DDI (PRE-04), and saved state where it stops inside (AMB-51).
constexpr void judge_point(rule_check& check, auto const& point) noexcept {
    u32 const number = static_cast<u32>(point.granularity);
    check.when(!is_preemption_granularity(number), rule::unknown_granularity, number);
    check.when(stops_inside(point) && point.saved_state.n == 0, rule::saved_state, number);
}

/// Judges one engine (PRE-04, PRE-05, PRE-07, PRE-22, AMB-51).
[[nodiscard]] constexpr broken_rule judge_engine(scheduling_model const& model, u32 node) noexcept {
    preemption_engine const& engine = model.engines[node];
    scheduling_capabilities const& claims = model.claims;
    bool const runs = engine.graphics.runs || engine.compute.runs || engine.other.runs;
    // AMB-51: a preempted buffer may be patched again (PRE-20), and the saved state may hold its old addresses.
    bool const may_lose_state =
        stops_inside(engine) && claims.virtual_addressing != claim::yes && !model.state_survives_patching;
    bool const must_stop = may_be_yes(claims.preemption_aware);
    bool const computes_without_stops = claims.kind == adapter_kind::compute_only && engine.compute.runs &&
                                        engine.compute.granularity == compute_preemption_granularity::none;
    rule_check check{node};
    check.when(!runs, rule::engine_runs_nothing);
    judge_point(check, engine.graphics);
    judge_point(check, engine.compute);
    judge_point(check, engine.other);
    check.when(may_lose_state, rule::stops_inside_patched_buffers);
    check.when(must_stop && engine.waits == hardware_waits::cannot_be_stopped, rule::wait_cannot_be_stopped);
    check.when(computes_without_stops, rule::compute_only_granularity);
    return check.found;
}

/// Judges the bits of DXGK_VIDSCHCAPS against each other and against the version (PRE-01, PRE-02, SPL-13).
///
/// NoDmaPatching needs MultiEngineAware as well, which follows from PreemptionAware.
[[nodiscard]] constexpr broken_rule judge_vidschcaps(scheduling_capabilities const& claims, wddm version) noexcept {
    using enum rule;
    rule_check check{};
    judge_since(check, claims.preemption_aware, version, wddm::win8, preemption_before_win8);
    judge_pair(check, claims.preemption_aware, claims.multi_engine_aware, preemption_alone);
    judge_pair(check, claims.no_dma_patching, claims.preemption_aware, no_dma_patching_alone);
    judge_since(check, claims.cancel_command_aware, version, wddm::win8, cancel_command_before_win8);
    judge_pair(check, claims.cancel_command_aware, claims.multi_engine_aware, cancel_command_alone);
    judge_since(check, claims.virtual_addressing, version, wddm::v2_0, virtual_addressing_before_v2_0);
    judge_pair(check, claims.no_dma_patching, claims.virtual_addressing, no_dma_patching_with_physical_addresses);
    judge_since(check, claims.no_64_bit_atomics, version, wddm::v2_0, no_64_bit_atomics_before_v2_0);
    judge_since(check, claims.low_irql_preempt_command, version, wddm::v2_0, low_irql_before_v2_0);
    judge_since(check, claims.native_gpu_fence, version, wddm::v3_1, native_fence_before_v3_1);
    judge_pair(check, claims.optimized_native_fence_signaled_interrupt, claims.native_gpu_fence,
               optimized_interrupt_alone);
    return check.found;
}

inline constexpr u32 largest_packet_cap = 15;  ///< what the bits of HwQueuePacketCap hold

/// Judges HwQueuePacketCap, and that an engine's ring can keep as many packets (AMB-54).
[[nodiscard]] constexpr broken_rule judge_queue(scheduling_model const& model) noexcept {
    u32 const cap = model.claims.hw_queue_packet_cap;
    bool const too_early = cap != 0 && model.version < wddm::v2_3;
    // AMB-54: no page says what 0 means; such a driver gets a ring of 64.
    u32 const needed = cap == 0 ? hw::usual_ring_capacity : cap;
    bool const ring_fits = is_power_of_two(model.ring_capacity) && model.ring_capacity >= needed &&
                           model.ring_capacity <= hw::most_ring_capacity;
    rule_check check{};
    check.when(too_early, rule::packet_cap_before_v2_3, static_cast<u64>(model.version));
    check.when(cap > largest_packet_cap, rule::packet_cap_too_large, cap);
    check.when(!ring_fits, rule::ring_capacity, model.ring_capacity);
    return check.found;
}

/// Judges what a driver promises of timeout recovery (TDR-01).
[[nodiscard]] constexpr broken_rule judge_recovery(scheduling_capabilities const& claims, wddm version) noexcept {
    auto const functions = static_cast<u64>(claims.recovery);
    bool const per_adapter = contains_all(claims.recovery, recovery_functions::per_adapter);
    bool const per_engine = contains_all(claims.recovery, recovery_functions::per_engine);
    rule_check check{};
    check.when(!per_adapter, rule::no_adapter_recovery, functions);
    judge_since(check, claims.support_per_engine_tdr, version, wddm::win8, rule::per_engine_before_win8);
    check.when(may_be_yes(claims.support_per_engine_tdr) && !per_engine, rule::no_engine_recovery, functions);
    return check.found;
}

/// Judges flips by the kind of adapter (FLP-01, FLP-08).
[[nodiscard]] constexpr broken_rule judge_flips(scheduling_capabilities const& claims) noexcept {
    auto const flips = static_cast<u64>(claims.flips);
    bool const needs_mmio = claims.kind == adapter_kind::full && may_be_yes(claims.preemption_aware);
    bool const has_mmio = contains_all(claims.flips, flip_caps::on_vsync_mmio);
    bool const needs_none = claims.kind == adapter_kind::compute_only;
    rule_check check{};
    check.when(needs_mmio && !has_mmio, rule::no_flip_on_vsync, flips);
    check.when(needs_none && claims.flips != flip_caps::none, rule::compute_only_flips, flips);
    return check.found;
}

/// Judges what follows from the kind of adapter (PRE-07, PRE-28, AMB-35).
[[nodiscard]] constexpr broken_rule judge_kind(scheduling_model const& model) noexcept {
    using enum rule;
    scheduling_capabilities const& claims = model.claims;
    rule_check check{};
    check.add(judge_flips(claims));
    if (claims.kind == adapter_kind::compute_only) {
        auto const low_irql = claims.low_irql_preempt_command;
        auto const unpatched = claims.no_dma_patching;
        bool const computes = coarsest_compute(model.engines) != compute_preemption_granularity::none;
        check.when(!computes, compute_only_granularity);
        check.when(low_irql != claim::yes, compute_only_preempt_irql, static_cast<u64>(low_irql));
        // AMB-35: the page of compute-only drivers wants NoDmaPatching clear, although their addresses are virtual.
        check.when(may_be_yes(unpatched), compute_only_patching, static_cast<u64>(unpatched));
        check.when(claims.hw_queue_packet_cap != 0, compute_only_packet_cap, claims.hw_queue_packet_cap);
    }
    return check.found;
}

/// The first rule that claims and engines break together.
///
/// Source pages: gpu-preemption.md, ns-d3dkmddi-_dxgk_vidschcaps.md, mcdm-implementation-guidelines.md,
/// tdr-changes-in-windows-8.md, nc-d3dkmddi-dxgkddi_cancelcommand.md, ns-d3dkmddi-_dxgk_gpuenginetopology.md,
/// live-migration-on-gpup-devices.md.
///
/// @return no_rule_broken, or the rule, the node that breaks it (else 0) and the wrong number
[[nodiscard]] constexpr broken_rule judge(scheduling_model const& model) noexcept {
    if (model.engines.count == 0 || model.engines.count > hw::most_nodes) {
        return {rule::number_of_engines, 0, model.engines.count};
    }
    auto const nodes = static_cast<u32>(model.engines.count);
    scheduling_capabilities const& claims = model.claims;
    rule_check check{};
    for (u32 node = 0; node < nodes; ++node) {
        check.add(judge_engine(model, node));
    }
    check.add(judge_vidschcaps(claims, model.version));
    check.add(judge_queue(model));
    check.add(judge_recovery(claims, model.version));
    check.add(judge_kind(model));
    check.when(claims.paging_node >= nodes, rule::paging_node, claims.paging_node);
    judge_pair(check, claims.live_migration, claims.dirty_bit_tracking, rule::live_migration_alone);
    // A driver learns of removed packets where their saved state would outlive them (TDR-14, AMB-52).
    for (preemption_engine const& engine : model.engines) {
        if (stops_inside(engine)) {
            judge_pair(check, claims.preemption_aware, claims.cancel_command_aware, rule::cancel_command_missing);
        }
        ++check.place;
    }
    return check.found;
}

}  // namespace wddmcore::preemption::detail
