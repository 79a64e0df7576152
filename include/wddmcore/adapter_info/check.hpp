// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/binding.hpp"
#include "../gpuva/addressing.hpp"
#include "../iommu/judge.hpp"
#include "../paging/smallest_paging_buffer.hpp"
#include "../preemption/claims/check.hpp"
#include "description.hpp"
#include "sentences.hpp"

/// Whether a hardware type can answer for its adapter, at compile time: the first thing that is wrong, as one sentence.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

inline constexpr bytes usual_paging_buffer = 64 * kib;  ///< where the hardware type says nothing and needs no more

/// The size of a paging buffer that the driver reports.
template <class Hw>
[[nodiscard]] consteval bytes paging_buffer_size_of() noexcept {
    if constexpr (requires { Hw::paging_buffer_size; }) {
        return Hw::paging_buffer_size;
    } else {
        return greater(usual_paging_buffer, smallest_paging_buffer<Hw>);
    }
}

/// The size of its private data.
template <class Hw>
[[nodiscard]] consteval bytes paging_private_data_size_of() noexcept {
    if constexpr (requires { Hw::paging_private_data_size; }) {
        return Hw::paging_private_data_size;
    } else {
        return {0};
    }
}

/// Whether a claim of scheduling is left to AddDevice.
[[nodiscard]] consteval bool needs_choice(scheduling_capabilities const& claims) noexcept {
    for (auto const choice : preemption::choices) {
        if (claims.*choice == claim::at_run_time) {
            return true;
        }
    }
    return false;
}

/// A member as the type that it must have: absent, of another type, or right.
template <class Wanted, class Found>
inline constexpr bool is_member_of = meta::same_as<meta::bare<Found>, Wanted>;

/// Whether a type has page tables of its own, claimed or not.
template <class Hw>
concept has_page_table_geometry =
    requires { requires meta::is_constant_of<gpuva::page_table_geometry, Hw::page_tables>; };

/// What is claimed that needs an MMU, where `caps` claims none: DRIVERCAPS would say that there is no MMU, and what was
/// written for it would never be used.
template <class Hw>
[[nodiscard]] consteval rule broken_mmu_claims() {
    bool const any_mmu = may_be_yes(Hw::caps.gpu_mmu) || may_be_yes(Hw::caps.io_mmu);
    // Before WDDM 2.0 there are no MMUs to claim, whatever the type could do.
    if (Hw::caps.version < wddm::v2_0) {
        return rule::none;
    }
    if (has_page_table_geometry<Hw> && !may_be_yes(Hw::caps.gpu_mmu)) {
        return rule::page_tables_without_gpu_mmu;
    }
    return contains(Hw::caps.addresses, paging_addresses::gpu_virtual) && !any_mmu ? rule::virtual_paging_without_mmu
                                                                                   : rule::none;
}

/// What is wrong with `chosen`, `segments` and the members that page tables need.
template <class Hw>
[[nodiscard]] consteval rule broken_memory() {
    if constexpr (requires(Hw const& hw) { hw.chosen; }) {
        if constexpr (!is_member_of<capabilities, decltype(meta::declval<Hw const&>().chosen)>) {
            return rule::chosen_of_another_type;
        }
    } else if constexpr (needs_choice(Hw::caps)) {
        return rule::chosen_missing;
    }
    if constexpr (!segments_by_function<Hw> && !segments_by_table<Hw> && !segments_by_view<Hw>) {
        return requires { &Hw::segments; } ? rule::segments_of_another_type : rule::segments_missing;
    }
    if constexpr (may_be_yes(Hw::caps.gpu_mmu) && Hw::caps.version >= wddm::v2_0) {
        if constexpr (!has_page_table_geometry<Hw>) {
            return rule::page_tables_missing;
        } else if constexpr (!requires { requires meta::is_constant_of<gpuva::gpu_mmu_capabilities, Hw::mmu_caps>; }) {
            return rule::mmu_caps_missing;
        } else if constexpr (!table_segments_by_function<Hw> && !requires {
                                 requires meta::is_constant_of<gpuva::page_table_segments, Hw::table_segments>;
                             }) {
            return rule::table_segments_missing;
        }
    }
    return broken_mmu_claims<Hw>();
}

/// What is wrong with the claims about the IOMMU, in form.
template <class Hw>
[[nodiscard]] consteval rule broken_iommu() {
    if constexpr (requires { Hw::iommu; }) {
        if constexpr (!requires { requires meta::is_constant_of<iommu::capabilities, Hw::iommu>; }) {
            return rule::iommu_of_another_type;
        } else if constexpr (!iommu::is_decided(Hw::iommu) && !requires(Hw const& hw) { hw.chosen_iommu; }) {
            return rule::chosen_iommu_missing;
        }
    }
    if constexpr (requires(Hw const& hw) { hw.chosen_iommu; }) {
        if constexpr (!is_member_of<iommu::capabilities, decltype(meta::declval<Hw const&>().chosen_iommu)>) {
            return rule::chosen_iommu_of_another_type;
        }
    }
    return rule::none;
}

/// What is wrong with the choices of scheduling, of a type whose scheduling is right in form.
template <class Hw>
[[nodiscard]] consteval rule broken_scheduling() {
    if constexpr (requires(Hw const& hw) { hw.chosen_scheduling; }) {
        if constexpr (!is_member_of<scheduling_capabilities, decltype(meta::declval<Hw const&>().chosen_scheduling)>) {
            return rule::chosen_scheduling_of_another_type;
        }
    } else if constexpr (needs_choice(Hw::scheduling)) {
        return rule::chosen_scheduling_missing;
    }
    if (may_be_yes(Hw::scheduling.virtual_addressing) && !may_be_yes(Hw::caps.gpu_mmu) &&
        !may_be_yes(Hw::caps.io_mmu)) {
        return rule::virtual_addressing_without_mmu;
    }
    if (Hw::caps.compute_only != (Hw::scheduling.kind == adapter_kind::compute_only)) {
        return rule::compute_only_differs;
    }
    return Hw::caps.compute_only && Hw::caps.version < wddm::v2_6 ? rule::compute_only_before_v2_6 : rule::none;
}

/// What is wrong with the sizes of paging buffers (SEG-41).
template <class Hw>
[[nodiscard]] consteval broken_rule broken_paging_buffer() {
    if constexpr (
        requires { Hw::paging_buffer_size; } &&
        !requires { requires meta::is_constant_of<bytes, Hw::paging_buffer_size>; }) {
        return {rule::paging_buffer_size_not_a_constant};
    } else if constexpr (
        requires { Hw::paging_private_data_size; } &&
        !requires { requires meta::is_constant_of<bytes, Hw::paging_private_data_size>; }) {
        return {rule::paging_private_data_size_not_a_constant};
    } else {
        constexpr u64 size = paging_buffer_size_of<Hw>().n;
        constexpr u64 private_size = paging_private_data_size_of<Hw>().n;
        if (size < smallest_paging_buffer<Hw>.n) {
            return {rule::paging_buffer_too_small, 0, size};
        }
        if (size > ~u32{0} || private_size > ~u32{0}) {
            return {rule::paging_buffer_too_large, 0, greater(size, private_size)};
        }
        if constexpr (hw::submission_recorder<Hw>) {
            if (private_size < Hw::record_bytes.n) {
                return {rule::paging_private_data_too_small, 0, private_size};
            }
        }
        return no_rule_broken;
    }
}

/// Which MMUs the driver may claim (GVA-35).
template <class Hw>
[[nodiscard]] consteval gpuva::addressing_claims addressing_of() noexcept {
    gpuva::addressing_claims claims{};
    claims.gpu_mmu = may_be_yes(Hw::caps.gpu_mmu);
    claims.io_mmu = may_be_yes(Hw::caps.io_mmu);
    claims.virtual_addressing = claims.gpu_mmu || claims.io_mmu;
    if constexpr (requires { Hw::both_mmus_on_one_adapter; }) {
        claims.both_on_one_adapter = Hw::both_mmus_on_one_adapter;
    }
    return claims;
}

/// The first rule that tables in implicit system memory break, of a type whose segments are a constant: tables there
/// have 4096 bytes at the most (GVA-06). What depends on the segment table is checked when a level is asked for.
template <class Hw>
[[nodiscard]] consteval gpuva::broken_rule broken_system_tables() {
    if constexpr (requires { requires meta::is_constant_of<gpuva::page_table_segments, Hw::table_segments>; }) {
        for (u32 level = 0; level < Hw::page_tables.level_count; ++level) {
            gpuva::level_segments const& one = Hw::table_segments.levels[level];
            bool const in_system = one.segment == segment_id{0} || one.paging_process_segment == segment_id{0};
            gpuva::broken_rule const found = gpuva::judge_home(Hw::page_tables, {}, level);
            if (in_system && found != gpuva::no_rule_broken) {
                return found;
            }
        }
    }
    return gpuva::no_rule_broken;
}

/// The first rule about page tables that a type breaks whose members are right in form.
template <class Hw>
[[nodiscard]] consteval gpuva::broken_rule broken_page_tables() {
    constexpr gpuva::broken_rule addressing = gpuva::judge_addressing(addressing_of<Hw>(), {nullptr, 0});
    if constexpr (addressing != gpuva::no_rule_broken) {
        return addressing;
    } else if constexpr (may_be_yes(Hw::caps.gpu_mmu) && Hw::caps.version >= wddm::v2_0) {
        constexpr gpuva::broken_rule geometry = gpuva::judge(Hw::page_tables);
        if constexpr (geometry != gpuva::no_rule_broken) {
            return geometry;
        } else {
            constexpr gpuva::broken_rule features = gpuva::judge_caps(Hw::page_tables, Hw::mmu_caps, Hw::caps.version);
            return features != gpuva::no_rule_broken ? features : broken_system_tables<Hw>();
        }
    } else {
        return gpuva::no_rule_broken;
    }
}

/// Whether every part of a description is right; each is looked at only when those before it are. Of the first that is
/// not, the compiler says what is wrong; a sentence is always true.
template <class Hw, class Binding>
[[nodiscard]] consteval bool describes_adapter() {
    if constexpr (!hw::detail::capabilities_promise::kept<Hw>()) {
        return hw::detail::capabilities_promise::kept<Hw, true>();
    } else if constexpr (Hw::caps.version > Binding::version) {
        return !sentence<rule::version_above_header, static_cast<u64>(Hw::caps.version)>();
    } else if constexpr (broken_memory<Hw>() != rule::none) {
        return !sentence<broken_memory<Hw>(), 0>();
    } else if constexpr (broken_iommu<Hw>() != rule::none) {
        return !sentence<broken_iommu<Hw>(), 0>();
    } else if constexpr (iommu::judge(Hw::caps, iommu_claims_of<Hw>()) != iommu::no_rule_broken) {
        constexpr iommu::broken_rule found = iommu::judge(Hw::caps, iommu_claims_of<Hw>());
        return !iommu::sentence<found.what, found.place, found.value>();
    } else if constexpr (broken_page_tables<Hw>() != gpuva::no_rule_broken) {
        constexpr gpuva::broken_rule found = broken_page_tables<Hw>();
        return !gpuva::sentence<found.what, found.place, found.value>();
    } else if constexpr (!preemption::detail::keeps_every_rule<Hw>()) {
        return !check_preemption<Hw>();
    } else if constexpr (broken_scheduling<Hw>() != rule::none) {
        return !sentence<broken_scheduling<Hw>(), 0>();
    } else if constexpr (!paging::detail::operation_promises::kept<Hw>()) {
        return paging::detail::operation_promises::kept<Hw, true>();
    } else if constexpr (broken_paging_buffer<Hw>() != no_rule_broken) {
        constexpr broken_rule found = broken_paging_buffer<Hw>();
        return !sentence<found.what, found.value>();
    } else {
        return true;
    }
}

}  // namespace wddmcore::adapter_info::detail

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks at compile time that a hardware type describes its adapter: every member that answers need is there, of its
/// type, and claims what the DDI allows.
///
/// What is wrong is one compile error, a sentence that says what to write. answer_query_adapter_info makes the same
/// check, and instantiates nothing else when it fails. The segment table is checked by check_segments.
///
/// @tparam Hw       the hardware type, see adapter_info/description.hpp
/// @tparam Binding  the structures of the included header, or mirror_binding
/// @return true when nothing is wrong
template <class Hw, class Binding>
[[nodiscard]] consteval bool check_adapter() {
    return adapter_info::detail::describes_adapter<Hw, Binding>();
}

}  // namespace wddmcore
