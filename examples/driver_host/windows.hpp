// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// What stands for Windows while an example driver runs on a host: the kernel's functions that it uses, and its table of DDI
/// functions behind the simulators' table. There is one driver and one adapter.
namespace wddmcore::examples::host {

/// Loads the driver that this program is linked with, and plays it. Returns main's exit code.
[[nodiscard]] int play_windows_driver();

}  // namespace wddmcore::examples::host
