// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The driver of kmd_skeleton/driver.hpp from AddDevice to RemoveDevice, on both simulators. The memory manager starts
// it by means of its own answers, pages in the segments that it reported, resets it and stops it. The scheduler
// preempts it and resets engines that hang. kmd_skeleton/gpu.hpp is its hardware; the other files stand for Windows and
// the machine.

#include "kmd_skeleton/machine.hpp"
#include "kmd_skeleton/memory_run.hpp"

#include <wddmcore/testing/scheduler.hpp>

#include <cstdio>
#include <exception>

using namespace wddmcore;
using namespace wddmcore::examples::skeleton;

/// One run of the scheduler, from AddDevice to RemoveDevice; prints what ran.
bool schedule(driver& d, bool troubles, std::uint64_t seed) {
    testing::scheduler::options options{.nodes = hw::engine_count<gpu>,
                                        .stops_at = testing::scheduler::granularity::primitive,
                                        .virtual_addresses = true,
                                        .paging_nodes = 1U << gpu::scheduling.paging_node,
                                        .ring_entries = gpu::scheduling.hw_queue_packet_cap,
                                        .packets = 400};
    if (troubles) {
        options.troubles = {.fault = 20,
                            .fault_reset = 20,
                            .fault_unknown = 20,
                            .hang = 20,
                            .paging_hang = 20,
                            .removals = 5,
                            .reset_fails = 20};
    }
    bool const added = d.add_device() == status::success;
    auto const report = testing::scheduler::run(table_of(d), options, seed);
    bool const removed = d.stop_device() == status::success && d.remove_device() == status::success;
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
    return added && removed && report.passed() && happened;
}

/// Plays everything; returns whether no rule was broken.
bool play() {
    machine around;
    paged_driver adapter(around.found());
    bool good = memory_run(adapter, around).play(1);
    std::printf("\nscheduled on %u nodes:\n  %8s %10s %9s %9s %7s %7s %7s\n", hw::engine_count<gpu>, "complete",
                "preempt", "came back", "half run", "faults", "engine", "adapter");
    for (std::uint64_t seed = 1; seed != 5; ++seed) {
        good = schedule(adapter, seed % 2 == 0, seed) && good;
    }
    return good;
}

int main() {
    bool good = false;
    try {
        good = play();
    } catch (std::exception const& e) {
        std::printf("%s\n", e.what());
    }
    std::printf("\n%s\n", good ? "no violation" : "violations, see above");
    return good ? 0 : 1;
}
