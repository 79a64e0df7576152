// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "play.hpp"

#include <vector>

namespace wddmcore::examples::host {

/// The life of an adapter as far as memory is concerned, on the simulator of the memory manager: added, queried, started,
/// paged, reset, stopped, removed.
class memory_run {
public:
    explicit memory_run(played_driver const& d);

    /// Plays it and prints what ran. Returns whether no rule was broken and everything requested was done.
    [[nodiscard]] bool play(std::uint64_t seed);

private:
    [[nodiscard]] bool start();
    [[nodiscard]] void* handle_of(std::uint32_t number);
    [[nodiscard]] bool page(std::uint64_t seed);
    [[nodiscard]] bool page_one(testing::vidmm& system);
    [[nodiscard]] bool stop();

    played_driver const& driver_;
    wddmcore_driver_table const& table_ = driver_.table;
    machine around_;
    testing::vidmm_adapter adapter_;
    std::vector<testing::vidmm_reported_allocation> allocations_;
};

}  // namespace wddmcore::examples::host
