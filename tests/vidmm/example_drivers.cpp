// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The drivers of the examples, whose hardware is decoded by engines that share nothing with their encoders, under random
// scenarios: what a vendor's own test would look like.
#include "../slow_build.hpp"

#include <paging_round_trip/rigs.hpp>
#include <wddmcore/testing/vidmm.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <set>

namespace example_drivers {

using namespace wddmcore;

namespace {

using testing::vidmm_rule;
using change = std::function<void(testing::vidmm_options&)>;

[[nodiscard]] u64 first_seed() {
    char const* const text = std::getenv("WDDMCORE_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
}

/// One scenario; the report of a driver that keeps every rule.
testing::vidmm_report expect_clean(std::string const& hardware, u64 seed, u64 steps, change const& differently = {}) {
    INFO(hardware, ", WDDMCORE_SEED=", seed);
    auto const adapter = examples::make_rig(hardware, u64{8} << 20);
    testing::vidmm_options options = adapter->options();
    options.seed = seed;
    options.smallest_paging_buffer = adapter->smallest_buffer();
    options.largest_paging_buffer = 16384;
    options.inspected_bytes = 1 << 16;
    options.keep_trace = false;
    if (differently) {
        differently(options);
    }
    testing::vidmm system(adapter->table(), options, &adapter->engine());
    adapter->attach(system);
    system.run(seed, steps);
    CHECK_MESSAGE(system.report().passed(), system.report().text());
    return system.report();
}

void expect_clean(std::string const& hardware) {
    for (u64 seed = first_seed(); seed < first_seed() + (slow_build ? 2 : 8); ++seed) {
        expect_clean(hardware, seed, slow_build ? 100 : 600);
    }
}

constexpr page_table_update_mode modes[] = {page_table_update_mode::cpu_virtual, page_table_update_mode::gpu_virtual,
                                            page_table_update_mode::gpu_physical};

/// Page tables written in a mode; of the two notices of residency the one that this seed is for, because some drivers
/// keep one record for both.
[[nodiscard]] change tables_in(page_table_update_mode mode, u64 seed) {
    return [mode, seed](testing::vidmm_options& o) {
        o.page_tables.mode = mode;
        o.page_tables.copies = mode != page_table_update_mode::cpu_virtual;
        o.power_losses = true;
        if (seed % 2 == 0) {
            o.notices.page_residency_of = nullptr;
        } else {
            o.notices.residency_of = nullptr;
        }
    };
}

/// Mostly mappings, in memory of 64-KiB pages where that changes anything.
[[nodiscard]] change larger_pages(page_table_update_mode mode) {
    return [mode](testing::vidmm_options& o) {
        o.page_tables.mode = mode;
        o.page_tables.copies = mode != page_table_update_mode::cpu_virtual;
        o.notices.page_residency_of = nullptr;
        o.notices.mmus.clear();
        o.notify = {};
        o.chances.feature = 70;
        o.chances.larger_pages = 90;
        o.most_allocations = 6;
        o.page_tables.packed = true;
        o.page_tables.largest_page = u64{2} << 20;
        for (testing::vidmm_segment& s : o.segments) {
            s.pages_64k = !s.aperture && o.page_tables.table_bytes_64k != 0;
        }
    };
}

/// Mappings told one by one: of a large page that is split and comes back, and of 64-KiB pages beside others.
void expect_larger_pages(std::string const& hardware, page_table_update_mode mode,
                         std::vector<vidmm_rule> const& rules) {
    INFO(hardware, ", mode ", static_cast<unsigned>(mode));
    auto const adapter = examples::make_rig(hardware, u64{8} << 20);
    testing::vidmm_options options = adapter->options();
    larger_pages(mode)(options);
    options.seed = first_seed();
    options.smallest_paging_buffer = adapter->smallest_buffer();
    options.inspected_bytes = 1 << 16;
    options.chances.larger_pages = 100;
    // NVIDIA's manual has sparse entries in leaf tables only.
    options.page_tables.zero_above_leaf = hardware != "nvidia_ampere_tables";
    options.keep_trace = false;
    u64 root = page_bytes;
    for (std::size_t level = 0; level + 1 < options.page_tables.levels.size(); ++level) {
        root <<= options.page_tables.levels[level].index_bits;
    }
    u64 const large = page_bytes << options.page_tables.levels.front().index_bits;
    testing::vidmm system(adapter->table(), options, &adapter->engine());
    adapter->attach(system);
    auto const process = system.create_process();
    auto const first = system.create(bytes{large});
    auto const second = system.create(bytes{32 * page_bytes});
    auto const third = system.create(bytes{16 * page_bytes});
    CHECK(system.commit(first, segment_id{options.segments.back().id}));
    CHECK(system.commit(second, segment_id{options.segments.back().id}));
    CHECK(system.map(process, first, {root}));
    CHECK(system.unmap(process, {root + 5 * page_bytes}, bytes{page_bytes}));
    CHECK(system.map(process, first, {root}));
    CHECK(system.map(process, second, {root + large + 16 * page_bytes}));
    CHECK(system.map(process, third, {root + large + 64 * page_bytes}));
    CHECK(system.evict_page_table(process, {root + large}));
    CHECK(system.restore_page_table(process, {root + large}));
    CHECK(system.map(process, second, {root}));
    bool const has_zero = options.page_tables.zero_pages;
    CHECK(system.map_zero(process, {root + 2 * large}, bytes{large}) == has_zero);  // AMB-65
    system.finish();
    INFO(system.report().text());
    CHECK(system.report().passed());
    for (vidmm_rule const rule : rules) {
        INFO(std::string(testing::id_of(rule)));
        CHECK(system.report().times_exercised(rule) != 0);
    }
}

void expect_walking(std::string const& hardware) {
    std::set<vidmm_rule> held;
    std::set<paging_operation> met;
    for (page_table_update_mode const mode : modes) {
        for (u64 seed = first_seed(); seed < first_seed() + (slow_build ? 2 : 4); ++seed) {
            INFO("mode ", static_cast<unsigned>(mode));
            auto const report = expect_clean(hardware, seed, slow_build ? 60 : 200, tables_in(mode, seed));
            for (u32 i = 0; i != paging_operation_count; ++i) {
                auto const operation = static_cast<paging_operation>(i);
                if (report.of(operation).requests != 0) {
                    met.insert(operation);
                }
            }
            for (vidmm_rule const rule :
                 {vidmm_rule::op11_01, vidmm_rule::op11_02, vidmm_rule::op11_03, vidmm_rule::op11_04,
                  vidmm_rule::op11_08, vidmm_rule::op11_12, vidmm_rule::op12_01, vidmm_rule::op12_03,
                  vidmm_rule::op14_01, vidmm_rule::gva_18,  vidmm_rule::gva_20,  vidmm_rule::gva_23,
                  vidmm_rule::gva_39,  vidmm_rule::chk_14,  vidmm_rule::chk_16,  vidmm_rule::ntf_10,
                  vidmm_rule::op10_03, vidmm_rule::op13_01, vidmm_rule::op15_03, vidmm_rule::op16_01,
                  vidmm_rule::op18_01, vidmm_rule::op21_01}) {
                if (report.times_exercised(rule) != 0) {
                    held.insert(rule);
                }
            }
        }
    }
    CAPTURE(hardware);
    CHECK((slow_build || held.size() == 22));  // short runs need not meet everything
    using enum paging_operation;
    for (paging_operation const operation :
         {virtual_transfer, virtual_fill, init_context_resource, update_page_table, flush_tlb,
          update_context_allocation, copy_page_table_entries, notify_residency, signal_monitored_fence,
          map_aperture_segment2, notify_fence_residency, notify_residency2, notify_alloc}) {
        CAPTURE(static_cast<unsigned>(operation));
        CHECK((slow_build || met.contains(operation)));
    }
    // No public fact says how NVIDIA's driver maps other MMUs, so that the example claims none.
    CHECK((slow_build || met.contains(map_mmu) == (hardware != "nvidia_ampere_tables")));
}

}  // namespace

TEST_CASE("PGB-01 to PGB-22, OP00-01 to OP07-01: the physical drivers of the examples keep every rule") {
    for (char const* const hardware : {"cpu", "amd_gfx10", "nvidia_ampere", "intel_xe"}) {
        expect_clean(hardware);
    }
}

TEST_CASE("OP08-01 to OP09-02, OP17-02 to OP17-04: the virtual drivers of the examples keep every rule") {
    for (char const* const hardware : {"cpu", "amd_gfx10", "nvidia_ampere", "intel_xe"}) {
        expect_clean(std::string(hardware) + "_virtual");
    }
}

TEST_CASE("OP10-01 to OP22, GVA-18 to GVA-39: AMD's page tables translate every address in every mode") {
    expect_walking("amd_gfx10_tables");
}
TEST_CASE("OP10-01 to OP22, GVA-18 to GVA-39: NVIDIA's page tables translate every address in every mode") {
    expect_walking("nvidia_ampere_tables");
}
TEST_CASE("OP10-01 to OP22, GVA-18 to GVA-39: Intel's page tables translate every address in every mode") {
    expect_walking("intel_xe_tables");
}
TEST_CASE("OP10-01 to OP22, GVA-18 to GVA-39: the reference processor's page tables translate every address") {
    expect_walking("cpu_tables");
}

TEST_CASE("GVA-11 to GVA-17: the larger pages of the examples' hardware, as far as it has them") {
    using enum vidmm_rule;
    for (page_table_update_mode const mode : modes) {
        expect_larger_pages("amd_gfx10_tables", mode, {gva_16});
        expect_larger_pages("cpu_tables", mode, {gva_16});
        expect_larger_pages("intel_xe_tables", mode, {gva_11, gva_13, gva_14, gva_16});
        expect_larger_pages("nvidia_ampere_tables", mode, {gva_12, gva_14, gva_16});
    }
}

TEST_CASE("GVA-11 to GVA-17: random mappings in the larger pages of the examples' hardware") {
    for (char const* const hardware : {"amd_gfx10_tables", "cpu_tables", "intel_xe_tables", "nvidia_ampere_tables"}) {
        for (u64 seed = first_seed(); seed < first_seed() + (slow_build ? 1 : 3); ++seed) {
            auto const report = expect_clean(hardware, seed, slow_build ? 40 : 120, larger_pages(modes[seed % 3]));
            CHECK(report.of(paging_operation::update_page_table).requests > 10);
        }
    }
}

// A sanitizer puts its own memcpy, which stores twice, in the place of an unaligned store: it is not the driver's code.
#if !defined(WDDMCORE_SANITIZED)
TEST_CASE("LAW-04: the drivers of the examples write each dword once and read none") {
    for (std::string const& hardware : examples::rig_names()) {
        testing::vidmm_report const report = expect_clean(hardware, first_seed(), 30, [](testing::vidmm_options& o) {
            o.watch = true;
            o.notices.page_residency_of = nullptr;
        });
        CHECK(report.times_exercised(vidmm_rule::law_04) != 0);
    }
}

#endif

TEST_CASE("the scenarios of the examples exercise the rules that they are there for") {
    using enum vidmm_rule;
    for (std::string const& hardware : examples::rig_names()) {
        testing::vidmm_report const report =
            expect_clean(hardware, first_seed(), slow_build ? 100 : 600, [](testing::vidmm_options& o) {
                o.largest_allocation = u64{1} << 16;
                o.notices.page_residency_of = nullptr;
            });
        CAPTURE(hardware);
        for (vidmm_rule const rule : {pgb_01, pgb_02, pgb_04, pgb_05, pgb_08, pgb_11, pgb_21}) {
            CAPTURE(static_cast<int>(rule));
            CHECK(report.times_exercised(rule) != 0);
        }
    }
}

}  // namespace example_drivers
