// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_expect.hpp"

namespace toy::allocation_bugs {

constexpr u32 cpu_visible = 1U << 0;
constexpr u32 cached = 1U << 2;
constexpr u32 is_protected = 1U << 3;
constexpr u32 existing_sys_mem = 1U << 4;
constexpr u32 map_aperture_cpu_visible = 1U << 13;
constexpr u32 history_buffer = 1U << 14;
constexpr u32 explicit_residency_notification = 1U << 16;
constexpr u32 share_backing_store_with_kmd = 1U << 0;

// The right allocation may lie in both segments, prefers the second, and is evicted to the aperture, segment 1.
constexpr adapter_case allocations[] = {
    {"a segment that is not there", "PREF-01", wddm::v2_9, [](adapter_life& l) { l.wrong.allocation.write_set = 4; }},
    {"no segment", "PREF-01", wddm::win8,
     [](adapter_life& l) { l.wrong.allocation.write_set = l.wrong.allocation.read_set = 0; }},
    {"a preferred segment that is not supported", "PREF-02", wddm::v2_0,
     [](adapter_life& l) { l.wrong.allocation.write_set = 1; }},
    {"only the read set is filled", "PREF-03", wddm::v2_9, [](adapter_life& l) { l.wrong.allocation.write_set = 0; }},
    {"evicted to memory", "PREF-06", wddm::v2_9, [](adapter_life& l) { l.wrong.allocation.eviction_set = 2; }},
    {"4-KiB alignment and 64-KiB pages", "PREF-07", wddm::v2_9,
     [](adapter_life& l) {
         l.said.adapter.segments[1].flags |= flag::use_64kb_pages;
         l.wrong.allocation.alignment = 4096;
     }},
    {"an allocation of no size", "PREF-08", wddm::v2_9, [](adapter_life& l) { l.wrong.allocation.size = 0; }},
    {"a pitch that makes it smaller", "PREF-08", wddm::win7,
     [](adapter_life& l) { l.wrong.allocation.pitch_aligned_size = 4096; }},
    {"no priority", "PREF-09", wddm::vista, [](adapter_life& l) { l.wrong.allocation.priority = 0; }},
    {"residency is notified of what is not accessed physically", "PREF-13", wddm::v2_9,
     [](adapter_life& l) { l.wrong.allocation.flags = explicit_residency_notification; }},
    {"MapApertureCpuVisible before there is such an operation", "PREF-14", wddm::v2_8,
     [](adapter_life& l) { l.wrong.allocation.flags = map_aperture_cpu_visible; }},
    {"cached and not CPU visible", "PREF-16", wddm::v2_9, [](adapter_life& l) { l.wrong.allocation.flags = cached; }},
    {"protected and existing", "PREF-17", wddm::v2_9,
     [](adapter_life& l) { l.wrong.allocation.flags = is_protected | existing_sys_mem; }},
    {"the CPU sees what lies where it does not reach", "PREF-18", wddm::v2_9,
     [](adapter_life& l) {
         l.wrong.allocation.flags = cpu_visible;
         l.wrong.allocation.write_set = 2;
     }},
    {"a backing store is shared that may lie in memory", "PREF-19", wddm::v3_0,
     [](adapter_life& l) { l.wrong.allocation.flags2 = share_backing_store_with_kmd; }},
    {"a backing store is shared that existed", "PREF-19", wddm::v3_0,
     [](adapter_life& l) {
         l.wrong.allocation.flags2 = share_backing_store_with_kmd;
         l.wrong.allocation.flags = existing_sys_mem;
         l.wrong.allocation.write_set = 1;
         l.wrong.allocation.preferred = 0;
     }},
    {"a history buffer that the CPU does not see", "PREF-20", wddm::v2_9,
     [](adapter_life& l) { l.wrong.allocation.flags = history_buffer; }},
    {"a history buffer that is also protected", "PREF-20", wddm::v2_9,
     [](adapter_life& l) { l.wrong.allocation.flags = history_buffer | cpu_visible | is_protected; }},
};

TEST_CASE("PREF: a wrong answer about an allocation is named by its rule") { check_cases(allocations); }

TEST_CASE("PREF-18: what may also lie in the aperture is seen by the CPU") {
    adapter_life l = life_of(wddm::v2_9);
    l.wrong.allocation.flags = cpu_visible;
    CHECK(live(l).passed());
}

TEST_CASE("PREF-19, PREF-20: shared backing stores in apertures, and history buffers as they must be") {
    adapter_life shared = life_of(wddm::v3_0);
    shared.wrong.allocation.flags2 = share_backing_store_with_kmd;
    shared.wrong.allocation.write_set = 1;
    shared.wrong.allocation.preferred = 0;
    testing::vidmm_report const of_shared = live(shared);
    INFO(of_shared.text());
    CHECK(of_shared.passed());
    CHECK(of_shared.times_exercised(testing::vidmm_rule::pref_19) != 0);
    for (bool const coherent : {false, true}) {
        adapter_life history = life_of(wddm::v2_9);
        std::uint32_t& aperture = history.said.adapter.segments[0].flags;
        aperture = coherent ? aperture | flag::cache_coherent : aperture & ~u32{flag::cache_coherent};
        history.wrong.allocation.flags = history_buffer | cpu_visible | (coherent ? cached : 0);
        testing::vidmm_report const of_history = live(history);
        INFO(of_history.text());
        CHECK(of_history.passed());
        CHECK(of_history.times_exercised(testing::vidmm_rule::pref_20) != 0);
    }
}

TEST_CASE("a driver that refuses an allocation breaks no rule, and is quoted") {
    toy_adapter driver(wddm::v2_9, right_answers(wddm::v2_9), {});
    testing::vidmm_adapter system(driver.table());
    REQUIRE(system.start());
    CHECK_FALSE(system.create_allocation({}).has_value());
    CHECK(system.report().passed());
    CHECK(system.refusal() == "DxgkDdiCreateAllocation returned -1073741811");  // STATUS_INVALID_PARAMETER
}

}  // namespace toy::allocation_bugs
