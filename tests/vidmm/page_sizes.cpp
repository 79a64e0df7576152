// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

namespace page_sizes {

namespace {

using namespace toy;
using mode = page_table_update_mode;
using testing::vidmm_rule;

constexpr mode modes[] = {mode::cpu_virtual, mode::gpu_virtual, mode::gpu_physical};

/// Every seed keeps all rules, and together they have met these.
void expect_clean(setup s, std::initializer_list<vidmm_rule> rules, u64 seeds = slow_build ? 1 : 2) {
    std::vector<u64> met(rules.size());
    for (u64 seed = seed_or(1); seed < seed_or(1) + seeds; ++seed) {
        INFO("WDDMCORE_SEED=", seed, ", mode ", static_cast<unsigned>(s.options.page_tables.mode));
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        INFO(report.text());
        CHECK(report.passed());
        std::size_t i = 0;
        for (vidmm_rule const rule : rules) {
            met[i++] += report.times_exercised(rule);
        }
    }
    std::size_t i = 0;
    for (vidmm_rule const rule : rules) {
        INFO(std::string(testing::id_of(rule)));
        CHECK((slow_build || met[i] != 0));
        ++i;
    }
}

}  // namespace

TEST_CASE("GVA-16: large pages come, are split, and go, and every address means what it has to") {
    for (mode const m : modes) {
        expect_clean(with_large_pages(page_tables(m)), {vidmm_rule::gva_16});
    }
}

TEST_CASE("GVA-16, GVA-17: large pages of system memory, and at any 4-KiB page") {
    setup s = with_all_entries(with_large_pages(page_tables(mode::gpu_virtual)));
    s.options.page_tables.large_pages_anywhere = true;
    s.options.page_tables.system_large_pages = true;
    expect_clean(s, {vidmm_rule::gva_16, vidmm_rule::gva_17});
}

TEST_CASE("AMB-65, GVA-19: large pages that read as zero come, are split, and become memory") {
    for (mode const m : modes) {
        setup s = with_all_entries(with_large_pages(page_tables(m)));
        s.options.chances.larger_pages = 100;
        s.options.execution = testing::vidmm_execution::at_submit;
        auto const steps = [](testing::vidmm& mm) {
            gpu_virtual_address const base{u64{1} << 30};
            constexpr u64 large = u64{32} * 4096;  // behind a leaf table of the toy, and 4 times that one level higher
            auto const process = mm.create_process();
            auto const allocation = mm.create(bytes{40000});
            CHECK(mm.map_zero(process, base, bytes{6 * large}));
            CHECK(mm.map(process, allocation, {base.n + 4096}));
            CHECK(mm.unmap(process, {base.n + 4 * large}, bytes{4096}));
            CHECK(mm.map_zero(process, base, bytes{4 * large}));
            CHECK(mm.unmap(process, base, bytes{6 * large}));
        };
        testing::vidmm_report const report = told(s, steps);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.times_exercised(vidmm_rule::amb_65) > 3);
        s.options.page_tables.zero_above_leaf = false;
        testing::vidmm_report const without = told(s, steps);
        CHECK(without.passed());
        CHECK(without.times_exercised(vidmm_rule::amb_65) == 0);
        CHECK(without.times_exercised(vidmm_rule::gva_19) != 0);
    }
}

TEST_CASE("GVA-11, GVA-13, GVA-14, AMB-22: leaf tables of 64-KiB entries, which become tables of 4-KiB entries") {
    for (mode const m : modes) {
        expect_clean(with_64k_pages(page_tables(m), false),
                     {vidmm_rule::gva_11, vidmm_rule::gva_13, vidmm_rule::gva_14, vidmm_rule::amb_22});
    }
}

TEST_CASE("GVA-15: 64-KiB pages of system memory where they are claimed, and pieces of 64 KiB that read as zero") {
    setup s = with_all_entries(with_64k_pages(page_tables(mode::gpu_physical), false));
    s.options.page_tables.system_64k_pages = true;
    expect_clean(s, {vidmm_rule::gva_14, vidmm_rule::gva_19});
}

TEST_CASE("GVA-12, GVA-14: leaf tables of both kinds behind one entry") {
    for (mode const m : modes) {
        expect_clean(with_64k_pages(page_tables(m), true),
                     {vidmm_rule::gva_12, vidmm_rule::gva_14, vidmm_rule::amb_22});
    }
    setup s = with_all_entries(with_64k_pages(page_tables(mode::cpu_virtual), true));
    s.options.page_tables.explicit_invalidation = true;
    expect_clean(s, {vidmm_rule::gva_12});
}

TEST_CASE("OP11-05: GPU pages above 4 KiB, with updates that begin and end inside them") {
    expect_clean(with_gpu_pages(page_tables(mode::cpu_virtual), 8192), {vidmm_rule::op11_05});
    expect_clean(with_gpu_pages(page_tables(mode::gpu_virtual), 16384), {vidmm_rule::op11_05});
    expect_clean(with_gpu_pages(with_all_entries(page_tables(mode::gpu_physical)), 65536), {vidmm_rule::op11_05});
}

}  // namespace page_sizes
