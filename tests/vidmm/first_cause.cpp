// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The first report is the cause, its consequences are not reported, and a crash loses nothing.
#include "expect.hpp"

#include <wddmcore/testing/vidmm/isolated.hpp>

#include <set>

using namespace toy;

namespace {

/// All rules that a driver breaks in runs that go on.
[[nodiscard]] std::set<std::string> all_of(setup s, u64 seed) {
    s.options.seed = seed;
    s.options.stop_after = 0;
    std::set<std::string> rules;
    testing::vidmm_report const report = run(s);
    for (testing::vidmm_violation const& v : report.violations()) {
        rules.insert(v.rule);
    }
    return rules;
}

void expect_only(setup const& s, char const* rule) {
    for (u64 seed = seed_or(1); seed < seed_or(1) + usual_seeds; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        CHECK(all_of(s, seed) == std::set<std::string>{rule});
    }
}

}  // namespace

TEST_CASE("OP00-02: one wrong offset is one finding, however many transfers it spoils") {
    setup s = without_aperture(physical());
    s.options.pages_before = 40;
    s.options.pages_behind = 4000;
    expect_only(with(s, &bugs::offset_not_on_segment), "OP00-02");
    expect_only(with(s, &bugs::list_offset_ignored), "OP00-02");
}

TEST_CASE("OP06-01, OP05-01: what goes through a wrong aperture is no finding of its own") {
    expect_only(with(physical(), &bugs::unmap_to_zero), "OP06-01");
}

TEST_CASE("PGB-22: an operation that moves nothing is told as that, wherever equal bytes may lie") {
    setup s = without_aperture(gpu_virtual());
    s.options.chances.null_allocation = 0;
    expect_only(with(s, &bugs::says_done), "PGB-22");
}

TEST_CASE("OP01-02: bytes beside a request are told with their places, and memory follows what is there") {
    setup s = with(without_aperture(physical()), &bugs::fills_too_far);
    s.options.stop_after = 0;
    s.options.seed = seed_or(1);
    testing::vidmm_report const report = run(s);
    REQUIRE(report.violations().size() == 1);
    CHECK(report.first_rule() == "OP01-02");
    CHECK(report.violations().front().state.find("segment") != std::string::npos);
    CHECK(report.text().find("OP01-02 broken 1 times") == std::string::npos);  // it went on, and counted
}

TEST_CASE("NULL and wild addresses are named as what they are") {
    using testing::vidmm_parts::journal;
    journal one;
    auto const at = [](std::uintptr_t n) { return reinterpret_cast<void const*>(n); };
    one.call("a call", false, {}, "; hAllocation is NULL in this call (PGB-21)");
    CHECK(std::string(one.explain(at(0x18)).rule) == "NULL-ACCESS");
    CHECK(std::string(one.explain(at(0x18)).sentence.data()) ==
          "a NULL pointer was used, at byte 24; hAllocation is NULL in this call (PGB-21)");
    CHECK(std::string(one.explain(at(0x7777'0000'0000)).rule) == "WILD-ACCESS");
    one.call("without a buffer", true);
    CHECK(std::string(one.explain(at(0)).rule) == "PGB-11");
    one.call("with a rule", false, testing::vidmm_rule::op17_05);
    CHECK(std::string(one.explain(at(0)).rule) == "OP17-05");
}

#if __has_include(<sys/mman.h>)

TEST_CASE("a crash loses none of the findings before it, and is the last of them") {
    setup s = physical();
    s.wrong.dma_size_wrong = true;
    s.wrong.keeps_arguments = true;
    s.options.stop_after = 0;
    s.options.seed = seed_or(1);
    testing::vidmm_verdict const verdict = testing::run_isolated([&] { return run(s); });
    CHECK(verdict.how == testing::vidmm_verdict::ending::crashed);
    REQUIRE(verdict.violations.size() == 2);
    CHECK(verdict.violations[0].rule == "AMB-06");
    CHECK(verdict.violations[1].rule == "PGB-07");
    CHECK(verdict.violations[1].state == verdict.last_call);
}

TEST_CASE("a hang and an exception are findings too") {
    testing::vidmm_verdict const hang =
        testing::run_isolated([] { return run(with(physical(), &bugs::spins)); }, std::chrono::milliseconds(300));
    REQUIRE_FALSE(hang.violations.empty());
    CHECK(hang.violations.back().rule == "HANG");
    testing::vidmm_verdict const thrown = testing::run_isolated(
        []() -> testing::vidmm_report { throw std::runtime_error("the machine has no such segment"); });
    REQUIRE(thrown.violations.size() == 1);
    CHECK(thrown.violations.front().rule == "CRASH");
    CHECK(thrown.violations.front().sentence == "the machine has no such segment");
}

#endif
