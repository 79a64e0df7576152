// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A game has two long packets in hardware when the desktop compositor submits a short one for the next frame. The
// scheduler preempts the game; how soon the compositor gets the engine depends on where the hardware can stop. Times
// are simulated. If a folder is given, each run is written there as a trace for about:tracing or Perfetto.

#include "preemption/driver.hpp"

#include <wddmcore/testing/scheduler.hpp>
#include <wddmcore/testing/trace.hpp>

#include <cstdio>
#include <fstream>
#include <string>

using namespace wddmcore;
namespace scheduler = testing::scheduler;

constexpr u32 game_commands = 100;
constexpr u32 compositor_commands = 6;
constexpr u32 frame_is_ready = 33;

/// Plays one run and prints its line. Returns whether both packets completed and no rule was broken.
bool play(scheduler::granularity stops_at, char const* name, testing::trace& trace) {
    scheduler::options const options{.nodes = 1, .stops_at = stops_at, .paging_nodes = 0, .trace = &trace};
    examples::scheduling_driver<examples::submit_outside> driver;
    scheduler::player player(scheduler::bind_scheduled_driver(driver, wddm::v2_9), options, 1);
    auto& world = player.state();
    u32 const game = player.create_context(0, 0);
    u32 const compositor = player.create_context(0, 0);
    u32 last = 0;
    for (u32 i = 0; i != 2; ++i) {
        last = player.create_packets(game, {{.commands = game_commands}});
        player.submit(game);
    }
    std::string chart;
    u64 shown_at = 0;
    bool over = false;
    for (u32 now = 0; now != 400 && !over && !player.stopped(); ++now) {
        if (now == frame_is_ready) {
            static_cast<void>(player.create_packets(compositor, {{.commands = compositor_commands}}));
            player.preempt(0);
        }
        bool const asked = world.os.front().asked.has_value();
        if (!asked && !world.contexts[compositor].queue.empty()) {
            player.submit(compositor);
        } else if (!asked && !world.contexts[game].queue.empty()) {
            player.submit(game);
        }
        auto const& ring = world.hw.front().ring;
        bool const games = !ring.empty() && ring.front().what.buffer <= world.packets[last].buffer;
        if (now % 4 == 0) {
            chart += ring.empty() ? '.' : !games ? 'C' : asked ? '!' : 'g';
        }
        player.advance();
        bool const shown = now >= frame_is_ready && world.packets.back().finished;
        shown_at = shown && shown_at == 0 ? world.now() : shown_at;
        over = shown && world.packets[last].finished;
    }
    player.finish();
    u64 const latency = player.result().preemptions.at(0).latency();
    std::printf("%-18s %8llu us %8llu us  %s\n", name, latency / 1000, shown_at / 1000, chart.c_str());
    return over && player.result().passed();
}

int main(int count, char** words) {
    std::printf("g: the game runs   !: it was asked to stop   C: the compositor runs   (a character is 4 us)\n\n");
    std::printf("%-18s %11s %11s\n", "stops at", "latency", "shown at");
    constexpr char const* names[] = {"nowhere", "DMA buffer", "primitive", "triangle", "pixel", "shader"};
    bool good = true;
    for (u32 i = 0; i != 6; ++i) {
        testing::trace trace;
        good = play(scheduler::granularities[i], names[i], trace) && good;
        if (count > 1) {
            std::ofstream file(std::string(words[1]) + "/preemption " + names[i] + ".json");
            trace.write(file);
            good = file.good() && good;
        }
    }
    return good ? 0 : 1;
}
