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

/// The first of several answers that is a broken rule; no_rule_broken when none is.
template <class... Found>
[[nodiscard]] constexpr broken_rule first_broken(Found const&... each) noexcept {
    broken_rule found = no_rule_broken;
    ((found == no_rule_broken ? static_cast<void>(found = each) : static_cast<void>(0)), ...);
    return found;
}

/// A rule, where it is broken.
[[nodiscard]] constexpr broken_rule broken_if(bool broken, rule what, u32 place, u64 value) noexcept {
    return broken ? broken_rule{what, place, value} : no_rule_broken;
}

/// Judges a claim that begins with a version.
[[nodiscard]] constexpr broken_rule judge_since(claim claimed, wddm version, wddm since, rule what) noexcept {
    return broken_if(may_be_yes(claimed) && version < since, what, 0, static_cast<u64>(version));
}

/// Judges a claim that needs another one (only_with).
[[nodiscard]] constexpr broken_rule judge_pair(claim claimed, claim needed, rule what, u32 place = 0) noexcept {
    return broken_if(!only_with(claimed, needed), what, place, static_cast<u64>(needed));
}

/// Judges one kind of work of one engine: a number of the DDI (PRE-04), and saved state where it stops inside (AMB-51).
template <class Granularity>
[[nodiscard]] constexpr broken_rule judge_point(preemption_point<Granularity> const& point, u32 node) noexcept {
    u32 const number = static_cast<u32>(point.granularity);
    bool const inside = point.runs && stopping_at(number) == stopping::inside_a_buffer;
    return first_broken(broken_if(!is_preemption_granularity(number), rule::unknown_granularity, node, number),
                        broken_if(inside && point.saved_state.n == 0, rule::saved_state, node, number));
}

/// Whether an engine stops some kind of work inside a DMA buffer.
[[nodiscard]] constexpr bool stops_inside(preemption_engine const& engine) noexcept {
    constexpr auto inside = [](auto const& point) {
        return point.runs && stopping_at(static_cast<u32>(point.granularity)) == stopping::inside_a_buffer;
    };
    return inside(engine.graphics) || inside(engine.compute) || inside(engine.other);
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
    return first_broken(broken_if(!runs, rule::engine_runs_nothing, node, 0), judge_point(engine.graphics, node),
                        judge_point(engine.compute, node), judge_point(engine.other, node),
                        broken_if(may_lose_state, rule::stops_inside_patched_buffers, node, 0),
                        broken_if(must_stop && engine.waits == hardware_waits::cannot_be_stopped,
                                  rule::wait_cannot_be_stopped, node, 0),
                        broken_if(computes_without_stops, rule::compute_only_granularity, node, 0));
}

/// Judges the bits of DXGK_VIDSCHCAPS against each other and against the version (PRE-01, PRE-02, SPL-13).
///
/// NoDmaPatching needs MultiEngineAware as well, which follows from PreemptionAware.
[[nodiscard]] constexpr broken_rule judge_vidschcaps(scheduling_capabilities const& claims, wddm version) noexcept {
    using enum rule;
    return first_broken(
        judge_since(claims.preemption_aware, version, wddm::win8, preemption_before_win8),
        judge_pair(claims.preemption_aware, claims.multi_engine_aware, preemption_alone),
        judge_pair(claims.no_dma_patching, claims.preemption_aware, no_dma_patching_alone),
        judge_since(claims.cancel_command_aware, version, wddm::win8, cancel_command_before_win8),
        judge_pair(claims.cancel_command_aware, claims.multi_engine_aware, cancel_command_alone),
        judge_since(claims.virtual_addressing, version, wddm::v2_0, virtual_addressing_before_v2_0),
        judge_pair(claims.no_dma_patching, claims.virtual_addressing, no_dma_patching_with_physical_addresses),
        judge_since(claims.no_64_bit_atomics, version, wddm::v2_0, no_64_bit_atomics_before_v2_0),
        judge_since(claims.low_irql_preempt_command, version, wddm::v2_0, low_irql_before_v2_0),
        judge_since(claims.native_gpu_fence, version, wddm::v3_1, native_fence_before_v3_1),
        judge_pair(claims.optimized_native_fence_signaled_interrupt, claims.native_gpu_fence,
                   optimized_interrupt_alone));
}

/// Judges that a driver learns of removed packets where their saved state would outlive them (TDR-14, AMB-52).
[[nodiscard]] constexpr broken_rule judge_cancel(scheduling_model const& model, u32 node) noexcept {
    scheduling_capabilities const& claims = model.claims;
    return stops_inside(model.engines[node])
               ? judge_pair(claims.preemption_aware, claims.cancel_command_aware, rule::cancel_command_missing, node)
               : no_rule_broken;
}

inline constexpr u32 largest_packet_cap = 15;  ///< what the bits of HwQueuePacketCap hold

/// Judges HwQueuePacketCap, and that an engine's ring can keep as many packets (AMB-54).
[[nodiscard]] constexpr broken_rule judge_queue(scheduling_model const& model) noexcept {
    u32 const cap = model.claims.hw_queue_packet_cap;
    // AMB-54: no page says what 0 means; such a driver gets a ring of 64.
    u32 const needed = cap == 0 ? hw::usual_ring_capacity : cap;
    bool const ring_fits = is_power_of_two(model.ring_capacity) && model.ring_capacity >= needed &&
                           model.ring_capacity <= hw::most_ring_capacity;
    return first_broken(broken_if(cap != 0 && model.version < wddm::v2_3, rule::packet_cap_before_v2_3, 0,
                                  static_cast<u64>(model.version)),
                        broken_if(cap > largest_packet_cap, rule::packet_cap_too_large, 0, cap),
                        broken_if(!ring_fits, rule::ring_capacity, 0, model.ring_capacity));
}

/// Judges what a driver promises of timeout recovery (TDR-01).
[[nodiscard]] constexpr broken_rule judge_recovery(scheduling_capabilities const& claims, wddm version) noexcept {
    auto const functions = static_cast<u64>(claims.recovery);
    bool const per_adapter = contains_all(claims.recovery, recovery_functions::per_adapter);
    bool const per_engine = contains_all(claims.recovery, recovery_functions::per_engine);
    return first_broken(
        broken_if(!per_adapter, rule::no_adapter_recovery, 0, functions),
        judge_since(claims.support_per_engine_tdr, version, wddm::win8, rule::per_engine_before_win8),
        broken_if(may_be_yes(claims.support_per_engine_tdr) && !per_engine, rule::no_engine_recovery, 0, functions));
}

/// Judges flips by the kind of adapter (FLP-01, FLP-08).
[[nodiscard]] constexpr broken_rule judge_flips(scheduling_capabilities const& claims) noexcept {
    auto const flips = static_cast<u64>(claims.flips);
    bool const needs_mmio = claims.kind == adapter_kind::full && may_be_yes(claims.preemption_aware);
    bool const needs_none = claims.kind == adapter_kind::compute_only;
    return first_broken(broken_if(needs_mmio && !contains_all(claims.flips, flip_caps::on_vsync_mmio),
                                  rule::no_flip_on_vsync, 0, flips),
                        broken_if(needs_none && claims.flips != flip_caps::none, rule::compute_only_flips, 0, flips));
}

/// Judges what follows from the kind of adapter (PRE-07, PRE-28, AMB-35).
[[nodiscard]] constexpr broken_rule judge_kind(scheduling_model const& model) noexcept {
    using enum rule;
    scheduling_capabilities const& claims = model.claims;
    broken_rule const of_flips = judge_flips(claims);
    if (of_flips != no_rule_broken || claims.kind != adapter_kind::compute_only) {
        return of_flips;
    }
    auto const low_irql = claims.low_irql_preempt_command;
    bool const computes = coarsest_compute(model.engines) != compute_preemption_granularity::none;
    // AMB-35: the page of compute-only drivers wants NoDmaPatching clear, although their addresses are virtual.
    return first_broken(
        broken_if(!computes, compute_only_granularity, 0, 0),
        broken_if(low_irql != claim::yes, compute_only_preempt_irql, 0, static_cast<u64>(low_irql)),
        broken_if(may_be_yes(claims.no_dma_patching), compute_only_patching, 0,
                  static_cast<u64>(claims.no_dma_patching)),
        broken_if(claims.hw_queue_packet_cap != 0, compute_only_packet_cap, 0, claims.hw_queue_packet_cap));
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
    broken_rule found = no_rule_broken;
    for (u32 node = 0; node < nodes && found == no_rule_broken; ++node) {
        found = judge_engine(model, node);
    }
    scheduling_capabilities const& claims = model.claims;
    found = first_broken(found, judge_vidschcaps(claims, model.version), judge_queue(model),
                         judge_recovery(claims, model.version), judge_kind(model),
                         broken_if(claims.paging_node >= nodes, rule::paging_node, 0, claims.paging_node),
                         judge_pair(claims.live_migration, claims.dirty_bit_tracking, rule::live_migration_alone));
    for (u32 node = 0; node < nodes && found == no_rule_broken; ++node) {
        found = judge_cancel(model, node);
    }
    return found;
}

}  // namespace wddmcore::preemption::detail
