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
    CHECK(once.html() == again.html());
    options.seed = 2;
    CHECK(once.text() != certify_sound(sound_driver::skeleton, options).text());
}

TEST_CASE("certify: what was not exercised and what could not be judged is listed, with what it would need") {
    auto const report = certify_sound(sound_driver::physical, short_run());
    CHECK(report.passed());
    CHECK(report.scenarios.size() == 12);
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
    CHECK(has(report.html(), "<h2>A documented rule is broken</h2>"));
    CHECK(has(report.html(), "<h3>OP00-02: "));
    CHECK(has(report.html(), " bytes compared, "));
    CHECK(has(report.html(), "class=\"wrong\" data-byte="));
}

/// The number that follows a word of a replay line.
[[nodiscard]] u64 number_after(std::string const& replay, std::string const& word) {
    std::size_t const at = replay.find(word);
    REQUIRE(at != std::string::npos);
    return std::stoull(replay.substr(at + word.size()));
}

/// The replay line of a mistake's run leads to the rule as the first finding, and a shorter run has no finding.
void expect_shrunk(mistake const& row, char const* scenario, std::string const& word, auto& length_of) {
    testing::certified_options options = short_run();
    options.only = {scenario};
    options.shrink = true;
    u64 const whole = length_of(options);
    auto const report = certify_mistake(row, options);
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->rule == row.rule);
    std::string const replay = report.scenarios.front().replay;
    u64 const least = number_after(replay, word);
    CHECK(least > 0);
    CHECK(least < whole);
    CHECK(certify_mistake(row, options).scenarios.front().replay == replay);
    options.shrink = false;
    length_of(options) = static_cast<u32>(least);
    auto const again = certify_mistake(row, options);
    REQUIRE(again.first() != nullptr);
    CHECK(again.first()->rule == row.rule);
    CHECK(again.scenarios.front().findings.size() == 1);
    CHECK(again.scenarios.front().replay == replay);
    length_of(options) = static_cast<u32>(least - 1);
    CHECK(certify_mistake(row, options).is_clean());
}

TEST_CASE("OP00-02, PRE-11: a run shrinks until the finding is the last that happens, and the line says how far") {
    auto const steps = [](testing::certified_options& o) -> auto& { return o.steps; };
    expect_shrunk(row_of(content_mistakes(), "MdlOffset is ignored"), "paging", "--steps ", steps);
    auto const packets = [](testing::certified_options& o) -> auto& { return o.packets; };
    expect_shrunk(row_of(request_mistakes(), "a preemption is reported twice"), "scheduling", "--packets ", packets);
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
    CHECK(report.scenarios.size() == 12);
    CHECK_FALSE(has(report.text(), "0x7"));  // no host address
}

#endif

}  // namespace zoo_certified
