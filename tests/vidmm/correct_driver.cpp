// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

#include <set>

namespace {

using namespace toy;
using testing::vidmm_rule;

void expect_clean(setup s, u64 seeds, char const* what) {
    u64 const first = seed_or(1);
    for (u64 seed = first; seed < first + seeds; ++seed) {
        INFO(what, ", WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        INFO(report.text());
        CHECK(report.passed());
    }
}

/// One setup of many.
[[nodiscard]] setup brief(setup s) {
    s.steps = slow_build ? 50 : s.steps;
    return s;
}

}  // namespace

TEST_CASE("PGB-01 to OP17-04: a right driver is found right at every interface version, physical addressing") {
    for (wddm const version : interface_versions) {
        expect_clean(brief(physical(version)), 1, "physical");
    }
    expect_clean(physical(wddm::vista), usual_seeds, "vista");
    expect_clean(physical(wddm::v3_2), usual_seeds, "3.2");
}

TEST_CASE("OP08-01, OP09-01: a right driver is found right at every interface version, virtual addressing") {
    for (wddm const version : interface_versions) {
        if (at_least(version, wddm::v2_0)) {
            expect_clean(brief(gpu_virtual(version)), 1, "virtual");
        }
    }
    expect_clean(without_aperture(gpu_virtual(wddm::v2_0)), 2, "virtual without aperture");
}

TEST_CASE("OP05-01, OP06-01, OP17-02: a right driver is found right with nothing but an aperture") {
    for (wddm const version : {wddm::vista, wddm::v1_3, wddm::v2_1, wddm::v2_9, wddm::v3_2}) {
        expect_clean(aperture_only(version), 1, "aperture");
    }
    setup at_once = aperture_only(wddm::v2_9);
    at_once.aperture_by_command = false;
    expect_clean(at_once, 2, "aperture at once");
}

TEST_CASE("LDA-08: a paging submission names the paging node, and the system's context or none") {
    setup s = brief(physical(wddm::v3_2));
    s.wrong.submit_is_strict = true;
    s.options.paging_node = 3;
    s.options.paging_context = reinterpret_cast<void*>(std::uintptr_t{0x7000});
    expect_clean(s, 1, "strict");
    s.options.paging_node = 2;
    CHECK_FALSE(run(s).passed());
}

TEST_CASE("AMB-06: both treatments of DmaSize are right") {
    setup s = physical();
    s.counts_dma_size_down = true;
    expect_clean(s, 2, "DmaSize counted down");
}

TEST_CASE("PGB-13: one record per buffer and one record per submission are both right") {
    setup s = physical();
    s.options.paging_private_data = 64;
    expect_clean(s, 1, "one record");
    s.record_bytes = 16;
    expect_clean(s, 1, "records");
}

TEST_CASE("OP00-05, OP01-02: sizes that are not whole pages") {
    setup s = physical();
    s.options.size_granule = 4;
    expect_clean(s, 2, "odd sizes, physical");
    s = gpu_virtual();
    s.options.size_granule = 4;
    expect_clean(s, 2, "odd sizes, virtual");
}

TEST_CASE("OP00-10: contiguous, random and recorded page lists") {
    setup s = physical();
    s.options.pages = testing::vidmm_page_policy::contiguous;
    expect_clean(s, 1, "contiguous");
    s.options.pages = testing::vidmm_page_policy::recorded;
    s.options.recorded_runs = {1, 1, 5, 2, 16};
    expect_clean(s, 1, "recorded");
}

TEST_CASE("SEG-09, OP08-05: segments of 64-KiB pages") {
    setup s = gpu_virtual();
    s.options.segments[0].pages_64k = true;
    s.options.segments[0].size = 2 << 20;
    s.options.ram_pages = 2048;
    expect_clean(s, 2, "64 KiB");
}

TEST_CASE("OP08-07: a right driver moves allocations over themselves") {
    setup s = gpu_virtual();
    s.options.overlapping_moves = true;
    expect_clean(s, 3, "overlapping moves");
    CHECK(run(s).times_exercised(vidmm_rule::op08_07) != 0);
}

TEST_CASE("PGB-03: fresh buffers only, packed buffers only, execution at once") {
    setup s = physical();
    s.options.packing = testing::vidmm_packing::fresh;
    expect_clean(s, 1, "fresh");
    s.options.packing = testing::vidmm_packing::packed;
    expect_clean(s, 1, "packed");
    s.options.execution = testing::vidmm_execution::at_submit;
    s.options.paging_buffer = 4096;
    expect_clean(s, 1, "packed, at once");
}

TEST_CASE("PGB-05: buffers of the smallest size that the driver declares") {
    setup s = physical();
    s.options.paging_buffer = 32;
    expect_clean(s, 1, "smallest");
}

TEST_CASE("PGB-15: a driver that executes in submit needs no engine") {
    setup s = physical();
    s.executes_itself = true;
    expect_clean(s, 2, "no engine");
    s.wrong.list_offset_ignored = true;
    CHECK(run(s).first_rule() == "OP00-02");
}

TEST_CASE("every rule of the list is exercised by some setup") {
    std::set<vidmm_rule> met;
    auto const look = [&met](testing::vidmm_report const& report) {
        for (auto const& text : testing::vidmm_rules) {
            if (report.times_exercised(text.rule) != 0) {
                met.insert(text.rule);
            }
        }
    };
    setup records = physical();
    records.options.paging_private_data = 64;
    look(run(records));
    setup moving = gpu_virtual();
    moving.options.overlapping_moves = true;
    look(run(moving));
    setup watched = without_aperture(physical());
    watched.options.watch = true;
    watched.steps = 30;
    look(run(watched));
    look(fill_huge(physical(), (u64{4} << 30) + (u64{1} << 26)));
    setup tables = with_notices(with_residency(with_contexts(page_tables(page_table_update_mode::gpu_virtual))));
    tables.steps = 300;
    tables.options.power_losses = true;
    tables.options.notify.largest_chunk = 0;
    tables.options.paging_buffer = 48;
    look(run(tables));
    look(run(with_all_entries(page_tables(page_table_update_mode::gpu_virtual))));
    setup const by_address = page_tables(page_table_update_mode::gpu_virtual);
    for (setup s : {with_large_pages(by_address), with_64k_pages(by_address, false), with_64k_pages(by_address, true),
                    with_gpu_pages(by_address)}) {
        s.options.page_tables.large_pages_anywhere = true;
        s.steps = 200;
        look(run(s));
    }
    for (auto const& text : testing::vidmm_rules) {
        if (text.rule >= vidmm_rule::seg_01) {
            break;  // from here on they are rules of starting an adapter
        }
        CHECK_MESSAGE(met.contains(text.rule), std::string(text.id));
    }
}

TEST_CASE("a rule whose precondition never occurred is reported as not exercised") {
    std::string const text = run(aperture_only(wddm::v2_9)).text();
    CHECK(text.find("OP00-02 not exercised") != std::string::npos);
    CHECK(text.find("OP17-02 held") != std::string::npos);
}

TEST_CASE("thousands of steps in one run") {
    setup s = physical();
    s.steps = slow_build ? 600 : 3000;
    expect_clean(s, 1, "long, physical");
    s = gpu_virtual(wddm::v3_2);
    s.steps = slow_build ? 600 : 3000;
    expect_clean(s, 1, "long, virtual");
}
