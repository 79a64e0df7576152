// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../keeper.hpp"

#include <compare>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Pages whose entries are copied to where others are.
struct vidmm_copied_range {
    std::uint64_t from_page = 0;  ///< first 4-KiB page of the address space whose entry is copied
    std::uint64_t to_page = 0;    ///< first page that gets a copy
    std::uint32_t count = 0;      ///< 4-KiB pages; the sides do not overlap
};

namespace vidmm_parts {

/// One entry of an address space: of which kind of table, and the first page that it is for.
struct entry_place {
    std::uint32_t level = 0;
    bool of_64k = false;
    std::uint64_t page = 0;

    [[nodiscard]] auto operator<=>(entry_place const&) const = default;
};

/// Entries of one table that are copied into one of the same kind.
struct copied_entries {
    entry_place from;
    entry_place to;
    std::uint32_t count = 0;

    [[nodiscard]] bool is_larger() const { return from.level != 0 || from.of_64k; }
};

}  // namespace vidmm_parts

}  // namespace wddmcore::testing
