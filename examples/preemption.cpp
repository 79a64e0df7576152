// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A game has two long packets in hardware when the desktop compositor submits a short one for the next frame. The
// scheduler preempts the game; how soon the compositor gets the engine depends on where the hardware can stop. Times
// are simulated. All runs are written as one trace for Perfetto or chrome://tracing, one below the other.

#include "preemption/contest.hpp"

#include <cstdio>
#include <fstream>
#include <string>

using namespace wddmcore;
namespace scheduler = testing::scheduler;

constexpr char const* usage =
    "preemption [FILE]\nPreempts a game on six kinds of hardware and prints how long each takes to stop. The six runs are "
    "written as Chrome\ntrace events: every submission, request, execution and report, with arrows between them; all times "
    "are the model's.\nWithout FILE to " WDDMCORE_EXAMPLE_OUTPUT "/preemption.json\n";

/// Plays one run and prints its line. Returns whether both packets completed and no rule was broken.
bool play(scheduler::granularity stops_at, char const* name, testing::trace& trace) {
    examples::contest_result const run = examples::play_contest(stops_at, trace);
    std::string chart;
    for (std::size_t now = 0; now < run.engine.size(); now += 4) {
        chart += run.engine[now];
    }
    std::printf("%-18s %8llu us %8llu us  %s\n", name, run.latency() / 1000, run.shown_at / 1000, chart.c_str());
    return run.good;
}

int main(int count, char** words) {
    std::string const first = count > 1 ? words[1] : "";
    if (count > 2 || first.starts_with("-")) {
        std::printf("%s", usage);
        return first == "--help" && count == 2 ? 0 : 2;
    }
    std::printf("g: the game runs   !: it was asked to stop   C: the compositor runs   (a character is 4 us)\n\n");
    std::printf("%-18s %11s %11s\n", "stops at", "latency", "shown at");
    constexpr char const* names[] = {"nowhere", "DMA buffer", "primitive", "triangle", "pixel", "shader"};
    std::string const path = count > 1 ? first : WDDMCORE_EXAMPLE_OUTPUT "/preemption.json";
    std::ofstream file(path);
    testing::trace::file all(file);
    bool good = true;
    for (u32 i = 0; i != 6; ++i) {
        testing::trace trace;
        good = play(scheduler::granularities[i], names[i], trace) && good;
        all.add(trace, i + 1, std::string("stops at: ") + names[i]);
    }
    all.finish();
    if (!file.flush()) {
        std::fprintf(stderr, "preemption: %s cannot be written\n", path.c_str());
        return 2;
    }
    std::printf("\ntrace: %s; open it in https://ui.perfetto.dev or chrome://tracing\n", path.c_str());
    return good ? 0 : 1;
}
