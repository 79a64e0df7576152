// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_expect.hpp"

namespace toy::segment_bugs {

[[nodiscard]] testing::vidmm_reported_segment& memory(adapter_life& l) { return l.said.adapter.segments[1]; }
[[nodiscard]] testing::vidmm_reported_segment& aperture(adapter_life& l) { return l.said.adapter.segments[0]; }

// Each is the right adapter of its version but for one thing.
constexpr adapter_case answers[] = {
    {"the first call fills the paging buffer's members", "SEG-01", wddm::v2_0,
     [](adapter_life& l) { l.wrong.first_call_fills_all = true; }},
    {"the same below WDDM 2.0", "SEG-01", wddm::win7, [](adapter_life& l) { l.wrong.first_call_fills_all = true; }},
    {"the second call gives another count", "SEG-02", wddm::win8,
     [](adapter_life& l) { l.wrong.second_call_has_one_more = true; }},
    {"the number of segments grows", "SEG-02", wddm::v2_9, [](adapter_life& l) { l.wrong.count_grows = true; }},
    {"the kinds change later", "SEG-02", wddm::v2_9, [](adapter_life& l) { l.wrong.kinds_change = true; }},
    {"the number of segments of form 5 grows", "SEG-02", wddm::v3_2,
     [](adapter_life& l) {
         l.options.form5 = true;
         l.wrong.count_grows = true;
     }},
    {"descriptors stand as far apart as the driver's own", "SEG-03", wddm::v2_2,
     [](adapter_life& l) { l.wrong.ignores_stride = true; }},
    {"the whole of each element is cleared", "SEG-03", wddm::v2_9,
     [](adapter_life& l) { l.wrong.writes_whole_stride = true; }},
    {"form 1 is refused", "SEG-04", wddm::vista, [](adapter_life& l) { l.wrong.form_refused = true; }},
    {"form 3 is refused", "SEG-04", wddm::v1_3, [](adapter_life& l) { l.wrong.form_refused = true; }},
    {"form 4 is refused", "SEG-04", wddm::v2_0, [](adapter_life& l) { l.wrong.form_refused = true; }},
    {"form 5 is refused", "SEG-04", wddm::v3_2,
     [](adapter_life& l) {
         l.options.form5 = true;
         l.wrong.form_refused = true;
     }},
    {"31 segments", "SEG-06", wddm::v2_0, [](adapter_life& l) { l.said.adapter.segments.resize(31); }},
    {"32 segments", "SEG-06", wddm::win8, [](adapter_life& l) { l.said.adapter.segments.resize(32); }},
    {"two segments overlap by a page", "SEG-07", wddm::v2_9,
     [](adapter_life& l) { memory(l).base = aperture(l).base + aperture(l).size - 4096; }},
    {"a segment wraps", "SEG-07", wddm::v2_9, [](adapter_life& l) { memory(l).base = ~u64{0} - 0xFFFF; }},
    {"a size that is not whole pages", "SEG-08", wddm::v2_9, [](adapter_life& l) { memory(l).size -= 512; }},
    {"a segment of no size", "SEG-08", wddm::win7, [](adapter_life& l) { memory(l).size = 0; }},
    {"64-KiB pages and a base of 4 KiB", "SEG-09", wddm::v2_9,
     [](adapter_life& l) {
         memory(l).flags |= flag::use_64kb_pages;
         memory(l).base += 4096;
     }},
    {"an AGP segment that is CPU visible", "SEG-11", wddm::vista,
     [](adapter_life& l) {
         l.options.agp_aperture = true;
         memory(l).flags = flag::agp | flag::cpu_visible;
     }},
    {"two AGP segments", "SEG-11", wddm::vista,
     [](adapter_life& l) {
         l.options.agp_aperture = true;
         memory(l).flags = aperture(l).flags = flag::agp;
     }},
    {"an AGP segment without an AGP aperture", "SEG-11", wddm::win7,
     [](adapter_life& l) { memory(l).flags = flag::agp; }},
    {"memory that is cache coherent", "SEG-13", wddm::v3_0,
     [](adapter_life& l) { memory(l).flags |= flag::cache_coherent; }},
    {"an aperture that is CPU visible", "SEG-14", wddm::win8,
     [](adapter_life& l) { aperture(l).flags |= flag::cpu_visible; }},
    {"CPU visible and behind a CPU host aperture", "SEG-15", wddm::v2_9,
     [](adapter_life& l) { memory(l).flags |= flag::cpu_visible; }},
    {"a cached CPU host aperture that is none", "SEG-16", wddm::v2_9,
     [](adapter_life& l) { memory(l).flags = flag::cpu_visible | flag::supports_cached_cpu_host_aperture; }},
    {"an aperture populated from system memory", "SEG-19", wddm::v2_9,
     [](adapter_life& l) { aperture(l).flags |= flag::populated_from_system_memory; }},
    {"hibernation without standby", "SEG-20", wddm::v2_9,
     [](adapter_life& l) { memory(l).flags |= flag::preserved_during_hibernate; }},
    {"both flags of hibernation", "SEG-20", wddm::win8,
     [](adapter_life& l) {
         memory(l).flags |= flag::preserved_during_standby | flag::preserved_during_hibernate |
                            flag::partially_preserved_during_hibernate;
         memory(l).system_memory_end = 0xFFFF;
     }},
    {"partial hibernation without an end", "SEG-21", wddm::win8,
     [](adapter_life& l) {
         memory(l).flags |= flag::preserved_during_standby | flag::partially_preserved_during_hibernate;
     }},
    {"an end without partial hibernation", "SEG-21", wddm::v2_9,
     [](adapter_life& l) { memory(l).system_memory_end = 0xFFFF; }},
    {"a reserved flag", "SEG-22", wddm::v2_9, [](adapter_life& l) { memory(l).flags |= flag::reserved_sys_mem; }},
    {"a flag of a later version", "SEG-22", wddm::win7, [](adapter_life& l) { memory(l).flags |= 1U << 10; }},
    {"memory that commits half of itself", "SEG-23", wddm::win8,
     [](adapter_life& l) { memory(l).commit_limit = memory(l).size / 2; }},
    {"an aperture that commits more than itself", "SEG-23", wddm::v2_9,
     [](adapter_life& l) { aperture(l).commit_limit = aperture(l).size + 4096; }},
    {"banks without a table", "SEG-24", wddm::win7, [](adapter_life& l) { memory(l).flags |= flag::use_banking; }},
    {"banks whose ends fall", "SEG-24", wddm::win8,
     [](adapter_life& l) {
         memory(l).flags |= flag::use_banking;
         memory(l).bank_count = 3;
         memory(l).banks = {0x2000, 0x1000};
     }},
    {"a bank that ends behind its segment", "SEG-24", wddm::vista,
     [](adapter_life& l) {
         memory(l).flags |= flag::use_banking;
         memory(l).bank_count = 2;
         memory(l).banks = {memory(l).size + 4096};
     }},
    {"banks of an aperture", "SEG-25", wddm::win7, [](adapter_life& l) { aperture(l).flags |= flag::use_banking; }},
    {"two apertures", "SEG-26", wddm::v2_9,
     [](adapter_life& l) {
         l.said.adapter.segments.insert(l.said.adapter.segments.begin(), aperture(l));
         l.said.adapter.segments[0].base = 0x4'0000'0000;
         for (testing::vidmm_reported_level& level : l.said.adapter.levels) {
             level.segment = level.paging_process_segment = 3;
         }
     }},
    {"no aperture", "SEG-26", wddm::v2_0,
     [](adapter_life& l) {
         aperture(l).flags = 0;
         l.said.adapter.paging_buffer.segment = 0;
     }},
    {"invalid ranges of 100 bytes", "SEG-31", wddm::v2_0,
     [](adapter_life& l) {
         memory(l).invalid_ranges = 3;
         l.wrong.states_by_bytes = true;
     }},
    {"a protected range behind the segment's end", "SEG-32", wddm::v2_9,
     [](adapter_life& l) {
         memory(l).flags |= flag::vpr_supported;
         memory(l).vpr_alignment = 65536;
         memory(l).vpr_start = memory(l).size - 65536;
         memory(l).vpr_size = 131072;
     }},
    {"a protected range that is not aligned", "SEG-32", wddm::v2_9,
     [](adapter_life& l) {
         memory(l).flags |= flag::vpr_supported;
         memory(l).vpr_alignment = 65536;
         memory(l).vpr_size = 65536 + 4096;
     }},
    {"paging buffers in memory", "SEG-40", wddm::win8,
     [](adapter_life& l) { l.said.adapter.paging_buffer.segment = 2; }},
    {"paging buffers in a segment that is not there", "SEG-40", wddm::v2_0,
     [](adapter_life& l) { l.said.adapter.paging_buffer.segment = 3; }},
    {"paging buffers of no size", "SEG-41", wddm::v2_9, [](adapter_life& l) { l.said.adapter.paging_buffer.size = 0; }},
    {"a CPU host aperture before the last segment", "OBS-04", wddm::v2_9,
     [](adapter_life& l) {
         l.said.adapter.segments.push_back(memory(l));
         l.said.adapter.segments[2].base = 0x4'0000'0000;
         l.said.adapter.segments[2].flags = 0;
         l.said.adapter.segments[2].host_aperture_pages = 0;
     }},
    {"the paging buffer's aperture comes second", "OBS-04", wddm::v2_9,
     [](adapter_life& l) {
         std::swap(memory(l), aperture(l));
         aperture(l).flags = flag::cpu_visible;
         aperture(l).host_aperture_pages = 0;
         l.said.adapter.paging_buffer.segment = 2;
         for (testing::vidmm_reported_level& level : l.said.adapter.levels) {
             level.segment = level.paging_process_segment = 1;
         }
     }},
};

constexpr adapter_case host_apertures[] = {
    {"a CPU host aperture of no pages", "SEG-35", wddm::v2_9,
     [](adapter_life& l) { memory(l).host_aperture_pages = 0; }},
    {"a CPU host aperture that works later", "SEG-35", wddm::v2_0,
     [](adapter_life& l) { l.wrong.late_aperture = true; }},
    {"4-KiB pages before a segment of 64-KiB pages", "SEG-36", wddm::v2_9,
     [](adapter_life& l) {
         memory(l).flags |= flag::use_64kb_pages;
         l.wrong.small_pages = true;
     }},
    {"the aperture's pages are taken for contiguous", "SEG-37", wddm::v2_9,
     [](adapter_life& l) { l.wrong.contiguous_aperture = true; }},
    {"the segment's pages are taken for contiguous", "SEG-37", wddm::v2_0,
     [](adapter_life& l) { l.wrong.contiguous_memory = true; }},
    {"unmapping some pages unmaps all", "SEG-37", wddm::v2_9, [](adapter_life& l) { l.wrong.unmaps_all = true; }},
    {"mapping wants an allocation", "SEG-38", wddm::v2_9, [](adapter_life& l) { l.wrong.wants_allocation = true; }},
};

constexpr adapter_case contexts[] = {
    {"DMA buffers in memory", "SEG-39", wddm::win8,
     [](adapter_life& l) {
         l.with_contexts = true;
         l.wrong.dma_buffer_set = 2;
     }},
    {"DMA buffers in a segment that is not there", "SEG-39", wddm::v2_9,
     [](adapter_life& l) {
         l.with_contexts = true;
         l.wrong.dma_buffer_set = 4;
     }},
    {"DMA buffers nowhere, with virtual addresses", "OBS-07", wddm::v2_0,
     [](adapter_life& l) {
         l.with_contexts = true;
         l.wrong.dma_buffer_set = 0;
     }},
};

TEST_CASE("SEG-01 to SEG-41, OBS-04: a wrong answer about segments is named by its rule") { check_cases(answers); }

TEST_CASE("SEG-35 to SEG-38: a wrong CPU host aperture is named by its rule") { check_cases(host_apertures); }

TEST_CASE("SEG-39, OBS-07: a wrong segment set of DMA buffers is named by its rule") { check_cases(contexts); }

TEST_CASE("contexts without virtual addresses may have their DMA buffers in system memory") {
    adapter_life l = life_of(wddm::win8);
    l.with_contexts = true;
    l.wrong.dma_buffer_set = 0;
    CHECK(live(l).passed());
}

}  // namespace toy::segment_bugs
