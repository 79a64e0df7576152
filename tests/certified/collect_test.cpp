// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/certify/collect.hpp>

#include <doctest/doctest.h>

// How what scenarios found becomes one report.
namespace {

using namespace wddmcore;
using testing::certify_parts::add;

[[nodiscard]] testing::vidmm_violation found(char const* rule) {
    testing::vidmm_violation v;
    v.rule = rule;
    v.sentence = "it is broken";
    return v;
}

[[nodiscard]] testing::certified_scenario_report named(char const* name) {
    testing::certified_scenario_report s;
    s.name = name;
    return s;
}

TEST_CASE("a rule is told once, and later scenarios say that they found it too") {
    testing::certified_report report;
    testing::certified_options const options;
    testing::certify_parts::result met;
    met.exercised = {{"OP00-02", 3}, {"PGB-05", 1}};
    add(report, named("paging"), {found("PGB-01"), found("PGB-01"), found("OP00-02")}, {}, options);
    add(report, named("reset"), {found("OP00-02"), found("PGB-22"), found("PGB-01"), found("OP00-02")}, met, options);
    REQUIRE(report.scenarios.size() == 2);
    CHECK(report.scenarios[0].findings.size() == 2);
    REQUIRE(report.scenarios[1].findings.size() == 1);
    CHECK(report.scenarios[1].findings[0].rule == "PGB-22");
    CHECK(report.scenarios[0].again.empty());
    CHECK(report.text().find("found again: OP00-02, PGB-01") != std::string::npos);
    CHECK(report.html().find("PGB-22</a> </td>") != std::string::npos);
    std::string const junit = report.junit();
    CHECK(junit.find("<testsuite name=\"reset\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\">") !=
          std::string::npos);
}

}  // namespace
