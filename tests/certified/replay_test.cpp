// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The line that plays a finding again, and the traces of runs.
#include "../vidmm/adapter_cases.hpp"

#include <wddmcore/testing/certify.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace certified_replay {

using namespace wddmcore;
namespace parts = testing::certify_parts;

[[nodiscard]] testing::certified_driver wrong_driver() {
    static toy::adapter_life life = toy::life_of(wddm::v2_9);
    life.said.adapter.segments[1].flags |= toy::flag::cache_coherent;
    static toy::toy_adapter driver(life.version, life.said, life.wrong);
    testing::certified_driver d;
    d.table = driver.table();
    d.machine = life.options;
    return d;
}

TEST_CASE("SEG-13: a finding comes with the line that plays it again, and that line leads to the same finding") {
    testing::certified_options options;
    options.seed = 7;
    options.steps = 5;
    options.command = "certify driver.sys";
    options.only = {"start", "unknown operation"};
    auto const report = testing::certify(wrong_driver(), options);
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->rule == "SEG-13");
    CHECK(report.text().find("      replay: certify driver.sys --seed 7 --steps 5 --only start\n") !=
          std::string::npos);
    options.only = {"start"};
    auto const again = testing::certify(wrong_driver(), options);
    CHECK(again.scenarios.size() == 1);
    CHECK(again.first()->state == report.first()->state);
    CHECK(parts::replay_of({}, "unknown operation") == "--seed 1 --only \"unknown operation\"");
}

TEST_CASE("SEG-13: each scenario has a trace of its own, and a single one has the file that was named") {
    testing::certified_options options;
    options.trace = "/some.where/run.json";
    CHECK(parts::options_of_scenario(options, "small buffers").trace == "/some.where/run.small-buffers.json");
    options.trace = "/some.where/run";
    CHECK(parts::options_of_scenario(options, "paging").trace == "/some.where/run.paging");
    options.only = {"paging"};
    CHECK(parts::options_of_scenario(options, "paging").trace == "/some.where/run");
    testing::trace events;
    events.moment(0, "something", 5);
    std::string const file = "certified_replay_trace.json";
    parts::write_trace(file, events);
    std::ifstream in(file);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    CHECK(text.find("something") != std::string::npos);
    CHECK(std::remove(file.c_str()) == 0);
    CHECK_THROWS_AS(parts::write_trace("no/such/folder/file", events), std::runtime_error);
}

}  // namespace certified_replay
