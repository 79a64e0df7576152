// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "page_size.hpp"
#include "range_walk.hpp"

/// A mapping of consecutive pages with the largest pages that both addresses allow: small pages up to the first place
/// where a larger page can begin, larger pages as far as they go, then small pages again. No recursion.
///
/// For tables that the driver fills by itself. In the tables of a process the system chooses the size of each page
/// (OP11-01, GVA-14, GVA-16), and operation 11 writes what it is told.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: support-for-64kb-pages.md, ns-d3dukmdt-_dxgk_pte.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// A mapping and the page sizes that it can use.
struct promotion {
    page_range range;
    u64 distance;  ///< page number of a page minus its page in the address space, modulo 2^64
    u32 usable;    ///< bit 0: 4 KiB, bit 1: 64 KiB, bit 1 + L: large pages of level L
};

/// A page's form and level as a type, so that a visitor knows them at compile time.
template <page_form Form, u32 Level>
struct page_kind {
    static constexpr page_form form = Form;  ///< whether a leaf, a 64-KiB leaf or a large page
    static constexpr u32 level = Level;      ///< 0 is the leaf
};

namespace detail {

/// @return the page that a bit of promotion::usable stands for
[[nodiscard]] constexpr page_choice page_of_step(u32 step) noexcept {
    return step == 0 ? leaf_page : step == 1 ? leaf_page_64k : page_choice{page_form::large, step - 1};
}

}  // namespace detail

/// Plans a mapping of consecutive pages.
///
/// With leaf_tables::either a table has only one kind of entries, so at the leaf either the whole mapping uses 64-KiB
/// pages or none of it does. The caller makes sure that those tables hold nothing else (GVA-14).
///
/// @param g       page tables that `judge` accepts
/// @param range   pages inside the address space
/// @param to      the page number of the first page, below 2^52
/// @param memory  the memory that is mapped
/// @return the plan; errc::misaligned when the range starts or ends inside a GPU page, or the two addresses are aligned
///         to it differently; errc::overflow when the page numbers wrap
[[nodiscard]] constexpr result<promotion> plan_promotion(page_table_geometry const& g, gpu_mmu_capabilities const& caps,
                                                         page_range range, page_number to,
                                                         mapped_memory memory) noexcept {
    constexpr u64 all_pages = u64{1} << (64 - page_shift_lg2);
    if (!fits<u64>(to.n, range.length().n, all_pages)) {
        return refused<promotion>(errc::overflow);
    }
    if (((range.first | range.end | to.n) & low_mask<u64>(gpu_page_lg2(g))) != 0) {
        return refused<promotion>(errc::misaligned);
    }
    promotion plan{range, to.n - range.first, 0};
    bool const all_64k = g.leaf == leaf_tables::either && uses_64k_pages(g, caps, memory, range, to);
    for (u32 step = 0; step <= g.level_count; ++step) {
        page_choice const page = detail::page_of_step(step);
        // Every plan includes 4-KiB pages; if everything is in 64-KiB pages, none is left over for them.
        bool const mixes = step != 1 || all_64k || g.leaf == leaf_tables::both;
        if (mixes && allows(g, caps, memory, page) && address_fits(g, caps, page, page_number{plan.distance})) {
            plan.usable |= u32{1} << step;
        }
    }
    return good(plan);
}

namespace detail {

/// Walks consecutive pages of one form, which are numbered from address 0 in units of their own size.
template <page_table_geometry const& Geometry, u32 Step, class Visitor>
WDDMCORE_INLINE constexpr bool walk_step(u64 first, u64 last, u64 distance, Visitor& visit) noexcept {
    constexpr page_choice page = page_of_step(Step);
    using kind = page_kind<page.form, page.level>;
    constexpr u32 lg2 = pages_lg2(Geometry, page);
    constexpr u32 bits = index_bits(Geometry, page.level) - (page.form == page_form::leaf_64k ? pages_of_64k_lg2 : 0);
    return walk_entries<bits>(first, last, [&visit, distance](table_chunk chunk, u64 entry) {
        return visit(kind{}, chunk, page_number{(entry << lg2) + distance});
    });
}

/// Whether a geometry has the pages of a step at all.
template <page_table_geometry const& Geometry, u32 Step>
inline constexpr bool has_step = Step == 0   ? true
                                 : Step == 1 ? has_64k_tables(Geometry)
                                             : Geometry.levels[page_of_step(Step).level].large_pages;

/// @return whether a plan can use a step; 4-KiB pages can always be used
template <u32 Step>
WDDMCORE_INLINE constexpr bool can_use(u32 usable) noexcept {
    return Step == 0 || (usable >> Step & 1u) != 0;
}

/// @return log2 of the size, in pages, of the next larger page that is usable; 64 when there is none
template <page_table_geometry const& Geometry, u32 Step>
WDDMCORE_INLINE constexpr u32 next_larger_lg2(u32 usable) noexcept {
    u32 found = 64;
    [&]<u32... Back>(meta::numbers<Back...>) {
        // From the largest down, so that the smallest usable one wins.
        ((has_step<Geometry, Geometry.level_count - Back> && (usable >> (Geometry.level_count - Back) & 1u) != 0
              ? static_cast<void>(found = pages_lg2(Geometry, page_of_step(Geometry.level_count - Back)))
              : static_cast<void>(0)),
         ...);
    }(meta::count_to<Geometry.level_count - Step>{});
    return found;
}

/// Walks small pages up to the place where the next larger page can begin, if a whole one of those fits.
template <page_table_geometry const& Geometry, u32 Step, class Visitor>
WDDMCORE_INLINE constexpr bool walk_up(u64& first, u64 end, promotion const& plan, Visitor& visit) noexcept {
    if constexpr (has_step<Geometry, Step>) {
        u32 const next_lg2 = next_larger_lg2<Geometry, Step>(plan.usable);
        if (!can_use<Step>(plan.usable) || next_lg2 == 64) {
            return true;
        }
        u64 const next = u64{1} << next_lg2;
        u64 const begin = (first + next - 1) & ~(next - 1);
        if (begin == first || begin + next > end) {
            return true;
        }
        constexpr u32 lg2 = pages_lg2(Geometry, page_of_step(Step));
        u64 const from = first;
        first = begin;
        return walk_step<Geometry, Step>(from >> lg2, (begin >> lg2) - 1, plan.distance, visit);
    } else {
        return true;
    }
}

/// Walks pages of one form as far as whole ones fit, if one can begin here.
template <page_table_geometry const& Geometry, u32 Step, class Visitor>
WDDMCORE_INLINE constexpr bool walk_down(u64& first, u64 end, promotion const& plan, Visitor& visit) noexcept {
    if constexpr (has_step<Geometry, Step>) {
        constexpr u32 lg2 = pages_lg2(Geometry, page_of_step(Step));
        u64 const from = first >> lg2;
        u64 const whole_end = end >> lg2;
        if (!can_use<Step>(plan.usable) || (first & low_mask<u64>(lg2)) != 0 || whole_end <= from) {
            return true;
        }
        first = whole_end << lg2;
        return walk_step<Geometry, Step>(from, whole_end - 1, plan.distance, visit);
    } else {
        return true;
    }
}

}  // namespace detail

/// Walks a planned mapping in ascending order. Each chunk is inside one table and has one size of page.
///
/// @tparam Geometry  page tables; one compile error if they break a rule
/// @param plan   a plan for the same geometry
/// @param visit  called as `bool visit(page_kind<Form, Level>, table_chunk, page_number)`: the entries, and the page
///               number of the first one; false stops the walk
/// @return whether all chunks were visited
template <page_table_geometry const& Geometry, class Visitor>
WDDMCORE_INLINE constexpr bool walk_promoted(promotion const& plan, Visitor&& visit) noexcept {
    if constexpr (is_sound<Geometry>) {
        // A copy, to stay in registers: as far as the compiler knows, a visitor's stores could change the plan.
        promotion const own = plan;
        u64 first = own.range.first;
        u64 const end = own.range.end;
        return [&]<u32... Step>(meta::numbers<Step...>) {
            return (detail::walk_up<Geometry, Step>(first, end, own, visit) && ...) &&
                   (detail::walk_down<Geometry, Geometry.level_count - Step>(first, end, own, visit) && ...);
        }(meta::count_to<Geometry.level_count + 1>{});
    } else {
        return check_page_tables<Geometry>();
    }
}

}  // namespace wddmcore::gpuva
