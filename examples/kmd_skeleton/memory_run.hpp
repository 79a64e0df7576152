// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table.hpp"

#include <wddmcore/testing/vidmm.hpp>

#include <vector>

namespace wddmcore::examples::skeleton {

class machine;

/// The driver, and the parts of a submission that the paging simulator leaves out: it knows neither contexts nor nodes.
struct paged_driver : driver {
    using driver::driver;
    void* system_context = nullptr;
    u32 last_submitted = 0;
};

/// The life of an adapter as far as memory is concerned: added, queried, started, queried again, paged, reset, stopped.
class memory_run {
public:
    /// @param around  the hardware of the driver
    memory_run(paged_driver& d, machine& around);

    /// Plays it and prints what ran. Returns whether no rule was broken and everything requested was done.
    [[nodiscard]] bool play(std::uint64_t seed);

private:
    [[nodiscard]] bool start();
    [[nodiscard]] bool create_system_context();
    [[nodiscard]] void* handle_of(std::uint32_t number);
    [[nodiscard]] bool page(std::uint64_t seed);
    [[nodiscard]] bool page_one(testing::vidmm& system);
    void reset(testing::vidmm& system);
    [[nodiscard]] bool stop();

    paged_driver& driver_;
    machine& around_;
    testing::vidmm_adapter adapter_;
    std::vector<testing::vidmm_reported_allocation> allocations_;
};

}  // namespace wddmcore::examples::skeleton
