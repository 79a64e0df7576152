// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_cases.hpp"
#include "toy_machine.hpp"

#include <doctest/doctest.h>

namespace toy::start_and_run {

// The aperture of the toy's paging hardware has as many entries.
[[nodiscard]] setup run_after_start(wddm version) {
    adapter_life l = life_of(version);
    l.said.adapter.segments[0].size = aperture_pages * 4096;
    toy_adapter driver(l.version, l.said, l.wrong);
    testing::vidmm_adapter system(driver.table(), l.options);
    REQUIRE(system.start());
    setup s;
    s.version = version;
    s.options = testing::options_of(system.description(), 0, 1 << 20, 1 << 20);
    s.options.ram_pages = 512;
    s.options.largest_allocation = 64 << 10;
    s.options.command_alignment = 16;
    s.steps = 60;
    return s;
}

TEST_CASE("an adapter that has started goes on to page in the segments that it reported") {
    for (wddm const version : {wddm::vista, wddm::win8, wddm::v2_0, wddm::v2_9, wddm::v3_2}) {
        INFO("version ", static_cast<u32>(version));
        testing::vidmm_report const report = run(run_after_start(version));
        INFO(report.text());
        CHECK(report.passed());
        bool const v2 = at_least(version, wddm::v2_0);
        CHECK(report.of(v2 ? paging_operation::virtual_transfer : paging_operation::transfer).requests != 0);
        CHECK((report.of(paging_operation::update_page_table).requests != 0) == v2);
        paging_operation const mapping = at_least(version, wddm::v2_9) ? paging_operation::map_aperture_segment2
                                                                       : paging_operation::map_aperture_segment;
        CHECK(report.of(mapping).requests != 0);
    }
}

}  // namespace toy::start_and_run
