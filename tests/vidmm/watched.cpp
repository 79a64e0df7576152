// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

using namespace toy;

namespace {

[[nodiscard]] setup watched() {
    setup s = physical();
    s.options.watch = true;
    s.options.largest_allocation = 32 << 10;
    s.steps = 60;
    return s;
}

}  // namespace

TEST_CASE("LAW-04: a right driver under the watched buffer") {
    setup s = watched();
    testing::vidmm_report const report = run(s);
    INFO(report.text());
    CHECK(report.passed());
    s = gpu_virtual(wddm::v3_2);
    s.options.watch = true;
    s.steps = 60;
    CHECK(run(s).passed());
}

TEST_CASE("LAW-04: a driver that reads its commands back is caught") {
    testing::vidmm_report const report = run(with(watched(), &bugs::reads_back));
    // Where a host cannot watch, nothing of this law is exercised.
    if (report.times_exercised(testing::vidmm_rule::law_04) != 0) {
        CHECK(report.first_rule() == "LAW-04");
    } else {
        CHECK(report.passed());
    }
}

TEST_CASE("LAW-04: a driver that writes a dword twice is caught") {
    testing::vidmm_report const report = run(with(watched(), &bugs::writes_twice));
    if (report.times_exercised(testing::vidmm_rule::law_04) != 0) {
        CHECK(report.first_rule() == "LAW-04");
    } else {
        CHECK(report.passed());
    }
}

TEST_CASE("PGB-01: a watched driver that writes on behind the buffer is caught without a crash") {
    setup s = with(without_aperture(watched()), &bugs::writes_past_end);
    s.options.paging_buffer = 48;
    CHECK(run(s).first_rule() == "PGB-01");
}
