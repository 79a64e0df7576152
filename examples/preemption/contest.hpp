// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"

#include <wddmcore/testing/scheduler.hpp>
#include <wddmcore/testing/trace.hpp>

#include <string>

/// A game has two long packets in hardware when the desktop compositor submits a short one for the next frame, and the
/// scheduler preempts the game. Times are simulated; one step is a microsecond.
namespace wddmcore::examples {

inline constexpr u32 game_commands = 100;
inline constexpr u32 compositor_commands = 6;
inline constexpr u32 frame_is_ready = 33;

/// How a contest went. Times in nanoseconds.
struct contest_result {
    u64 asked_at = 0;
    u64 reported_at = 0;  ///< the preemption
    u64 shown_at = 0;     ///< the compositor's packet has finished
    u64 over_at = 0;
    bool good = false;  ///< both contexts finished, and no rule was broken
    /// What the engine did in each microsecond: g the game, ! the game when it was asked to stop, C the compositor,
    /// . nothing.
    std::string engine;

    [[nodiscard]] u64 latency() const { return reported_at - asked_at; }
};

/// Plays the contest on hardware that stops where `stops_at` says.
/// @param trace  gets what happened
[[nodiscard]] inline contest_result play_contest(testing::scheduler::granularity stops_at, testing::trace& trace) {
    namespace scheduler = testing::scheduler;
    scheduler::options const options{.nodes = 1, .stops_at = stops_at, .paging_nodes = 0, .trace = &trace};
    scheduling_driver<submit_outside> driver;
    scheduler::player player(scheduler::bind_scheduled_driver(driver, wddm::v2_9), options, 1);
    auto& world = player.state();
    u32 const game = player.create_context(0, 0);
    u32 const compositor = player.create_context(0, 0);
    u32 last = 0;
    for (u32 i = 0; i != 2; ++i) {
        last = player.create_packets(game, {{.commands = game_commands}});
        player.submit(game);
    }
    contest_result result;
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
        result.engine += ring.empty() ? '.' : !games ? 'C' : asked ? '!' : 'g';
        player.advance();
        bool const shown = now >= frame_is_ready && world.packets.back().finished;
        result.shown_at = shown && result.shown_at == 0 ? world.now() : result.shown_at;
        over = shown && world.packets[last].finished;
    }
    result.over_at = world.now();
    player.finish();
    scheduler::preemption const& first = player.result().preemptions.at(0);
    result.asked_at = first.requested;
    result.reported_at = first.reported;
    result.good = over && player.result().passed();
    return result;
}

}  // namespace wddmcore::examples
