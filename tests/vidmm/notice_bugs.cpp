// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

namespace notice_bugs {

namespace {

using namespace toy;
using testing::vidmm_rule;

[[nodiscard]] setup noticed() { return with_notices(without_aperture(gpu_virtual())); }
[[nodiscard]] setup noticed_in_tables() { return with_notices(page_tables(page_table_update_mode::gpu_virtual)); }

[[nodiscard]] setup small(setup s) {
    s.options.paging_buffer = 32;  // one or two commands a pass
    return s;
}

}  // namespace

TEST_CASE("NTF-04 to NTF-14: a right driver handles every notice, with and without page tables of its own") {
    for (u64 seed = seed_or(1); seed < seed_or(1) + usual_seeds; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        for (setup s : {noticed(), with_notices(gpu_virtual()), noticed_in_tables(), small(noticed())}) {
            s.options.seed = seed;
            testing::vidmm_report const report = run(s);
            INFO(report.text());
            CHECK(report.passed());
            for (auto const rule :
                 {vidmm_rule::ntf_04, vidmm_rule::ntf_05, vidmm_rule::ntf_06, vidmm_rule::ntf_10, vidmm_rule::ntf_12}) {
                CHECK(report.times_exercised(rule) != 0);
            }
        }
    }
}

TEST_CASE("NTF-04: a driver that wants a process for an eviction notice is caught") {
    expect_caught(with(noticed(), &bugs::notice_needs_process), "NTF-04");
    expect_caught(with(noticed_in_tables(), &bugs::notice_needs_process), "NTF-04");
}

TEST_CASE("NTF-05: OffsetInBytes added to the address is caught") {
    testing::vidmm_report const report = told(with(noticed_in_tables(), &bugs::notice_adds_offset), [](auto& mm) {
        static_cast<void>(mm.notify_eviction(mm.create(bytes{64 << 10})));
    });
    CHECK(report.first_rule() == "NTF-05");
}

TEST_CASE("NTF-06: a driver that handles the whole allocation for each part is caught") {
    testing::vidmm_report const report = told(with(noticed_in_tables(), &bugs::notice_whole_allocation), [](auto& mm) {
        static_cast<void>(mm.notify_eviction(mm.create(bytes{64 << 10})));
    });
    CHECK(report.first_rule() == "NTF-06");
}

TEST_CASE("NTF-06: a driver that handles the first block only is caught") {
    expect_caught(with(noticed(), &bugs::notice_one_block), "NTF-06");
}

TEST_CASE("NTF-10: a driver that ignores unmap notices is caught") {
    expect_caught(with(noticed(), &bugs::unmap_notice_ignored), "NTF-10");
}

TEST_CASE("NTF-12: a driver that does the work with a later submission is caught") {
    testing::vidmm_report const report = told(with(noticed(), &bugs::notice_later), [](auto& mm) {
        static_cast<void>(mm.notify_eviction(mm.create(bytes{64 << 10})));
    });
    CHECK(report.first_rule() == "NTF-12");
}

TEST_CASE("NTF-14: a block handled again by the next pass is destroyed, and the driver caught") {
    setup s = small(with(noticed(), &bugs::notice_twice));
    s.options.notify.largest_chunk = 0;
    expect_caught(s, "NTF-14");
}

TEST_CASE("CHK-14: a driver that remembers by address what it has handled is caught") {
    expect_caught(with(noticed(), &bugs::notice_by_address), "CHK-14");
}

}  // namespace notice_bugs
