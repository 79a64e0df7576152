// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "bugs.hpp"
#include "world.hpp"

namespace preemption_test {

char const* name_of(step what) {
    static char const* const names[] = {
        "submit",
        "ask",
        "start",
        "finish",
        "stop",
        "fault runs on",
        "fault needs reset",
        "fault unknown",
        "interrupt",
        "interrupt completion only",
        "interrupt stop only",
        "deferred call",
        "query",
        "engine reset",
        "adapter reset",
        "restart",
        "stale stop",
        "late write",
    };
    static_assert(sizeof names / sizeof names[0] == static_cast<std::size_t>(step::count));
    return names[static_cast<std::size_t>(what)];
}

char const* name_of(bug b) {
    static char const* const names[] = {
        "none",
        "last is first of batch",
        "silent never retired",
        "silent stays while halted",
        "silent at idle becomes entry",
        "silent retired while drained",
        "last names a preempted packet",
        "last taken from newest submitted",
        "held dropped",
        "mark at head",
        "mark moves with submissions",
        "head not moved",
        "held never released",
        "handed over while stopping",
        "handed over while releasing",
        "asks idle hardware",
        "reports before the stop",
        "stale serial accepted",
        "serials reused",
        "no report when drained",
        "reports when drained and waits",
        "generation ignored",
        "generation not changed",
        "through ignored",
        "stop drops the completion",
        "half run not told",
        "half run told of the finished",
        "fault keeps last",
        "fault does not halt",
        "unknown fault moves last",
        "reports while halted",
        "reset keeps last",
        "reset keeps ring",
        "reset keeps request",
        "reset names newest when nothing ran",
        "reset names newest",
        "reset names oldest when nothing ran",
        "reset names held",
        "adapter reset keeps last",
        "adapter reset names newest ever",
        "restart forgets held",
        "no disarm",
        "ids must rise",
        "second request ignored",
        "second request moves sent",
        "completion past sent accepted",
        "disarms instead of waiting",
        "no completion before fault",
        "reset changes generation",
        "nothing counts as ignored",
        "completion by os id",
        "slot used up at hand over",
        "slot forgets hand over",
        "slot kept when finished",
        "slot cleared by any reset",
        "slot ignores window",
        "completion before fault",
        "no collecting before reset",
        "reset keeps fault latch",
        "disarm forgotten",
        "preempted before completed",
        "half run restarted",
    };
    static_assert(sizeof names / sizeof names[0] == static_cast<std::size_t>(bug::count));
    return names[static_cast<std::size_t>(b)];
}

}  // namespace preemption_test
