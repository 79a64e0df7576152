// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/claims/answers.hpp>

/// A hardware type whose claims for scheduling keep every rule; tests change one thing at a time.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline constexpr scheduling_capabilities all_claims{
    .kind = adapter_kind::full,
    .multi_engine_aware = claim::yes,
    .preemption_aware = claim::at_run_time,
    .cancel_command_aware = claim::yes,
    .virtual_addressing = claim::yes,
    .no_dma_patching = claim::at_run_time,
    .no_64_bit_atomics = claim::at_run_time,
    .low_irql_preempt_command = claim::at_run_time,
    .hw_queue_packet_cap = 12,
    .native_gpu_fence = claim::at_run_time,
    .optimized_native_fence_signaled_interrupt = claim::at_run_time,
    .support_per_engine_tdr = claim::yes,
    .recovery = recovery_functions::per_engine,
    .flips = flip_caps::on_vsync_mmio | flip_caps::independent,
    .paging_node = 2,
    .live_migration = claim::at_run_time,
    .dirty_bit_tracking = claim::yes,
};

struct claiming_gpu {
    static constexpr capabilities caps{.version = wddm::v3_2, .oldest = wddm::vista};
    static constexpr scheduling_capabilities scheduling = all_claims;
    static constexpr preemption_engine engines[] = {
        {.graphics = {graphics_preemption_granularity::pixel_boundary, 64 * kib},
         .compute = {compute_preemption_granularity::thread_group_boundary, 2 * mib},
         .waits = hardware_waits::can_be_stopped},
        {.compute = {compute_preemption_granularity::dispatch_boundary, mib}, .acknowledges_when_idle = true},
        {.other = {other_preemption_granularity::dma_buffer_boundary}},
    };
    static constexpr u32 ring_capacity = 16;
};

/// What such a driver may choose: every claim that it left open is a yes.
inline constexpr scheduling_capabilities everything_chosen = [] {
    scheduling_capabilities chosen = all_claims;
    chosen.preemption_aware = chosen.no_dma_patching = chosen.no_64_bit_atomics = claim::yes;
    chosen.low_irql_preempt_command = chosen.live_migration = claim::yes;
    chosen.native_gpu_fence = chosen.optimized_native_fence_signaled_interrupt = claim::yes;
    return chosen;
}();

/// ... and every one that it left open is a no.
inline constexpr scheduling_capabilities least_chosen = [] {
    scheduling_capabilities chosen = all_claims;
    chosen.preemption_aware = chosen.no_dma_patching = chosen.no_64_bit_atomics = claim::no;
    chosen.low_irql_preempt_command = chosen.live_migration = claim::no;
    chosen.native_gpu_fence = chosen.optimized_native_fence_signaled_interrupt = claim::no;
    return chosen;
}();

}  // namespace wddmcore::testing
