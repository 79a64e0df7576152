// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

namespace wddmcore::examples::host {

/// Loads the driver that this program is linked with and plays it on both simulators. Returns main's exit code.
[[nodiscard]] int play_driver();

}  // namespace wddmcore::examples::host
