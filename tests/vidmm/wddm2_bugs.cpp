// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

namespace wddm2_bugs {

namespace {

using namespace toy;
using testing::vidmm_rule;

[[nodiscard]] setup tables() { return page_tables(page_table_update_mode::gpu_virtual, wddm::v3_2); }
[[nodiscard]] setup in_windows() { return without_aperture(gpu_virtual(wddm::v3_2)); }

[[nodiscard]] setup losing_power(setup s) {
    s.options.power_losses = true;
    s.options.chances.power_loss = 10;
    return s;
}

void expect_clean(setup s, std::initializer_list<vidmm_rule> exercised) {
    s.steps = 150;
    for (u64 seed = seed_or(1); seed < seed_or(1) + usual_seeds; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        INFO(report.text());
        CHECK(report.passed());
        for (vidmm_rule const rule : exercised) {
            INFO(testing::id_of(rule));
            CHECK(report.times_exercised(rule) != 0);
        }
    }
}

}  // namespace

TEST_CASE("OP10-01 to OP21-01: a right driver does all that it is told") {
    using enum vidmm_rule;
    expect_clean(with_contexts(physical(wddm::win8)), {op10_01, op10_03});
    expect_clean(with_contexts(physical(wddm::v3_2)), {op10_01, op10_03});
    expect_clean(with_contexts(with_residency(in_windows())),
                 {op10_01, op10_03, op13_01, op15_03, op16_01, op18_01, op19_01, op19_02, op21_01});
    expect_clean(with_contexts(with_residency(tables())),
                 {op10_01, op10_03, op13_01, op15_03, op16_01, op18_01, op19_01, op19_02, op21_01});
}

TEST_CASE("CHK-16: a right driver survives power losses") {
    expect_clean(losing_power(physical()), {});
    expect_clean(losing_power(gpu_virtual()), {});
    for (auto const mode : {page_table_update_mode::cpu_virtual, page_table_update_mode::gpu_virtual,
                            page_table_update_mode::gpu_physical}) {
        expect_clean(losing_power(page_tables(mode)), {vidmm_rule::chk_16});
    }
}

TEST_CASE("CHK-16: a driver that initialises page tables only once is caught") {
    expect_caught(losing_power(with(tables(), &bugs::initialises_once)), "CHK-16");
}

TEST_CASE("OP06-02: a driver that goes on using an unmapped part of the aperture is caught") {
    auto const steps = [](testing::vidmm& mm) {
        auto const number = mm.create(bytes{20000});
        mm.map_aperture(number);
        mm.unmap_aperture(number);
        mm.commit(number, segment_id{1});
    };
    setup s = physical();
    s.options.chances.null_allocation = 0;
    testing::vidmm_report const right = told(s, steps);
    CHECK(right.passed());
    CHECK(right.times_exercised(vidmm_rule::op06_02) != 0);
    CHECK(told(with(s, &bugs::stale_aperture), steps).first_rule() == "OP06-02");
}

TEST_CASE("OP10-01: a driver that takes an MDL for an address is caught") {
    setup s = with(with_contexts(physical(wddm::win8)), &bugs::context_by_address_only);
    expect_caught(s, "OP10-01");
}

TEST_CASE("OP10-03: half an initial image is caught") {
    expect_caught(with(with_contexts(tables()), &bugs::context_half), "OP10-03");
    expect_caught(with(with_contexts(physical(wddm::win8)), &bugs::context_half), "OP10-03");
}

TEST_CASE("OP13-01: an update that does not follow its private data is caught") {
    expect_caught(with(with_contexts(tables()), &bugs::context_ignores_data), "OP13-01");
}

TEST_CASE("OP15-03: a driver that goes by the address instead of the Resident bit is caught") {
    expect_caught(with(with_residency(in_windows()), &bugs::resident_by_address), "OP15-03");
}

TEST_CASE("OP16-01: half a fence value, and one that is too wide, are caught") {
    expect_caught(with(with_residency(in_windows()), &bugs::fence_low_half), "OP16-01");
    setup wide = with(with_residency(tables()), &bugs::fence_too_wide);
    wide.options.smallest_paging_buffer = 64;
    expect_caught(wide, "OP16-01");
}

TEST_CASE("OP18-01: a driver that reads one record, or takes one value for the other, is caught") {
    expect_caught(with(with_residency(in_windows()), &bugs::fence_first_record), "OP18-01");
    expect_caught(with(with_residency(in_windows()), &bugs::fence_swapped), "OP18-01");
}

TEST_CASE("OP19-01: a mapping in the wrong MMU is caught") {
    expect_caught(with(with_residency(in_windows()), &bugs::mmu_one_for_all), "OP19-01");
}

TEST_CASE("OP19-01: a mapping that takes every ADL for a run is caught") {
    expect_caught(with(with_residency(in_windows()), &bugs::mmu_ignores_contiguous), "OP19-01");
}

TEST_CASE("OP19-02: an unmapping of the first page only is caught") {
    expect_caught(with(with_residency(in_windows()), &bugs::mmu_unmaps_first), "OP19-02");
}

TEST_CASE("OP21-01: a range's residency taken for the allocation's is caught") {
    expect_caught(with(with_residency(in_windows()), &bugs::residency_whole), "OP21-01");
}

}  // namespace wddm2_bugs
