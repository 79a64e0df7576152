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

/// Judges one kind of work of one engine: a number of the DDI (PRE-04), and saved state where it stops inside (AMB-51).
template <class Granularity>
[[nodiscard]] constexpr broken_rule judge_point(preemption_point<Granularity> const& point, u32 node) noexcept {
    u32 const number = static_cast<u32>(point.granularity);
    if (!is_preemption_granularity(number)) {
        return {rule::unknown_granularity, node, number};
    }
    if (point.runs && stopping_at(number) == stopping::inside_a_buffer && point.saved_state.n == 0) {
        return {rule::saved_state, node, number};
    }
    return no_rule_broken;
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
    if (!engine.graphics.runs && !engine.compute.runs && !engine.other.runs) {
        return {rule::engine_runs_nothing, node, 0};
    }
    broken_rule const found = first_broken(judge_point(engine.graphics, node), judge_point(engine.compute, node),
                                           judge_point(engine.other, node));
    if (found != no_rule_broken) {
        return found;
    }
    // AMB-51: a preempted buffer may be patched again (PRE-20), and the saved state may hold its old addresses.
    if (stops_inside(engine) && model.claims.virtual_addressing != claim::yes && !model.state_survives_patching) {
        return {rule::stops_inside_patched_buffers, node, 0};
    }
    if (engine.waits == hardware_waits::cannot_be_stopped && may_be_yes(model.claims.preemption_aware)) {
        return {rule::wait_cannot_be_stopped, node, 0};
    }
    if (model.claims.kind == adapter_kind::compute_only && engine.compute.runs &&
        engine.compute.granularity == compute_preemption_granularity::none) {
        return {rule::compute_only_granularity, node, 0};
    }
    return no_rule_broken;
}

/// Judges the bits of DXGK_VIDSCHCAPS against each other and against the version (PRE-01, PRE-02, SPL-13).
[[nodiscard]] constexpr broken_rule judge_vidschcaps(scheduling_capabilities const& claims, wddm version) noexcept {
    auto const number = static_cast<u64>(version);
    if (may_be_yes(claims.preemption_aware) && version < wddm::win8) {
        return {rule::preemption_before_win8, 0, number};
    }
    if (!only_with(claims.preemption_aware, claims.multi_engine_aware)) {
        return {rule::preemption_alone, 0, static_cast<u64>(claims.multi_engine_aware)};
    }
    // MultiEngineAware, which it needs as well, follows from PreemptionAware.
    if (!only_with(claims.no_dma_patching, claims.preemption_aware)) {
        return {rule::no_dma_patching_alone, 0, static_cast<u64>(claims.preemption_aware)};
    }
    if (may_be_yes(claims.cancel_command_aware) && version < wddm::win8) {
        return {rule::cancel_command_before_win8, 0, number};
    }
    if (!only_with(claims.cancel_command_aware, claims.multi_engine_aware)) {
        return {rule::cancel_command_alone, 0, static_cast<u64>(claims.multi_engine_aware)};
    }
    if (may_be_yes(claims.virtual_addressing) && version < wddm::v2_0) {
        return {rule::virtual_addressing_before_v2_0, 0, number};
    }
    if (!only_with(claims.no_dma_patching, claims.virtual_addressing)) {
        return {rule::no_dma_patching_with_physical_addresses, 0, static_cast<u64>(claims.virtual_addressing)};
    }
    if (may_be_yes(claims.no_64_bit_atomics) && version < wddm::v2_0) {
        return {rule::no_64_bit_atomics_before_v2_0, 0, number};
    }
    if (may_be_yes(claims.low_irql_preempt_command) && version < wddm::v2_0) {
        return {rule::low_irql_before_v2_0, 0, number};
    }
    if (may_be_yes(claims.native_gpu_fence) && version < wddm::v3_1) {
        return {rule::native_fence_before_v3_1, 0, number};
    }
    if (!only_with(claims.optimized_native_fence_signaled_interrupt, claims.native_gpu_fence)) {
        return {rule::optimized_interrupt_alone, 0, static_cast<u64>(claims.native_gpu_fence)};
    }
    return no_rule_broken;
}

/// Judges that a driver learns of removed packets where their saved state would outlive them (TDR-14, AMB-52).
[[nodiscard]] constexpr broken_rule judge_cancel(scheduling_model const& model, u32 node) noexcept {
    bool const missing = stops_inside(model.engines[node]) &&
                         !only_with(model.claims.preemption_aware, model.claims.cancel_command_aware);
    return missing
               ? broken_rule{rule::cancel_command_missing, node, static_cast<u64>(model.claims.cancel_command_aware)}
               : no_rule_broken;
}

inline constexpr u32 largest_packet_cap = 15;  ///< what the bits of HwQueuePacketCap hold

/// Judges HwQueuePacketCap, and that an engine's ring can keep as many packets (AMB-54).
[[nodiscard]] constexpr broken_rule judge_queue(scheduling_model const& model) noexcept {
    u32 const cap = model.claims.hw_queue_packet_cap;
    if (cap != 0 && model.version < wddm::v2_3) {
        return {rule::packet_cap_before_v2_3, 0, static_cast<u64>(model.version)};
    }
    if (cap > largest_packet_cap) {
        return {rule::packet_cap_too_large, 0, cap};
    }
    // AMB-54: no page says what 0 means; such a driver gets a ring of 64.
    u32 const needed = cap == 0 ? hw::usual_ring_capacity : cap;
    if (!is_power_of_two(model.ring_capacity) || model.ring_capacity < needed ||
        model.ring_capacity > hw::most_ring_capacity) {
        return {rule::ring_capacity, 0, model.ring_capacity};
    }
    return no_rule_broken;
}

/// Judges what a driver promises of timeout recovery (TDR-01).
[[nodiscard]] constexpr broken_rule judge_recovery(scheduling_capabilities const& claims, wddm version) noexcept {
    auto const functions = static_cast<u64>(claims.recovery);
    if (!contains_all(claims.recovery, recovery_functions::per_adapter)) {
        return {rule::no_adapter_recovery, 0, functions};
    }
    if (may_be_yes(claims.support_per_engine_tdr) && version < wddm::win8) {
        return {rule::per_engine_before_win8, 0, static_cast<u64>(version)};
    }
    if (may_be_yes(claims.support_per_engine_tdr) && !contains_all(claims.recovery, recovery_functions::per_engine)) {
        return {rule::no_engine_recovery, 0, functions};
    }
    return no_rule_broken;
}

/// Judges flips by the kind of adapter (FLP-01, FLP-08).
[[nodiscard]] constexpr broken_rule judge_flips(scheduling_capabilities const& claims) noexcept {
    auto const flips = static_cast<u64>(claims.flips);
    if (claims.kind == adapter_kind::full && may_be_yes(claims.preemption_aware) &&
        !contains_all(claims.flips, flip_caps::on_vsync_mmio)) {
        return {rule::no_flip_on_vsync, 0, flips};
    }
    if (claims.kind == adapter_kind::compute_only && claims.flips != flip_caps::none) {
        return {rule::compute_only_flips, 0, flips};
    }
    return no_rule_broken;
}

/// Judges what follows from the kind of adapter (PRE-07, PRE-28, AMB-35).
[[nodiscard]] constexpr broken_rule judge_kind(scheduling_model const& model) noexcept {
    scheduling_capabilities const& claims = model.claims;
    broken_rule const of_flips = judge_flips(claims);
    if (of_flips != no_rule_broken || claims.kind != adapter_kind::compute_only) {
        return of_flips;
    }
    if (coarsest_compute(model.engines) == compute_preemption_granularity::none) {
        return {rule::compute_only_granularity, 0, 0};
    }
    if (claims.low_irql_preempt_command != claim::yes) {
        return {rule::compute_only_preempt_irql, 0, static_cast<u64>(claims.low_irql_preempt_command)};
    }
    // AMB-35: the page of compute-only drivers wants it clear, although their addresses are virtual.
    if (may_be_yes(claims.no_dma_patching)) {
        return {rule::compute_only_patching, 0, static_cast<u64>(claims.no_dma_patching)};
    }
    if (claims.hw_queue_packet_cap != 0) {
        return {rule::compute_only_packet_cap, 0, claims.hw_queue_packet_cap};
    }
    return no_rule_broken;
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
    for (u32 node = 0; node < nodes; ++node) {
        broken_rule const of_engine = judge_engine(model, node);
        if (of_engine != no_rule_broken) {
            return of_engine;
        }
    }
    broken_rule const found = first_broken(judge_vidschcaps(model.claims, model.version), judge_queue(model),
                                           judge_recovery(model.claims, model.version), judge_kind(model));
    if (found != no_rule_broken) {
        return found;
    }
    if (model.claims.paging_node >= nodes) {
        return {rule::paging_node, 0, model.claims.paging_node};
    }
    if (!only_with(model.claims.live_migration, model.claims.dirty_bit_tracking)) {
        return {rule::live_migration_alone, 0, static_cast<u64>(model.claims.dirty_bit_tracking)};
    }
    broken_rule unaware = no_rule_broken;
    for (u32 node = 0; node < nodes && unaware == no_rule_broken; ++node) {
        unaware = judge_cancel(model, node);
    }
    return unaware;
}

}  // namespace wddmcore::preemption::detail
