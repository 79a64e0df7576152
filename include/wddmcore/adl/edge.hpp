// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/types.hpp"

/// The DDI's edge of adl/: page numbers under another name of the same width. Nothing else here casts (law 3).
namespace wddmcore::inline WDDMCORE_ABI::adl::edge {

/// PFN_NUMBER of a driver's headers where it is not usize: `unsigned long` on 32-bit x86.
template <class Pfn>
concept other_page_number = !meta::same_as<Pfn, usize> && sizeof(Pfn) == sizeof(usize) && requires(Pfn pfn) {
    { pfn >> 12 } -> meta::same_as<Pfn>;
};

/// An array of page numbers as one of usize.
template <other_page_number Pfn>
[[nodiscard]] inline usize const* page_numbers(Pfn const* array) noexcept {
    return reinterpret_cast<usize const*>(array);
}

}  // namespace wddmcore::adl::edge
