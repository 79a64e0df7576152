// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/vidmm.hpp>

/// What else happens to an allocation, apart from moving, on hardware that walks page tables.
namespace wddmcore::examples {

/// Options of a run in which page tables are written in this mode.
/// @param size  bytes of the allocation
void with_tables(testing::vidmm_options& options, page_table_update_mode mode, std::uint64_t size);

/// A process maps the allocation, over another one and in part; its page tables are evicted and come back, and entries
/// are copied (operations 11, 12, 14). The driver gets requests about IOMMU mappings, contexts, fences and other MMUs
/// (10, 13, 16, 18 to 20, 22) and about residency (15, or 21 instead). Then power is lost, and everything is set up
/// again.
///
/// @param allocation  in system memory
/// @return false when there was not enough memory for one of these steps
[[nodiscard]] bool live_with_processes(testing::vidmm& system, testing::vidmm_options const& options,
                                       testing::vidmm::allocation_number allocation);

}  // namespace wddmcore::examples
