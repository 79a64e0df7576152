// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "play.hpp"

#include "memory_run.hpp"

#include <wddmcore/testing/scheduler.hpp>

#include <cstdio>
#include <exception>

namespace wddmcore::examples::host {

namespace {

/// One run of the scheduler, from StartDevice to StopDevice; prints what ran.
bool schedule(wddmcore_driver_table const& t, bool troubles, std::uint64_t seed) {
    testing::scheduler::options options{.nodes = 2,
                                        .stops_at = testing::scheduler::granularity::primitive,
                                        .virtual_addresses = true,
                                        .paging_nodes = 1U << paging_node,
                                        .ring_entries = 8,
                                        .packets = 400};
    if (troubles) {
        options.troubles = testing::scheduler::usual_troubles;
    }
    auto const report = testing::scheduler::run(t, options, seed);
    bool const stopped = t.stop_device(t.adapter) == 0;
    auto const& n = report.count;
    std::printf("  %8llu %10zu %9llu %9llu %7llu %7llu %7llu  %s\n", static_cast<unsigned long long>(n.completions),
                report.preemptions.size(), static_cast<unsigned long long>(n.preempted),
                static_cast<unsigned long long>(n.half_run), static_cast<unsigned long long>(n.faults),
                static_cast<unsigned long long>(n.engine_resets), static_cast<unsigned long long>(n.adapter_resets),
                report.passed() ? "" : "a rule was broken");
    if (!report.passed()) {
        std::printf("%s", report.text().c_str());
    }
    bool const resets_are_right = troubles == (n.engine_resets + n.adapter_resets != 0);
    bool const happened = n.completions != 0 && !report.preemptions.empty() && n.half_run != 0 && resets_are_right;
    return stopped && report.passed() && happened;
}

bool play_all(played_driver const& d) {
    bool good = memory_run(d).play(1);
    std::printf("\nscheduled on 2 nodes:\n  %8s %10s %9s %9s %7s %7s %7s\n", "complete", "preempt", "came back",
                "half run", "faults", "engine", "adapter");
    wddmcore_driver_table const& t = d.table;
    // Each adapter starts twice.
    for (std::uint64_t seed = 1; seed != 5; seed += 2) {
        good = t.add_device(t.adapter) == 0 && good;
        good = schedule(t, false, seed) && good;
        good = schedule(t, true, seed + 1) && good;
        good = t.remove_device(t.adapter) == 0 && good;
    }
    if (!d.is_clean()) {
        std::printf("the driver has not given everything back\n");
    }
    return good && d.is_clean();
}

}  // namespace

int play(played_driver const& d) {
    bool good = false;
    try {
        good = play_all(d);
    } catch (std::exception const& e) {
        std::printf("%s\n", e.what());
    }
    std::printf("\n%s\n", good ? "no violation" : "violations, see above");
    return good ? 0 : 1;
}

}  // namespace wddmcore::examples::host
