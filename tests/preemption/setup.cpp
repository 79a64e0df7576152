// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

namespace preemption_test {

std::vector<std::vector<pool_packet>> pools(bool deep) {
    pool_packet const render_a{kind::render, 0, 0, 0, 0};
    pool_packet const portion_a{kind::render, 0, 0, 1, 0};
    pool_packet const render_b{kind::render, 1, 2, 0, 0};
    pool_packet const paging{kind::paging, 2, 3, 0, 0};
    pool_packet const more_paging{kind::paging, 2, 4, 0, 0};
    pool_packet const leave_a{kind::context_switch, 0, 5, 0, 0};
    pool_packet const leave_paging{kind::paging_context_switch, 2, 6, 0, 0};
    pool_packet const refused_b{kind::rejected, 1, 7, 0, 0};
    pool_packet const again_a{kind::render, 0, 0, 0, 0};
    auto const waits = [](u8 packet) { return pool_packet{kind::wait, 0, 8, 0, packet}; };

    std::vector<std::vector<pool_packet>> all{
        {render_a, render_b},
        {render_a, portion_a},
        {paging, render_b},
        {paging, more_paging},
        {render_a, leave_a, render_b},
        {paging, leave_paging},
        {waits(1), render_b},
        {render_a, refused_b, paging},
        {render_a, again_a, refused_b},
    };
    if (deep) {
        all.push_back({render_a, portion_a, render_b, paging});
        all.push_back({paging, more_paging, render_a, refused_b});
    }
    return all;
}

namespace {

struct trouble {
    char const* name;
    void (*make)(setup&);
};

trouble const troubles[] = {
    {"plain", [](setup&) {}},
    {"completions apart", [](setup& s) { s.through_known = false; }},
    {"queries", [](setup& s) { s.queries = true; }},
    {"engine reset, stale interrupts", [](setup& s) {
         s.resets = 1;
         s.stale = true;
     }},
    {"adapter reset, stale interrupts", [](setup& s) {
         s.adapter_resets = 1;
         s.stale = true;
     }},
    {"fault", [](setup& s) { s.faults = 1; }},
    {"fault, engine reset, stale", [](setup& s) {
         s.faults = 1;
         s.resets = 1;
         s.stale = true;
         s.preempts = 1;
     }},
    {"hardware cannot tell", [](setup& s) {
         s.resets = 1;
         s.cannot_tell = true;
     }},
    {"second requests", [](setup& s) { s.second_requests = true; }},
    {"no submission during a request", [](setup& s) {
         s.submits_during_request = false;
         s.resets = 1;
     }},
};

}  // namespace

std::vector<setup> setups(bool deep) {
    std::vector<setup> all;
    u32 number = 0;
    for (std::vector<pool_packet> const& pool : pools(deep)) {
        ++number;
        for (trouble const& t : troubles) {
            for (auto const stops : {hw::stopping_class::inside_buffer, hw::stopping_class::between_buffers,
                                     hw::stopping_class::nowhere}) {
                for (bool const acknowledges : {true, false}) {
                    setup s;
                    s.pool = pool;
                    s.stops = stops;
                    s.acknowledges = acknowledges;
                    t.make(s);
                    // A wait ahead of what it waits for is a deadlock on hardware that stops nowhere (PRE-22).
                    if (pool[0].what == kind::wait && stops == hw::stopping_class::nowhere) {
                        continue;
                    }
                    s.name = "pool " + std::to_string(number) + ", class " + std::to_string(static_cast<int>(stops)) + ", " +
                             (acknowledges ? "acknowledges, " : "silent when idle, ") + t.name;
                    all.push_back(s);
                }
            }
        }
    }
    return all;
}

}  // namespace preemption_test
