// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

namespace correct_tables {

namespace {

using namespace toy;
using mode = page_table_update_mode;
using testing::vidmm_rule;

constexpr mode modes[] = {mode::cpu_virtual, mode::gpu_virtual, mode::gpu_physical};

void expect_clean(setup s, u64 seeds, char const* what) {
    for (u64 seed = seed_or(1); seed < seed_or(1) + seeds; ++seed) {
        INFO(what, ", WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.of(paging_operation::update_page_table).requests > 10);
        CHECK(report.of(paging_operation::flush_tlb).requests > 2);
    }
}

/// Levels with other numbers of entries, in memory segments or in system memory.
[[nodiscard]] setup shaped(setup s, std::initializer_list<testing::vidmm_page_level> levels) {
    s.options.page_tables.levels = levels;
    return s;
}

}  // namespace

TEST_CASE("OP11-01 to OP14-05, GVA-18 to GVA-39: a right driver's page tables translate every address in every mode") {
    for (mode const m : modes) {
        expect_clean(page_tables(m, wddm::v2_0), usual_seeds, "2.0");
        expect_clean(page_tables(m, wddm::v3_2), usual_seeds, "3.2");
    }
}

TEST_CASE("GVA-19, OP11-10: pages that read as zero, and what a driver makes of DriverProtection") {
    for (mode const m : modes) {
        testing::vidmm_report const report = told(with_all_entries(page_tables(m)), [](testing::vidmm& mm) {
            gpu_virtual_address const base{u64{1} << 30};
            auto const process = mm.create_process();
            auto const allocation = mm.create(bytes{40000});
            CHECK(mm.map(process, allocation, base, 0x8));
            CHECK(mm.map_zero(process, {base.n + 4096}, bytes{3 * 4096}));
            CHECK(mm.evict_page_table(process, base));
            CHECK(mm.restore_page_table(process, base));
            CHECK(mm.map(process, allocation, base));
            CHECK_FALSE(mm.map_zero(process, {4096}, bytes{4096}));
        });
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.times_exercised(vidmm_rule::gva_19) != 0);
        CHECK(report.times_exercised(vidmm_rule::op11_10) != 0);
        expect_clean(with_all_entries(page_tables(m)), usual_seeds, "all entries");
    }
}

TEST_CASE("OP12-02: without flushes for entries that become valid, on hardware that caches no missing ones") {
    for (mode const m : modes) {
        setup s = page_tables(m);
        s.options.page_tables.invalid_not_cached = true;
        expect_clean(s, 2, "invalid entries are not cached");
    }
}

TEST_CASE("GVA-24: tables that are emptied before they go") {
    setup s = page_tables(mode::gpu_virtual);
    s.options.page_tables.explicit_invalidation = true;
    expect_clean(s, 2, "explicit invalidation");
}

TEST_CASE("GVA-01, GVA-04: two levels, five levels, and tables in memory segments") {
    setup s = page_tables(mode::gpu_physical);
    s.options.segments[1].size = u64{2} << 20;
    expect_clean(
        shaped(s, {{.index_bits = 9, .table_bytes = 4096}, {.index_bits = 12, .table_bytes = 32768, .segment = 2}}), 2,
        "two levels, the root in a segment");
    for (mode const m : {mode::gpu_virtual, mode::gpu_physical}) {
        s.options.page_tables.mode = m;
        expect_clean(shaped(s, {{.index_bits = 8, .table_bytes = 4096},
                                {.index_bits = 5, .table_bytes = 4096, .segment = 2},
                                {.index_bits = 9, .table_bytes = 4096},
                                {.index_bits = 4, .table_bytes = 4096, .segment = 1},
                                {.index_bits = 9, .table_bytes = 8192, .segment = 1}}),
                     2, "five levels");
        expect_clean(shaped(s, {{.index_bits = 10, .table_bytes = 8192, .segment = 2},
                                {.index_bits = 9, .table_bytes = 4096, .segment = 2},
                                {.index_bits = 9, .table_bytes = 4096, .segment = 2}}),
                     2, "all in a segment");
    }
}

TEST_CASE("GVA-18: system memory that the GPU sees elsewhere") {
    for (mode const m : modes) {
        setup s = page_tables(m);
        s.options.system_base = u64{1} << 44;
        expect_clean(s, 1, "system base");
    }
}

TEST_CASE("CHK-09, CHK-13: chunks in a small window, with buffers of the smallest size") {
    setup s = page_tables(mode::gpu_virtual);
    s.options.va_size = 512 << 10;
    s.options.largest_allocation = 200 << 10;
    s.options.paging_buffer = 32;
    s.options.overlapping_moves = true;
    s.steps = 60;
    expect_clean(s, 2, "small window");
}

TEST_CASE("mappings told one by one: map over another mapping, a part of it gone, tables evicted and back") {
    for (mode const m : modes) {
        testing::vidmm_report const report = told(page_tables(m), [](testing::vidmm& mm) {
            gpu_virtual_address const base{u64{1} << 30};
            auto const process = mm.create_process();
            auto const first = mm.create(bytes{60000});
            auto const second = mm.create(bytes{20000});
            CHECK(mm.map(process, first, base, 0x1c));
            CHECK(mm.map(process, second, {base.n + 5 * 4096}, 0x8));
            CHECK(mm.unmap(process, {base.n + 2 * 4096}, bytes{2 * 4096}));
            CHECK_FALSE(mm.map(process, first, {4096}));  // behind entry 0 of the root (GVA-30)
            CHECK_FALSE(mm.map(process, first, {base.n + 1}));
            CHECK(mm.evict_page_table(process, base));
            CHECK_FALSE(mm.evict_page_table(process, base));
            CHECK(mm.restore_page_table(process, base));
            CHECK_FALSE(mm.restore_page_table(process, base));
            CHECK(mm.commit(second, segment_id{1}));
            CHECK(mm.map(process, second, base));
            mm.power_loss();
            CHECK(mm.map(process, second, base));
        });
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.times_exercised(vidmm_rule::op11_08) != 0);
        CHECK(report.times_exercised(vidmm_rule::chk_16) != 0);
    }
}

}  // namespace correct_tables
