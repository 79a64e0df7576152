// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "run.hpp"

#include <preemption/contest.hpp>

namespace wddmcore::examples::report {

bool write_preemption(json& out) {
    constexpr char const* names[] = {"nowhere", "DMA buffer", "primitive", "triangle", "pixel", "shader"};
    bool good = true;
    out.open('[');
    for (u32 i = 0; i != 6; ++i) {
        testing::trace trace;
        contest_result const run = play_contest(testing::scheduler::granularities[i], trace);
        good = good && run.good;
        out.open('{').text("stopsAt", names[i]).truth("good", run.good);
        out.number("asked", run.asked_at / 1000).number("reported", run.reported_at / 1000);
        out.number("shown", run.shown_at / 1000).number("over", run.over_at / 1000);
        out.number("latency", run.latency() / 1000).text("engine", run.engine).close('}');
    }
    out.close(']');
    return good;
}

}  // namespace wddmcore::examples::report
