// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver whose author says that it supports links is scheduled as one of two physical adapters.
#include "../scheduler/plain_driver.hpp"
#include "../slow_build.hpp"

#include <wddmcore/testing/certify.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace certified_link {

using namespace wddmcore;
using plain::mistake;
namespace parts = testing::certify_parts;

/// A driver of a link, which its author describes.
struct linked_driver {
    explicit linked_driver(mistake wrong = mistake::none, std::uint32_t adapters = 2, wddm version = wddm::v2_9)
        : driver(wrong) {
        described.table = testing::scheduler::bind_scheduled_driver(driver, version);
        described.scheduling = testing::scheduler::options{.nodes = 2};
        described.machine.physical_adapters = adapters;
    }

    plain::driver driver;
    testing::certified_driver described;
};

[[nodiscard]] testing::certified_options only_link(std::uint64_t seed) {
    testing::certified_options o;
    o.seed = seed;
    o.only = {"link"};
    o.only_first = true;
    return o;
}

[[nodiscard]] testing::certified_report certified(mistake wrong, std::uint64_t seed, wddm version = wddm::v2_9) {
    linked_driver const d(wrong, 2, version);
    return testing::certify(d.described, only_link(seed));
}

/// The mistake is what the report names first, in each of the seeds, and the same seeds are clean without it.
void expect_named(mistake wrong, char const* rule) {
    for (std::uint64_t seed = 1; seed <= (slow_build ? 3 : 10); ++seed) {
        INFO("seed ", seed);
        auto const report = certified(wrong, seed);
        INFO(report.text());
        REQUIRE(report.first() != nullptr);
        CHECK(report.first()->rule == rule);
    }
}

TEST_CASE("LDA-01, LDA-03, LDA-05: a sound driver with links raises nothing, and each of the three is exercised") {
    std::uint64_t resets = 0;
    for (std::uint64_t seed = 1; seed <= (slow_build ? 5 : 40); ++seed) {
        INFO("seed ", seed);
        auto const report = certified(mistake::none, seed, seed % 3 == 0 ? wddm::win8 : wddm::v2_9);
        INFO(report.text());
        CHECK(report.is_clean());
        REQUIRE(report.scenarios.size() == 1);
        for (char const* const rule : {"LDA-01", "LDA-03", "LDA-05", "PRE-12", "PRE-15"}) {
            CHECK_MESSAGE(report.scenarios[0].exercised.contains(rule), rule);
        }
        CHECK_FALSE(report.scenarios[0].exercised.contains("LDA-04"));
        CHECK(report.unjudged.empty());
        resets += report.scenarios[0].exercised.contains("TDR-05") ? 1U : 0U;
    }
    CHECK(resets != 0);
}

TEST_CASE("LDA-01: a driver whose records count the adapters of the link from 1 is named") {
    expect_named(mistake::adapters_from_1_in_records, "LDA-01");
}

TEST_CASE("LDA-03: a driver that gives each context to the first adapter, whatever its affinity says, is named") {
    expect_named(mistake::affinity_is_not_read, "LDA-03");
}

TEST_CASE("LDA-05: a driver whose second patch modifies what both adapters read is named") {
    expect_named(mistake::fence_patched_in, "LDA-05");
    expect_named(mistake::fence_written_at_submit, "LDA-05");
}

TEST_CASE("PRE-27: a driver that keeps one last completed id for both adapters is named") {
    expect_named(mistake::one_last_for_all, "PRE-27");
}

TEST_CASE("LDA-01: one seed gives the same report and the same trace twice, and another seed another trace") {
    auto const told = [](std::uint64_t seed) {
        linked_driver const d;
        testing::certified_options o = only_link(seed);
        o.trace = "certified_link_trace.json";
        std::string const text = testing::certify(d.described, o).text();
        std::ifstream in(o.trace);
        std::string const trace{std::istreambuf_iterator<char>(in), {}};
        CHECK(std::remove(o.trace.c_str()) == 0);
        CHECK(trace.find("node 1, engine 1") != std::string::npos);
        return text + trace;
    };
    CHECK(told(3) == told(3));
    CHECK(told(3) != told(4));
}

TEST_CASE("LDA-05: the replay line of the shortest run leads to the same rule, and one packet less does not") {
    linked_driver const d(mistake::fence_patched_in);
    testing::certified_options o = only_link(2);
    o.shrink = true;
    auto const report = testing::certify(d.described, o);
    REQUIRE(report.first() != nullptr);
    std::string const& line = report.scenarios[0].replay;
    std::size_t const at = line.find("--packets ");
    CHECK(line.ends_with(" --only link"));
    REQUIRE(at != std::string::npos);
    o.shrink = false;
    o.packets = static_cast<std::uint32_t>(std::stoul(line.substr(at + 10)));
    CHECK(o.packets < 100);
    auto const again = testing::certify(d.described, o);
    REQUIRE(again.first() != nullptr);
    CHECK(again.first()->rule == "LDA-05");
    --o.packets;
    CHECK(testing::certify(d.described, o).is_clean());
}

TEST_CASE("LDA-01: of a driver of which nobody says that it supports links one line tells that none is played") {
    linked_driver const d(mistake::none, 1);
    auto const report = testing::certify(d.described, only_link(1));
    REQUIRE(report.scenarios.size() == 1);
    CHECK(report.scenarios[0].left_out.find("`machine.physical_adapters` is 1") != std::string::npos);
    CHECK(report.unjudged.empty());
    auto const& not_met = report.not_exercised;
    CHECK(std::find(not_met.begin(), not_met.end(), "LDA-03") != not_met.end());
}

TEST_CASE("LDA-03: options of the scheduler with two engines say it, too") {
    linked_driver d(mistake::none, 1);
    d.described.scheduling->engines = 2;
    CHECK(parts::physical_adapters_of(d.described) == 2);
    auto const report = testing::certify(d.described, only_link(1));
    CHECK(report.scenarios[0].left_out.empty());
    CHECK(report.is_clean());
}

TEST_CASE("LDA-05: what is not played of a link is said") {
    linked_driver d(mistake::none, 3);
    d.described.table.patch = nullptr;
    auto const report = testing::certify(d.described, only_link(1));
    REQUIRE(report.unjudged.size() == 2);
    CHECK(report.unjudged[0].find("adapters from 2 on") != std::string::npos);
    CHECK(report.unjudged[1].find("(LDA-05): patch") != std::string::npos);
    CHECK_FALSE(report.scenarios[0].exercised.contains("LDA-05"));
    CHECK(report.scenarios[0].exercised.contains("LDA-03"));
}

}  // namespace certified_link
