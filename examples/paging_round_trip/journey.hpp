// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/vidmm.hpp>

/// What happens to an allocation on hardware that walks page tables, beside moving.
namespace wddmcore::examples {

/// Options of a run in which page tables are written in this mode.
/// @param size  bytes of the allocation
void with_tables(testing::vidmm_options& options, page_table_update_mode mode, std::uint64_t size);

/// A process maps the allocation, over another one and in part; its page tables go and come back, and entries are copied
/// (operations 11, 12, 14). The driver hears of IOMMU mappings, contexts, fences and other MMUs (10, 13, 16, 18 to 20,
/// 22), and of all that is resident (15, or 21 instead). Then the power goes, and all of it is made again.
///
/// @param allocation  in system memory
/// @return false: no memory for one of these steps
[[nodiscard]] bool live_with_processes(testing::vidmm& system, testing::vidmm_options const& options,
                                       testing::vidmm::allocation_number allocation);

}  // namespace wddmcore::examples
