// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// What this host cannot do is said before anything begins.
namespace wddmcore::examples {

/// Bytes of memory that this process can still have: what the machine has left, its control group allows and its limit
/// on address space leaves, whichever is least; nothing where the host does not tell.
[[nodiscard]] std::optional<std::uint64_t> memory_left();

/// Bytes that a round trip of one allocation needs: its content in system memory and in the memory segment, each as it
/// is and as it must be, and what both are compared with.
/// @param size    bytes of the allocation
/// @param traced  every event is kept as well
[[nodiscard]] std::uint64_t memory_needed(std::uint64_t size, bool traced);

/// Why a file cannot be written, empty when it can; one that is not there is made.
[[nodiscard]] std::string why_not_writable(std::string const& path);

}  // namespace wddmcore::examples
