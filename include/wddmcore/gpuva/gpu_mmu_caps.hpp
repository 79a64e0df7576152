// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/pte_flags.hpp"
#include "../hw/capabilities.hpp"
#include "judge.hpp"
#include "members.hpp"

/// What a driver claims about its page tables in DXGKQAITYPE_GPUMMUCAPS: whether it agrees with the page tables, and
/// the answer that is made from it.
///
/// AMB-36: the page of the query types calls 14 and 15 reserved; the library answers 13, 14 and 15.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo and pageable if they answer, else any IRQL, nonpaged.
/// DDI: WDDM 2.0. Source page: ns-d3dkmddi-_dxgk_gpummucaps.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The first rule that claims break (GVA-15 to GVA-17, GVA-35).
///
/// The page says that with LargePageSupported every level but the leaf supports large pages. Hardware has them at level
/// 1 and seldom above. So the claim needs level 1, and a large page at a level that has none is refused when it
/// arrives.
///
/// Source page: ns-d3dkmddi-_dxgk_gpummucaps.md.
///
/// @param g        page tables that `judge` accepts
/// @param caps     any claims
/// @param version  the interface version that the driver registers with
/// @return no_rule_broken; otherwise the rule, the level, and for rule::caps_before_v2_0 the version
[[nodiscard]] constexpr broken_rule judge_caps(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                               wddm version) noexcept {
    detail::rule_check check{};
    check.when(version < wddm::v2_0, rule::caps_before_v2_0, static_cast<u64>(version));
    check.place = 1;
    check.when(caps.large_pages && !g.levels[1].large_pages, rule::large_pages_nowhere, 0);
    check.place = 0;
    check.when(caps.non_aligned_large_pages && !caps.large_pages, rule::non_aligned_without_large, 0);
    check.when(caps.system_memory_large_pages && !caps.large_pages, rule::system_large_without_large, 0);
    check.when(caps.system_memory_64k_pages && !has_64k_tables(g), rule::system_64k_without_64k, 0);
    return check.found;
}

/// Checks claims at compile time against a geometry; one compile error says what is wrong.
///
/// @tparam Geometry  page tables; they are checked first
/// @tparam Caps      a constant of static storage
/// @tparam Version   the interface version that the driver registers with
/// @return true
template <page_table_geometry const& Geometry, gpu_mmu_capabilities const& Caps, wddm Version>
[[nodiscard]] consteval bool check_gpu_mmu_caps() {
    constexpr broken_rule found =
        judge(Geometry) != no_rule_broken ? judge(Geometry) : judge_caps(Geometry, Caps, Version);
    return sentence<found.what, found.place, found.value>();
}

/// The bits of DXGK_PTE's Flags word that the claims rule out. An entry with such a bit is refused, never written
/// without it (GVA-16, GVA-19, GVA-20). The adapter, segment and page size that an entry names, and reserved bits, are
/// not checked here.
///
/// Source page: ns-d3dukmdt-_dxgk_pte.md.
///
/// @param level  the level of the table that holds the entry, below the level count
/// @return any of Zero, CacheCoherent, ReadOnly, NoExecute and LargePage as in pte_flags; 0 if the claims allow all
[[nodiscard]] constexpr u64 refused_pte_flags(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                              u32 level) noexcept {
    bool const large = caps.large_pages && g.levels[level].large_pages;
    return (caps.zero_in_pte ? 0 : pte_flags::zero_bit) | (caps.cache_coherent ? 0 : pte_flags::cache_coherent_bit) |
           (caps.read_only ? 0 : pte_flags::read_only_bit) | (caps.no_execute ? 0 : pte_flags::no_execute_bit) |
           (large ? 0 : pte_flags::large_page_bit);
}

/// Fills all of DXGK_GPUMMUCAPS: what is not claimed becomes 0, and so do reserved bits.
///
/// Source page: ns-d3dkmddi-_dxgk_gpummucaps.md. WDDM 2.0. Bits of a later version are filled only if the structure has
/// them and the driver registered with that version.
///
/// @param g        page tables that `judge` accepts
/// @param caps     claims that `judge_caps` accepts
/// @param version  the interface version that the driver registers with
/// @param answer   DXGK_GPUMMUCAPS of the included header, or a mirror
template <members::gpu_mmu_caps GpuMmuCaps>
constexpr void fill_gpu_mmu_caps(page_table_geometry const& g, gpu_mmu_capabilities const& caps, wddm version,
                                 GpuMmuCaps& answer) noexcept {
    answer.Value = 0;
    answer.ReadOnlyMemorySupported = caps.read_only;
    answer.NoExecuteMemorySupported = caps.no_execute;
    answer.ZeroInPteSupported = caps.zero_in_pte;
    answer.ExplicitPageTableInvalidation = caps.explicit_invalidation;
    answer.CacheCoherentMemorySupported = caps.cache_coherent;
    answer.PageTableUpdateRequireAddressSpaceIdle = caps.updates_need_idle;
    answer.LargePageSupported = caps.large_pages;
    answer.DualPteSupported = g.leaf == leaf_tables::both;
    if constexpr (members::gpu_mmu_caps_v2_1<GpuMmuCaps>) {
        answer.AllowNonAlignedLargePageAddress = version >= wddm::v2_1 && caps.non_aligned_large_pages;
        answer.SysMem64KBPageSupported = version >= wddm::v2_1 && caps.system_memory_64k_pages;
    }
    if constexpr (members::gpu_mmu_caps_v2_6<GpuMmuCaps>) {
        answer.InvalidTlbEntriesNotCached = version >= wddm::v2_6 && caps.invalid_entries_not_cached;
    }
    if constexpr (members::gpu_mmu_caps_v2_9<GpuMmuCaps>) {
        answer.SysMemLargePageSupported = version >= wddm::v2_9 && caps.system_memory_large_pages;
    }
    if constexpr (members::gpu_mmu_caps_v3_1<GpuMmuCaps>) {
        answer.CachedPageTables = version >= wddm::v3_1 && caps.cached_page_tables;
    }
    answer.PageTableUpdateMode = static_cast<meta::bare<decltype(answer.PageTableUpdateMode)>>(caps.mode);
    answer.VirtualAddressBitCount = address_bits(g);
    answer.LeafPageTableSizeFor64KPagesInBytes = static_cast<u32>(table_bytes_64k(g).n);
    answer.PageTableLevelCount = g.level_count;
    answer.LegacyBehaviors.SourcePageTableVaInTransfer = caps.source_page_table_in_transfer;
    answer.LegacyBehaviors.Reserved = 0;
}

}  // namespace wddmcore::gpuva
