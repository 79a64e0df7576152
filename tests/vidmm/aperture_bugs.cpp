// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

using namespace toy;

namespace {

[[nodiscard]] setup mapped_by_mdl() { return aperture_only(wddm::win8); }
[[nodiscard]] setup mapped_by_adl() { return aperture_only(wddm::v2_9); }

[[nodiscard]] setup with_handles(setup s) {
    s.options.chances.null_allocation = 0;
    s.options.chances.null_device = 0;
    return s;
}

}  // namespace

TEST_CASE("OP05-01: an ignored MdlOffset is caught and named") {
    expect_named(with(mapped_by_mdl(), &bugs::map_ignores_offset), "OP05-01", "MdlOffset was ignored");
}

TEST_CASE("OP17-02: an ignored AdlOffset is caught and named") {
    expect_named(with(mapped_by_adl(), &bugs::map_ignores_offset), "OP17-02", "AdlOffset was ignored");
}

TEST_CASE("OP05-01, OP17-02: a mapping that always lands at the aperture's start is caught and named") {
    char const* const sentence = "OffsetInPages was ignored: the pages are at the aperture's start";
    expect_named(with(mapped_by_mdl(), &bugs::map_at_start), "OP05-01", sentence);
    expect_named(with(mapped_by_adl(), &bugs::map_at_start), "OP17-02", sentence);
}

TEST_CASE("OP05-02: an aperture table that is one entry short is caught") {
    setup s = with(with_handles(mapped_by_mdl()), &bugs::table_too_small);
    s.options.paging_buffer = 65536;  // one pass, so that no other loss explains it
    s.options.largest_paging_buffer = 65536;
    s.options.chances.split = 0;
    s.options.chances.no_buffer = 0;
    expect_first(s, "OP05-02", 5);
}

TEST_CASE("OP05-03: a mapping without the coherency asked for is caught") {
    expect_first(with(mapped_by_mdl(), &bugs::never_coherent), "OP05-03");
    expect_first(with(mapped_by_adl(), &bugs::never_coherent), "OP05-03");
}

TEST_CASE("OP05-05: a driver that maps nothing without a device is caught") {
    expect_first(with(mapped_by_mdl(), &bugs::map_needs_device), "OP05-05");
}

TEST_CASE("OP06-01: unmapping to zero is caught and named") {
    expect_named(with(mapped_by_mdl(), &bugs::unmap_to_zero), "OP06-01", "the entries are 0 instead of the dummy page");
    expect_named(with(mapped_by_adl(), &bugs::unmap_to_zero), "OP06-01", "the entries are 0 instead of the dummy page");
}

TEST_CASE("OP06-01: an ignored unmap is caught and named") {
    expect_named(with(mapped_by_mdl(), &bugs::unmap_ignored), "OP06-01",
                 "the pages still point where they were mapped");
}

TEST_CASE("OP06-01: an unmap that ignores NumberOfPages is caught and named") {
    setup s = with(mapped_by_adl(), &bugs::unmap_first_only);
    s.options.chances.split = 0;
    expect_named(s, "OP06-01", "only a part of the range points at the dummy page");
}

TEST_CASE("OP17-04: a driver that takes every ADL for a run is caught") {
    expect_first(with(mapped_by_adl(), &bugs::list_always_run), "OP17-04");
}

TEST_CASE("PGB-11: at once and by command, every mapping is right") {
    for (bool const by_command : {false, true}) {
        setup s = mapped_by_adl();
        s.aperture_by_command = by_command;
        s.options.chances.no_buffer = 100;
        testing::vidmm_report const report = run(s);
        CHECK(report.passed());
        CHECK(report.times_exercised(testing::vidmm_rule::pgb_11) > 50);
    }
}
