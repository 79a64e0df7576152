// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver with hardware queues is certified by the scenarios of hardware scheduling, and by no other of the scheduler.
#include "../hardware_queues/driver.hpp"
#include "../vidmm/adapter_cases.hpp"

#include <wddmcore/testing/certify.hpp>

#include <doctest/doctest.h>

namespace certified_hardware_queues {

using namespace wddmcore;
namespace parts = testing::certify_parts;
namespace queues = testing::hardware_queues;

[[nodiscard]] testing::certified_report certified(queue_driver::mistake wrong, wddm version = wddm::v3_2) {
    static queue_driver::driver driver;
    driver = queue_driver::driver(wrong);
    testing::certified_driver d;
    d.table = queues::bind_queue_driver(driver, version);
    return testing::certify(d);
}

[[nodiscard]] testing::certified_scenario_report const* find(testing::certified_report const& r, char const* name) {
    for (auto const& s : r.scenarios) {
        if (s.name == name) {
            return &s;
        }
    }
    return nullptr;
}

TEST_CASE("HWS-01 to HWS-15: a right driver is clean, and every rule of hardware queues was exercised") {
    auto const report = certified(queue_driver::mistake::none);
    INFO(report.text());
    CHECK(report.is_clean());
    for (std::string const& id : report.not_exercised) {
        CHECK_FALSE((id.starts_with("HWS-") && id != "HWS-14"));
    }
    for (char const* const name : {"hardware queues", "hardware timeouts"}) {
        auto const* const played = find(report, name);
        REQUIRE(played != nullptr);
        CHECK(played->left_out.empty());
        CHECK(played->exercised.contains("HWS-05"));
    }
    REQUIRE(find(report, "scheduling") != nullptr);
    CHECK_FALSE(find(report, "scheduling")->left_out.empty());
}

TEST_CASE("HWS-05: a mistaken driver is named by its rule, with the line that plays it again") {
    auto const report = certified(queue_driver::mistake::keeps_private_data);
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->rule == "HWS-05");
    CHECK(report.text().find("--only \"hardware queues\"") != std::string::npos);
}

TEST_CASE("HWS-08: a mistake that only a reset shows is found in the scenario of timeouts") {
    auto const report = certified(queue_driver::mistake::invalidates_nothing);
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->rule == "HWS-08");
    auto const* const calm = find(report, "hardware queues");
    REQUIRE(calm != nullptr);
    CHECK(calm->findings.empty());
}

TEST_CASE("HWS-01: a table without hardware queues leaves both scenarios out, and says why") {
    wddmcore_driver_table t{};
    t.version = static_cast<u32>(wddm::v2_2);
    CHECK(parts::missing_for_hardware_queues(t).find("2.4") != std::string::npos);
    t.version = static_cast<u32>(wddm::v2_9);
    CHECK(parts::missing_for_hardware_queues(t) == "start_hardware_queues");
    testing::certified_driver d;
    d.table = t;
    parts::result out;
    CHECK_FALSE(parts::queue_nodes_of(d, {}, out).has_value());
    CHECK(out.left_out.find("start_hardware_queues") != std::string::npos);
    CHECK(out.unjudged.empty());
}

TEST_CASE("LDA-08: as many nodes are played as the driver has") {
    toy::adapter_life l = toy::life_of(wddm::v2_9);
    l.said.nodes = 5;
    toy::toy_adapter driver(l.version, l.said, l.wrong);
    std::string refusal;
    auto const said = parts::answers_of(driver.table(), l.options, refusal);
    REQUIRE(said.has_value());
    CHECK(parts::queue_options_of(*said).nodes == 5);
}

TEST_CASE("LDA-08: of more nodes than hardware scheduling plays those that are left out are said") {
    static queue_driver::driver queues_of_driver;
    testing::certified_driver d;
    d.table = queues::bind_queue_driver(queues_of_driver, wddm::v3_2);
    for (u32 const nodes : {32u, 33u}) {
        toy::adapter_life l = toy::life_of(wddm::v2_9);
        l.said.nodes = nodes;
        toy::toy_adapter driver(l.version, l.said, l.wrong);
        d.paging_table = driver.table();
        parts::result out;
        auto const played = parts::queue_nodes_of(d, {}, out);
        REQUIRE(played.has_value());
        CHECK(played->nodes == 32);
        CHECK(out.unjudged.size() == nodes - 32);
    }
}

}  // namespace certified_hardware_queues
