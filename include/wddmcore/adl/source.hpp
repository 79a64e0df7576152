// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../ddi/casts.hpp"

/// Where pages come from: an address descriptor list of either form, an MDL's array, a plain array, or base and length.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: DXGK_ADL from WDDM 2.9, MDL always.
namespace wddmcore::inline WDDMCORE_ABI::adl {

/// A sequence of 4-KiB pages, whatever form it came in. Page k is `base + k` when contiguous, else `list[k]` (ADL-01).
///
/// Page numbers may be logical: they are never taken as physical and never mapped by the CPU (ADL-02).
struct source {
    usize const* list;  ///< NULL when contiguous; else exactly `count` page numbers
    u64 base;           ///< the first page number when contiguous, else 0
    u64 count;          ///< how many pages

    /// @return whether page k is `base + k`, with no list to look it up in
    [[nodiscard]] constexpr bool contiguous() const noexcept { return list == nullptr; }

    /// @param index  below `count`
    /// @return the page
    [[nodiscard]] constexpr page_number at(u64 index) const noexcept {
        promise(index < count);
        return {contiguous() ? base + index : u64{list[index]}};
    }

    /// @param first   index of a page
    /// @param length  pages; all inside the source, which a checked build asserts and `window` answers
    /// @return that part as a source
    [[nodiscard]] constexpr source sub(u64 first, u64 length) const noexcept {
        promise(fits<u64>(first, length, count));
        return contiguous() ? source{nullptr, base + first, length} : source{list + first, 0, length};
    }
};

/// An empty source: no page is ever read from it (ADL-09).
inline constexpr source no_pages{nullptr, 0, 0};

/// `length` pages from a base page number.
///
/// @param base    first page number
/// @param length  pages; base + length must not wrap as a byte address
/// @return the source, or errc::overflow when the range leaves the 64-bit address space (ADL-06)
[[nodiscard]] constexpr result<source> from_range(page_number base, pages length) noexcept {
    constexpr u64 limit = u64{1} << (64 - page_shift_lg2);
    return fits<u64>(base.n, length.n, limit) ? good(source{nullptr, base.n, length.n})
                                              : refused<source>(errc::overflow);
}

/// `count` page numbers in an array, which must stay there as long as the source is used.
///
/// @param list   page numbers, not addresses
/// @param count  of them; with 0 the array is not looked at
/// @return the source, or errc::missing when the array is NULL although count is not 0
[[nodiscard]] constexpr result<source> from_array(usize const* list, u64 count) noexcept {
    bool const is_there = list != nullptr || count == 0;
    return is_there ? good(source{list, 0, count}) : refused<source>(errc::missing);
}

/// An address descriptor list (DXGK_ADL, or its mirror); the flag is tested before the union is touched (ADL-01,
/// OP17-04).
///
/// @return the source; errc::missing when the list form has no list, errc::overflow when base + count wraps (ADL-06)
/// Source page: ns-d3dkmddi-dxgk_adl.md. WDDM 2.9.
template <class Adl>
[[nodiscard]] constexpr result<source> from_adl(Adl const& adl) noexcept {
    u64 const count = adl.PageCount;
    if (adl.Flags.Contiguous) {
        // Without pages the base means nothing (ADL-09).
        return from_range(page_number{count == 0 ? 0 : static_cast<u64>(adl.BasePageNumber)}, pages{count});
    }
    return from_array(adl.Pages, count);
}

/// The pages of an MDL: one PFN per 4 KiB that ByteOffset and ByteCount touch (OP00-10).
///
/// @param mdl    the header; only its members are read
/// @param array  the PFN array past the header, which only the DDI's edge may locate
/// @return the source, or errc::missing when the array is NULL although the MDL has bytes
template <class Mdl>
[[nodiscard]] constexpr result<source> from_mdl(Mdl const& mdl, usize const* array) noexcept {
    // Both numbers have 32 bits, so that rounding their sum up cannot wrap.
    return from_array(array, (u64{mdl.ByteOffset} + u64{mdl.ByteCount} + (page_bytes - 1)) >> page_shift_lg2);
}

/// The pages of an MDL whose array has a PFN_NUMBER that is not usize (MmGetMdlPfnArray on 32-bit x86).
///
/// @return as above
template <class Mdl, casts::other_page_number Pfn>
[[nodiscard]] inline result<source> from_mdl(Mdl const& mdl, Pfn const* array) noexcept {
    return from_mdl(mdl, casts::page_numbers(array));
}

/// `length` pages of a source, starting at page `first`. Both count 4-KiB pages, whatever the GPU's page is (ADL-04).
///
/// @return the part; errc::out_of_range when [first, first + length) leaves the source, without a wrapping sum (ADL-05)
[[nodiscard]] constexpr result<source> window(source const& from, pages first, pages length) noexcept {
    return fits<u64>(first.n, length.n, from.count) ? good(from.sub(first.n, length.n))
                                                    : refused<source>(errc::out_of_range);
}

/// Whether hardware can reach a contiguous source as a whole. A list is not read here: its pages are checked one by one
/// where it is walked.
///
/// @param last  the last page number that the hardware sees, inclusive
/// @return false if a page of a contiguous source lies past `last` (ADL-06); true for a list and for no pages
[[nodiscard]] constexpr bool within_reach(source const& from, page_number last) noexcept {
    return !from.contiguous() || from.count == 0 || (from.base <= last.n && from.count - 1 <= last.n - from.base);
}

}  // namespace wddmcore::adl
