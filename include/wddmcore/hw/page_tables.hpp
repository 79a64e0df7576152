// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/units.hpp"
#include "../ddi/operation.hpp"

/// A GPU's page tables: their layout as one constant, every number that follows from it, and what the MMU claims as
/// another.
///
/// Levels are numbered from 0 at the leaf; the GPU starts at the highest, the root (GVA-02). At the leaf, an index of
/// the DDI counts 4-KiB entries whatever the GPU's own page is (GVA-05). Where the tables lie is a matter of
/// gpuva/placement/.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. They expect a geometry that `gpuva::judge`
/// accepts, and a level that it has. DDI: WDDM 2.0. Source pages: gpu-virtual-address.md,
/// ns-d3dkmddi-_dxgk_gpummucaps.md, ns-d3dkmddi-_dxgk_page_table_level_desc.md, support-for-64kb-pages.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

inline constexpr u32 fewest_levels = 2;     ///< DXGK_MIN_PAGE_TABLE_LEVEL_COUNT
inline constexpr u32 most_levels = 6;       ///< DXGK_MAX_PAGE_TABLE_LEVEL_COUNT
inline constexpr u32 pages_of_64k_lg2 = 4;  ///< log2 of 64 KiB in 4-KiB pages

/// Which leaf tables an entry of level 1 can name.
enum class leaf_tables : u32 {
    of_4k,   ///< tables of 4-KiB entries
    either,  ///< a table of 4-KiB entries or one of 64-KiB entries: single-PTE mode
    both,    ///< one of each at the same time: dual-PTE mode (DualPteSupported)
};

/// One level of page tables.
struct page_table_level {
    u32 index_bits = 0;        ///< log2 of the entries, as the DDI counts them; for a resizable root at its start, or 0
    u32 entry_bytes = 0;       ///< bytes of the hardware's entry: 4, 8 or 16
    bool large_pages = false;  ///< an entry can point at data instead of a table, for the same range; not for the leaf
};

/// The page tables of a GPU: a `static constexpr` member of a hardware type, or a constant at namespace scope.
struct page_table_geometry {
    u32 level_count;                       ///< 2 to 6; with 2 the root is resizable (GVA-01)
    page_table_level levels[most_levels];  ///< [0] the leaf (GVA-02)
    u32 virtual_address_bits = 0;          ///< required with two levels; otherwise 0, or the right sum (GVA-03)
    bytes gpu_page{page_bytes};            ///< what a leaf entry covers in hardware: 4 KiB * 2^n, at most 64 KiB
    leaf_tables leaf = leaf_tables::of_4k;
    u32 entry_bytes_64k = 0;  ///< in tables of 64-KiB entries; 0: the same as in the other leaf tables
};

/// How the system's updates name page tables: PageTableUpdateMode of DXGK_GPUMMUCAPS.
using update_mode = page_table_update_mode;

/// The GPUMMU caps of a driver, except those that follow from the geometry. What is left out is not claimed.
struct gpu_mmu_capabilities {
    /// Of fill_gpu_mmu_caps alone: answer_query_adapter_info says what `page_tables` of the chosen capabilities says.
    update_mode mode = update_mode::gpu_physical;
    bool read_only = false;                      ///< ReadOnlyMemorySupported
    bool no_execute = false;                     ///< NoExecuteMemorySupported
    bool zero_in_pte = false;                    ///< reads through an entry with Zero give zero (GVA-19)
    bool explicit_invalidation = false;          ///< every entry is made invalid before its table is freed (GVA-24)
    bool cache_coherent = false;                 ///< CacheCoherentMemorySupported
    bool updates_need_idle = false;              ///< PageTableUpdateRequireAddressSpaceIdle (GVA-25)
    bool large_pages = false;                    ///< LargePage may be set above the leaf (GVA-16)
    bool non_aligned_large_pages = false;        ///< from WDDM 2.1: at any 4-KiB page (GVA-17)
    bool system_memory_64k_pages = false;        ///< from WDDM 2.1: system memory in 64-KiB pages too (GVA-15)
    bool invalid_entries_not_cached = false;     ///< from WDDM 2.6: no flush when an entry becomes valid (OP12-02)
    bool system_memory_large_pages = false;      ///< from WDDM 2.9
    bool cached_page_tables = false;             ///< from WDDM 3.1
    bool source_page_table_in_transfer = false;  ///< LegacyBehaviors: a transfer names the page table of its source
};

/// @return whether the root grows with the address space, as it does with exactly two levels (GVA-01)
[[nodiscard]] constexpr bool root_is_resizable(page_table_geometry const& g) noexcept { return g.level_count == 2; }

/// @return the level of the root
[[nodiscard]] constexpr u32 root_level(page_table_geometry const& g) noexcept { return g.level_count - 1; }

/// @return log2 of the 4-KiB pages that one entry of a level covers
[[nodiscard]] constexpr u32 entry_pages_lg2(page_table_geometry const& g, u32 level) noexcept {
    u32 sum = 0;
    for (u32 below = 0; below < level; ++below) {
        sum += g.levels[below].index_bits;
    }
    return sum;
}

/// @return the width of a GPU virtual address: 12 plus all index bits; with two levels, what the geometry says (GVA-03)
[[nodiscard]] constexpr u32 address_bits(page_table_geometry const& g) noexcept {
    return root_is_resizable(g) ? g.virtual_address_bits : page_shift_lg2 + entry_pages_lg2(g, g.level_count);
}

/// @return the index bits of a level; for a resizable root, all bits above the leaf (GVA-03)
[[nodiscard]] constexpr u32 index_bits(page_table_geometry const& g, u32 level) noexcept {
    return root_is_resizable(g) && level == 1 ? g.virtual_address_bits - page_shift_lg2 - g.levels[0].index_bits
                                              : g.levels[level].index_bits;
}

/// @return the 4-KiB pages of the whole address space; the last of them ends it
[[nodiscard]] constexpr u64 pages_in_space(page_table_geometry const& g) noexcept {
    return u64{1} << (address_bits(g) - page_shift_lg2);
}

/// @return the number of entries of a table, as the DDI counts them; for a resizable root the maximum (GVA-04, GVA-05)
[[nodiscard]] constexpr u64 entry_count(page_table_geometry const& g, u32 level) noexcept {
    return u64{1} << index_bits(g, level);
}

/// @return the bytes of address space that one entry of a level covers; above the leaf, what the table below it covers
///         (GVA-16)
[[nodiscard]] constexpr bytes entry_coverage(page_table_geometry const& g, u32 level) noexcept {
    return {page_bytes << entry_pages_lg2(g, level)};
}

/// @return log2 of the number of DDI leaf entries that share one hardware entry (OP11-05)
[[nodiscard]] constexpr u32 gpu_page_lg2(page_table_geometry const& g) noexcept {
    return log2_of(g.gpu_page.n >> page_shift_lg2);
}

/// @return the number of entries of a table, as the hardware counts them: fewer at the leaf if its pages are larger
///         than 4 KiB
[[nodiscard]] constexpr u64 hardware_entry_count(page_table_geometry const& g, u32 level) noexcept {
    return entry_count(g, level) >> (level == 0 ? gpu_page_lg2(g) : 0);
}

/// @return the size of a table: a multiple of 4096 bytes that holds all its entries; for a resizable root the maximum
///         (GVA-04)
[[nodiscard]] constexpr bytes table_bytes(page_table_geometry const& g, u32 level) noexcept {
    return to_bytes(pages_spanned(hardware_entry_count(g, level) * bytes{g.levels[level].entry_bytes}));
}

/// @return whether there are leaf tables of 64-KiB entries
[[nodiscard]] constexpr bool has_64k_tables(page_table_geometry const& g) noexcept {
    return g.leaf != leaf_tables::of_4k;
}

/// AMB-22: no page says what the DDI's indices count in a leaf table of 64-KiB entries; here they count its own
/// entries.
///
/// @return how many entries it has; it covers as much as a table of 4-KiB entries (GVA-09, GVA-10)
[[nodiscard]] constexpr u64 entry_count_64k(page_table_geometry const& g) noexcept {
    return entry_count(g, 0) >> pages_of_64k_lg2;
}

/// @return the size of an entry in a leaf table of 64-KiB entries, in bytes
[[nodiscard]] constexpr u32 entry_bytes_64k(page_table_geometry const& g) noexcept {
    return g.entry_bytes_64k != 0 ? g.entry_bytes_64k : g.levels[0].entry_bytes;
}

/// @return LeafPageTableSizeFor64KPagesInBytes: a multiple of 4096 that holds all entries; 0 without such tables
///         (GVA-09)
[[nodiscard]] constexpr bytes table_bytes_64k(page_table_geometry const& g) noexcept {
    return has_64k_tables(g) ? to_bytes(pages_spanned(entry_count_64k(g) * bytes{entry_bytes_64k(g)})) : bytes{0};
}

/// @return the index of the entry that translates an address at a level
[[nodiscard]] constexpr u32 entry_index(page_table_geometry const& g, u32 level, gpu_virtual_address at) noexcept {
    u64 const entry = (at.n >> page_shift_lg2) >> entry_pages_lg2(g, level);
    return static_cast<u32>(entry & (entry_count(g, level) - 1));
}

}  // namespace wddmcore::gpuva
