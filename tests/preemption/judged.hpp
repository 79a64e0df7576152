// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "claiming_gpu.hpp"

/// The good model with one thing changed, and what is said about it.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The good model with some claims changed.
template <class Change>
constexpr preemption::broken_rule judged(Change change) {
    scheduling_capabilities claims = all_claims;
    change(claims);
    return preemption::detail::judge(preemption::detail::model_of<claiming_gpu>(claims));
}

/// ... declared at another version, and with claims that need none.
template <class Change>
constexpr preemption::broken_rule judged_at(wddm version, Change change) {
    constexpr preemption_engine copies[] = {{.other = {other_preemption_granularity::dma_buffer_boundary}}};
    scheduling_capabilities claims{};
    change(claims);
    return preemption::detail::judge({version, claims, span_of(copies), false, 64});
}

/// ... with another engine at node 1.
constexpr preemption::broken_rule judged_with(preemption_engine const& engine,
                                              scheduling_capabilities claims = all_claims,
                                              bool state_survives_patching = false) {
    preemption_engine const engines[] = {claiming_gpu::engines[2], engine, claiming_gpu::engines[2]};
    return preemption::detail::judge({wddm::v3_2, claims, span_of(engines), state_survives_patching, 16});
}

inline constexpr scheduling_capabilities compute_only{.kind = adapter_kind::compute_only,
                                                      .multi_engine_aware = claim::yes,
                                                      .preemption_aware = claim::yes,
                                                      .cancel_command_aware = claim::yes,
                                                      .virtual_addressing = claim::yes,
                                                      .low_irql_preempt_command = claim::yes};

template <class Change>
constexpr preemption::broken_rule judged_compute_only(Change change) {
    scheduling_capabilities claims = compute_only;
    change(claims);
    return preemption::detail::judge({wddm::v3_2, claims, span_of(claiming_gpu::engines), false, 64});
}

}  // namespace wddmcore::testing
