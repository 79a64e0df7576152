// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The memory of each physical adapter of a link is paged, in one life of the driver.
#include "../slow_build.hpp"
#include "linked_memory.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace certified_link_paging {

using namespace wddmcore;
using linked_memory::mistake;

[[nodiscard]] testing::certified_options paging(std::uint64_t seed) {
    testing::certified_options o;
    o.seed = seed;
    o.only = {"paging"};
    o.only_first = true;
    return o;
}

[[nodiscard]] testing::certified_report certified(mistake wrong, testing::certified_options const& o) {
    linked_memory::driver d(wrong);
    return testing::certify(d.describe(), o);
}

[[nodiscard]] std::string content_of(std::string const& file) {
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    in.close();
    CHECK(std::remove(file.c_str()) == 0);
    return text;
}

TEST_CASE("LDA-03: a driver that pages each adapter of a link in its own memory raises nothing in any scenario") {
    for (std::uint64_t seed = 1; seed <= (slow_build ? 2 : 4); ++seed) {
        testing::certified_options o = paging(seed);
        o.steps = 200;
        o.only = {"start", "paging", "small buffers", "address spaces", "losses", "unknown operation"};
        auto const report = certified(mistake::none, o);
        INFO(report.text());
        CHECK(report.is_clean());
        REQUIRE(report.scenarios.size() == 6);
        for (auto const& s : report.scenarios) {
            INFO(s.name);
            CHECK(s.left_out.empty() == (s.name != "address spaces"));
            CHECK((s.exercised.contains("OP05-01") || s.name != "paging"));
        }
    }
}

/// The mistake is found on this adapter, whatever the seed: its aperture stays as it was (PGB-22), or, where the other
/// chip is the smaller one, an address is refused (PGB-08).
void expect_found_on(mistake wrong, char const* adapter, bool other_is_smaller) {
    for (std::uint64_t seed = 1; seed <= (slow_build ? 2 : 4); ++seed) {
        auto const report = certified(wrong, paging(seed));
        INFO(report.text());
        REQUIRE(report.first() != nullptr);
        std::string const& rule = report.first()->rule;
        CHECK((rule == "PGB-22" || (other_is_smaller && rule == "PGB-08")));
        CHECK(report.first()->state.starts_with(adapter));
    }
}

TEST_CASE("PGB-22: a driver that uses the first adapter's state for the second one is found, on the second one") {
    expect_found_on(mistake::first_for_all, "physical adapter 1, ", false);
}

TEST_CASE("PGB-22, PGB-08: a driver that goes by the newest context is found on the first adapter") {
    expect_found_on(mistake::newest_for_all, "physical adapter 0, ", true);
}

TEST_CASE("PGB-22, PGB-08: a driver that takes each adapter for the other one by its affinity is found on the first") {
    expect_found_on(mistake::affinity_is_swapped, "physical adapter 0, ", true);
}

TEST_CASE("LDA-03: a context that is refused on the second adapter is a finding of its own") {
    auto const report = certified(mistake::refuses_second, paging(1));
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->rule == "REFUSED");
    CHECK(report.first()->state.find("context on physical adapter 1") != std::string::npos);
}

TEST_CASE("PGB-22: one seed gives the same report and the same traces twice, of each adapter its own") {
    auto const told = [](std::uint64_t seed) {
        testing::certified_options o = paging(seed);
        o.trace = "certified_link_paging.json";
        std::string const text = certified(mistake::none, o).text();
        std::string const first = content_of("certified_link_paging.json");
        std::string const second = content_of("certified_link_paging.adapter-1.json");
        CHECK(first.size() > 1000);
        CHECK(second.size() > 1000);
        CHECK(first != second);
        return text + first + second;
    };
    CHECK(told(2) == told(2));
}

TEST_CASE("PGB-22: the replay line of the shortest run leads to the same finding on the second adapter") {
    testing::certified_options o = paging(3);
    o.shrink = true;
    auto const report = certified(mistake::first_for_all, o);
    REQUIRE(report.first() != nullptr);
    std::string const line = report.scenarios[0].replay;
    std::size_t const at = line.find("--steps ");
    REQUIRE(at != std::string::npos);
    o.shrink = false;
    o.steps = std::stoull(line.substr(at + 8));
    CHECK(o.steps < 100);
    auto const again = certified(mistake::first_for_all, o);
    REQUIRE(again.first() != nullptr);
    CHECK(again.first()->rule == report.first()->rule);
    CHECK(again.first()->state.find("physical adapter 1, ") != std::string::npos);
    --o.steps;
    CHECK(certified(mistake::first_for_all, o).is_clean());
}

TEST_CASE("LDA-03: without a function that makes contexts the first adapter is paged alone, and the report says so") {
    linked_memory::driver d;
    testing::certified_driver described = d.describe();
    described.table.create_context_with_info = nullptr;
    // Nobody names a context of the driver's then.
    described.table.build_paging_buffer = [](void*, void*) WDDMCORE_DRIVER_CALL { return int{status::success}; };
    auto const report = testing::certify(described, paging(1));
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->state.find("physical adapter") == std::string::npos);
    bool told = false;
    for (std::string const& line : report.unjudged) {
        told = told || line == "paging on the adapters of a link beside the first: create_context_with_info";
    }
    CHECK(told);
}

}  // namespace certified_link_paging
