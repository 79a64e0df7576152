// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

namespace page_size_bugs {

namespace {

using namespace toy;
using mode = page_table_update_mode;

[[nodiscard]] setup by_address() { return page_tables(mode::gpu_virtual); }
[[nodiscard]] setup by_cpu() { return page_tables(mode::cpu_virtual); }
[[nodiscard]] setup physical_tables() { return page_tables(mode::gpu_physical); }

constexpr u64 root = u64{1} << 30;  // behind entry 0 of a root of three levels of nine bits
constexpr u64 page = 4096;

/// Told step by step: the driver without the mistake keeps all rules, the one with it breaks this one first.
void expect_told(setup s, bool bugs::* mistake, char const* rule, std::function<void(testing::vidmm&)> const& steps) {
    s.options.chances.larger_pages = 100;
    s.options.execution = testing::vidmm_execution::at_submit;
    testing::vidmm_report const right = told(s, steps);
    INFO(right.text());
    CHECK(right.passed());
    testing::vidmm_report const wrong = told(with(s, mistake), steps);
    INFO(wrong.text());
    CHECK(wrong.first_rule() == rule);
}

/// Two allocations in the segment of 64-KiB pages, and one that is not.
void use_64k_pages(testing::vidmm& mm, u64 base) {
    auto const process = mm.create_process();
    auto const first = mm.create(bytes{32 * page});
    auto const second = mm.create(bytes{16 * page});
    static_cast<void>(mm.commit(first, segment_id{1}));
    static_cast<void>(mm.map(process, first, {base + 32 * page}));
    static_cast<void>(mm.map(process, second, {base + 64 * page}));  // of system memory: a table is converted
    static_cast<void>(mm.evict_page_table(process, {base}));
    static_cast<void>(mm.restore_page_table(process, {base}));
}

}  // namespace

TEST_CASE("AMB-65: Zero that is lost above the leaf, and kept in it, is caught") {
    for (mode const m : {mode::cpu_virtual, mode::gpu_virtual, mode::gpu_physical}) {
        expect_told(with_all_entries(with_large_pages(page_tables(m))), &bugs::zero_lost_above_leaf, "GVA-19",
                    [](testing::vidmm& mm) {
                        auto const process = mm.create_process();
                        auto const allocation = mm.create(bytes{16 * page});
                        static_cast<void>(mm.map_zero(process, {root}, bytes{page}));
                        static_cast<void>(mm.map(process, allocation, {root + 32 * page}));
                        static_cast<void>(mm.map_zero(process, {root + 32 * page}, bytes{32 * page}));
                    });
    }
}

TEST_CASE("GVA-16: a driver that takes every entry above the leaf for a table's is caught") {
    expect_caught(with(with_large_pages(by_address()), &bugs::large_as_table), "GVA-16");
    expect_caught(with(with_large_pages(by_cpu()), &bugs::large_as_table), "GVA-16");
}

TEST_CASE("GVA-17: a driver that rounds the address of a large page is caught where it said that it does not") {
    setup s = with(with_large_pages(physical_tables()), &bugs::large_rounded);
    s.options.page_tables.large_pages_anywhere = true;
    expect_caught(s, "GVA-17");
}

TEST_CASE("GVA-11: a driver that does not look at PageTablePageSize is caught") {
    expect_caught(with(with_64k_pages(by_address(), false), &bugs::kind_ignored), "GVA-11");
    expect_caught(with(with_64k_pages(by_cpu(), false), &bugs::kind_ignored), "GVA-11");
}

TEST_CASE("GVA-13: a driver for which a table of 64-KiB entries stays one is caught") {
    expect_told(with_64k_pages(by_address(), false), &bugs::kind_once, "GVA-13",
                [](testing::vidmm& mm) { use_64k_pages(mm, root); });
    expect_told(with_64k_pages(by_cpu(), false), &bugs::kind_once, "GVA-13",
                [](testing::vidmm& mm) { use_64k_pages(mm, root); });
}

TEST_CASE("GVA-12: a driver that reads the first array only, or enters one table of two, is caught") {
    expect_caught(with(with_64k_pages(by_address(), true), &bugs::first_array_only), "GVA-12");
    expect_caught(with(with_64k_pages(physical_tables(), true), &bugs::one_of_two), "GVA-12");
    expect_told(with_64k_pages(by_cpu(), true), &bugs::one_of_two, "GVA-12",
                [](testing::vidmm& mm) { use_64k_pages(mm, root / 2); });
}

TEST_CASE("GVA-14: a driver that counts the pages of 64-KiB entries in 64 KiB is caught") {
    expect_caught(with(with_64k_pages(by_address(), false), &bugs::wide_numbers), "GVA-14");
    expect_caught(with(with_64k_pages(by_cpu(), true), &bugs::wide_numbers), "GVA-14");
}

TEST_CASE("AMB-22: a driver that counts the indices of a table of 64-KiB entries in 4 KiB is caught") {
    expect_told(with_64k_pages(by_address(), false), &bugs::index_in_4k, "AMB-22",
                [](testing::vidmm& mm) { use_64k_pages(mm, root); });
    expect_told(with_64k_pages(by_cpu(), true), &bugs::index_in_4k, "AMB-22",
                [](testing::vidmm& mm) { use_64k_pages(mm, root / 2); });
}

TEST_CASE("OP11-05: a driver that keeps another entry of a GPU page than the first is caught") {
    expect_caught(with(with_gpu_pages(by_address()), &bugs::last_of_page), "OP11-05");
    expect_caught(with(with_gpu_pages(by_cpu()), &bugs::last_of_page), "OP11-05");
}

TEST_CASE("OP11-05: a driver that writes a page of which an update has only the end is caught") {
    expect_caught(with(with_gpu_pages(by_cpu()), &bugs::start_rounded), "OP11-05");
}

TEST_CASE("GVA-14: the largest page of the mapping that is left decides when a part of it goes") {
    for (bool const dual : {false, true}) {
        setup s = with_64k_pages(by_address(), dual);
        s.options.chances.larger_pages = 100;
        u64 const base = dual ? root / 2 : root;
        testing::vidmm_report const report = told(s, [base](testing::vidmm& mm) {
            auto const process = mm.create_process();
            auto const number = mm.create(bytes{64 * page});
            CHECK(mm.commit(number, segment_id{1}));
            CHECK(mm.map(process, number, {base}));
            CHECK(mm.unmap(process, {base + 16 * page}, bytes{16 * page}));
            CHECK(mm.unmap(process, {base + 3 * page}, bytes{2 * page}));
            CHECK(mm.map(process, number, {base}));
            CHECK(mm.evict(number));
        });
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.times_exercised(testing::vidmm_rule::gva_14) != 0);
        CHECK((report.times_exercised(testing::vidmm_rule::gva_13) != 0) == !dual);
    }
}

TEST_CASE("GVA-16: a large page is split in two steps when a part of it goes, and comes back") {
    setup s = with_large_pages(by_address());
    s.options.chances.larger_pages = 100;
    s.options.page_tables.explicit_invalidation = true;
    testing::vidmm_report const report = told(s, [](testing::vidmm& mm) {
        u64 const base = u64{1} << 28;  // 12 bits and 5, 2 and 9 of index
        auto const process = mm.create_process();
        auto const number = mm.create(bytes{128 * page});
        CHECK(mm.commit(number, segment_id{1}));
        CHECK(mm.map(process, number, {base}));
        CHECK_FALSE(mm.evict_page_table(process, {base}));  // there is none
        CHECK(mm.unmap(process, {base + 40 * page}, bytes{page}));
        CHECK_FALSE(mm.evict_page_table(process, {base}));
        CHECK(mm.evict_page_table(process, {base + 32 * page}));
        CHECK(mm.map(process, number, {base}));
        CHECK_FALSE(mm.evict_page_table(process, {base + 32 * page}));
        mm.power_loss();
        CHECK(mm.commit(number, segment_id{2}));
        CHECK(mm.map(process, number, {base}));
    });
    INFO(report.text());
    CHECK(report.passed());
    CHECK(report.times_exercised(testing::vidmm_rule::gva_16) > 2);
}

}  // namespace page_size_bugs
