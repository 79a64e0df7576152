// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/capabilities.hpp"
#include "judge.hpp"

/// Checks what is claimed for scheduling, at compile time and for what AddDevice chose. DDI: WDDM 1.2.
/// Source pages: gpu-preemption.md, ns-d3dkmddi-_dxgk_vidschcaps.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

namespace detail {

/// The model of a hardware type whose members have the right form, with other claims than its own.
///
/// @param nodes  how many of its engines a chip has
template <class Hw>
[[nodiscard]] constexpr scheduling_model model_of(scheduling_capabilities const& claims,
                                                  usize nodes = hw::engine_count<Hw>) noexcept {
    return {
        Hw::caps.version, claims, {Hw::engines, nodes}, hw::state_survives_patching<Hw>, hw::ring_capacity_of<Hw>()};
}

/// What is wrong with the form of the number of nodes, where a hardware type has it.
template <class Hw>
[[nodiscard]] consteval rule broken_node_count() {
    if constexpr (!hw::declares_node_count<Hw>) {
        return rule::none;
    } else if constexpr (!requires { requires hw::is_number_of<Hw, u32, Hw::node_count>; }) {
        return rule::node_count_not_a_number;
    } else {
        bool const fits = hw::least_of(Hw::node_count) >= 1 && hw::is_range(Hw::node_count) &&
                          hw::most_of(Hw::node_count) <= hw::engine_count<Hw>;
        return fits ? rule::none : rule::node_count_range;
    }
}

/// What is wrong with the form of a hardware type's engines.
template <class Hw>
[[nodiscard]] consteval rule broken_engines() {
    constexpr bool declared = requires { Hw::engines; };
    return hw::preemption_model<Hw> ? rule::none : declared ? rule::engines_not_a_constant : rule::engines_missing;
}

/// The first member of a hardware type that does not have the form that scheduling wants.
template <class Hw>
[[nodiscard]] consteval rule broken_form() {
    if constexpr (broken_engines<Hw>() != rule::none) {
        return broken_engines<Hw>();
    } else if constexpr (broken_node_count<Hw>() != rule::none) {
        return broken_node_count<Hw>();
    } else if constexpr (!requires { Hw::scheduling; }) {
        return rule::scheduling_missing;
    } else if constexpr (!requires { requires meta::is_constant_of<scheduling_capabilities, Hw::scheduling>; }) {
        return rule::scheduling_not_a_constant;
    } else if constexpr (
        requires { Hw::ring_capacity; } && !requires { requires meta::is_constant_of<u32, Hw::ring_capacity>; }) {
        return rule::ring_capacity_not_a_constant;
    } else if constexpr (
        requires { Hw::state_survives_patching; } &&
        !requires { requires meta::is_constant_of<bool, Hw::state_survives_patching>; }) {
        return rule::state_survives_patching_not_a_constant;
    } else {
        return rule::none;
    }
}

/// The first rule that claims break on any chip of a hardware type whose members have the right form.
template <class Hw>
[[nodiscard]] constexpr broken_rule judge_whole_range(scheduling_capabilities const& claims) noexcept {
    rule_check check{};
    for (u32 nodes = hw::most_nodes_of<Hw>(); nodes >= hw::fewest_nodes<Hw>(); --nodes) {
        check.add(judge(model_of<Hw>(claims, nodes)));
    }
    return check.found;
}

/// The first rule that a hardware type's members for scheduling break.
template <class Hw>
[[nodiscard]] consteval broken_rule first_broken_rule() {
    if constexpr (broken_form<Hw>() != rule::none) {
        return {broken_form<Hw>(), 0, 0};
    } else if constexpr (Hw::scheduling.native_gpu_fence == claim::yes) {
        // HWS-11: a source cannot know what the system will say; only what is chosen at AddDevice may be a yes.
        return {rule::native_fence_not_asked_for, 0, 0};
    } else {
        return judge_whole_range<Hw>(Hw::scheduling);
    }
}

/// Whether a hardware type's capabilities and everything that it says about scheduling are as they should be.
template <class Hw>
[[nodiscard]] consteval bool keeps_every_rule() {
    if constexpr (!hw::detail::capabilities_promise::kept<Hw>()) {
        return false;
    } else {
        return first_broken_rule<Hw>() == no_rule_broken;
    }
}

/// The first broken rule of a link: an adapter without engines, or the first that has another number of nodes than the
/// first one (LDA-02).
template <class First, class... Others>
[[nodiscard]] consteval broken_rule first_broken_rule_of_link() {
    rule_check check{};
    if constexpr (hw::preemption_model<First> && (hw::preemption_model<Others> && ...)) {
        ((++check.place, check.when(hw::most_nodes_of<Others>() != hw::fewest_nodes<First>() ||
                                        hw::fewest_nodes<Others>() != hw::most_nodes_of<First>(),
                                    rule::different_node_counts, hw::most_nodes_of<Others>())),
         ...);
    } else {
        check.add({broken_engines<First>(), 0, 0});
        (check.add({broken_engines<Others>(), 0, 0}), ...);
    }
    return check.found;
}

}  // namespace detail

/// The claims that may be left to run time; a broken_rule of check_chosen has the position here as its place.
inline constexpr claim scheduling_capabilities::* choices[] = {
    &scheduling_capabilities::multi_engine_aware,
    &scheduling_capabilities::preemption_aware,
    &scheduling_capabilities::cancel_command_aware,
    &scheduling_capabilities::virtual_addressing,
    &scheduling_capabilities::no_dma_patching,
    &scheduling_capabilities::no_64_bit_atomics,
    &scheduling_capabilities::low_irql_preempt_command,
    &scheduling_capabilities::native_gpu_fence,
    &scheduling_capabilities::optimized_native_fence_signaled_interrupt,
    &scheduling_capabilities::support_per_engine_tdr,
    &scheduling_capabilities::live_migration,
    &scheduling_capabilities::dirty_bit_tracking,
};

inline constexpr u32 place_of_packet_cap = 12;  ///< the place where more packets were chosen than are claimed
inline constexpr u32 place_of_kind = 13;        ///< the place where another kind of adapter was chosen

namespace detail {

/// Compares choices with the claims of a hardware type that keeps every rule; see check_chosen.
template <class Hw>
[[nodiscard]] constexpr broken_rule judge_choices(scheduling_capabilities const& chosen) noexcept {
    constexpr scheduling_capabilities const& most = Hw::scheduling;
    rule_check check{};
    for (u32 place = 0; place < place_of_packet_cap; ++place) {
        claim const made = chosen.*choices[place];
        check.place = place;
        check.when(made == claim::at_run_time, rule::chosen_undecided, static_cast<u64>(made));
        check.when(!contains_all(most.*choices[place], made), rule::chosen_more_than_claimed, static_cast<u64>(made));
    }
    u32 const cap = chosen.hw_queue_packet_cap;
    check.place = place_of_packet_cap;
    check.when(cap > most.hw_queue_packet_cap, rule::chosen_more_than_claimed, cap);
    check.place = place_of_kind;
    check.when(chosen.kind != most.kind, rule::chosen_more_than_claimed, static_cast<u64>(chosen.kind));
    return check.found;
}

/// The same, and what the choices break together on this chip.
template <class Hw>
[[nodiscard]] constexpr broken_rule judge_chosen(Hw const& hw, scheduling_capabilities const& chosen) noexcept {
    broken_rule const found = judge_choices<Hw>(chosen);
    return found != no_rule_broken ? found : judge(model_of<Hw>(chosen, hw::engines_of(hw).count));
}

}  // namespace detail

}  // namespace wddmcore::preemption

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks at compile time what a hardware type claims for scheduling and promises of how its engines stop.
///
/// `static_assert(wddmcore::check_preemption<my_gpu>());`: a broken rule is one compile error, a sentence that names
/// the member and what to do, with the rule, the node and the wrong number in its template arguments. What fills
/// answers makes the same check, and instantiates nothing else when it fails.
///
/// @tparam Hw  the hardware type: `caps`, `scheduling` and `engines`
/// @return true
template <class Hw>
[[nodiscard]] consteval bool check_preemption() {
    if constexpr (!hw::detail::capabilities_promise::kept<Hw>()) {
        static_cast<void>(hw::detail::capabilities_promise::kept<Hw, true>());
        return true;
    } else {
        constexpr preemption::broken_rule found = preemption::detail::first_broken_rule<Hw>();
        return preemption::sentence<found.what, found.place, found.value>();
    }
}

/// Checks at compile time that the physical adapters of a link agree: equal numbers of nodes (LDA-02).
///
/// A driver whose links hold one kind of adapter has nothing to check: one list of engines serves all of them.
///
/// Source page: tdr-changes-in-windows-8.md.
///
/// @tparam First   the hardware type of the first physical adapter
/// @tparam Others  those of the others, in the link's order
/// @return true; another number of nodes is one compile error, with the physical adapter and its number in it
template <class First, class... Others>
[[nodiscard]] consteval bool check_linked_adapters() {
    constexpr preemption::broken_rule found = preemption::detail::first_broken_rule_of_link<First, Others...>();
    return preemption::sentence<found.what, found.place, found.value>();
}

/// Judges what was chosen at AddDevice: every claim decided, none above what the hardware type ever claims, and all of
/// them together under the same rules as at compile time, for every chip of the type.
///
/// Any IRQL, nonpaged. Source pages: gpu-preemption.md, ns-d3dkmddi-_dxgk_vidschcaps.md,
/// mcdm-implementation-guidelines.md, tdr-changes-in-windows-8.md.
///
/// @param chosen  claims that are all yes or no
/// @return no_rule_broken. chosen_undecided: a claim is left open. chosen_more_than_claimed: the hardware type never
///         claims that. Both have a position of preemption::choices, place_of_packet_cap or place_of_kind as their
///         place. Any other: the rule that the choices break together, with its node
template <class Hw>
[[nodiscard]] constexpr preemption::broken_rule check_chosen(scheduling_capabilities const& chosen) noexcept {
    static_cast<void>(check_preemption<Hw>());
    if constexpr (preemption::detail::keeps_every_rule<Hw>()) {
        preemption::broken_rule const found = preemption::detail::judge_choices<Hw>(chosen);
        return found != preemption::no_rule_broken ? found : preemption::detail::judge_whole_range<Hw>(chosen);
    } else {
        return preemption::no_rule_broken;
    }
}

/// The same for one chip of a hardware type whose `node_count` is chosen_within a range: its paging node, for example,
/// only has to be below its own number of nodes.
///
/// Any IRQL, nonpaged.
///
/// @param hw      a chip that check_numbers accepts
/// @param chosen  claims that are all yes or no
/// @return as above
template <class Hw>
[[nodiscard]] constexpr preemption::broken_rule check_chosen(Hw const& hw,
                                                             scheduling_capabilities const& chosen) noexcept {
    static_cast<void>(check_preemption<Hw>());
    if constexpr (preemption::detail::keeps_every_rule<Hw>()) {
        return preemption::detail::judge_chosen(hw, chosen);
    } else {
        return preemption::no_rule_broken;
    }
}

}  // namespace wddmcore
