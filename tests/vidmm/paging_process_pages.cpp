// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Pages larger than 4 KiB in the window of the paging process, through which the simulator moves content.
#include "expect.hpp"

namespace paging_process_pages {

namespace {

using namespace toy;
using mode = page_table_update_mode;
using testing::vidmm_rule;

constexpr mode modes[] = {mode::cpu_virtual, mode::gpu_virtual, mode::gpu_physical};
constexpr u64 page = 4096;

/// A window of eight leaf tables, of which two have 64-KiB entries where a table has one kind.
[[nodiscard]] setup wide_window(setup s) {
    s.options.va_size = 16 << 20;
    return s;
}

/// No process is made: every entry is the paging process's.
void move(testing::vidmm& mm) {
    for (u64 const pages : {u64{64}, u64{40}, u64{16}, u64{3}, u64{96}, u64{128}}) {
        auto const number = mm.create(bytes{pages * page});
        static_cast<void>(mm.commit(number, segment_id{1}));
        mm.evict(number);
        static_cast<void>(mm.commit(number, segment_id{1}));
        mm.fill(number, 0x12345678, segment_id{1});
        mm.evict(number);
        mm.destroy(number);
    }
    mm.power_loss();
    auto const number = mm.create(bytes{64 * page});
    static_cast<void>(mm.commit(number, segment_id{1}));
    mm.evict(number);
}

[[nodiscard]] testing::vidmm_report moved(setup s) {
    s.options.chances.larger_pages = 100;
    return told(s, move);
}

void expect_used(setup const& s, std::initializer_list<vidmm_rule> rules) {
    testing::vidmm_report const report = moved(s);
    INFO(report.text());
    CHECK(report.passed());
    for (vidmm_rule const rule : rules) {
        INFO(std::string(testing::id_of(rule)));
        CHECK(report.times_exercised(rule) != 0);
    }
}

void expect_unused(setup const& s, std::initializer_list<vidmm_rule> rules) {
    testing::vidmm_report const report = moved(s);
    INFO(report.text());
    CHECK(report.passed());
    for (vidmm_rule const rule : rules) {
        INFO(std::string(testing::id_of(rule)));
        CHECK(report.times_exercised(rule) == 0);
    }
}

/// Every seed keeps all rules.
void expect_clean(setup s, u64 seeds = slow_build ? 1 : 3) {
    for (u64 seed = seed_or(1); seed < seed_or(1) + seeds; ++seed) {
        INFO("WDDMCORE_SEED=", seed, ", mode ", static_cast<unsigned>(s.options.page_tables.mode));
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        CHECK_MESSAGE(report.passed(), report.text());
    }
}

}  // namespace

TEST_CASE("GVA-16, CHK-14: what is moved lies in large pages of the paging process's window, too") {
    for (mode const m : modes) {
        expect_used(with_large_pages(page_tables(m)), {vidmm_rule::gva_16, vidmm_rule::chk_14, vidmm_rule::chk_16});
        setup s = with_large_pages(page_tables(m));
        s.options.page_tables.explicit_invalidation = true;
        s.options.page_tables.invalid_not_cached = true;
        s.options.page_tables.system_large_pages = true;
        expect_used(s, {vidmm_rule::gva_16});
    }
}

TEST_CASE("CHK-17: no large page is in the paging process's root") {
    setup s = with_large_pages(page_tables(mode::gpu_physical));
    s.options.page_tables.levels = {{.index_bits = 5, .table_bytes = 4096},
                                    {.index_bits = 14, .table_bytes = 131072, .segment = 2, .large_pages = true}};
    s.options.va_base = u64{1} << 30;
    expect_unused(s, {vidmm_rule::gva_16});
}

TEST_CASE("GVA-14, OP08-05: what is moved lies in 64-KiB pages, in a part of the window or beside those of 4 KiB") {
    for (mode const m : modes) {
        for (bool const dual : {false, true}) {
            expect_used(with_64k_pages(wide_window(page_tables(m)), dual),
                        {vidmm_rule::gva_14, dual ? vidmm_rule::gva_12 : vidmm_rule::gva_11});
            setup s = with_64k_pages(wide_window(page_tables(m)), dual);
            s.options.page_tables.system_64k_pages = true;
            expect_used(s, {vidmm_rule::gva_14});
        }
    }
}

TEST_CASE(
    "OP08-05: Src64KBPages and Dst64KBPages say which side is in 64-KiB pages, and never more than its tables do") {
    for (bool const dual : {false, true}) {
        setup s = with_64k_pages(wide_window(page_tables(mode::gpu_virtual)), dual);
        u32 from = 0;
        u32 to = 0;
        u32 both = 0;
        s.watches_transfers = [&](bool source, bool destination) {
            from += source ? 1 : 0;
            to += destination ? 1 : 0;
            both += source && destination ? 1 : 0;
        };
        CHECK(moved(s).passed());
        CHECK((from != 0 && to != 0));
        CHECK(both == 0);  // system memory is always in pages of 4 KiB (GVA-15)
        from = to = 0;
        s.options.chances.larger_pages = 0;
        CHECK(told(s, move).passed());
        CHECK((from == 0 && to == 0));
    }
}

TEST_CASE("GVA-13: a leaf table of the paging process keeps its kind, and a window of one table has 4-KiB pages") {
    setup s = with_64k_pages(wide_window(page_tables(mode::gpu_virtual)), false);
    expect_unused(s, {vidmm_rule::gva_13});
    s.options.va_size = 1 << 20;
    expect_unused(s, {vidmm_rule::gva_11, vidmm_rule::gva_14});
}

TEST_CASE("GVA-11 to GVA-17: random scenarios that move content in larger pages") {
    for (mode const m : modes) {
        expect_clean(with_large_pages(page_tables(m)));
        expect_clean(with_64k_pages(wide_window(page_tables(m)), false));
        expect_clean(with_64k_pages(wide_window(page_tables(m)), true));
        setup s = with_64k_pages(wide_window(with_large_pages(page_tables(m))), true);
        s.options.overlapping_moves = true;
        s.options.power_losses = true;
        expect_clean(s);
    }
}

TEST_CASE("GVA-16: a driver that knows large pages of processes only is caught when content is moved") {
    for (mode const m : modes) {
        setup s = with(with_large_pages(page_tables(m)), &bugs::large_of_processes_only);
        testing::vidmm_report const report = moved(s);
        INFO(report.text());
        CHECK(report.first_rule() == "GVA-16");
        s.options.page_tables.processes = 0;
        s.options.largest_allocation = 512 << 10;
        expect_caught(s, "GVA-16");
    }
}

TEST_CASE("GVA-11, GVA-12: a driver that knows 64-KiB pages of processes only is caught when the adapter starts") {
    for (mode const m : modes) {
        for (bool const dual : {false, true}) {
            setup const s = with(with_64k_pages(wide_window(page_tables(m)), dual), &bugs::kind_of_processes_only);
            testing::vidmm_report const report = moved(s);
            INFO(report.text());
            CHECK(report.first_rule() == (dual ? "GVA-12" : "GVA-11"));
        }
    }
}

}  // namespace paging_process_pages
