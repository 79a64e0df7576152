// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <doctest/doctest.h>

#include "wddmcore/preemption/records/interrupt_routine.hpp"

#include <string>

namespace interrupt_routine_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

// What an interrupt did, one letter a step: asked whose it is, dismissed, served.
struct served {
    interrupt_outcome outcome;
    std::string steps;
};

served serve(bool ours, unsigned message, unsigned declared) {
    served result;
    result.outcome = serve_interrupt(
        message, declared,
        [&] {
            result.steps += 'a';
            return ours;
        },
        [&] { result.steps += 'd'; }, [&] { result.steps += 's'; });
    return result;
}

}  // namespace

TEST_CASE("INT-05: another device's line interrupt is left alone, ours is dismissed before TRUE is returned") {
    served const foreign = serve(false, 0, 0);
    CHECK(!foreign.outcome.handled);
    CHECK(foreign.steps == "a");
    served const ours = serve(true, 0, 0);
    CHECK(ours.outcome.handled);
    CHECK(ours.steps == "ads");
    served const other_message = serve(true, 2, 1);
    CHECK(other_message.outcome.handled);
    CHECK(other_message.steps == "ad");
}

TEST_CASE("INT-03: records are notified only in the message that the driver declared") {
    for (unsigned declared = 0; declared != 4; ++declared) {
        for (unsigned message = 0; message != 4; ++message) {
            served const result = serve(true, message, declared);
            bool const reports = message == declared;
            CHECK((result.steps.find('s') != std::string::npos) == reports);
            CHECK(result.outcome.report_later == !reports);
        }
    }
    CHECK(!serve(false, 1, 2).outcome.report_later);
}

TEST_CASE("INT-03: notify-interrupt is never entered while it runs") {
    notify_guard guard;
    int calls = 0;
    bool inner = true;
    CHECK(guard.enter([&] {
        ++calls;
        inner = guard.enter([&] { ++calls; });
    }));
    CHECK(!inner);
    CHECK(calls == 1);
    CHECK(guard.enter([&] { ++calls; }));
    CHECK(calls == 2);
}

}  // namespace interrupt_routine_test
