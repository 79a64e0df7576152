// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "display/flipping_driver.hpp"

#include <set>
#include <string_view>

using namespace plain;

namespace scheduler_right_driver {
namespace {

using wddmcore::at_least;
using wddmcore::interface_versions;

void expect_clean(setup s, std::uint64_t seeds, char const* what) {
    std::uint64_t const first = seed_or(1);
    for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
        s.collects_first = seed % 2 == 0;
        scheduler::report const report = run(s, seed);
        if (!report.passed()) {
            INFO(what, ", WDDMCORE_SEED=", seed);
            INFO(report.text());
            CHECK(report.passed());
            return;
        }
    }
    CHECK(seeds != 0);
}

/// Four nodes, both kinds of hardware, at one granularity.
void expect_no_violation(granularity where, std::uint64_t seeds) {
    setup s = calm();
    s.options.nodes = 4;
    s.options.stops_at = where;
    expect_clean(s, seeds, "acknowledging hardware");
    expect_clean(without_acknowledgement(s), seeds, "hardware that answers only when it stopped something");
}

TEST_CASE("PRE-08 to PRE-30: a thousand seeds at every granularity, four nodes, each packet completed exactly once") {
    for (granularity const where : scheduler::granularities) {
        INFO("granularity ", static_cast<unsigned>(where));
        expect_no_violation(where, slow_build ? 25 : 1000);
    }
}

TEST_CASE("TDR-02 to TDR-14: hangs, faults, resets and late interrupts at every granularity") {
    for (granularity const where : scheduler::granularities) {
        for (wddm const version : {wddm::win8, wddm::v2_0, wddm::v3_2}) {
            setup s = troubled(at_granularity(calm(version), where));
            s.options.nodes = 4;
            s.options.dependent_nodes = 0b0110;
            s.options.troubles.reset_fails = 10;
            s.options.first_fence_id = 0xFFFF'FFF0;
            s.options.virtual_addresses = version == wddm::v3_2;
            expect_clean(s, slow_build ? 8 : 150, "troubles");
            s.options.timing.timeout_steps = 8;  // engines that are only slow are reset too
            s.options.troubles.cannot_tell = true;
            expect_clean(without_acknowledgement(s), slow_build ? 8 : 150, "slow engines that cannot tell");
        }
    }
}

TEST_CASE("PRE-19: a right driver is found right at every interface version from win8 on") {
    for (wddm const version : interface_versions) {
        if (at_least(version, wddm::win8)) {
            expect_clean(troubled(calm(version)), slow_build ? 4 : 20, "physical");
        }
        if (at_least(version, wddm::v2_0)) {
            expect_clean(troubled(virtual_addresses(calm(version))), slow_build ? 4 : 20, "virtual");
        }
    }
}

TEST_CASE("LDA-03, PRE-27: a link of two adapters, two engines a node") {
    setup s = troubled(calm());
    s.options.nodes = 2;
    s.options.engines = 2;
    s.options.paging_nodes = 3;
    expect_clean(s, slow_build ? 10 : 200, "link");
}

TEST_CASE("AMB-18: fence ids that wrap") {
    for (std::uint32_t const id : {0xFFFF'FFF0U, 0xFFFF'FFFEU, 0U, 0x7FFF'FFF0U}) {
        setup s = troubled(calm());
        s.options.first_fence_id = id;
        expect_clean(s, slow_build ? 10 : 100, "wrap");
    }
}

TEST_CASE("PRE-16: mostly paging, with hangs that end in adapter resets") {
    setup s = troubled(calm());
    s.options.chances.paging = 70;
    s.options.troubles.paging_hang = 80;
    s.options.troubles.late = 100;
    expect_clean(s, slow_build ? 20 : 300, "paging");
}

TEST_CASE("INT-07: a driver that reports from its DPC what its interrupt routine has read is right") {
    setup s = calm();
    s.reports_in_dpc = true;
    expect_clean(s, slow_build ? 25 : 200, "reports from the DPC");
    s.options.nodes = 3;
    expect_clean(s, slow_build ? 25 : 200, "reports from the DPC of three nodes");
}

TEST_CASE("AMB-45: a system that never submits while a request is outstanding") {
    setup s = troubled(calm());
    s.options.submissions_during_request = false;
    expect_clean(s, slow_build ? 10 : 200, "no submissions during a request");
}

TEST_CASE("without troubles every packet completes exactly once, or was rejected") {
    for (granularity const where : scheduler::granularities) {
        setup s = virtual_addresses(at_granularity(calm(), where));
        s.options.nodes = 4;
        s.options.timing.timeout_steps = 100'000;
        std::uint64_t const seeds = slow_build ? 5 : 50;
        for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + seeds; ++seed) {
            INFO("WDDMCORE_SEED=", seed);
            scheduler::counts const count = run(s, seed).count;
            CHECK(count.packets >= s.options.packets);
            CHECK(count.completions + count.rejected == count.packets);
            CHECK(count.aborted == 0);
        }
    }
}

TEST_CASE("every rule of the list is exercised by some setup") {
    std::set<scheduler::rule> met;
    auto const look = [&met](setup const& s, auto play) {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            scheduler::report const report = play(s, seed);
            for (auto const& text : scheduler::rules) {
                if (report.times_exercised(text.which) != 0) {
                    met.insert(text.which);
                }
            }
        }
    };
    setup troubles = troubled(calm());
    troubles.options.nodes = 2;
    troubles.options.troubles.reset_fails = 10;
    troubles.options.timing.timeout_steps = 40;
    troubles.options.troubles.hang = 60;
    look(troubles, run);
    look(virtual_addresses(troubles), run);
    look(calm(wddm::win8), run);
    setup linked = calm();
    linked.options.engines = 2;
    look(linked, run);
    look(flipping(calm()), [](setup const& s, std::uint64_t seed) { return run_flips(s, seed); });
    for (auto const& text : scheduler::rules) {
        bool const of_queues = std::string_view(text.id).starts_with("HWS-");  // tests/hardware_queues
        CHECK_MESSAGE((of_queues || met.count(text.which) != 0), std::string(text.id));
    }
}

TEST_CASE("a rule whose precondition never occurred is reported as not exercised") {
    std::string const text = run(calm(), 1).text();
    CHECK(text.find("TDR-05 not exercised") != std::string::npos);
    CHECK(text.find("INT-07 held") != std::string::npos);
}

TEST_CASE("TDR-11: a driver that cannot reset one engine has its adapter reset") {
    for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + (slow_build ? 10 : 100); ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        setup s = troubled(calm());
        s.options.troubles.hang = 60;
        driver d;
        wddmcore_driver_table table = scheduler::bind_scheduled_driver(d, s.version);
        table.reset_engine = nullptr;
        table.query_engine_status = nullptr;
        table.query_dependent_engine_group = nullptr;
        scheduler::report const report = scheduler::run(table, s.options, seed);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.count.engine_resets == 0);
        CHECK((report.count.adapter_resets != 0 || report.times_exercised(scheduler::rule::tdr_11) == 0));
    }
}

TEST_CASE("AMB-15: a probe tells what a second request does, and judges nothing") {
    setup s = calm();
    s.options.probes = true;
    scheduler::report const report = run(s, seed_or(1));
    REQUIRE(report.probes().size() == 1);
    CHECK(report.probes().front().what.find("AMB-15") != std::string::npos);
    // The plain driver starts anew for each request: the newest id is the one that it reports.
    CHECK(report.probes().front().answer == "the newest id is reported");
    CHECK(report.passed());
}

}  // namespace
}  // namespace scheduler_right_driver
