// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

using namespace toy;

#if __has_include(<sys/mman.h>)

namespace {

void expect_crash(setup s, char const* rule, char const* part_of_sentence) {
    for (u64 seed = seed_or(1); seed < seed_or(1) + 2; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        ending const e = run_isolated(s);
        INFO(e.rule, ": ", e.sentence, "; ", e.last_call);
        CHECK(e.crashed);
        CHECK(e.rule == rule);
        CHECK(e.sentence.find(part_of_sentence) != std::string::npos);
        CHECK_FALSE(e.last_call.empty());
    }
}

}  // namespace

TEST_CASE("PGB-01: a driver that writes on behind the buffer is a verdict") {
    setup s = with(without_aperture(physical()), &bugs::writes_past_end);
    s.options.paging_buffer = 4096;  // whole pages: the next one cannot be touched
    s.options.ram_pages = 16384;
    s.options.segments[0].size = u64{32} << 20;
    s.options.segments.pop_back();
    s.options.largest_allocation = u64{8} << 20;
    s.options.chances.split = 0;
    expect_crash(s, "PGB-01", "the paging buffer was left at its end");
}

TEST_CASE("PGB-07: a command that points at the argument structure is a verdict") {
    expect_crash(with(physical(), &bugs::keeps_arguments), "PGB-07", "the argument structure was used after its time");
}

TEST_CASE("AMB-60: a command that points at the page list is a verdict, of its own and only where it is asked for") {
    setup s = with(without_aperture(physical(wddm::v2_0)), &bugs::keeps_list);
    expect_crash(s, "AMB-60", "the page list was used after its time");
    s.options.page_lists_expire = false;
    for (u64 seed = seed_or(1); seed < seed_or(1) + 2; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        // The list could be read; what is judged are the bytes, of which this driver moves none.
        CHECK_MESSAGE(report.first_rule() == "PGB-22", report.text());
        CHECK(report.times_exercised(testing::vidmm_rule::amb_60) == 0);
    }
    // Everything else is judged as ever: the argument structure, and a list that is written.
    s = with(physical(), &bugs::keeps_arguments);
    s.options.page_lists_expire = false;
    expect_crash(s, "PGB-07", "the argument structure was used after its time");
    s = with(without_aperture(physical(wddm::v2_0)), &bugs::over_reads_list);
    s.options.pages_behind = 0;
    s.options.page_lists_expire = false;
    expect_crash(s, "OP00-10", "the page list was left at its end");
}

TEST_CASE("OP00-10: looking one page further while merging is a verdict") {
    setup s = with(without_aperture(physical(wddm::v2_0)), &bugs::over_reads_list);
    s.options.pages_behind = 0;
    expect_crash(s, "OP00-10", "the page list was left at its end");
}

TEST_CASE("OP17-04: a base page number taken for a list is a verdict") {
    setup s = with(aperture_only(wddm::v2_9), &bugs::run_always_list);
    expect_crash(s, "OP17-04", "was used as a pointer");
}

TEST_CASE("OP17-05: a CPU address used by a driver whose allocation asked for none is a verdict") {
    setup s = with(aperture_only(wddm::v2_9), &bugs::null_cpu_address);
    s.options.chances.no_buffer = 0;
    s.options.chances.null_allocation = 0;
    expect_crash(s, "OP17-05", "a NULL pointer was used");
}

TEST_CASE("OP06-03: a CPU address used after its unmap is a verdict") {
    expect_crash(with(aperture_only(wddm::v2_9), &bugs::keeps_cpu_address), "OP06-03",
                 "CpuVisibleAddress was used after its time");
}

TEST_CASE("OP07-01: a special lock transfer has no MdlOffset") {
    setup s = with(without_aperture(physical()), &bugs::lock_has_list_offset);
    s.options.seed = seed_or(1);
    ending const e = run_isolated(s);
    CHECK(e.rule == "OP07-01");
}

TEST_CASE("a driver that never returns is a verdict") {
    ending const e = run_isolated(with(physical(), &bugs::spins), 300);
    CHECK(e.hung);
    CHECK_FALSE(e.crashed);
    CHECK(e.last_call.find("build_paging_buffer") != std::string::npos);
}

#endif

TEST_CASE("a right driver's isolated run tells what the run itself tells") {
    setup s = physical();
    s.steps = 100;
    ending const e = run_isolated(s);
    CHECK_FALSE(e.crashed);
    CHECK_FALSE(e.hung);
    CHECK(e.rule.empty());
    CHECK(e.text == run(s).text());
}
