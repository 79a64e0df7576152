// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "runs.hpp"
#include "source.hpp"

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

    /// The pages that are left.
    [[nodiscard]] constexpr pages remaining() const noexcept { return {from.count - position}; }
    /// Whether none is left.
    [[nodiscard]] constexpr bool done() const noexcept { return position == from.count; }

    /// The next page; not at the end.
    [[nodiscard]] constexpr page_number page() const noexcept { return from.at(position); }

    /// The longest run of consecutive page numbers from here, of at most `limit` pages (OP00-10, ADL-07).
    ///
    /// A contiguous source is answered without looking at pages. At the end the run is empty and nothing is read (ADL-09).
    ///
    /// @param limit  the most pages that one command can take; 1 or more
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

    /// The same cursor `n` pages on; n at most remaining().
    [[nodiscard]] constexpr cursor advanced(pages n) const noexcept {
        promise(n <= remaining());
        return {from, position + n.n};
    }

    /// Whether the next 2^lg2 pages are one GPU page: all there, consecutive, and aligned to their size (ADL-08).
    ///
    /// @param lg2  log2 of the GPU page in 4-KiB pages, 0 to 18
    [[nodiscard]] constexpr bool at_gpu_page(u32 lg2) const noexcept {
        pages const group{u64{1} << lg2};
        return group <= remaining() && (page().n & (group.n - 1)) == 0 && next_run(group).length == group;
    }
};

/// A cursor over a whole source, from page `from_page` on; at most its count.
[[nodiscard]] constexpr cursor walk(source const& from, pages from_page = {0}) noexcept {
    promise(from_page.n <= from.count);
    return {from, from_page.n};
}

}  // namespace wddmcore::adl
