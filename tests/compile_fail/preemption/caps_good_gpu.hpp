// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/claims/check.hpp>

// A hardware type with every promise of scheduling kept; a case defines one of these before it includes this file.
#ifndef gpu_caps
#    define gpu_caps static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v3_1};
#endif
#ifndef gpu_list
#    define gpu_list {three_d, compute, copies}
#endif
#ifndef gpu_engines
#    define gpu_engines static constexpr wddmcore::preemption_engine engines[] = gpu_list;
#endif
#ifndef gpu_scheduling
#    define gpu_scheduling static constexpr wddmcore::scheduling_capabilities scheduling = claimed();
#endif
#ifndef gpu_claim
#    define gpu_claim
#endif
#ifndef gpu_kind
#    define gpu_kind wddmcore::adapter_kind::full
#endif
#ifndef gpu_options
#    define gpu_options static constexpr wddmcore::u32 ring_capacity = 64;
#endif

using wddmcore::claim;
using graphics_granularity = wddmcore::graphics_preemption_granularity;
using compute_granularity = wddmcore::compute_preemption_granularity;
using other_granularity = wddmcore::other_preemption_granularity;

inline constexpr wddmcore::preemption_engine three_d{
    .graphics = {graphics_granularity::pixel_boundary, 64 * wddmcore::kib},
    .compute = {compute_granularity::thread_group_boundary, 2 * wddmcore::mib},
    .waits = wddmcore::hardware_waits::can_be_stopped};
inline constexpr wddmcore::preemption_engine compute{.compute = {compute_granularity::dispatch_boundary, wddmcore::mib},
                                                     .acknowledges_when_idle = true};
inline constexpr wddmcore::preemption_engine copies{.other = {other_granularity::dma_buffer_boundary}};

constexpr wddmcore::scheduling_capabilities claimed() {
    wddmcore::scheduling_capabilities claims{.kind = gpu_kind,
                                             .multi_engine_aware = claim::yes,
                                             .preemption_aware = claim::yes,
                                             .cancel_command_aware = claim::yes,
                                             .virtual_addressing = claim::yes};
    if (claims.kind == wddmcore::adapter_kind::compute_only) {
        claims.low_irql_preempt_command = claim::yes;
    } else {
        claims.no_dma_patching = claim::yes;
        claims.flips = wddmcore::flip_caps::on_vsync_mmio;
    }
    gpu_claim;
    return claims;
}

struct good_gpu {
    gpu_caps gpu_engines gpu_scheduling gpu_options
};

static_assert(wddmcore::check_preemption<good_gpu>());
