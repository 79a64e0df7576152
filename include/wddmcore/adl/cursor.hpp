// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "runs.hpp"
#include "source.hpp"

/// A walk along a source, run by run.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: DXGK_ADL from WDDM 2.9, MDL always.
namespace wddmcore::inline WDDMCORE_ABI::adl {

/// Consecutive page numbers.
struct run {
    page_number first;
    pages length;
};

/// Walks a source, never past its end and never past what was asked for. Copyable, so that a pass can be retried.
///
/// Invariant: run(limit).length <= remaining(), for every kind of source.
struct cursor {
    source from;
    u64 position;  ///< index of the next page

    /// @return how many pages are left
    [[nodiscard]] constexpr pages remaining() const noexcept { return {from.count - position}; }
    /// @return whether no page is left
    [[nodiscard]] constexpr bool done() const noexcept { return position == from.count; }

    /// @return the next page; not to be called at the end
    [[nodiscard]] constexpr page_number page() const noexcept { return from.at(position); }

    /// The longest run of consecutive page numbers from here, of at most `limit` pages (OP00-10, ADL-07).
    ///
    /// For a contiguous source no page is looked at. At the end the run is empty and nothing is read (ADL-09).
    ///
    /// @param limit  pages, the most that one command can take; 1 or more
    /// @return the run; its length is at most remaining(), and 0 only at the end
    [[nodiscard]] constexpr run next_run(pages limit) const noexcept {
        u64 const most = lesser(limit.n, remaining().n);
        if (most == 0) {
            return {page_number{0}, pages{0}};
        }
        page_number const first = page();
        if (from.contiguous()) {
            return {first, pages{most}};
        }
        return {first, pages{detail::run_length(from.list + position, most)}};
    }

    /// @return the same cursor, `n` pages further on; n at most remaining()
    [[nodiscard]] constexpr cursor advanced(pages n) const noexcept {
        promise(n <= remaining());
        return {from, position + n.n};
    }

    /// @param lg2  log2 of the GPU page in 4-KiB pages, 0 to 18
    /// @return whether the next 2^lg2 pages make one GPU page: all there, consecutive, and aligned to their size
    ///         (ADL-08)
    [[nodiscard]] constexpr bool at_gpu_page(u32 lg2) const noexcept {
        pages const group{u64{1} << lg2};
        return group <= remaining() && (page().n & (group.n - 1)) == 0 && next_run(group).length == group;
    }
};

/// @return a cursor over a source, starting at page `from_page`, which is at most the source's count
[[nodiscard]] constexpr cursor walk(source const& from, pages from_page = {0}) noexcept {
    promise(from_page.n <= from.count);
    return {from, from_page.n};
}

}  // namespace wddmcore::adl
