// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "page_lists.hpp"

#include <wddmcore/testing/trace.hpp>
#include <wddmcore/testing/vidmm/checks/report.hpp>
#include <wddmcore/testing/vidmm/options.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace wddmcore::examples {

/// One round trip to make.
struct trip {
    std::string hardware;  ///< a name that make_rig takes
    page_list const* pages;
    std::uint64_t size;    ///< bytes of the allocation
    std::uint32_t buffer;  ///< bytes of a paging buffer; 0: the smallest the hardware allows
    /// Who writes page tables, where the hardware has some.
    std::optional<page_table_update_mode> mode;
};

/// What a round trip showed.
struct arrived {
    std::string wrong;  ///< empty when nothing was
    testing::vidmm_report report;
    testing::trace events;  ///< none unless they were wanted
};

/// Pages that the simulator keeps for itself, page tables among them.
inline constexpr std::size_t spare_pages = 512;

/// Fills an allocation, evicts it, restores it and more; after each step the simulator compares every byte. On hardware
/// that walks page tables, what journey.hpp says happens to it as well.
///
/// @param seed    what content and order follow from
/// @param traced  whether events are wanted
[[nodiscard]] arrived travel(trip const& t, std::uint64_t seed, bool traced);

}  // namespace wddmcore::examples
