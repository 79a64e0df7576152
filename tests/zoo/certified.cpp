// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What certify says, in which words, and that it says the same twice.
#include "keeper.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

using namespace zoo;

namespace zoo_certified {

[[nodiscard]] testing::certified_options short_run() {
    testing::certified_options options;
    options.steps = 60;
    options.packets = 40;
    return options;
}

[[nodiscard]] mistake const& row_of(std::span<mistake const> rows, std::string_view name) {
    return *std::find_if(rows.begin(), rows.end(), [&](mistake const& m) { return m.name == name; });
}

[[nodiscard]] bool has(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("certify: the same seed gives the same report, byte by byte, and another seed another one") {
    testing::certified_options options = short_run();
    auto const once = certify_sound(sound_driver::skeleton, options);
    auto const again = certify_sound(sound_driver::skeleton, options);
    CHECK(once.text() == again.text());
    CHECK(once.junit() == again.junit());
    options.seed = 2;
    CHECK(once.text() != certify_sound(sound_driver::skeleton, options).text());
}

TEST_CASE("certify: what was not exercised and what could not be judged is listed, with what it would need") {
    auto const report = certify_sound(sound_driver::physical, short_run());
    CHECK(report.passed());
    CHECK(report.scenarios.size() == 8);
    CHECK(has(report.scenarios.front().left_out, "no query_adapter_info"));
    auto const missing = [&](char const* id) {
        return std::find(report.not_exercised.begin(), report.not_exercised.end(), id) != report.not_exercised.end();
    };
    CHECK(missing("OP08-01"));
    CHECK(missing("PRE-08"));
    CHECK_FALSE(missing("OP00-02"));
    CHECK(has(report.text(), "Not exercised, which is not the same as kept:"));
    CHECK(has(report.text(), "busy allocations (PGB-09): `set_busy`"));
    CHECK(has(report.text(), "preemption, interrupts and recovery (PRE, INT, TDR)"));
}

#if __has_include(<sys/mman.h>)

TEST_CASE("certify: one scenario by its name, and nothing else") {
    testing::certified_options options = short_run();
    options.only = {"scheduling"};
    auto const report = certify_sound(sound_driver::skeleton, options);
    REQUIRE(report.scenarios.size() == 1);
    CHECK(report.scenarios.front().name == "scheduling");
    CHECK(report.scenarios.front().exercised.contains("PRE-13"));
}

TEST_CASE("certify: a broken rule comes with its sentence and its page") {
    auto const report = certify_mistake(row_of(content_mistakes(), "MdlOffset is ignored"), short_run());
    CHECK_FALSE(report.passed());
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->kind == testing::certified_kind::broken);
    CHECK(has(report.first()->source, ".md"));
    CHECK_FALSE(report.first()->demand.empty());
    CHECK(has(report.text(), "OP00-02, a documented rule is broken: "));
    CHECK(has(report.junit(), "<failure message="));
}

TEST_CASE("AMB-06: what no page says is marked as that, fails nothing, and can be switched off") {
    mistake const& row = row_of(protocol_mistakes(), "DmaSize goes down by another amount");
    testing::certified_options options = short_run();
    auto const report = certify_mistake(row, options);
    CHECK(report.passed());
    CHECK_FALSE(report.is_clean());
    CHECK(report.first()->kind == testing::certified_kind::unusual);
    CHECK(has(report.text(), "AMB-06, this is unusual: "));
    CHECK(has(report.text(), "no page says it"));
    CHECK_FALSE(has(report.junit(), "<failure"));
    options.judge_unusual = false;
    CHECK(certify_mistake(row, options).is_clean());
}

TEST_CASE("OBS-05: what Windows is known to refuse is a sentence of its own, with its source") {
    auto const f = testing::certified_finding_of({"OBS-05", "a sentence", "a state"});
    CHECK(f.kind == testing::certified_kind::refused);
    CHECK(has(f.source, "running systems"));
}

TEST_CASE("certify: a crash and a hang are told with the call, and the other scenarios are played all the same") {
    auto const report =
        certify_mistake(row_of(protocol_mistakes(), "the allocation is looked at although there is none"),
                        testing::certified_options{});
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->rule == "NULL-ACCESS");
    CHECK(report.first()->kind == testing::certified_kind::ended);
    CHECK(has(report.first()->state, "build_paging_buffer, request"));
    CHECK(has(report.first()->sentence, "hAllocation is NULL in this call"));
    CHECK(report.scenarios.size() == 8);
    CHECK_FALSE(has(report.text(), "0x7"));  // no host address
}

#endif

}  // namespace zoo_certified
