// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

#include <wddmcore/testing/scheduler/isolated.hpp>

#include <chrono>

#if __has_include(<sys/mman.h>)

using namespace plain;

namespace scheduler_crashes {
namespace {

using wddmcore::testing::vidmm_verdict;

[[nodiscard]] vidmm_verdict isolated(mistake wrong) {
    setup s = calm();
    s.wrong = wrong;
    return wddmcore::testing::run_isolated([&s] { return run(s, 1); }, std::chrono::milliseconds(500));
}

TEST_CASE("a crash of the driver is a verdict that names its last call") {
    vidmm_verdict const verdict = isolated(mistake::crashes_in_preempt);
    CHECK(verdict.how == vidmm_verdict::ending::crashed);
    CHECK(verdict.last_call == "preempt_command");
}

TEST_CASE("a driver that does not come back is a verdict that names its last call") {
    vidmm_verdict const verdict = isolated(mistake::spins_in_dpc);
    CHECK(verdict.how == vidmm_verdict::ending::hung);
    CHECK(verdict.last_call == "dpc_routine");
}

TEST_CASE("an isolated run gives the same report as any other") {
    setup s = calm();
    s.wrong = mistake::no_dpc;
    vidmm_verdict const verdict = isolated(mistake::no_dpc);
    REQUIRE(verdict.how == vidmm_verdict::ending::finished);
    CHECK(verdict.text == run(s, 1).text());
    REQUIRE(verdict.violations.size() == 1);
    CHECK(verdict.violations.front().rule == "INT-01");
}

}  // namespace
}  // namespace scheduler_crashes

#endif
