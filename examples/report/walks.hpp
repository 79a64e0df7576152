// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "run.hpp"

#include <wddmcore/testing/gpu_memory/bus.hpp>

namespace wddmcore::examples::report {

/// Walks the page tables that a run has left in memory, by the hardware's own walker.
/// @param hardware  its name
/// @param memory    by bus addresses
/// @param segment, offset  of the root, as operation 12 names it
[[nodiscard]] walk look_up(std::string const& hardware, testing::gpu_bus& memory, std::uint32_t segment,
                           std::uint64_t offset, std::uint64_t va);

}  // namespace wddmcore::examples::report
