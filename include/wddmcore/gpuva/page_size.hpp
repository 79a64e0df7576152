// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_mmu_caps.hpp"
#include "range.hpp"

/// Which pages a mapping can use: 4 KiB, 64 KiB, large pages of a level above the leaf, or fragments of 4-KiB pages.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: support-for-64kb-pages.md, ns-d3dukmdt-_dxgk_pte.md, ns-d3dkmddi-_dxgk_gpummucaps.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// Where the entry of a page stands.
enum class page_form : u32 {
    leaf,      ///< an entry of a leaf table of 4-KiB entries
    leaf_64k,  ///< an entry of a leaf table of 64-KiB entries
    large,     ///< an entry above the leaf that points at data
};

/// A page that the page tables can express.
struct page_choice {
    page_form form;
    u32 level;  ///< the level of the table that holds the entry: 0 except for large pages
    friend constexpr bool operator==(page_choice, page_choice) = default;
};

inline constexpr page_choice leaf_page{page_form::leaf, 0};          ///< the GPU page of a leaf table
inline constexpr page_choice leaf_page_64k{page_form::leaf_64k, 0};  ///< the page of a table of 64-KiB entries

/// What the mapped memory allows.
struct mapped_memory {
    bool system;         ///< system memory, segment 0
    bool has_64k_pages;  ///< a segment with Use64KBPages
};

/// @return log2 of the number of 4-KiB pages in a page
[[nodiscard]] constexpr u32 pages_lg2(page_table_geometry const& g, page_choice page) noexcept {
    return page.form == page_form::leaf_64k ? pages_of_64k_lg2 : entry_pages_lg2(g, page.level);
}

/// Whether page tables, claims and memory allow such a page at all.
///
/// GVA-15: system memory consists of 4-KiB pages. Caps of later versions say otherwise but are not described anywhere.
/// They are taken by their names: system memory has 64-KiB or large pages only if the driver claims them.
///
/// @param page  any page; one of a level that does not exist is not allowed
/// @return whether it is allowed
[[nodiscard]] constexpr bool allows(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                    mapped_memory memory, page_choice page) noexcept {
    switch (page.form) {
        case page_form::leaf: return page.level == 0;
        case page_form::leaf_64k:
            return page.level == 0 && has_64k_tables(g) &&
                   (memory.system ? caps.system_memory_64k_pages : memory.has_64k_pages);
        case page_form::large:
            return page.level != 0 && page.level < g.level_count && g.levels[page.level].large_pages &&
                   caps.large_pages && (!memory.system || caps.system_memory_large_pages);
    }
    return false;
}

/// Whether a page may begin at a page number: it must be aligned to the size of the page, except for large pages if the
/// driver claims AllowNonAlignedLargePageAddress (GVA-14, GVA-17).
///
/// GVA-17 speaks of the range of a leaf table. For pages above level 1 that would leave address bits that such a page
/// does not have, so each level requires the range that its own entry covers.
///
/// @param page  a page that `allows` allows
/// @param at    the first 4-KiB page number of the memory that it maps
/// @return whether it may begin there
[[nodiscard]] constexpr bool address_fits(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                          page_choice page, page_number at) noexcept {
    bool const anywhere = page.form == page_form::large && caps.non_aligned_large_pages;
    return anywhere || (at.n & low_mask<u64>(pages_lg2(g, page))) == 0;
}

/// Whether a page of the given form can begin at a place in a mapping.
///
/// @param at    the place: a page of the address space
/// @param to    the page number that is mapped there
/// @param left  how many pages of the mapping are left from here, consecutive on both sides
/// @return whether it is allowed, aligned in the address space and in memory, and not longer than what is left
[[nodiscard]] constexpr bool can_begin(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                       mapped_memory memory, page_choice page, u64 at, page_number to,
                                       pages left) noexcept {
    u64 const length = u64{1} << pages_lg2(g, page);
    return allows(g, caps, memory, page) && (at & (length - 1)) == 0 && length <= left.n &&
           address_fits(g, caps, page, to);
}

/// @return whether a whole mapping uses 64-KiB pages: address, page number and length are multiples of 64 KiB, and the
///         memory has such pages. Both addresses then share their low 16 bits (GVA-14).
[[nodiscard]] constexpr bool uses_64k_pages(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                            mapped_memory memory, page_range range, page_number to) noexcept {
    return (range.end & low_mask<u64>(pages_of_64k_lg2)) == 0 &&
           can_begin(g, caps, memory, leaf_page_64k, range.first, to, range.length());
}

/// The largest page that can begin at a place in a mapping. A 4-KiB page can begin anywhere.
///
/// With leaf_tables::either a table has only one kind of entries, so the caller has to choose 64 KiB: see
/// uses_64k_pages.
///
/// @param at    a page of the address space
/// @param to    the page number that is mapped there
/// @param left  how many pages of the mapping are left from here; 1 or more
/// @return the page; leaf_page if no larger one can begin there
[[nodiscard]] constexpr page_choice largest_page(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                                 mapped_memory memory, u64 at, page_number to, pages left) noexcept {
    for (u32 level = g.level_count - 1; level != 0; --level) {
        page_choice const page{page_form::large, level};
        if (can_begin(g, caps, memory, page, at, to, left)) {
            return page;
        }
    }
    bool const fits_64k = g.leaf == leaf_tables::both && can_begin(g, caps, memory, leaf_page_64k, at, to, left);
    return fits_64k ? leaf_page_64k : leaf_page;
}

}  // namespace wddmcore::gpuva
