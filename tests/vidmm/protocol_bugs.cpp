// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

using namespace toy;

TEST_CASE("PGB-01: a driver that moves pDmaBuffer by a dummy amount is caught") {
    expect_first(with(physical(), &bugs::moves_pointer_past_end), "PGB-01");
}

TEST_CASE("PGB-01: a driver that writes without looking at DmaSize is caught") {
    setup s = with(without_aperture(physical()), &bugs::writes_past_end);
    s.options.paging_buffer = 48;  // not whole pages: what is behind is junk that is looked at
    expect_first(s, "PGB-01");
}

TEST_CASE("PGB-02: a driver that moves pDmaBuffer back is caught") {
    expect_first(with(physical(), &bugs::moves_pointer_back), "PGB-02");
}

TEST_CASE("PGB-02: a driver that leaves pDmaBuffer in front of its commands is caught") {
    expect_first(with(physical(), &bugs::forgets_pointer), "PGB-02");
}

TEST_CASE("PGB-02: a driver that advances DmaBufferWriteOffset is caught") {
    expect_first(with(physical(wddm::v2_2), &bugs::advances_write_offset), "PGB-02");
}

TEST_CASE("PGB-02: a driver that writes into the MDL's array is caught") {
    expect_first(with(physical(), &bugs::writes_into_list), "PGB-02");
}

TEST_CASE("PGB-03: a driver that does not pad its commands is caught") {
    expect_first(with(physical(), &bugs::no_padding), "PGB-03");
}

TEST_CASE("PGB-16: a driver that takes every buffer for 4-KiB aligned is caught") {
    setup s = with(without_aperture(physical()), &bugs::aligns_pointer_down);
    s.options.packing = testing::vidmm_packing::packed;
    u64 found = 0;
    for (u64 seed = seed_or(1); seed < seed_or(1) + 5; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        std::string const rule = run(s).first_rule();
        bool const told = rule == "PGB-16" || rule == "PGB-02";  // a short command leaves even the pointer in front
        CHECK(told);
        found += rule == "PGB-16" ? 1U : 0U;
    }
    CHECK(found != 0);
}

TEST_CASE("PGB-04: a driver whose MultipassOffset lags behind is caught") {
    setup s = with(without_aperture(physical()), &bugs::repeats_last_command);
    s.options.paging_buffer = 112;
    expect_first(s, "PGB-04");
}

TEST_CASE("PGB-05: a driver that does not use MultipassOffset is caught") {
    setup s = with(physical(), &bugs::ignores_multipass);
    s.options.packing = testing::vidmm_packing::fresh;
    expect_first(s, "PGB-05");
}

TEST_CASE("PGB-05: a driver whose early return loses a command is caught") {
    expect_first(with(physical(), &bugs::loses_a_command), "PGB-05");
    expect_first(with(gpu_virtual(), &bugs::loses_a_command), "PGB-05");
    expect_first(with(aperture_only(wddm::v2_9), &bugs::loses_a_command), "PGB-05");
}

TEST_CASE("PGB-06: a driver that counts bytes in MultipassOffset is caught above 4 GiB") {
    setup s = physical();
    s.options.paging_buffer = 256;  // ten fills of 64 MiB a pass: the seventh pass ends above 4 GiB
    u64 const above = (u64{4} << 30) + (u64{1} << 29);
    CHECK(fill_huge(s, above).passed());
    s.wrong.token_in_bytes = true;
    CHECK(fill_huge(s, u64{1} << 30).passed());
    testing::vidmm_report const report = fill_huge(s, above);
    INFO(report.text());
    CHECK(report.first_rule() == "PGB-06");
}

TEST_CASE("PGB-07: a driver that leaves half a command at the buffer's end is caught") {
    setup s = with(without_aperture(physical()), &bugs::cuts_commands);
    s.options.paging_buffer = 112;
    expect_first(s, "PGB-07");
}

TEST_CASE("PGB-08: a driver that returns NOT_SUPPORTED is caught") {
    expect_first(with(physical(), &bugs::returns_not_supported), "PGB-08");
}

TEST_CASE("PGB-09: a driver that says busy twice is caught") {
    expect_first(with(physical(), &bugs::says_busy_twice), "PGB-09");
}

TEST_CASE("AMB-28: a driver that says busy for a fill is caught") {
    expect_first(with(physical(), &bugs::says_busy_for_fill), "AMB-28");
}

TEST_CASE("PGB-10: a driver that copies in the build function is caught") {
    expect_first(with(physical(), &bugs::copies_at_build), "PGB-10");
    expect_first(with(gpu_virtual(), &bugs::copies_at_build), "PGB-10");
}

TEST_CASE("PGB-11, OBS-02: a driver that wants a larger buffer when there is none is caught") {
    expect_first(with(aperture_only(wddm::win7), &bugs::wants_buffer_for_map), "PGB-11");
}

TEST_CASE("PGB-13: a driver that moves the private-data pointer out of its area is caught") {
    setup s = with(physical(), &bugs::private_pointer_wild);
    s.record_bytes = 16;
    s.options.paging_private_data = 64;
    expect_first(s, "PGB-13");
}

TEST_CASE("PGB-13: a driver whose private-data size is not in step is caught") {
    setup s = with(physical(), &bugs::private_size_forgotten);
    s.record_bytes = 16;
    s.options.paging_private_data = 64;
    expect_first(s, "PGB-13");
}

TEST_CASE("PGB-14: a patch function that wants lists is caught") {
    expect_first(with(physical(), &bugs::patch_wants_lists), "PGB-14");
}

TEST_CASE("PGB-15: a submit function that wants a context is caught") {
    expect_first(with(physical(), &bugs::submit_wants_context), "PGB-15");
    expect_first(with(gpu_virtual(), &bugs::submit_wants_context), "PGB-15");
}

TEST_CASE("PGB-16: a patch function that takes the buffer's start for the window's is caught") {
    setup s = with(physical(), &bugs::patch_at_buffer_start);
    s.options.packing = testing::vidmm_packing::packed;
    expect_first(s, "PGB-16");
}

TEST_CASE("PGB-16: a patch function that changes the byte behind the buffer is caught") {
    setup s = with(physical(), &bugs::patch_past_end);
    // No whole pages, so that there is such a byte.
    s.options.smallest_paging_buffer = s.options.largest_paging_buffer = 5000;
    testing::vidmm_report const report = run(s);
    REQUIRE(report.first_rule() == "PGB-16");
    CHECK(report.violations().front().sentence == "patch or submit changed a byte past the end of the buffer");
}

TEST_CASE("AMB-06: a driver that counts DmaSize down by another amount is caught") {
    expect_first(with(physical(), &bugs::dma_size_wrong), "AMB-06");
}

TEST_CASE("a broken rule does not end the run when it is not to") {
    setup s = with(physical(), &bugs::dma_size_wrong);
    s.options.stop_after = 0;
    testing::vidmm_report const report = run(s);
    CHECK(report.violations().size() == 1);
    CHECK(report.first_rule() == "AMB-06");
    CHECK(report.of(paging_operation::transfer).requests > 20);
}
