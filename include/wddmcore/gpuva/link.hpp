// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "judge.hpp"

/// The page tables of a link: formats and segments may differ between physical adapters, the width of addresses may
/// not.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source page: linked-display-adapter.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The same page tables with narrower addresses, and so with fewer entries in the root (GVA-33).
///
/// @param g     page tables that `judge` accepts
/// @param bits  the smallest width in the link; not above the width of these page tables
/// @return page tables that `judge` accepts; errc::out_of_range when the width is larger, or leaves nothing for the
///         root
[[nodiscard]] constexpr result<page_table_geometry> narrowed(page_table_geometry const& g, u32 bits) noexcept {
    u32 const own = address_bits(g);
    if (bits > own || own - bits >= index_bits(g, root_level(g))) {
        return refused<page_table_geometry>(errc::out_of_range);
    }
    page_table_geometry less = g;
    if (root_is_resizable(g)) {
        less.virtual_address_bits = bits;
        less.levels[1].index_bits = lesser(g.levels[1].index_bits, index_bits(less, 1));
    } else {
        less.levels[root_level(g)].index_bits -= own - bits;
        less.virtual_address_bits = g.virtual_address_bits == 0 ? 0 : bits;
    }
    return good(less);
}

/// Checks at compile time that the page tables of a link agree on the width of an address (GVA-33).
///
/// @return true; a different width is one compile error that shows the physical adapter and its width
template <page_table_geometry const& First, page_table_geometry const&... Others>
[[nodiscard]] consteval bool check_linked_page_tables() {
    constexpr broken_rule found = [] {
        page_table_geometry const* const all[] = {&First, &Others...};
        for (u32 adapter = 0; adapter <= sizeof...(Others); ++adapter) {
            broken_rule const of_one = judge(*all[adapter]);
            if (of_one != no_rule_broken) {
                return of_one;
            }
            if (address_bits(*all[adapter]) != address_bits(First)) {
                return broken_rule{rule::different_address_widths, adapter, address_bits(*all[adapter])};
            }
        }
        return no_rule_broken;
    }();
    return sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore::gpuva
