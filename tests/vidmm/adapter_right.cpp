// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_cases.hpp"

#include <wddmcore/testing/vidmm/memory/model.hpp>

#include <doctest/doctest.h>

namespace toy::right_adapters {

TEST_CASE("an adapter that answers rightly starts at every interface version") {
    for (wddm const version : interface_versions) {
        INFO("version ", static_cast<u32>(version));
        adapter_life l = life_of(version);
        l.with_contexts = true;
        testing::vidmm_report const report = live(l);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.times_exercised(testing::vidmm_rule::seg_01) >= 2);
        bool const v2 = at_least(version, wddm::v2_0);
        CHECK((report.times_exercised(testing::vidmm_rule::seg_37) != 0) == v2);
        CHECK((report.times_exercised(testing::vidmm_rule::gva_03) != 0) == v2);
        CHECK((report.times_exercised(testing::vidmm_rule::iom_09) != 0) == at_least(version, wddm::v2_4));
        CHECK((report.times_exercised(testing::vidmm_rule::iom_02) != 0) == at_least(version, wddm::v2_9));
    }
}

TEST_CASE("form 5, a link, and a system that is older than the driver are answered rightly too") {
    adapter_life l = life_of(wddm::v3_2);
    l.options.form5 = true;
    CHECK(live(l).passed());
    l.options.form5 = false;
    l.options.physical_adapters = 3;
    l.options.highest_visible_of = {u64{1} << 41, (u64{1} << 40) - 1, u64{1} << 42};
    CHECK(live(l).passed());
    l.options.older_system = wddm::v2_0;
    l.options.stride_slack = 0;
    CHECK(live(l).passed());
}

TEST_CASE("two levels, an AGP aperture, banks and an adapter for computing only") {
    adapter_life two = life_of(wddm::v2_9);
    two.said.adapter.mmu->levels = 2;
    two.said.adapter.levels.resize(2);
    two.said.root_entries = 512;
    testing::vidmm_report const report = live(two);
    INFO(report.text());
    CHECK(report.passed());
    CHECK(report.times_exercised(testing::vidmm_rule::gva_26) > 3);

    adapter_life old = life_of(wddm::vista);
    old.options.agp_aperture = true;
    old.said.adapter.segments[1].flags |= flag::use_banking;
    old.said.adapter.segments[1].bank_count = 2;
    old.said.adapter.segments[1].banks = {64 << 20, 256 << 20};
    testing::vidmm_reported_segment agp;
    agp.flags = flag::agp;
    old.said.adapter.segments.push_back(agp);
    CHECK(live(old).passed());

    adapter_life compute = life_of(wddm::v3_0);
    compute.said.compute_only = true;
    compute.said.adapter.paging_buffer.segment = 0;
    compute.wrong.allocation.write_set = compute.wrong.allocation.read_set = compute.wrong.allocation.preferred = 1;
    compute.wrong.allocation.eviction_set = 0;
    compute.said.adapter.segments.erase(compute.said.adapter.segments.begin());
    for (testing::vidmm_reported_level& l : compute.said.adapter.levels) {
        l.segment = l.paging_process_segment = 1;
    }
    testing::vidmm_report const computed = live(compute);
    INFO(computed.text());
    CHECK(computed.passed());
}

TEST_CASE("a run begins on the segments and page tables that the driver reported") {
    adapter_life const l = life_of(wddm::v2_9);
    toy_adapter driver(l.version, l.said, l.wrong);
    testing::vidmm_adapter system(driver.table(), l.options);
    REQUIRE(system.start());
    CHECK(system.description().adapters.at(0).segments.at(1).base == 0x2'0000'0000);
    testing::vidmm_options const o = testing::options_of(system.description(), 0, 1 << 20);
    REQUIRE(o.segments.size() == 2);
    CHECK(o.segments[0].aperture);
    CHECK(o.segments[0].cache_coherent);
    CHECK(o.segments[1].id == 2);
    CHECK(o.segments[1].base == 0x2'0000'0000);
    CHECK(o.segments[1].size == 1 << 20);
    CHECK(o.aperture == testing::vidmm_aperture::adl);
    CHECK(o.addressing == testing::vidmm_addressing::gpu_virtual);
    REQUIRE(o.page_tables.levels.size() == 3);
    CHECK(o.page_tables.levels[0].entry_bytes == 8);  // 4096 bytes of 512 entries
    CHECK(o.page_tables.levels[2].segment == 2);
    CHECK(o.page_tables.attributes == 0x1C);  // bits 2, 3 and 4 of DXGK_PTE, from bits 4, 0 and 1 of the caps
    CHECK(o.smallest_paging_buffer == 65536);
}

TEST_CASE("IOM-06: pages and paging buffers lie where the device reaches them, and at no segment") {
    adapter_life const l = life_of(wddm::v2_9);
    toy_adapter driver(l.version, l.said, l.wrong);
    testing::vidmm_adapter system(driver.table(), l.options);
    REQUIRE(system.start());
    testing::vidmm_adapter_description said = system.description();
    REQUIRE(!said.before_start.empty());
    std::uint64_t const usual = testing::vidmm_options{}.first_page;
    for (unsigned const bits : {30U, 32U, 36U, 39U, 40U, 64U}) {
        std::uint64_t const last = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        for (bool const by_caps : {true, false}) {
            CAPTURE(bits);
            CAPTURE(by_caps);
            said.highest_acceptable = by_caps ? last : ~std::uint64_t{0};
            said.before_start.front().highest_visible = by_caps ? ~std::uint64_t{0} : last;
            said.adapters.at(0).segments.at(1).base = 0xE000'0000;
            testing::vidmm_options const o = testing::options_of(said, 0, 1 << 20);
            // 1 GiB does not hold them.
            CHECK((o.first_page == usual) == (bits == 30 || bits >= 40));
            testing::vidmm_parts::memory_model const memory(o);
            std::uint64_t const end = (memory.probe_page() + 64) * 4096;
            CHECK((bits == 30 || end - 1 <= last));
            CHECK((end <= 0xE000'0000 || o.first_page * 4096 >= 0xE010'0000));
            for (std::uint64_t const number : {std::uint64_t{0}, std::uint64_t{4095}, std::uint64_t{4096}}) {
                CHECK(memory.buffer_page(number) >= memory.beyond_pages());
                CHECK(memory.buffer_page(number) + 64 <= memory.probe_page());
            }
        }
    }
}

TEST_CASE(
    "OUTPUT-SIZE: a driver of an old version, compiled with newer headers, copies larger structures and is right") {
    adapter_life const l = life_of(wddm::win8);
    toy_adapter driver(l.version, l.said, l.wrong);
    wddmcore_driver_table t = driver.table();
    t.query_adapter_info = [](void* adapter, void const* args) WDDMCORE_DRIVER_CALL -> int {
        mirror::v3_2::dxgkarg_queryadapterinfo whole;
        std::memcpy(&whole, args, sizeof whole);
        return static_cast<toy_adapter*>(adapter)->query(whole);
    };
    t.query_adapter_info_size = sizeof(mirror::v3_2::dxgkarg_queryadapterinfo);
    t.create_context_size = sizeof(mirror::v3_2::dxgkarg_createcontext);
    t.create_allocation_size = sizeof(mirror::v3_2::dxgkarg_createallocation);
    CHECK(t.query_adapter_info_size > testing::vidmm_parts::adapter_sizes_of(l.version).query);
    testing::vidmm_adapter system(t, l.options);
    static_cast<void>(system.start());
    static_cast<void>(system.create_context());
    static_cast<void>(system.create_allocation({}));
    static_cast<void>(system.stop());
    INFO(system.report().text());
    CHECK(system.report().passed());
    t.query_adapter_info_size = static_cast<unsigned>(testing::vidmm_parts::adapter_sizes_of(l.version).query) - 1;
    CHECK_THROWS_AS(testing::vidmm_adapter{t}, std::invalid_argument);
}

TEST_CASE("SEG-13, GVA-03, PREF-09: an adapter with several mistakes hears of all of them, and can be used") {
    adapter_life l = life_of(wddm::v2_9);
    l.said.adapter.segments[1].flags |= flag::cache_coherent;
    l.said.adapter.mmu->address_bits = 40;
    l.wrong.allocation.priority = 0;
    toy_adapter driver(l.version, l.said, l.wrong);
    testing::vidmm_adapter system(driver.table(), l.options);
    CHECK_FALSE(system.start());
    CHECK(system.is_usable());
    std::byte const private_data[8] = {};
    CHECK(system.create_allocation(private_data).has_value());
    std::string ids;
    for (testing::vidmm_violation const& v : system.report().violations()) {
        ids += v.rule + ' ';
    }
    CHECK(ids == "SEG-13 GVA-03 PREF-09 ");
    CHECK(system.report().times_exercised(testing::vidmm_rule::seg_37) != 0);  // its CPU host aperture was used
}

TEST_CASE("AMB-63: a driver that describes a level which it has not is unusual, and is asked in every start") {
    adapter_life l = life_of(wddm::v2_9);
    CHECK(live(l).times_exercised(testing::vidmm_rule::amb_63) == 2);
    l.wrong.any_level = true;
    CHECK(live(l).first_rule() == "AMB-63");
}

TEST_CASE("SEG-06: an adapter whose answers lead to nothing is not used") {
    adapter_life l = life_of(wddm::v2_9);
    l.wrong.form_refused = true;
    toy_adapter driver(l.version, l.said, l.wrong);
    testing::vidmm_adapter system(driver.table(), l.options);
    CHECK_FALSE(system.start());
    CHECK_FALSE(system.is_usable());
    testing::vidmm_adapter_description none;
    none.adapters.resize(1);
    none.adapters[0].mmu = testing::vidmm_reported_mmu{0x13, 1, 39, 0, 3};
    CHECK_THROWS_AS(static_cast<void>(testing::options_of(none)), std::invalid_argument);
}

TEST_CASE("a table or options that cannot be are refused") {
    toy_adapter driver(wddm::v2_9, right_answers(wddm::v2_9), {});
    wddmcore_driver_table t = driver.table();
    CHECK_NOTHROW(testing::vidmm_adapter{t});
    testing::vidmm_adapter_options o;
    o.form5 = true;
    CHECK_THROWS_AS((testing::vidmm_adapter{t, o}), std::invalid_argument);
    o = {};
    o.physical_adapters = 0;
    CHECK_THROWS_AS((testing::vidmm_adapter{t, o}), std::invalid_argument);
    t.query_adapter_info_size = 20;
    CHECK_THROWS_AS(testing::vidmm_adapter{t}, std::invalid_argument);
    t = driver.table();
    t.size = static_cast<unsigned>(offsetof(wddmcore_driver_table, add_device));  // an older header's table
    CHECK_THROWS_AS(testing::vidmm_adapter{t}, std::invalid_argument);
}

}  // namespace toy::right_adapters
