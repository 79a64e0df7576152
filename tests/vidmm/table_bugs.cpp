// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

namespace table_bugs {

namespace {

using namespace toy;
using mode = page_table_update_mode;
using testing::vidmm_rule;

[[nodiscard]] setup by_address() { return page_tables(mode::gpu_virtual); }
[[nodiscard]] setup by_cpu() { return page_tables(mode::cpu_virtual); }
[[nodiscard]] setup physical_tables() { return page_tables(mode::gpu_physical); }

[[nodiscard]] setup flushed_as(setup s, u32 whole) {
    s.options.chances.full_flush = whole;
    return s;
}

void expect_crash(setup s, char const* rule, char const* part_of_sentence) {
#if __has_include(<sys/mman.h>)
    s.options.seed = seed_or(1);
    ending const e = run_isolated(s);
    INFO(e.rule, ": ", e.sentence, "; ", e.last_call);
    CHECK(e.crashed);
    CHECK(e.rule == rule);
    CHECK(e.sentence.find(part_of_sentence) != std::string::npos);
#else
    static_cast<void>(s);
    static_cast<void>(rule);
    static_cast<void>(part_of_sentence);
#endif
}

}  // namespace

TEST_CASE("OP11-01: entries that do not begin at StartIndex are caught") {
    expect_caught(with(by_address(), &bugs::start_index_ignored), "OP11-01");
    expect_caught(with(physical_tables(), &bugs::start_index_ignored), "OP11-01");
}

TEST_CASE("OP11-02: Repeat that fills one entry is caught") {
    expect_caught(with(physical_tables(), &bugs::repeat_once), "OP11-02");
}

TEST_CASE("OP11-02: Repeat that reads on in the array is a verdict") {
    expect_crash(with(by_address(), &bugs::repeat_advances), "OP11-02", "the page-table entries was left at its end");
}

TEST_CASE("OP11-03: a driver that takes every table address for the CPU's is a verdict") {
    expect_crash(with(by_address(), &bugs::always_cpu_address), "OP11-03", "was used as a pointer");
}

TEST_CASE("OP11-04, PGB-11: a CPU-virtual update that wants a buffer is caught") {
    expect_caught(with(by_address(), &bugs::init_wants_buffer), "OP11-04");
    expect_caught(with(by_cpu(), &bugs::init_wants_buffer), "OP11-04");
}

TEST_CASE("OP11-04: a CPU-virtual update that leaves work for later is caught") {
    expect_caught(with(by_cpu(), &bugs::init_half), "OP11-04");
}

TEST_CASE("OP11-08: a driver that writes no entry that it has written before is caught") {
    setup s = with(by_address(), &bugs::skips_unchanged);
    s.options.packing = testing::vidmm_packing::fresh;  // it takes a pass without room for one that wrote
    expect_caught(s, "OP11-08");
}

TEST_CASE("GVA-23: a driver that does not write invalid entries of a new table is caught") {
    expect_caught(with(physical_tables(), &bugs::skips_invalid), "GVA-23");
}

TEST_CASE("OP11-09: a driver that writes an entry more is caught") {
    expect_caught(with(by_address(), &bugs::writes_one_more), "OP11-09");
}

TEST_CASE("OP11-12: a driver whose passes all begin at StartIndex is caught") {
    setup s = with(by_address(), &bugs::restarts_entries);
    s.options.paging_buffer = 48;
    expect_caught(s, "OP11-12");
}

TEST_CASE("OP12-01: a driver that flushes from 0 to 0 is caught") {
    expect_caught(flushed_as(with(by_address(), &bugs::flush_of_nothing), 100), "OP12-01");
}

TEST_CASE("OP12-03: a flush in front of the entries that are queued is caught") {
    expect_caught(flushed_as(with(by_address(), &bugs::flush_at_build), 0), "OP12-03");
}

TEST_CASE("OP12-03: a flush without the range's last page is caught") {
    expect_caught(flushed_as(with(physical_tables(), &bugs::flush_too_short), 0), "OP12-03");
}

TEST_CASE("OP12-04: a driver that flushes always the same address space is caught") {
    setup s = with(by_address(), &bugs::flush_one_root);
    s.options.most_allocations = 3;
    expect_caught(s, "OP12-04");
}

TEST_CASE("OP14-01: a copy of entries that ignores a start index is caught") {
    setup s = physical_tables();
    auto const copy = [](testing::vidmm& mm) {
        auto const process = mm.create_process();
        auto const number = mm.create(bytes{8 * 4096});
        CHECK(mm.map(process, number, {u64{1} << 30}));
        static_cast<void>(mm.copy_page_table_entries(process, {{(u64{1} << 18) + 1, (u64{1} << 18) + 100, 5}}));
    };
    CHECK(told(s, copy).passed());
    CHECK(told(with(s, &bugs::copy_indices_ignored), copy).first_rule() == "OP14-01");
}

TEST_CASE("OP14-02: a copy of entries that reads them while building is caught") {
    expect_caught(with(by_address(), &bugs::copy_at_build), "OP14-02");
}

TEST_CASE("OBS-11: ranges of copied entries in another order are caught") {
    setup s = with(by_address(), &bugs::copy_backwards);
    s.options.paging_buffer = 4096;
    s.options.packing = testing::vidmm_packing::fresh;
    expect_caught(s, "OBS-11");
}

TEST_CASE("OP14-05: entries that are lost between two passes of a copy are caught") {
    setup s = with(physical_tables(), &bugs::copy_loses_entry);
    s.options.paging_buffer = 32;
    expect_caught(s, "OP14-05");
}

TEST_CASE("GVA-18: a segment base that is missing, or there twice, is caught and named") {
    expect_named(with(by_address(), &bugs::entry_without_base), "GVA-18",
                 "the segment's base was not added to the entry's page");
    expect_named(with(by_address(), &bugs::entry_base_twice), "GVA-18", "the segment's base was added twice");
}

TEST_CASE("AMB-08: PageAddress taken for an address is caught and named") {
    setup s = with(by_address(), &bugs::page_is_address);
    expect_caught(s, "AMB-08");
}

TEST_CASE("AMB-08: a page number that is shifted too far is caught, and the bits are named") {
    expect_named(with(by_address(), &bugs::number_shifted), "AMB-08",
                 "the page's number is 3 bits too far to the left in the entries");
    expect_named(with(by_address(), &bugs::page_shifted), "AMB-08",
                 "the page's number is 2 bits too far to the right in the entries");
}

TEST_CASE("OP11-01: a table whose entries the hardware does not take for valid is not said to be unreachable") {
    expect_named(with(by_address(), &bugs::never_valid), "OP11-01",
                 "no entry above the table leads to it, or the hardware finds no valid one in it");
}

TEST_CASE("GVA-19: entries that do not read as zero are caught") {
    expect_caught(with(with_all_entries(by_cpu()), &bugs::zero_is_nothing), "GVA-19");
    expect_caught(with(with_all_entries(by_address()), &bugs::zero_ignored), "GVA-19");
}

TEST_CASE("OP11-10: a DriverProtection that is dropped, or not masked, is caught") {
    expect_caught(with(with_all_entries(by_cpu()), &bugs::drops_protection), "OP11-10");
    expect_caught(with(with_all_entries(physical_tables()), &bugs::drops_protection), "OP11-10");
    expect_caught(with(with_all_entries(by_address()), &bugs::keeps_all_protection), "OP11-10");
}

TEST_CASE("GVA-20: dropped protection is caught") { expect_caught(with(by_cpu(), &bugs::drops_attributes), "GVA-20"); }

TEST_CASE("GVA-39: a driver that enters a table in its parent only once is caught") {
    expect_caught(with(by_address(), &bugs::links_once), "GVA-39");
}

}  // namespace table_bugs
