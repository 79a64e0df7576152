// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge.hpp"
#include "sentences.hpp"

/// What a driver tells the system about preemption, made from its hardware type and checked at compile time.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

template <class T, auto Value>
inline constexpr bool constant_is = meta::same_as<meta::bare<decltype(Value)>, T>;

/// The first member that a hardware type owes to preemption and does not have.
template <class Hw>
[[nodiscard]] consteval model_defect broken_model() {
    using enum model_member;
    if constexpr (!requires { Hw::scheduling; }) {
        return {scheduling, hw::defect::missing};
    } else if constexpr (!requires { requires constant_is<scheduling_claims, Hw::scheduling>; }) {
        return {scheduling, hw::defect::not_a_constant};
    } else if constexpr (!requires { Hw::preemption_engines; }) {
        return {preemption_engines, hw::defect::missing};
    } else if constexpr (!requires { requires constant_is<hw::engine_preemption, Hw::preemption_engines[0]>; }) {
        return {preemption_engines, hw::defect::not_a_constant};
    } else if constexpr (!requires { Hw::acknowledges_when_idle; }) {
        return {acknowledges_when_idle, hw::defect::missing};
    } else if constexpr (!requires { requires constant_is<bool, Hw::acknowledges_when_idle>; }) {
        return {acknowledges_when_idle, hw::defect::not_a_constant};
    } else if constexpr (!requires { Hw::stops_waiting_packets; }) {
        return {stops_waiting_packets, hw::defect::missing};
    } else if constexpr (!requires { requires constant_is<bool, Hw::stops_waiting_packets>; }) {
        return {stops_waiting_packets, hw::defect::not_a_constant};
    } else if constexpr (!requires { Hw::state_survives_patching; }) {
        return {state_survives_patching, hw::defect::missing};
    } else if constexpr (!requires { requires constant_is<bool, Hw::state_survives_patching>; }) {
        return {state_survives_patching, hw::defect::not_a_constant};
    } else if constexpr (!requires { Hw::ring_capacity; }) {
        return {ring_capacity, hw::defect::missing};
    } else if constexpr (!requires { requires constant_is<u32, Hw::ring_capacity>; }) {
        return {ring_capacity, hw::defect::not_a_constant};
    } else {
        return model_is_whole;
    }
}

/// The engines of a whole model as judge() wants them.
template <class Hw>
[[nodiscard]] consteval engine_promises promises_of() {
    return {Hw::preemption_engines, static_cast<u32>(sizeof Hw::preemption_engines / sizeof Hw::preemption_engines[0]),
            Hw::state_survives_patching, Hw::ring_capacity};
}

template <class Hw>
[[nodiscard]] consteval bool check_rules() {
    constexpr scheduling_finding found = judge(Hw::scheduling, promises_of<Hw>());
    static_cast<void>(scheduling_sentence<found.rule, found.place, found.value>());
    return found.rule == scheduling_rule::none;
}

/// Checks a hardware type against everything that preemption wants of it, at compile time.
///
/// A broken promise is one compile error: a sentence that names the member, its form and its unit.
/// @tparam Hw  a hardware type with `static constexpr scheduling_claims scheduling` and a hw::preemption_model
/// @return true when every promise is kept
template <class Hw>
[[nodiscard]] consteval bool check_preemption() {
    constexpr model_defect found = broken_model<Hw>();
    static_cast<void>(model_sentence<found.what, found.how>());
    if constexpr (found == model_is_whole) {
        return check_rules<Hw>();
    } else {
        return false;
    }
}

/// The capacity of a checked hardware type's ring, in packets.
template <class Hw>
[[nodiscard]] consteval u32 ring_capacity_of() {
    if constexpr (check_preemption<Hw>()) {
        return Hw::ring_capacity;
    } else {
        return most_packets;
    }
}

/// Whether a checked hardware type answers a request that finds nothing to stop.
template <class Hw>
[[nodiscard]] consteval bool acknowledges_when_idle() {
    if constexpr (check_preemption<Hw>()) {
        return Hw::acknowledges_when_idle;
    } else {
        return false;
    }
}

/// Fills DXGK_VIDSCHCAPS, the member SchedulingCaps of DXGK_DRIVERCAPS; every bit is set, to 0 as well as to 1.
///
/// @param caps  the structure; its member Value is written
/// Any IRQL, touches no OS state. WDDM 1.0 and later. Source page: ns-d3dkmddi-_dxgk_vidschcaps.md.
template <class Hw, class Caps>
constexpr void fill_scheduling_caps(Caps& caps) noexcept {
    if constexpr (check_preemption<Hw>()) {
        caps.Value = vidschcaps_value(Hw::scheduling);
    }
}

/// Fills D3DKMDT_PREEMPTION_CAPS, the member PreemptionCaps of DXGK_DRIVERCAPS (PRE-04, PRE-05).
///
/// @param caps  the structure; both of its members are written
/// Any IRQL, touches no OS state. WDDM 1.2 and later. Source page: ns-d3dkmdt-_d3dkmdt_preemption_caps.md.
template <class Hw, class Caps>
constexpr void fill_preemption_caps(Caps& caps) noexcept {
    if constexpr (check_preemption<Hw>()) {
        constexpr engine_promises all = promises_of<Hw>();
        constexpr granularities found = coarsest(all.engines, all.engine_count);
        caps.GraphicsPreemptionGranularity =
            static_cast<meta::bare<decltype(caps.GraphicsPreemptionGranularity)>>(found.graphics);
        caps.ComputePreemptionGranularity =
            static_cast<meta::bare<decltype(caps.ComputePreemptionGranularity)>>(found.compute);
    }
}

}  // namespace wddmcore::preemption
