// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../hw/page_tables.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source page: gpu-virtual-address.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// Pages [first, end) of an address space, 4096 bytes each, counted from address 0.
struct page_range {
    u64 first;  ///< the first page
    u64 end;    ///< the page past the last one

    friend constexpr bool operator==(page_range const&, page_range const&) = default;
    /// @return how many pages
    [[nodiscard]] constexpr pages length() const noexcept { return {end - first}; }
    /// @return whether the range is empty
    [[nodiscard]] constexpr bool empty() const noexcept { return first == end; }
    /// @return the address of the first page
    [[nodiscard]] constexpr gpu_virtual_address address() const noexcept { return {first << page_shift_lg2}; }
    /// @return the range without its first n pages, n at most length(): what is left for the next pass
    [[nodiscard]] constexpr page_range advanced(pages n) const noexcept {
        promise(n <= length());
        return {first + n.n, end};
    }
};

/// The pages of [at, at + size), if all of them are in the address space (CHK-15).
///
/// @param g     a geometry that `judge` accepts
/// @param at    an address, a multiple of 4096
/// @param size  bytes, a multiple of 4096; 0 gives an empty range
/// @return the range; errc::misaligned; errc::overflow when at + size wraps; errc::out_of_range when it ends past the
///         last page of the address space (CHK-07)
[[nodiscard]] constexpr result<page_range> range_of(page_table_geometry const& g, gpu_virtual_address at,
                                                    bytes size) noexcept {
    if (!is_multiple(at.n | size.n, page_bytes)) {
        return refused<page_range>(errc::misaligned);
    }
    u64 const first = at.n >> page_shift_lg2;
    u64 const length = size.n >> page_shift_lg2;
    constexpr u64 all_pages = u64{1} << (64 - page_shift_lg2);
    if (!fits<u64>(first, length, all_pages)) {
        return refused<page_range>(errc::overflow);
    }
    return fits<u64>(first, length, pages_in_space(g)) ? good(page_range{first, first + length})
                                                       : refused<page_range>(errc::out_of_range);
}

}  // namespace wddmcore::gpuva
