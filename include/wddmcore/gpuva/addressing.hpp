// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/span.hpp"
#include "rules.hpp"

/// How engines address memory: the claims of the driver and of its physical adapters, which must agree.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: ns-d3dkmddi-_dxgk_vidmmcaps.md, ns-d3dkmddi-_dxgk_physicaladapterflags.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// Of DXGK_VIDMMCAPS: VirtualAddressingSupported, GpuMmuSupported, IoMmuSupported.
struct addressing_claims {
    bool virtual_addressing = false;
    bool gpu_mmu = false;
    bool io_mmu = false;
    bool both_on_one_adapter = false;  ///< the driver means it when an adapter claims both (AMB-05)
};

/// Of DXGK_PHYSICALADAPTERFLAGS: GpuMmuSupported, IoMmuSupported.
struct adapter_mmus {
    bool gpu_mmu = false;
    bool io_mmu = false;
};

/// The first rule that claims break (GVA-35).
///
/// AMB-05: one page lets a node have both MMUs, one forbids a driver to report both, one lets an adapter have both.
/// Both together are refused unless the driver says `both_on_one_adapter`.
///
/// @param claims    any claims of the driver
/// @param adapters  the physical adapters in the order of the link; empty: not checked
/// @return no_rule_broken; otherwise the rule, and for rule::adapter_differs the physical adapter
[[nodiscard]] constexpr broken_rule judge_addressing(addressing_claims const& claims,
                                                     span<adapter_mmus const> adapters) noexcept {
    bool const any_mmu = claims.gpu_mmu || claims.io_mmu;
    detail::rule_check check{};
    check.when(claims.virtual_addressing && !any_mmu, rule::no_mmu, 0);
    check.when(!claims.virtual_addressing && any_mmu, rule::mmu_alone, 0);
    check.when(claims.gpu_mmu && claims.io_mmu && !claims.both_on_one_adapter, rule::both_mmus, 0);
    adapter_mmus found{};
    for (adapter_mmus const& one : adapters) {
        check.when((one.gpu_mmu && !claims.gpu_mmu) || (one.io_mmu && !claims.io_mmu), rule::adapter_differs, 0);
        found = {found.gpu_mmu || one.gpu_mmu, found.io_mmu || one.io_mmu};
        ++check.place;
    }
    bool const unused = (claims.gpu_mmu && !found.gpu_mmu) || (claims.io_mmu && !found.io_mmu);
    check.place = 0;
    check.when(!adapters.empty() && unused, rule::no_adapter_has_an_mmu, adapters.count);
    return check.found;
}

/// Checks claims at compile time; one compile error says what is wrong.
///
/// @tparam Claims    a constant of static storage
/// @tparam Adapters  a constant array of adapter_mmus
/// @return true
template <addressing_claims const& Claims, auto const& Adapters>
[[nodiscard]] consteval bool check_addressing() {
    constexpr broken_rule found = judge_addressing(Claims, span_of(Adapters));
    return sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore::gpuva
