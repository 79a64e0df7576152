// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_expect.hpp"

namespace toy::caps_bugs {

void two_levels(adapter_life& l) {
    l.said.adapter.mmu->levels = 2;
    l.said.adapter.levels.resize(2);
    l.said.root_entries = 512;
}

void put_tables(adapter_life& l, u32 segment) {
    for (testing::vidmm_reported_level& level : l.said.adapter.levels) {
        level.segment = level.paging_process_segment = segment;
    }
}

// Page tables: 12 + 9 + 9 + 9 = 39 bits of address, updated by the GPU, in segment 2 behind a CPU host aperture.
constexpr adapter_case tables[] = {
    {"one level", "GVA-01", wddm::v2_9, [](adapter_life& l) { l.said.adapter.mmu->levels = 1; }},
    {"seven levels", "GVA-01", wddm::v2_9, [](adapter_life& l) { l.said.adapter.mmu->levels = 7; }},
    {"40 bits from levels of 39", "GVA-03", wddm::v2_9, [](adapter_life& l) { l.said.adapter.mmu->address_bits = 40; }},
    {"two levels, and the leaf takes all bits", "GVA-03", wddm::v2_9,
     [](adapter_life& l) {
         two_levels(l);
         l.said.adapter.mmu->address_bits = 21;
     }},
    {"a table of 100 bytes", "GVA-04", wddm::v2_9, [](adapter_life& l) { l.said.adapter.levels[1].table_bytes = 100; }},
    {"a table that is too small for its entries", "GVA-04", wddm::v2_9,
     [](adapter_life& l) {
         l.said.adapter.levels[0].index_bits = 11;
         l.said.adapter.levels[1].index_bits = 7;
     }},
    {"a made-up segment id", "SEG-05", wddm::v2_9, [](adapter_life& l) { l.said.adapter.levels[1].segment = 3; }},
    {"8-KiB tables in system memory", "GVA-06", wddm::v2_9,
     [](adapter_life& l) {
         put_tables(l, 0);
         l.said.adapter.levels[0].table_bytes = 8192;
     }},
    {"the same for the paging process only", "GVA-06", wddm::v2_9,
     [](adapter_life& l) {
         l.said.adapter.levels[0].table_bytes = 8192;
         l.said.adapter.levels[0].paging_process_segment = 0;
     }},
    {"the CPU updates directories in memory", "GVA-07", wddm::v2_9,
     [](adapter_life& l) { l.said.adapter.mmu->update_mode = 0; }},
    {"the CPU updates leaf tables that it does not reach", "OBS-05", wddm::v2_9,
     [](adapter_life& l) {
         l.said.adapter.mmu->update_mode = 0;
         l.said.adapter.segments[1].flags = 0;
         put_tables(l, 0);
         l.said.adapter.levels[0].segment = 2;
     }},
    {"the CPU does not reach the paging process's tables", "GVA-40", wddm::v2_9,
     [](adapter_life& l) { l.said.adapter.segments[1].flags = 0; }},
    {"a leaf table of 3 KiB for 64-KiB pages", "GVA-09", wddm::v2_9,
     [](adapter_life& l) { l.said.adapter.mmu->leaf_bytes_for_64k = 3072; }},
    {"64-KiB pages and 3 index bits at the leaf", "GVA-10", wddm::v2_9,
     [](adapter_life& l) {
         l.said.adapter.mmu->leaf_bytes_for_64k = 4096;
         l.said.adapter.levels[0].index_bits = 3;
         l.said.adapter.mmu->address_bits = 33;
     }},
    {"two levels and no function for the root's size", "GVA-26", wddm::v2_9,
     [](adapter_life& l) {
         two_levels(l);
         l.said.root_entries = 0;
     }},
    {"a root of 8 bytes", "GVA-26", wddm::v2_9,
     [](adapter_life& l) {
         two_levels(l);
         l.said.root_entries = 1;
     }},
    {"members of a link with different addresses", "GVA-33", wddm::v2_9,
     [](adapter_life& l) {
         two_levels(l);
         l.options.physical_adapters = 2;
         l.said.second_address_bits = 38;
     }},
    {"virtual addresses without an MMU", "GVA-35", wddm::v2_9,
     [](adapter_life& l) {
         l.said.memory_caps &= ~caps::gpu_mmu;
         l.said.adapter.flags = 0;
     }},
    {"a flag that the caps do not have", "GVA-35", wddm::v2_0,
     [](adapter_life& l) { l.said.adapter.flags |= caps::adapter_io_mmu; }},
    {"GpuMmu, and GPUMMUCAPS refused", "GVA-35", wddm::v2_9, [](adapter_life& l) { l.said.adapter.mmu.reset(); }},
    {"the level is taken from both words", "GVA-38", wddm::v2_9,
     [](adapter_life& l) {
         l.options.physical_adapters = 2;
         l.wrong.level_index_only = true;
     }},
    {"the paging process's size in eight bytes", "CHK-01", wddm::v3_2,
     [](adapter_life& l) { l.wrong.wide_space = true; }},
    {"a paging process of 1 TB with 39 bits", "CHK-07", wddm::v3_2,
     [](adapter_life& l) { l.said.adapter.paging_space_megabytes = 1 << 20; }},
    {"DRIVERCAPS beyond what an older system gave", "OUTPUT-SIZE", wddm::v3_2,
     [](adapter_life& l) {
         l.options.older_system = wddm::v2_0;
         l.wrong.writes_whole_caps = true;
     }},
};

// Two MMUs of which the second is the display's, dirty bits of 64-KiB pages, a reserve of 2-MiB pages.
constexpr adapter_case later[] = {
    {"the display has an MMU that there is not", "AMB-67", wddm::v3_2, [](adapter_life& l) { l.said.display_mmu = 2; }},
    {"MMUs that are counted and not described", "AMB-67", wddm::v3_2,
     [](adapter_life& l) { l.wrong.mmus_refused = true; }},
    {"a reserve of 1-KiB pages", "AMB-66", wddm::v3_2,
     [](adapter_life& l) { l.said.adapter.segments[1].reserve_page = 1024; }},
    {"a reserve of pages that are no power of two", "AMB-66", wddm::v3_2,
     [](adapter_life& l) { l.said.adapter.segments[1].reserve_page = 3 << 20; }},
    {"a reserve of pages larger than the segment", "AMB-66", wddm::v3_2,
     [](adapter_life& l) { l.said.adapter.segments[1].reserve_page = 512 << 20; }},
    {"dirty bits that cost little and are not tracked", "HWS-14", wddm::v3_2,
     [](adapter_life& l) { l.said.dirty_bit_caps = 2; }},
    {"a reserved bit of the dirty bits' caps", "HWS-14", wddm::v3_2,
     [](adapter_life& l) { l.said.dirty_bit_caps = 5; }},
    {"a dirty bit for 2 KiB", "HWS-14", wddm::v3_2,
     [](adapter_life& l) { l.said.adapter.segments[1].dirty_page = 2048; }},
    {"a dirty bit for three pages", "HWS-14", wddm::v3_2,
     [](adapter_life& l) { l.said.adapter.segments[1].dirty_page = 12288; }},
    {"a segment without dirty bits is not supported", "HWS-14", wddm::v3_2,
     [](adapter_life& l) {
         l.said.adapter.segments[1].dirty_page = 0;
         l.wrong.dirty_unsupported = true;
     }},
};

constexpr adapter_case physical_memory[] = {
    {"remapping without the highest visible address", "IOM-01", wddm::v2_9,
     [](adapter_life& l) { l.said.highest.reset(); }},
    {"IOMMU_CAPS of a started device only", "IOM-02", wddm::v2_9,
     [](adapter_life& l) {
         l.said.memory_caps &= ~caps::secure_mode_supported;
         l.said.iommu = 0;
         l.wrong.caps_need_start = true;
     }},
    {"the highest visible address depends on the start", "IOM-02", wddm::v3_2,
     [](adapter_life& l) { l.wrong.highest_changes = true; }},
    {"members of a link that tell their own", "IOM-03", wddm::v2_9,
     [](adapter_life& l) {
         l.options.physical_adapters = 2;
         l.wrong.own_highest = true;
     }},
    {"a link that tells its first member's", "IOM-03", wddm::v2_9,
     [](adapter_life& l) {
         l.options.physical_adapters = 2;
         l.options.highest_visible_of = {*l.said.highest, *l.said.highest >> 1};
     }},
    {"isolation in one of two places", "IOM-04", wddm::v2_9,
     [](adapter_life& l) { l.said.memory_caps &= ~caps::secure_mode_supported; }},
    {"required isolation in one of two places", "IOM-04", wddm::v3_0,
     [](adapter_life& l) { l.said.memory_caps |= caps::secure_mode_required; }},
    {"isolation goes away", "IOM-04", wddm::v2_4, [](adapter_life& l) { l.wrong.isolation_changes = true; }},
    {"isolation is required and not supported", "IOM-05", wddm::v2_9,
     [](adapter_life& l) { l.said.iommu = caps::isolation_required; }},
    {"remapping without MapAperture2Supported", "IOM-05", wddm::v2_9,
     [](adapter_life& l) { l.said.memory_caps &= ~caps::map_aperture2; }},
    {"a device that reaches half of the memory", "IOM-06", wddm::v2_9,
     [](adapter_life& l) { l.said.highest = (u64{1} << 33) - 1; }},
    {"the device scans out of system memory during exclusive access", "IOM-09", wddm::v2_4,
     [](adapter_life& l) { l.wrong.scans_out = true; }},
    {"exclusive access can be had once", "IOM-10", wddm::v3_2, [](adapter_life& l) { l.wrong.never_ends = true; }},
    {"isolation without the functions", "IOM-12", wddm::v2_4,
     [](adapter_life& l) { l.said.exclusive_functions = false; }},
    {"a save area of 1000 bytes", "IOM-17", wddm::v2_4, [](adapter_life& l) { l.said.save_size = 1000; }},
    {"reserved ranges that the system manages", "IOM-19", wddm::v2_9,
     [](adapter_life& l) { l.options.system_memory = {{0x20'2000, 0x10000}}; }},
    {"more reserved ranges in the second call", "IOM-19", wddm::v2_4,
     [](adapter_life& l) { l.wrong.reserved_count_grows = true; }},
    {"a global IOMMU for GPU virtual addresses in one of two places", "IOM-22", wddm::v3_1,
     [](adapter_life& l) { l.said.adapter.flags |= caps::adapter_gpu_va_iommu_global; }},
    {"the same the other way round", "IOM-22", wddm::v3_2,
     [](adapter_life& l) { l.said.iommu = *l.said.iommu | caps::gpu_va_iommu; }},
};

TEST_CASE("GVA, CHK: a wrong answer about page tables is named by its rule") { check_cases(tables); }

TEST_CASE("AMB-66, AMB-67, HWS-14: a wrong answer about MMUs, reserves or dirty bits is named by its rule") {
    check_cases(later);
}

TEST_CASE("HWS-14: where no bits are tracked, no segment is asked for them") {
    adapter_life l = life_of(wddm::v3_2);
    l.said.dirty_bit_caps = 0;
    l.said.adapter.segments[1].dirty_page = 100;
    testing::vidmm_report const report = live(l);
    CHECK(report.passed());
    CHECK(report.times_exercised(testing::vidmm_rule::hws_14) > 0);
}

TEST_CASE("IOM: a wrong answer about physical memory is named by its rule") { check_cases(physical_memory); }

TEST_CASE("IOM-06: with an IOMMU that remaps, a device need not reach all memory") {
    adapter_life l = life_of(wddm::v2_9);
    l.said.highest = (u64{1} << 33) - 1;
    l.options.remaps = true;
    CHECK(live(l).passed());
}

}  // namespace toy::caps_bugs
