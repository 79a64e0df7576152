// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

#include <set>
#include <sstream>
#include <stdexcept>

using namespace queue_driver;

namespace hardware_queues_determinism {
namespace {

namespace scheduler = wddmcore::testing::scheduler;

[[nodiscard]] std::string transcript(setup s, std::uint64_t seed) {
    return seeded_runs::transcript(s.options, [&](auto const& options) {
        s.options = options;
        return run(s, seed);
    });
}

TEST_CASE("a run is a function of driver, options and seed") {
    for (setup const& s : {calm(), troubled(calm()), log_by_driver(troubled(calm(wddm::v2_4)))}) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            std::string const first = transcript(s, seed);
            CHECK(first == transcript(s, seed));
            CHECK(first != transcript(s, seed + 1));
        }
    }
}

TEST_CASE("a report of a broken rule is the same every time, and names seed and step") {
    for (mistake const wrong : {mistake::takes_any_acknowledgement, mistake::keeps_private_data, mistake::no_barrier,
                                mistake::writes_to_old_log}) {
        setup s = log_by_driver(calm());
        s.wrong = wrong;
        std::uint64_t seed = 1;
        while (seed < 100 && run(s, seed).passed()) {
            ++seed;
        }
        auto const one = run(s, seed);
        REQUIRE_FALSE(one.passed());
        CHECK(one.violations() == run(s, seed).violations());
        CHECK(one.violations().front().state.find("seed " + std::to_string(seed) + ", step ") != std::string::npos);
    }
}

TEST_CASE("a run that ends at a broken rule leaves the driver no context, and blames it for nothing more") {
    for (mistake const wrong : {mistake::starts_suspended, mistake::keeps_private_data, mistake::no_barrier}) {
        std::uint64_t stopped = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            driver d(wrong);
            setup const s = log_by_driver(calm());
            auto const report = queues::run(queues::bind_queue_driver(d, s.version), s.options, seed);
            stopped += report.passed() ? 0U : 1U;
            CHECK(report.violations().size() <= 1);
            CHECK(d.live_contexts() == 0);
        }
        CHECK(stopped != 0);
    }
}

TEST_CASE("a broken rule does not end the run when it is not to") {
    setup s = calm();
    s.wrong = mistake::keeps_private_data;
    s.options.stop_after = 0;
    auto const report = run(s, 1);
    CHECK(report.violations().size() == 1);
    CHECK(report.first_rule() == "HWS-05");
    CHECK(report.count.completions > 20);
}

TEST_CASE("a journal tells what the system asked for, and a trace has a row for each node") {
    std::string const all = transcript(calm(), 3);
    for (char const* const part :
         {"submit packet", "suspend context", "resume context", "switch to the list of", "set log", "monitored value",
          "the GPU has suspended context", "is reported as suspended", "\"ph\":\"i\"", "node 1"}) {
        CHECK_MESSAGE(all.find(part) != std::string::npos, std::string(part));
    }
}

TEST_CASE("HWS-01 to HWS-15: random runs meet every rule of hardware queues") {
    std::set<scheduler::rule> met;
    setup s = troubled(calm());
    s.options.packets = 120;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        auto const report = run(s, seed);
        for (auto const& text : scheduler::rules) {
            if (report.times_exercised(text.which) != 0) {
                met.insert(text.which);
            }
        }
    }
    for (auto const& text : scheduler::rules) {
        if (std::string(text.id).starts_with("HWS-") || text.which == scheduler::rule::tdr_11) {
            CHECK_MESSAGE(met.count(text.which) != 0, std::string(text.id));
        }
    }
}

TEST_CASE("HWS-07 HWS-08: a rule whose precondition never occurred is reported as not exercised") {
    setup s = calm();
    s.options.list_nodes = 0;
    std::string const text = run(s, 1).text();
    CHECK(text.find("HWS-07 not exercised") != std::string::npos);
    CHECK(text.find("HWS-08 not exercised") != std::string::npos);
    CHECK(text.find("HWS-05 held") != std::string::npos);
    CHECK(text.find("PRE-08 not exercised") != std::string::npos);
}

TEST_CASE("HWS-10: native fences are those of WDDM 3.2, and below it nobody asks for them") {
    for (wddm const version : {wddm::v2_4, wddm::v2_9, wddm::v3_1}) {
        auto const report = run(calm(version), 1);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.count.fence_updates == 0);
    }
    CHECK(run(calm(), 1).count.fence_updates != 0);
}

TEST_CASE("HWS-07: a driver has lists of contexts, or suspensions, or both") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        driver lists, suspensions;
        wddmcore_driver_table table = queues::bind_queue_driver(lists, wddm::v3_2);
        table.suspend_context = nullptr;
        table.resume_context = nullptr;
        auto const of_lists = queues::run(table, troubled(calm()).options, seed);
        INFO(of_lists.text());
        CHECK(of_lists.passed());
        CHECK(of_lists.count.suspensions == 0);
        table = queues::bind_queue_driver(suspensions, wddm::v3_2);
        table.switch_to_hw_context_list = nullptr;
        auto const of_suspensions = queues::run(table, troubled(calm()).options, seed);
        INFO(of_suspensions.text());
        CHECK(of_suspensions.passed());
        CHECK(of_suspensions.count.list_switches == 0);
    }
}

TEST_CASE("HWS-08: a driver that cannot reset one engine has its adapter reset") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        driver d;
        wddmcore_driver_table table = queues::bind_queue_driver(d, wddm::v3_2);
        table.reset_hw_engine = nullptr;
        setup s = troubled(calm());
        s.options.troubles.hang = 60;
        auto const report = queues::run(table, s.options, seed);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.count.adapter_resets == report.count.engine_resets);
    }
}

TEST_CASE("HWS-01: a table without hardware queues, or one that does not fit its version, is not played") {
    driver d;
    queues::options const usual;
    auto const refused = [&usual](wddmcore_driver_table const& table) {
        CHECK_THROWS_AS(static_cast<void>(queues::run(table, usual, 1)), std::invalid_argument);
    };
    wddmcore_driver_table table = queues::bind_queue_driver(d, wddm::v3_2);
    table.version = static_cast<unsigned>(wddm::v2_2);
    refused(table);
    table = queues::bind_queue_driver(d, wddm::v3_2);
    table.submit_command_to_hw_queue_size = 48;  // that of older headers
    refused(table);
    table = queues::bind_queue_driver(d, wddm::v3_2);
    table.update_monitored_values_size = 24;
    refused(table);
    table = queues::bind_queue_driver(d, wddm::v3_2);
    table.create_hw_queue = nullptr;
    refused(table);
    table = queues::bind_queue_driver(d, wddm::v3_2);
    table.size = 8;  // members behind it are absent
    refused(table);
}

}  // namespace
}  // namespace hardware_queues_determinism
