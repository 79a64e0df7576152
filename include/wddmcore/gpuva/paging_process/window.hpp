// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../range.hpp"

/// The part of the paging process's address space that allocations are mapped into.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source page: system-paging-process.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// A range of addresses that serves one mapping after another.
struct paging_window {
    gpu_virtual_address start;
    bytes size;
    friend constexpr bool operator==(paging_window const&, paging_window const&) = default;
};

namespace detail {

/// The number of leaf tables at the start of the space through which the paging process sees its own leaf tables
/// (CHK-11).
///
/// The page shows a space in which one such table is enough, and does not say how many a larger space has. Here every
/// leaf table is visible, page by page, so that the window is never taken to be larger than it is.
///
/// @param g      page tables that `judge` accepts
/// @param space  bytes of the paging process's address space
[[nodiscard]] constexpr u64 system_table_count(page_table_geometry const& g, bytes space) noexcept {
    u64 const leaf_tables_needed = divide_up(pages_spanned(space).n, entry_count(g, 0));
    bytes const each = table_bytes(g, 0) + (g.leaf == leaf_tables::both ? table_bytes_64k(g) : bytes{});
    return divide_up(leaf_tables_needed * whole_pages(each).n, entry_count(g, 0));
}

}  // namespace detail

/// The window in a paging process's address space: everything past the system page tables (CHK-11). The first page of
/// the first table, addresses 0 to 4095, is never valid.
///
/// AMB-07: one page shows a space of 1 GiB, another says that the size is chosen. So the size is an argument.
///
/// @param g      page tables that `judge` accepts
/// @param space  bytes of the paging process's address space
/// @return the window, in whole 4-KiB pages; errc::out_of_range when addresses cannot reach all of the space (CHK-07),
///         or nothing of it is left
[[nodiscard]] constexpr result<paging_window> usable_window(page_table_geometry const& g, bytes space) noexcept {
    u64 const length = whole_pages(space).n;
    if (pages_spanned(space).n > pages_in_space(g)) {
        return refused<paging_window>(errc::out_of_range);
    }
    u64 const start = detail::system_table_count(g, space) * entry_count(g, 0);
    if (length <= start) {
        return refused<paging_window>(errc::out_of_range);
    }
    return good(paging_window{{start << page_shift_lg2}, to_bytes(pages{length - start})});
}

}  // namespace wddmcore::gpuva
