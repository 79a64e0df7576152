// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../world.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// What comes after a reset although it happened before (TDR-10).
class stale_events {
public:
    explicit stale_events(world& w) : w_(w) {}

    /// A write or an interrupt that was on its way when the engine was reset.
    void remember(hardware_engine const& e) {
        if (!w_.hardware_random.chance(w_.opt.troubles.late)) {
            return;
        }
        stale_event s;
        s.engine = w_.index_of(e.node, e.engine);
        s.due = w_.step + w_.hardware_random.between(1, 25);
        if (e.truth.what == wddmcore_gpu_executing) {
            s.serial = e.truth.serial;
            w_.stale.push_back(s);
        }
        if (e.armed) {
            s.stop = true;
            s.serial = e.retired;
            s.generation = e.generation;
            s.due += w_.hardware_random.between(0, 10);
            w_.stale.push_back(s);
        }
    }

    /// Delivers what is due.
    void deliver() {
        for (std::size_t i = 0; i < w_.stale.size();) {
            stale_event const s = w_.stale[i];
            hardware_engine& e = w_.hw[s.engine];
            unsigned const news = s.stop ? wddmcore_gpu_stopped : wddmcore_gpu_completed;
            // A stale write does not overwrite a newer one: hardware orders its writes.
            if (s.due > w_.step || e.halted || (e.latch.news & news) != 0) {
                ++i;
                continue;
            }
            e.latch.news |= news;
            if (s.stop) {
                e.latch.stopped_generation = s.generation;
                e.latch.stopped_through = s.serial;
                e.latch.stopped_half_run = 0;
            } else {
                e.latch.completed = s.serial;
            }
            ++w_.out.count.late_interrupts;
            w_.held(rule::tdr_10);
            w_.os[s.engine].stale_stop_at = s.stop ? w_.step : w_.os[s.engine].stale_stop_at;
            w_.event(w_.os[s.engine], s.stop ? "a stop from before the reset" : "a completion from before the reset");
            w_.stale.erase(w_.stale.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

private:
    world& w_;
};

}  // namespace wddmcore::testing::scheduler::parts
