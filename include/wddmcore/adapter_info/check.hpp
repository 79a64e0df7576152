// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/binding.hpp"
#include "../gpuva/judge.hpp"
#include "../hw/check_numbers.hpp"
#include "../iommu/judge.hpp"
#include "../paging/check.hpp"
#include "promises.hpp"

/// Whether a hardware type can answer for its adapter, at compile time: the first thing that is wrong, as one sentence.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// The first rule that tables in implicit system memory break, of a type whose segments are a constant: tables there
/// have 4096 bytes at the most (GVA-06). What depends on the segment table is checked when a level is asked for.
template <class Hw>
[[nodiscard]] consteval gpuva::broken_rule broken_system_tables() {
    if constexpr (requires { requires meta::is_constant_of<gpuva::page_table_segments, Hw::table_segments>; }) {
        for (gpuva::page_table_geometry const& tables : hw::geometries<Hw>()) {
            for (u32 level = 0; level < tables.level_count; ++level) {
                gpuva::level_segments const& one = Hw::table_segments.levels[level];
                bool const in_system = one.segment == segment_id{0} || one.paging_process_segment == segment_id{0};
                gpuva::broken_rule const found = gpuva::judge_home(tables, {}, level);
                if (in_system && found != gpuva::no_rule_broken) {
                    return found;
                }
            }
        }
    }
    return gpuva::no_rule_broken;
}

/// The first rule about page tables that a type breaks whose members are right in form.
template <class Hw>
[[nodiscard]] consteval gpuva::broken_rule broken_page_tables() {
    // AMB-05: one page lets a node have both MMUs, one forbids a driver to report both, one lets an adapter have both.
    // So both are refused unless the driver says that it means it.
    constexpr bool both = may_be_yes(Hw::caps.gpu_mmu) && may_be_yes(Hw::caps.io_mmu);
    if constexpr (both && !requires { requires Hw::both_mmus_on_one_adapter; }) {
        return {gpuva::rule::both_mmus, 0, 0};
    } else if constexpr (may_be_yes(Hw::caps.gpu_mmu) && Hw::caps.version >= wddm::v2_0) {
        constexpr gpuva::broken_rule geometry = gpuva::judge_chips<Hw>();
        if constexpr (geometry != gpuva::no_rule_broken) {
            return geometry;
        } else {
            for (gpuva::page_table_geometry const& tables : hw::geometries<Hw>()) {
                gpuva::broken_rule const features = gpuva::judge_caps(tables, Hw::mmu_caps, Hw::caps.version);
                if (features != gpuva::no_rule_broken) {
                    return features;
                }
            }
            return broken_system_tables<Hw>();
        }
    } else {
        return gpuva::no_rule_broken;
    }
}

/// Whether every part of a description is right; each is looked at only when those before it are. Of the first that is
/// not, the compiler says what is wrong; a sentence of another subject is always true.
template <class Hw, class Binding>
[[nodiscard]] consteval bool describes_adapter() {
    using hw::detail::all_of;
    using form = all_of<hw::detail::capabilities_promise, version_promise<Binding>, chosen_promise, segments_promise,
                        page_tables_promise, iommu_promise>;
    using commands = all_of<scheduling_promise, paging::detail::operation_promises, paging_buffer_promise>;
    if constexpr (!form::template kept<Hw>()) {
        return form::template kept<Hw, true>();
    } else if constexpr (iommu::judge(Hw::caps, iommu_claims_of<Hw>()) != iommu::no_rule_broken) {
        constexpr iommu::broken_rule found = iommu::judge(Hw::caps, iommu_claims_of<Hw>());
        return !iommu::sentence<found.what, found.place, found.value>();
    } else if constexpr (broken_page_tables<Hw>() != gpuva::no_rule_broken) {
        constexpr gpuva::broken_rule found = broken_page_tables<Hw>();
        return !gpuva::sentence<found.what, found.place, found.value>();
    } else if constexpr (!preemption::detail::keeps_every_rule<Hw>()) {
        return !check_preemption<Hw>();
    } else {
        return commands::template kept<Hw, true>();
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
