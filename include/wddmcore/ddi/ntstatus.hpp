// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// NTSTATUS: 32 bits on every machine. It converts to the system's own type without a cast.
using ntstatus = i32;

/// NT_SUCCESS of a status. Any IRQL, safe in non-paged code.
///
/// @return whether it is a success or an information
[[nodiscard]] constexpr bool succeeded(ntstatus status) { return status >= 0; }

}  // namespace wddmcore

/// The statuses that the library, its examples and its simulators name. They are in lower case because the upper-case
/// names are macros in the system's headers, where a driver finds all others.
namespace wddmcore::inline WDDMCORE_ABI::status {

// Success.
inline constexpr ntstatus success = static_cast<ntstatus>(0x00000000u);
inline constexpr ntstatus pending = static_cast<ntstatus>(0x00000103u);

// Warning.
inline constexpr ntstatus device_busy = static_cast<ntstatus>(0x80000011u);

// Error.
inline constexpr ntstatus unsuccessful = static_cast<ntstatus>(0xc0000001u);
inline constexpr ntstatus not_implemented = static_cast<ntstatus>(0xc0000002u);
inline constexpr ntstatus invalid_handle = static_cast<ntstatus>(0xc0000008u);
inline constexpr ntstatus invalid_parameter = static_cast<ntstatus>(0xc000000du);
inline constexpr ntstatus no_memory = static_cast<ntstatus>(0xc0000017u);
inline constexpr ntstatus not_supported = static_cast<ntstatus>(0xc00000bbu);
inline constexpr ntstatus invalid_user_buffer = static_cast<ntstatus>(0xc00000e8u);
inline constexpr ntstatus invalid_device_state = static_cast<ntstatus>(0xc0000184u);
inline constexpr ntstatus graphics_insufficient_dma_buffer = static_cast<ntstatus>(0xc01e0001u);
inline constexpr ntstatus graphics_allocation_busy = static_cast<ntstatus>(0xc01e0102u);

}  // namespace wddmcore::status
