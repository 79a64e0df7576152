// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "flipping_driver.hpp"

#include <sstream>
#include <stdexcept>

using namespace plain;

namespace scheduler_right_flips {
namespace {

using scheduler::rule;

constexpr rule of_flips[] = {rule::flp_01, rule::flp_02, rule::flp_03, rule::flp_04, rule::flp_05, rule::flp_07};

TEST_CASE("FLP-01 to FLP-07: flips between preemptions, cancelled packets, faults and resets, at every granularity") {
    std::uint64_t flips = 0;
    std::uint64_t met[std::size(of_flips)] = {};
    for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + (slow_build ? 60 : 600); ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        wddm const version = seed % 4 == 0   ? wddm::win8
                             : seed % 4 == 1 ? wddm::v1_3
                             : seed % 4 == 2 ? wddm::v2_0
                                             : wddm::v3_2;
        setup s = flipping(at_granularity(troubled(calm(version)), scheduler::granularities[seed % 6]));
        s.options.nodes = 2;
        s.options.display.sources = static_cast<std::uint32_t>(1 + seed % 3);
        s.options.troubles.reset_fails = 10;
        s.options.virtual_addresses = version == wddm::v3_2;
        s.collects_first = seed % 2 == 0;
        s.reports_in_dpc = seed / 2 % 2 == 0;
        s = seed / 3 % 2 == 0 ? s : without_acknowledgement(s);
        scheduler::report const report = run_flips(s, seed);
        INFO(report.text());
        CHECK(report.passed());
        flips += report.count.flips;
        for (std::size_t i = 0; i != std::size(of_flips); ++i) {
            met[i] += report.times_exercised(of_flips[i]);
        }
    }
    CHECK(flips > 500);
    for (std::uint64_t const each : met) {
        CHECK(each > 50);
    }
}

TEST_CASE("FLP-01: engines are preempted at once while a flip waits for a vsync that comes after the end") {
    std::uint64_t over = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        setup s = flipping(calm());
        s.options.display.held = 100;
        s.options.chances.preempt = 20;
        scheduler::report const report = run_flips(s, seed);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.count.engine_resets == 0);
        over += report.times_exercised(rule::flp_01);
    }
    CHECK(over > 20);
}

TEST_CASE(
    "TDR-11, FLP-01: after an adapter reset the display shows what the driver chooses, and no vsync comes within it") {
    std::uint64_t resets = 0;
    for (std::uint64_t seed = 1; seed <= (slow_build ? 20 : 100); ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        flipping_driver d;
        d.starts_over = true;
        setup s = flipping(calm());
        s.options.display.vsync_steps = 3;
        s.options.display.held = 100;
        s.options.troubles.hang = 60;
        s.options.troubles.reset_fails = 100;
        s.options.troubles.late = 0;
        scheduler::report const report =
            scheduler::run(scheduler::bind_scheduled_driver(d, s.version), s.options, seed);
        INFO(report.text());
        CHECK(report.passed());
        resets += report.count.adapter_resets;
    }
    CHECK(resets > 10);
}

TEST_CASE("FLP-04: of two vsyncs before one interrupt the newest address is told, and no flip is played twice") {
    flipping_driver d;
    setup const s = calm();
    scheduler::player p(scheduler::bind_scheduled_driver(d, s.version), s.options, 1);
    std::uint32_t const context = p.create_context(0, 0);
    for (std::uint32_t i = 1; i <= 5; ++i) {
        p.flips().flip_to_next(0, p.state().contexts[context], i % 2 == 0);
        CHECK(p.state().sources.front().asked.has_value());
        for (std::uint64_t step = 0; step <= s.options.display.vsync_steps; ++step) {
            p.advance();
        }
        CHECK_FALSE(p.state().sources.front().asked.has_value());
        CHECK(p.result().count.flips == i);
    }
    CHECK(p.result().passed());
}

TEST_CASE("a driver without DxgkDdiSetVidPnSourceAddress is asked for no flip, and nothing is drawn for it") {
    setup s = troubled(calm());
    scheduler::report const plain = run(s, 3);
    s.options.display.sources = 7;
    s.options.display.flip = 100;
    CHECK(run(s, 3).text() == plain.text());
    for (rule const each : of_flips) {
        CHECK(plain.times_exercised(each) == 0);
    }
    CHECK(plain.text().find("FLP-04 not exercised") != std::string::npos);
    s.options.display.sources = 0;  // and a driver that has it is not asked where there is no display
    flipping_driver d;
    wddmcore_driver_table table = scheduler::bind_scheduled_driver(d, s.version);
    table.set_vidpn_source_address = nullptr;
    CHECK(run_flips(s, 3).text() == scheduler::run(table, s.options, 3).text());
}

TEST_CASE("FLP-01: a driver that flips and does not declare it is asked for no flip, and named") {
    setup s = flipping(calm());
    s.options.display.declared = false;
    s.options.stop_after = 0;
    scheduler::report const report = run_flips(s, 1);
    CHECK(report.first_rule() == "FLP-01");
    CHECK(report.violations().size() == 1);
    CHECK(report.count.flips == 0);
    CHECK(run(s, 1).passed());  // one that flips nothing has nothing to declare
}

TEST_CASE("FLP-02, FLP-05: a driver without presents or without visibility is asked for neither") {
    flipping_driver d;
    wddmcore_driver_table table = scheduler::bind_scheduled_driver(d, wddm::v2_9);
    table.present = nullptr;
    table.set_vidpn_source_visibility = nullptr;
    scheduler::report const report = scheduler::run(table, flipping(calm()).options, 1);
    CHECK(report.passed());
    CHECK(report.count.flips != 0);
    CHECK(report.times_exercised(rule::flp_02) == 0);
}

TEST_CASE("FLP-04: a structure that is smaller than its version's is refused") {
    flipping_driver d;
    wddmcore_driver_table table = scheduler::bind_scheduled_driver(d, wddm::v2_0);
    table.set_vidpn_source_address_size -= 8;
    CHECK_THROWS_AS(static_cast<void>(scheduler::run(table, calm().options, 1)), std::invalid_argument);
    table = scheduler::bind_scheduled_driver(d, wddm::v2_0);
    table.present_size -= 8;
    CHECK_THROWS_AS(static_cast<void>(scheduler::run(table, calm().options, 1)), std::invalid_argument);
}

[[nodiscard]] std::string transcript(std::uint64_t seed) {
    setup s = flipping(troubled(calm()));
    return seeded_runs::transcript(s.options, [&](scheduler::options const& options) {
        s.options = options;
        return run_flips(s, seed);
    });
}

TEST_CASE("FLP-04: a run with flips is a function of driver, options and seed") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::string const first = transcript(seed);
        CHECK(first == transcript(seed));
        CHECK(first != transcript(seed + 1));
        CHECK(first.find("flip of source 0 to ") != std::string::npos);
    }
}

}  // namespace
}  // namespace scheduler_right_flips
