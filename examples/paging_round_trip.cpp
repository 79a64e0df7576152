// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The main job: the bytes of allocations move from a memory segment to scattered system pages and back. They move by
// command streams of a real GPU, which an independent decoder executes under a simulated video memory manager. Where
// the GPU walks page tables, processes map the allocations too, and the driver gets every notice that WDDM 3.2 has.

#include "paging_round_trip/limits.hpp"
#include "paging_round_trip/options.hpp"
#include "paging_round_trip/page_lists.hpp"
#include "paging_round_trip/progress.hpp"
#include "paging_round_trip/rigs.hpp"
#include "paging_round_trip/table.hpp"
#include "paging_round_trip/trace_file.hpp"
#include "paging_round_trip/trip.hpp"

#include <cstdio>
#include <map>
#include <new>
#include <utility>

namespace {

using namespace wddmcore;
using namespace wddmcore::examples;

/// The name of the hardware in the table of costs.
std::string label(trip const& t) {
    if (!t.mode) {
        return t.hardware;
    }
    using enum page_table_update_mode;
    return t.hardware + (*t.mode == cpu_virtual   ? ", CPU"
                         : *t.mode == gpu_virtual ? ", GPU virtual"
                                                  : ", GPU physical");
}

/// The page lists to use, which are also printed; empty when a list that was asked for is not available.
std::vector<page_list> lists_for(round_trip_options const& options, std::size_t count) {
    std::vector<page_list> lists;
    std::string why_not;
    std::string const wanted = options.pages.value_or("");
    bool const all = wanted.empty();
    if (all || wanted == "host") {
        if (auto host = host_pages(count, why_not)) {
            lists.push_back(std::move(*host));
        } else if (all) {
            auto recorded = recorded_pages(WDDMCORE_EXAMPLE_DATA "/host_small_pages.txt", why_not);
            std::printf("pages: this host does not tell its page frames; a recorded list stands in\n");
            if (recorded) {
                if (auto longer = stretched(*recorded, count, why_not)) {
                    lists.push_back(std::move(*longer));
                }
            }
        }
    }
    if (all || wanted == "random") {
        lists.push_back(random_pages(count, options.seed));
    }
    if (all || wanted == "contiguous") {
        lists.push_back(contiguous_pages(count));
    }
    if (!all && wanted != "host" && wanted != "random" && wanted != "contiguous") {
        if (auto const recorded = recorded_pages(wanted, why_not)) {
            if (auto longer = stretched(*recorded, count, why_not)) {
                lists.push_back(std::move(*longer));
            }
        }
    }
    if (lists.empty()) {
        std::fprintf(stderr, "--pages %s: expected host, random, contiguous or a file of runs; %s\n", wanted.c_str(),
                     why_not.c_str());
    }
    for (page_list const& list : lists) {
        std::printf("pages: %s, %zu in %zu runs\n", list.origin.c_str(), list.numbers.size(), count_runs(list.numbers));
    }
    return lists;
}

constexpr std::uint64_t kib_ = 1 << 10;
constexpr std::uint64_t mib_ = 1 << 20;

/// Trips that are made only on request. A gigabyte through buffers of one command takes a quarter of a million
/// submissions, the plain processor moves each byte itself, and page by page through page tables takes longest.
bool is_slow(std::string const& hardware, std::uint64_t size, std::uint32_t buffer, bool chosen) {
    if (hardware.ends_with("_tables")) {
        return size > mib_ || (buffer != 0 && buffer != 65536) || (size == mib_ && buffer == 0);
    }
    return (size > 16 * mib_ && buffer < (hardware.starts_with("amd") ? 65536 : mib_)) ||
           (size > 128 * mib_ && (buffer < mib_ || !hardware.starts_with("amd")) && !chosen);
}

/// Adds one trip; with page tables, one for each way to write them.
void add(std::vector<trip>& trips, trip t) {
    if (!t.hardware.ends_with("_tables")) {
        trips.push_back(t);
        return;
    }
    using enum page_table_update_mode;
    for (page_table_update_mode const mode : {cpu_virtual, gpu_virtual, gpu_physical}) {
        t.mode = mode;
        trips.push_back(t);
    }
}

/// The hardware that the options ask for. What needs larger paging buffers is left out, and said out loud.
/// @param problem  written when nothing is left
std::vector<std::string> hardware_for(round_trip_options const& options, std::string& problem) {
    std::vector<std::string> fitting;
    std::string too_small;
    for (std::string const& name : rig_names()) {
        if (options.hardware && name != *options.hardware) {
            continue;
        }
        std::uint32_t const least = make_rig(name, 4 * kib_)->smallest_buffer();
        if (options.buffer.value_or(least) >= least) {
            fitting.push_back(name);
        } else {
            too_small += (too_small.empty() ? "" : ", ") + name + " at least " + std::to_string(least);
        }
    }
    if (!too_small.empty()) {
        too_small = "--buffer " + std::to_string(*options.buffer) +
                    ": too small for one command; expected, in bytes: " + too_small;
        if (fitting.empty()) {
            problem = too_small;
        } else {
            std::printf("left out with %s\n", too_small.c_str());
        }
    }
    return fitting;
}

/// The trips that the options ask for; by default small allocations through every size of buffer, large ones through
/// large buffers.
std::vector<trip> plan(round_trip_options const& options, std::vector<page_list> const& lists,
                       std::vector<std::string> const& hardware_names, std::vector<std::uint64_t> const& sizes) {
    std::vector<std::uint32_t> const buffers = options.buffer ? std::vector<std::uint32_t>{*options.buffer}
                                                              : std::vector<std::uint32_t>{0, 4096, 65536, 1 << 20};
    std::vector<trip> trips;
    for (std::string const& hardware : hardware_names) {
        for (page_list const& list : lists) {
            for (std::uint64_t const size : sizes) {
                for (std::uint32_t const buffer : buffers) {
                    if (!is_slow(hardware, size, buffer, options.hardware.has_value()) || options.buffer ||
                        options.size) {
                        add(trips, {hardware, &list, size, buffer, {}});
                    }
                }
            }
        }
    }
    return trips;
}

/// A number of bytes in the largest unit that fits.
std::string amount(std::uint64_t n) {
    char const* const units[] = {"bytes", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    for (; unit < 3 && n >= 10 * kib_; ++unit) {
        n /= kib_;
    }
    return std::to_string(n) + " " + units[unit];
}

std::string in_words(trip const& t) {
    return label(t) + ", " + t.pages->origin + ", " + std::to_string(t.size) + " bytes, " +
           (t.buffer == 0 ? std::string("smallest buffers") : "buffers of " + std::to_string(t.buffer));
}

/// The sizes that the options ask for. Of those that nobody asked for, the ones that this host has no memory for are left
/// out, and said out loud.
/// @param problem  written when there is not enough for the one that was asked for
std::vector<std::uint64_t> sizes_for(round_trip_options const& options, std::string& problem) {
    std::vector<std::uint64_t> sizes{4 * kib_, 64 * kib_, mib_};
    if (options.size) {
        sizes = {*options.size};
    } else if (options.full) {
        sizes.insert(sizes.end(), {16 * mib_, 128 * mib_, 1024 * mib_});
    }
    auto const left = memory_left();
    while (left && !sizes.empty()) {
        std::uint64_t const needed = memory_needed(sizes.back(), options.trace.has_value());
        if (needed <= *left) {
            break;
        }
        problem = "allocations of " + amount(sizes.back()) + ": about " + amount(needed) +
                  " of memory are expected, and this host can give " + amount(*left);
        sizes.pop_back();
        if (!sizes.empty()) {
            std::printf("left out: %s\n", std::exchange(problem, "").c_str());
        }
    }
    return sizes;
}

/// What the run has shown, in one sentence.
std::string proven(std::vector<trip> const& trips, std::size_t ways, std::uint64_t largest, std::uint64_t compared) {
    std::string const smallest = amount(trips.front().size);
    return std::to_string(trips.size()) + (trips.size() == 1 ? " round trip" : " round trips") + " on " +
           std::to_string(ways) + (ways == 1 ? " adapter" : " adapters") + ", allocations of " + smallest +
           (amount(largest) == smallest ? "" : " to " + amount(largest)) + ": every byte equal, " + amount(compared) +
           " compared, and no rule of the DDI was broken.";
}

/// Ends the trace and says where it is.
bool finished(trace_file& trace, std::string const& path) {
    if (!trace.finish()) {
        std::fprintf(stderr, "paging_round_trip: --trace %s: the file could not be written to its end\n", path.c_str());
        return false;
    }
    std::printf("trace: %zu round trips, %s written to %s; open it in https://ui.perfetto.dev or chrome://tracing\n",
                trace.trips(), amount(trace.size()).c_str(), path.c_str());
    return true;
}

int run(round_trip_options const& options) {
    std::string problem;
    if (options.trace) {
        if (std::string const why = why_not_writable(*options.trace); !why.empty()) {
            problem = "--trace " + *options.trace + ": expected a file that can be written; " + why;
        }
    }
    std::vector<std::uint64_t> const sizes = sizes_for(options, problem);
    std::vector<std::string> const hardware = hardware_for(options, problem);
    if (!problem.empty()) {
        std::fprintf(stderr, "paging_round_trip: %s\n", problem.c_str());
        return 2;
    }
    std::uint64_t const largest = sizes.back();
    // One list serves all sizes.
    std::vector<page_list> const lists = lists_for(options, static_cast<std::size_t>(largest / 4096) + spare_pages);
    if (lists.empty()) {
        return 2;
    }
    std::vector<trip> const trips = plan(options, lists, hardware, sizes);
    cost_table costs;
    progress_line progress(trips.size());
    std::optional<trace_file> trace;
    if (options.trace) {
        trace.emplace(*options.trace);
    }
    std::uint64_t compared = 0;
    for (trip const& t : trips) {
        progress.next(in_words(t));
        arrived const there = travel(t, options.seed, trace.has_value());
        costs.add(label(t), there.report);
        if (trace) {
            trace->add(label(t), in_words(t), t, there.events);
        }
        if (!there.wrong.empty()) {
            progress.clear();
            if (trace) {
                static_cast<void>(finished(*trace, *options.trace));
            }
            std::printf("%s: %s\n", in_words(t).c_str(), there.wrong.c_str());
            return 1;
        }
        compared += 4 * t.size;
    }
    progress.clear();
    if (!options.brief) {
        std::printf("\n%s\n%s\n", costs.text().c_str(), cost_table::legend());
    }
    if (trace && !finished(*trace, *options.trace)) {
        return 2;
    }
    std::printf("%s\n", proven(trips, costs.rows(), largest, compared).c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    auto const parsed = parse({argv + 1, argv + argc}, rig_names());
    if (!parsed.problem.empty()) {
        std::fprintf(stderr, "paging_round_trip: %s\n%s", parsed.problem.c_str(), usage(rig_names()).c_str());
        return 2;
    }
    if (parsed.options.help) {
        std::printf("%s", usage(rig_names()).c_str());
        return 0;
    }
    try {
        return run(parsed.options);
    } catch (std::bad_alloc const&) {
        // The host told more than it gives, or somebody else took it meanwhile.
        std::fprintf(stderr, "paging_round_trip: this host gives no more memory; a smaller --size needs less\n");
        return 2;
    }
}
