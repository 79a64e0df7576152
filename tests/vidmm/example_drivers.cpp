// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The drivers of the examples, whose hardware is decoded by engines that share nothing with their encoders, under random
// scenarios: what a vendor's own test would look like.
#include "../slow_build.hpp"

#include <paging_round_trip/rigs.hpp>
#include <wddmcore/testing/vidmm.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

namespace example_drivers {

using namespace wddmcore;

namespace {

[[nodiscard]] u64 first_seed() {
    char const* const text = std::getenv("WDDMCORE_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
}

/// One scenario; the report of a driver that keeps every rule.
testing::vidmm_report expect_clean(std::string const& hardware, u64 seed, bool watch) {
    INFO(hardware, ", WDDMCORE_SEED=", seed);
    auto const adapter = examples::make_rig(hardware, u64{8} << 20);
    testing::vidmm_options options = adapter->options();
    options.seed = seed;
    options.smallest_paging_buffer = adapter->smallest_buffer();
    options.largest_paging_buffer = 16384;
    options.watch = watch;
    options.inspected_bytes = 1 << 16;
    options.keep_trace = false;
    testing::vidmm system(adapter->table(), options, &adapter->engine());
    system.run(seed, watch ? 30 : slow_build ? 100 : 600);
    system.finish();
    CHECK_MESSAGE(system.report().passed(), system.report().text());
    return system.report();
}

void expect_clean(std::string const& hardware) {
    for (u64 seed = first_seed(); seed < first_seed() + (slow_build ? 2 : 8); ++seed) {
        expect_clean(hardware, seed, false);
    }
}

}  // namespace

TEST_CASE("PGB-01 to PGB-22, OP00-01 to OP07-01: the physical drivers of the examples keep every rule") {
    expect_clean("cpu");
    expect_clean("amd_gfx10");
}

TEST_CASE("OP08-01 to OP09-02, OP17-02 to OP17-04: the virtual drivers of the examples keep every rule") {
    expect_clean("cpu_virtual");
    expect_clean("amd_gfx10_virtual");
}

// A sanitizer puts its own memcpy, which stores twice, in the place of an unaligned store: it is not the driver's code.
#if !defined(WDDMCORE_SANITIZED)
TEST_CASE("LAW-04: the drivers of the examples write each dword once and read none") {
    for (std::string const& hardware : examples::rig_names()) {
        testing::vidmm_report const report = expect_clean(hardware, first_seed(), true);
        CHECK(report.times_exercised(testing::vidmm_rule::law_04) != 0);
    }
}

#endif

TEST_CASE("the scenarios of the examples exercise the rules that they are there for") {
    using enum testing::vidmm_rule;
    for (std::string const& hardware : examples::rig_names()) {
        testing::vidmm_report const report = expect_clean(hardware, first_seed(), false);
        CAPTURE(hardware);
        for (testing::vidmm_rule const rule : {pgb_01, pgb_02, pgb_04, pgb_05, pgb_08, pgb_11, pgb_21}) {
            CAPTURE(static_cast<int>(rule));
            CHECK(report.times_exercised(rule) != 0);
        }
    }
}

}  // namespace example_drivers
