// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../paging/smallest_paging_buffer.hpp"
#include "../preemption/claims/check.hpp"
#include "description.hpp"

/// What a hardware type has to say about its adapter, judged as the promises of hw/promises/keeps.hpp: what can be
/// missing, or contradict itself, with the compiler's sentence beside it. Why an answer is refused at run time is a
/// `query_reason`, because that is what a driver returns a status for.
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

/// Whether a type has page tables of its own, claimed or not.
template <class Hw>
concept has_page_table_geometry = requires { requires hw::is_geometry<Hw, Hw::page_tables>; };

/// The version of the included header.
template <class Binding>
struct version_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool kept = Hw::caps.version <= Binding::version;
        static_assert(!Aloud || kept, "capabilities: `version` declares a newer WDDM version than the included header "
                                      "has (DXGKDDI_INTERFACE_VERSION)");
        return kept;
    }
};

/// `chosen`, where `caps` leaves something open.
struct chosen_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool has_chosen = requires(Hw const& hw) { hw.chosen; };
        if constexpr (!has_chosen && needs_choice(Hw::caps)) {
            static_assert(!Aloud, "adapter: `caps` leaves something to AddDevice (an `at_run_time`, two aperture "
                                  "forms or update modes, an `oldest` below `version`): write a member "
                                  "`wddmcore::capabilities chosen`, decided there");
        } else if constexpr (has_chosen && !requires(Hw const& hw) {
                                 requires meta::same_as<meta::bare<decltype(hw.chosen)>, capabilities>;
                             }) {
            static_assert(!Aloud, "adapter: `chosen` exists but is not a data member of type `wddmcore::capabilities`");
        } else {
            return true;
        }
        return false;
    }
};

/// `segments`.
struct segments_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool right = segments_by_function<Hw> || segments_by_table<Hw> || segments_by_view<Hw>;
        constexpr bool declared = requires { &Hw::segments; };
        if constexpr (!right && declared) {
            static_assert(!Aloud, "adapter: `segments` exists but is neither a table with `wddmcore::segment::view "
                                  "all() const`, nor a view, nor callable as `wddmcore::segment::view "
                                  "segments(wddmcore::u32 physical_adapter) const`");
        } else if constexpr (!right) {
            static_assert(!Aloud, "adapter: `segments` is missing or not public: write a member "
                                  "`wddmcore::segment::table<n> segments`, or `wddmcore::segment::view "
                                  "segments(wddmcore::u32 physical_adapter) const`");
        } else {
            return true;
        }
        return false;
    }
};

/// The members that page tables need, and what is claimed that needs an MMU: where `caps` claims none, DRIVERCAPS would
/// say that there is no MMU, and what was written for it would never be used.
struct page_tables_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        // Before WDDM 2.0 there are no MMUs to claim, whatever the type could do.
        constexpr bool has_mmus = Hw::caps.version >= wddm::v2_0;
        constexpr bool gpu_mmu = has_mmus && may_be_yes(Hw::caps.gpu_mmu);
        constexpr bool no_mmu = has_mmus && !may_be_yes(Hw::caps.gpu_mmu) && !may_be_yes(Hw::caps.io_mmu);
        constexpr bool has_segments = table_segments_by_function<Hw> || requires {
            requires meta::is_constant_of<gpuva::page_table_segments, Hw::table_segments>;
        };
        if constexpr (gpu_mmu && !has_page_table_geometry<Hw>) {
            static_assert(!Aloud, "adapter: `gpu_mmu` may be claimed, so write `static constexpr "
                                  "wddmcore::gpuva::page_table_geometry page_tables{...};`");
        } else if constexpr (gpu_mmu &&
                             !requires { requires meta::is_constant_of<gpuva::gpu_mmu_capabilities, Hw::mmu_caps>; }) {
            static_assert(!Aloud, "adapter: `gpu_mmu` may be claimed, so write `static constexpr "
                                  "wddmcore::gpuva::gpu_mmu_capabilities mmu_caps{...};`");
        } else if constexpr (gpu_mmu && !has_segments) {
            static_assert(!Aloud, "adapter: `gpu_mmu` may be claimed, so write `static constexpr "
                                  "wddmcore::gpuva::page_table_segments table_segments{...};`, or "
                                  "`wddmcore::gpuva::page_table_segments table_segments(wddmcore::u32 "
                                  "physical_adapter) const`");
        } else if constexpr (has_mmus && !gpu_mmu && has_page_table_geometry<Hw>) {
            static_assert(!Aloud, "adapter: the type has `page_tables`, and `caps` no `gpu_mmu`: DRIVERCAPS would "
                                  "say GpuMmuSupported 0; write `.gpu_mmu = claim::yes`, or `at_run_time`");
        } else if constexpr (no_mmu && contains(Hw::caps.addresses, paging_addresses::gpu_virtual)) {
            static_assert(!Aloud, "adapter: `addresses` may be GPU virtual, and `caps` has neither `gpu_mmu` nor "
                                  "`io_mmu`: DRIVERCAPS would say VirtualAddressingSupported 0 (GVA-35)");
        } else {
            return true;
        }
        return false;
    }
};

/// The claims about the IOMMU, in form.
struct iommu_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool declared = requires { Hw::iommu; };
        constexpr bool has_chosen = requires(Hw const& hw) { hw.chosen_iommu; };
        if constexpr (declared && !requires { requires meta::is_constant_of<iommu::capabilities, Hw::iommu>; }) {
            static_assert(!Aloud,
                          "adapter: `iommu` exists but is not a `static constexpr wddmcore::iommu::capabilities`");
        } else if constexpr (!has_chosen && !iommu::is_decided(iommu_claims_of<Hw>())) {
            static_assert(!Aloud, "adapter: `iommu` leaves a claim `at_run_time`: write a member "
                                  "`wddmcore::iommu::capabilities chosen_iommu`, decided at AddDevice (IOM-02)");
        } else if constexpr (has_chosen && !requires(Hw const& hw) {
                                 requires meta::same_as<meta::bare<decltype(hw.chosen_iommu)>, iommu::capabilities>;
                             }) {
            static_assert(!Aloud, "adapter: `chosen_iommu` exists but is not a data member of type "
                                  "`wddmcore::iommu::capabilities`");
        } else {
            return true;
        }
        return false;
    }
};

/// The choices of scheduling, of a type whose scheduling is right in form.
struct scheduling_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool has_chosen = requires(Hw const& hw) { hw.chosen_scheduling; };
        constexpr bool any_mmu = may_be_yes(Hw::caps.gpu_mmu) || may_be_yes(Hw::caps.io_mmu);
        if constexpr (!has_chosen && needs_choice(Hw::scheduling)) {
            static_assert(!Aloud, "adapter: `scheduling` leaves a claim `at_run_time`: write a member "
                                  "`wddmcore::scheduling_capabilities chosen_scheduling`, decided at AddDevice");
        } else if constexpr (has_chosen && !requires(Hw const& hw) {
                                 requires meta::same_as<meta::bare<decltype(hw.chosen_scheduling)>,
                                                        scheduling_capabilities>;
                             }) {
            static_assert(!Aloud, "adapter: `chosen_scheduling` exists but is not a data member of type "
                                  "`wddmcore::scheduling_capabilities`");
        } else if constexpr (may_be_yes(Hw::scheduling.virtual_addressing) && !any_mmu) {
            static_assert(!Aloud, "adapter: `virtual_addressing` of `scheduling` may be claimed, and `caps` has "
                                  "neither `gpu_mmu` nor `io_mmu` (GVA-35)");
        } else if constexpr (Hw::caps.compute_only != (Hw::scheduling.kind == adapter_kind::compute_only)) {
            static_assert(!Aloud, "adapter: `compute_only` of `caps` and `kind` of `scheduling` say different things "
                                  "about the adapter");
        } else if constexpr (Hw::caps.compute_only && Hw::caps.version < wddm::v2_6) {
            static_assert(!Aloud, "adapter: `compute_only` needs a `version` of WDDM 2.6 or later: before, "
                                  "DRIVERCAPS has no MiscCaps.ComputeOnly");
        } else {
            return true;
        }
        return false;
    }
};

/// The sizes of paging buffers (SEG-41).
struct paging_buffer_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool sized = requires { Hw::paging_buffer_size; };
        constexpr bool private_sized = requires { Hw::paging_private_data_size; };
        if constexpr (sized && !requires { requires meta::is_constant_of<bytes, Hw::paging_buffer_size>; }) {
            static_assert(!Aloud,
                          "adapter: `paging_buffer_size` exists but is not a `static constexpr wddmcore::bytes`");
        } else if constexpr (private_sized &&
                             !requires { requires meta::is_constant_of<bytes, Hw::paging_private_data_size>; }) {
            static_assert(!Aloud,
                          "adapter: `paging_private_data_size` exists but is not a `static constexpr wddmcore::bytes`");
        } else if constexpr (paging_buffer_size_of<Hw>() < smallest_paging_buffer<Hw>) {
            static_assert(!Aloud, "adapter: `paging_buffer_size` is below `wddmcore::smallest_paging_buffer`: a pass "
                                  "that cannot write one command is repeated for ever (SEG-41)");
        } else if constexpr (greater(paging_buffer_size_of<Hw>(), paging_private_data_size_of<Hw>()).n > ~u32{0}) {
            static_assert(!Aloud, "adapter: `paging_buffer_size` does not fit 32 bits");
        } else if constexpr (paging_private_data_size_of<Hw>() < hw::record_bytes_of<Hw>()) {
            static_assert(!Aloud, "adapter: `paging_private_data_size` is missing or below `record_bytes`: a pass "
                                  "that cannot write its record is repeated for ever");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::adapter_info::detail
