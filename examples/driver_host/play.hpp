// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

#include <functional>

namespace wddmcore::examples::host {

/// A driver, as far as it is played. It has two nodes, of which the second pages.
struct played_driver {
    wddmcore_driver_table table;
    std::function<void(machine&)> connect;        ///< its memory, services and registers from the next StartDevice on
    gpuva::root_table (*root_of)(void* context);  ///< what the driver keeps for a context
    bool (*is_clean)() = [] { return true; };     ///< whether it has given everything back, after RemoveDevice
};

/// Plays a driver on both simulators, from AddDevice to RemoveDevice, and prints what ran.
/// @return main's exit code: 0 when no rule was broken and everything happened that should
[[nodiscard]] int play(played_driver const& d);

}  // namespace wddmcore::examples::host
