// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

using namespace toy;

namespace {

/// Long lists, so that a wrong index stays inside them: what is tested is the bytes, not the guard.
[[nodiscard]] setup long_lists() {
    setup s = without_aperture(physical());
    s.options.pages_before = 40;
    s.options.pages_behind = 400;
    return s;
}

[[nodiscard]] setup never_null(setup s) {
    s.options.chances.null_allocation = 0;
    return s;
}

}  // namespace

TEST_CASE("PGB-21: a driver that does nothing without an allocation is caught") {
    expect_first(with(without_aperture(physical()), &bugs::needs_allocation), "PGB-21");
    expect_first(with(without_aperture(gpu_virtual()), &bugs::needs_allocation), "PGB-21");
}

TEST_CASE("PGB-22: a driver that acknowledges a fill without doing it is caught") {
    expect_first(with(never_null(physical()), &bugs::says_done), "PGB-22");
    expect_first(with(never_null(gpu_virtual()), &bugs::says_done), "PGB-22");
}

TEST_CASE("OP00-01: a driver that exchanges the sides is caught and the mistake is named") {
    expect_named(with(physical(), &bugs::swaps_sides), "OP00-01", "source and destination were exchanged");
}

TEST_CASE("OP00-02: TransferOffset on the MDL side is caught and named") {
    setup s = with(without_aperture(physical()), &bugs::offset_on_list);
    s.options.pages_behind = 4000;
    s.options.seed = seed_or(2);
    expect_first(s, "OP00-02", 1);
    for (u64 seed = seed_or(1); seed < seed_or(1) + 4; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        REQUIRE_FALSE(report.passed());
        CHECK(report.violations().front().sentence == "TransferOffset was added to the MDL side");
    }
}

TEST_CASE("OP00-02: TransferOffset missing on the segment side is caught") {
    expect_first(with(physical(), &bugs::offset_not_on_segment), "OP00-02");
}

TEST_CASE("OP00-02: TransferOffset on the wrong side is caught and named") {
    setup s = with(with(without_aperture(physical()), &bugs::offset_on_list), &bugs::offset_not_on_segment);
    s.options.pages_behind = 4000;
    s.options.segments.pop_back();
    expect_first(s, "OP00-02");
}

TEST_CASE("OP00-02: an ignored MdlOffset is caught and named") {
    expect_named(with(long_lists(), &bugs::list_offset_ignored), "OP00-02", "MdlOffset was ignored");
}

TEST_CASE("OP00-02: MdlOffset on the segment side is caught and named") {
    expect_named(with(physical(), &bugs::list_offset_on_segment), "OP00-02",
                 "MdlOffset was added to the segment address");
}

TEST_CASE("OP00-02: MdlOffset * 4096 in 32 bits is caught and named") {
    setup s = without_aperture(physical());
    s.options.pages_before = 5 << 20;  // lists of up to five million pages: one offset in five stays below 2^20
    s.options.chances.split = 0;
    s.options.packing = testing::vidmm_packing::fresh;
    s.options.seed = seed_or(1);
    CHECK(round_trip(s, 64 << 10, 1).passed());
    s.wrong.list_offset_cut = true;
    testing::vidmm_report const report = round_trip(s, 64 << 10, 3);
    REQUIRE_FALSE(report.passed());
    CHECK(report.violations().front().rule == "OP00-02");
    CHECK(report.violations().front().sentence == "MdlOffset * 4096 was cut to 32 bits");
}

TEST_CASE("OP00-03: a segment base added twice is caught and named") {
    expect_named(with(physical(), &bugs::adds_base), "OP00-03",
                 "the segment's base was added to an address that has it already");
}

TEST_CASE("SEG-28: a segment base taken out is caught and named") {
    expect_named(with(physical(), &bugs::removes_base), "SEG-28", "the segment's base was taken out of the address");
}

TEST_CASE("SEG-28: segment addresses in 32 bits are caught and named") {
    setup s = with(physical(), &bugs::cuts_address);
    s.options.segments.erase(s.options.segments.begin());  // the other one lies above 4 GiB
    expect_named(s, "SEG-28", "the segment address was cut to 32 bits");
}

TEST_CASE("OP00-04: a driver that keeps its progress in TransferOffset is caught") {
    expect_first(with(without_aperture(physical()), &bugs::writes_transfer_offset), "OP00-04");
}

TEST_CASE("OP00-05: a driver that moves whole pages only is caught") {
    setup s = with(without_aperture(physical()), &bugs::drops_odd_bytes);
    s.options.size_granule = 4;
    s.options.chances.split = 0;
    testing::vidmm_report const report = round_trip(s, 5000);
    CHECK(report.first_rule() == "OP00-05");
}

TEST_CASE("OP00-05: a driver that rounds up to whole pages is caught") {
    setup s = with(without_aperture(physical(wddm::v2_0)), &bugs::rounds_up);
    s.options.size_granule = 4;
    expect_first(s, "OP00-05");
}

TEST_CASE("OP00-06: a driver that takes a retry for an error is caught") {
    setup s = with(never_null(without_aperture(physical())), &bugs::skips_second_start);
    s.options.paging_buffer = 4096;
    s.options.chances.retry = 60;
    expect_first(s, "OP00-06");
}

TEST_CASE("OP00-09: a driver that writes a command for no bytes is caught") {
    setup s = with(without_aperture(physical()), &bugs::copies_for_size_zero);
    s.options.chances.reset = 10;
    expect_first(s, "OP00-09");
    s = with(without_aperture(gpu_virtual()), &bugs::copies_for_size_zero);
    s.options.chances.reset = 10;
    expect_first(s, "OP00-09");
}

TEST_CASE("OP00-10: one page for all is caught and named") {
    expect_named(with(long_lists(), &bugs::first_page_for_all), "OP00-10", "the first page was used for all pages");
}

TEST_CASE("OP00-10: a list taken for one run is caught and named") {
    expect_named(with(physical(wddm::v2_0), &bugs::pages_as_one_run), "OP00-10",
                 "the pages were taken as one run after the first");
}

TEST_CASE("OP00-10: a list that begins anew with every command is caught and named") {
    expect_named(with(physical(wddm::v2_0), &bugs::list_begins_anew), "OP00-10",
                 "the page list begins anew every 3 pages");
}

TEST_CASE("OP01-02, OP09-01, AMB-09: a byte fill of a 32-bit pattern is caught and named") {
    char const* const sentence = "only the lowest byte of the pattern was repeated (AMB-09)";
    expect_named(with(without_aperture(physical()), &bugs::low_byte_only), "OP01-02", sentence);
    expect_named(with(without_aperture(gpu_virtual()), &bugs::low_byte_only), "OP09-01", sentence);
    setup bytes_only = with(without_aperture(physical()), &bugs::low_byte_only);
    bytes_only.options.byte_patterns = true;
    CHECK(run(bytes_only).passed());
}

TEST_CASE("OP01-02, OP09-01: a fill that goes too far is caught") {
    expect_first(with(without_aperture(physical()), &bugs::fills_too_far), "OP01-02");
    expect_first(with(without_aperture(gpu_virtual()), &bugs::fills_too_far), "OP09-01");
}

TEST_CASE("OP02-01: a discard that clears memory is caught") {
    expect_first(with(without_aperture(physical()), &bugs::discard_clears), "OP02-01");
}

TEST_CASE("OP03-01: a physical read at another address is caught") {
    expect_first(with(without_aperture(physical()), &bugs::reads_elsewhere), "OP03-01");
}

TEST_CASE("OP04-01: a physical write that touches its neighbours is caught") {
    expect_first(with(without_aperture(physical()), &bugs::writes_neighbours), "OP04-01");
}

TEST_CASE("OP08-01, OP09-01: an offset added to virtual addresses is caught") {
    setup s = with(without_aperture(gpu_virtual()), &bugs::adds_chunk_offset);
    testing::vidmm_report const report = round_trip(s, 512 << 10);
    INFO(report.text());
    CHECK(report.first_rule() == "OP08-01");
    u64 const first = seed_or(1);
    for (u64 seed = first; seed < first + 4; ++seed) {
        s.options.seed = seed;
        std::string const rule = run(s).first_rule();
        bool const told = rule == "OP08-01" || rule == "OP09-01";
        CHECK(told);
    }
}

TEST_CASE("OP08-07: an overlapping move in the wrong direction is caught") {
    setup s = with(without_aperture(gpu_virtual()), &bugs::always_ascending);
    s.options.overlapping_moves = true;
    expect_first(s, "OP08-07");
}
