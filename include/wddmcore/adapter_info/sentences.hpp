// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/breach.hpp"

/// The sentences about a hardware type that cannot answer for its adapter: one static assertion each, in a function
/// template, so that exactly one error appears and says what to do.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// What the description of an adapter can lack, or say against itself. Only the compiler finds these; why an answer is
/// refused at run time is a `query_reason`, because that is what a driver returns a status for.
enum class rule : u32 {
    none,
    binding_missing,
    version_above_header,
    chosen_missing,
    chosen_of_another_type,
    segments_missing,
    segments_of_another_type,
    page_tables_missing,
    mmu_caps_missing,
    table_segments_missing,
    page_tables_without_gpu_mmu,
    virtual_paging_without_mmu,      ///< GVA-35
    virtual_addressing_without_mmu,  ///< GVA-35
    chosen_scheduling_missing,
    chosen_scheduling_of_another_type,
    iommu_of_another_type,
    chosen_iommu_missing,
    chosen_iommu_of_another_type,
    compute_only_differs,
    compute_only_before_v2_6,
    paging_buffer_size_not_a_constant,
    paging_buffer_too_small,  ///< SEG-41
    paging_buffer_too_large,
    paging_private_data_size_not_a_constant,
    paging_private_data_too_small,
};

/// The first rule that a description breaks. It has no place: a hardware type has one description.
using broken_rule = breach<rule>;

inline constexpr broken_rule no_rule_broken{};

/// Says what is wrong, as one compile error; says nothing for rule::none. Always true.
template <rule What, u64 Value>
consteval bool sentence() {
    using enum rule;
    static_assert(What != binding_missing, "adapter: nothing says which structures the void pointers of these "
                                           "arguments are: a driver includes the binding of its DDI header, a host "
                                           "names `wddmcore::mirror_binding<version>` as first template argument");
    static_assert(What != version_above_header, "capabilities: `version` declares a newer WDDM version than the "
                                                "included header has (DXGKDDI_INTERFACE_VERSION)");
    static_assert(What != chosen_missing, "adapter: `caps` leaves something to AddDevice (an `at_run_time`, two "
                                          "aperture forms or update modes, an `oldest` below `version`): write a "
                                          "member `wddmcore::capabilities chosen`, decided there");
    static_assert(What != chosen_of_another_type,
                  "adapter: `chosen` exists but is not a data member of type `wddmcore::capabilities`");
    static_assert(What != segments_missing, "adapter: `segments` is missing or not public: write a member "
                                            "`wddmcore::segment::table<n> segments`, or `wddmcore::segment::view "
                                            "segments(wddmcore::u32 physical_adapter) const`");
    static_assert(What != segments_of_another_type,
                  "adapter: `segments` exists but is neither a table with `wddmcore::segment::view all() const`, nor a "
                  "view, nor callable as `wddmcore::segment::view segments(wddmcore::u32 physical_adapter) const`");
    static_assert(What != page_tables_missing, "adapter: `gpu_mmu` may be claimed, so write `static constexpr "
                                               "wddmcore::gpuva::page_table_geometry page_tables{...};`");
    static_assert(What != mmu_caps_missing, "adapter: `gpu_mmu` may be claimed, so write `static constexpr "
                                            "wddmcore::gpuva::gpu_mmu_capabilities mmu_caps{...};`");
    static_assert(What != table_segments_missing, "adapter: `gpu_mmu` may be claimed, so write `static constexpr "
                                                  "wddmcore::gpuva::page_table_segments table_segments{...};`, or "
                                                  "`wddmcore::gpuva::page_table_segments "
                                                  "table_segments(wddmcore::u32 physical_adapter) const`");
    static_assert(What != page_tables_without_gpu_mmu, "adapter: the type has `page_tables`, and `caps` no "
                                                       "`gpu_mmu`: DRIVERCAPS would say GpuMmuSupported 0; write "
                                                       "`.gpu_mmu = claim::yes`, or `at_run_time`");
    static_assert(What != virtual_paging_without_mmu,
                  "adapter: `addresses` may be GPU virtual, and `caps` has neither `gpu_mmu` nor `io_mmu`: DRIVERCAPS "
                  "would say VirtualAddressingSupported 0 (GVA-35)");
    static_assert(What != virtual_addressing_without_mmu,
                  "adapter: `virtual_addressing` of `scheduling` may be claimed, and `caps` has neither `gpu_mmu` nor "
                  "`io_mmu` (GVA-35)");
    static_assert(What != chosen_scheduling_missing,
                  "adapter: `scheduling` leaves a claim `at_run_time`: write a member "
                  "`wddmcore::scheduling_capabilities chosen_scheduling`, decided at AddDevice");
    static_assert(What != chosen_scheduling_of_another_type,
                  "adapter: `chosen_scheduling` exists but is not a data member of type "
                  "`wddmcore::scheduling_capabilities`");
    static_assert(What != iommu_of_another_type,
                  "adapter: `iommu` exists but is not a `static constexpr wddmcore::iommu::capabilities`");
    static_assert(What != chosen_iommu_missing,
                  "adapter: `iommu` leaves a claim `at_run_time`: write a member `wddmcore::iommu::capabilities "
                  "chosen_iommu`, decided at AddDevice (IOM-02)");
    static_assert(What != chosen_iommu_of_another_type,
                  "adapter: `chosen_iommu` exists but is not a data member of type `wddmcore::iommu::capabilities`");
    static_assert(What != compute_only_differs, "adapter: `compute_only` of `caps` and `kind` of `scheduling` say "
                                                "different things about the adapter");
    static_assert(What != compute_only_before_v2_6, "adapter: `compute_only` needs a `version` of WDDM 2.6 or later: "
                                                    "before, DRIVERCAPS has no MiscCaps.ComputeOnly");
    static_assert(What != paging_buffer_size_not_a_constant,
                  "adapter: `paging_buffer_size` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(What != paging_buffer_too_small,
                  "adapter: `paging_buffer_size` is below `wddmcore::smallest_paging_buffer`: a pass that cannot write "
                  "one command is repeated for ever (SEG-41)");
    static_assert(What != paging_buffer_too_large, "adapter: `paging_buffer_size` does not fit 32 bits");
    static_assert(What != paging_private_data_size_not_a_constant,
                  "adapter: `paging_private_data_size` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(What != paging_private_data_too_small, "adapter: `paging_private_data_size` is missing or below "
                                                         "`record_bytes`: a pass that cannot write its record is "
                                                         "repeated for ever");
    return true;
}

}  // namespace wddmcore::adapter_info::detail
