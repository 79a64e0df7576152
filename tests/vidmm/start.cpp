// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "toy_driver.hpp"
#include "toy_machine.hpp"

#include <wddmcore/testing/vidmm.hpp>

#include <doctest/doctest.h>

using namespace toy;

namespace {

struct parts {
    aperture_table table;
    toy_engine engine{table};
    toy_driver driver{table};
};

[[nodiscard]] testing::vidmm_options one_segment() {
    testing::vidmm_options o;
    o.segments = {{.id = 1, .base = 0x1000'0000, .size = 1 << 20}};
    o.ram_pages = 256;
    o.command_alignment = 16;
    return o;
}

}  // namespace

TEST_CASE("a driver compiled against other structures is refused before the first call") {
    parts p;
    wddmcore_driver_table table = testing::bind_host_driver(p.driver, wddm::v2_0);
    table.build_paging_buffer_size -= 8;
    CHECK_THROWS_AS(testing::vidmm(table, one_segment(), &p.engine), std::invalid_argument);
    table = testing::bind_host_driver(p.driver, wddm::v2_0);
    table.version = static_cast<unsigned>(wddm::win7);  // an old version, registered by a driver with newer headers
    CHECK_NOTHROW(testing::vidmm(table, one_segment(), &p.engine));
    table = testing::bind_host_driver(p.driver, wddm::v2_0);
    table.build_paging_buffer = nullptr;
    CHECK_THROWS_AS(testing::vidmm(table, one_segment(), &p.engine), std::invalid_argument);
}

TEST_CASE("a table of an older header is understood") {
    parts p;
    wddmcore_driver_table table = testing::bind_host_driver(p.driver, wddm::v2_0);
    table.size = static_cast<unsigned>(offsetof(wddmcore_driver_table, aperture_page));
    testing::vidmm mm(table, one_segment(), &p.engine);
    auto const number = mm.create(bytes{8192});
    CHECK(mm.commit(number, segment_id{1}));
    CHECK(mm.address_in_segment(number).n >= 0x1000'0000);
    mm.finish();
    CHECK(mm.report().passed());
}

TEST_CASE("options that contradict each other or the version are refused") {
    parts p;
    auto const refused = [&p](wddm version, testing::vidmm_options const& o) {
        CHECK_THROWS_AS(testing::vidmm(testing::bind_host_driver(p.driver, version), o, &p.engine),
                        std::invalid_argument);
    };
    testing::vidmm_options o = one_segment();
    o.addressing = testing::vidmm_addressing::gpu_virtual;
    refused(wddm::win8, o);
    o = one_segment();
    o.aperture = testing::vidmm_aperture::mdl;
    refused(wddm::win8, o);
    o.segments.push_back({.id = 2, .base = 0x4000'0000, .size = 65536, .aperture = true});
    refused(wddm::win8, o);  // nobody can tell where its entries point
    o.page_of = [](std::uint64_t) { return std::uint64_t{0}; };
    o.aperture = testing::vidmm_aperture::adl;
    refused(wddm::v2_8, o);
    o = one_segment();
    o.segments.push_back({.id = 2, .base = 0x1000'0000, .size = 65536});
    refused(wddm::win8, o);
    o = one_segment();
    o.paging_buffer = 64;
    refused(wddm::win8, o);
}

TEST_CASE("options of features that contradict each other or the version are refused") {
    parts p;
    auto const refused = [&p](wddm version, testing::vidmm_options const& o) {
        CHECK_THROWS_AS(testing::vidmm(testing::bind_host_driver(p.driver, version), o, &p.engine),
                        std::invalid_argument);
    };
    testing::vidmm_options tables = one_segment();
    tables.addressing = testing::vidmm_addressing::gpu_virtual;
    tables.page_tables.levels = {{.index_bits = 9, .table_bytes = 4096}, {.index_bits = 9, .table_bytes = 4096}};
    refused(wddm::v2_0, tables);  // nobody can tell what the hardware makes of an address
    tables.page_tables.translate = [](u32, u64, u64, bool) { return std::optional<testing::vidmm_translation>{}; };
    tables.page_tables.enter = [](u32, u64) {};
    tables.va_base = u64{1} << 22;
    tables.va_size = 1 << 20;
    CHECK_NOTHROW(testing::vidmm(testing::bind_host_driver(p.driver, wddm::v2_0), tables, &p.engine));
    testing::vidmm_options o = tables;
    o.addressing = testing::vidmm_addressing::physical;
    refused(wddm::v2_0, o);
    o = tables;
    o.page_tables.levels[0].index_bits = 10;  // more entries than the table holds
    refused(wddm::v2_0, o);
    o = tables;
    o.page_tables.levels[1].table_bytes = 8192;  // not in system memory (GVA-06)
    refused(wddm::v2_0, o);
    o = tables;
    o.page_tables.levels[1].segment = 7;
    refused(wddm::v2_0, o);
    o = tables;
    o.va_base += 4096;
    refused(wddm::v2_0, o);
    o = tables;
    o.va_base = u64{1} << 40;  // beyond the reach of the levels
    refused(wddm::v2_0, o);
    o = tables;
    o.page_tables.mode = page_table_update_mode::cpu_virtual;
    o.page_tables.copies = true;  // OP14-03
    refused(wddm::v2_0, o);
    o = one_segment();
    o.notify.on_eviction = [](std::span<std::byte>) {};
    refused(wddm::v3_2, o);  // no paging process to map it in
    o.addressing = testing::vidmm_addressing::gpu_virtual;
    refused(wddm::v3_1, o);
    o = one_segment();
    o.contexts.bytes = 4096;
    refused(wddm::win7, o);
    o = one_segment();
    o.notices.monitored_fences = true;
    refused(wddm::v3_2, o);
    o = one_segment();
    o.notices.mmus = {0};
    refused(wddm::v3_2, o);
}

TEST_CASE("the driver table's observers of page tables stand in for missing options") {
    struct adapter : parts {
        toy_mmu mmu;
    } p;
    p.mmu.index_bits = {9, 9, 9};
    p.engine.mmu = &p.mmu;
    p.driver.bases[1] = 0x1000'0000;
    wddmcore_driver_table table = testing::bind_host_driver(p.driver, wddm::v2_0);
    static toy_mmu* observed = nullptr;  // the table's functions get the driver, and it knows nothing of its hardware
    observed = &p.mmu;
    table.translate = [](void*, unsigned, unsigned long long root, unsigned long long va, int past_caches,
                         unsigned long long* address, unsigned* attributes) WDDMCORE_DRIVER_CALL {
        auto const found = past_caches != 0 ? observed->walk(root, va) : observed->translate(root, va);
        *address = found ? found->address : 0;
        *attributes = found ? static_cast<unsigned>(found->attributes) : 0;
        return found ? 0 : 1;
    };
    table.enter_address_space = [](void*, unsigned, unsigned long long root)
                                    WDDMCORE_DRIVER_CALL { observed->root = root; };
    table.lose_power = [](void* driver) WDDMCORE_DRIVER_CALL {
        observed->lose_power();
        static_cast<toy_driver*>(driver)->power_lost();
    };
    testing::vidmm_options o = one_segment();
    o.addressing = testing::vidmm_addressing::gpu_virtual;
    o.page_tables.levels.assign(3, {.index_bits = 9, .table_bytes = 4096});
    o.power_losses = true;
    testing::vidmm mm(table, o, &p.engine);
    p.mmu.bus = &mm.bus();
    p.mmu.on_fault = [&mm](u64 va) { mm.page_fault(va); };
    mm.run(1, 100);
    INFO(mm.report().text());
    CHECK(mm.report().passed());
    CHECK(mm.report().times_exercised(testing::vidmm_rule::op12_04) != 0);
}

TEST_CASE("the driver table's observers stand in for missing options") {
    parts p;
    p.table.entries.resize(16);
    wddmcore_driver_table table = testing::bind_host_driver(p.driver, wddm::v2_9);
    table.aperture_page = [](void* adapter, unsigned, unsigned long long index, unsigned long long* page)
                              WDDMCORE_DRIVER_CALL {
                                  *page = static_cast<toy_driver*>(adapter)->entry(index);
                                  return 0;
                              };
    testing::vidmm_options o = one_segment();
    o.segments.push_back({.id = 2, .base = 0x4000'0000, .size = 65536, .aperture = true});
    o.aperture = testing::vidmm_aperture::adl;
    testing::vidmm mm(table, o, &p.engine);
    auto const number = mm.create(bytes{40000});
    CHECK(mm.map_aperture(number));
    CHECK_FALSE(mm.map_aperture(number));
    CHECK(mm.unmap_aperture(number));
    CHECK(mm.map_aperture(number));
    CHECK(mm.commit(number, segment_id{1}) == true);
    CHECK(mm.evict_to_aperture(number));
    mm.reset();
    mm.finish();
    CHECK(mm.report().passed());
    CHECK(mm.report().of(paging_operation::map_aperture_segment2).requests >= 3);
}

TEST_CASE("probes are told and never judged") {
    parts p;
    p.table.entries.resize(16);
    testing::vidmm_options o = one_segment();
    o.segments.push_back({.id = 2, .base = 0x4000'0000, .size = 65536, .aperture = true});
    o.aperture = testing::vidmm_aperture::mdl;
    o.page_of = [&p](std::uint64_t i) { return p.table.entries[static_cast<std::size_t>(i)].page; };
    o.probes = true;
    testing::vidmm mm(testing::bind_host_driver(p.driver, wddm::win8), o, &p.engine);
    mm.run(1, 30);
    CHECK(mm.report().passed());
    REQUIRE(mm.report().probes().size() == 3);
    CHECK(mm.report().probes()[0].answer == "status 0xc00000bb, 0 bytes of commands, 0 aperture entries changed");
    CHECK(mm.report().probes()[1].answer == "status 0xc000000d, 0 bytes of commands, 0 aperture entries changed");
    CHECK(mm.report().text().find("probe: operation 255") != std::string::npos);
}

TEST_CASE("a table of what each operation cost") {
    parts p;
    testing::vidmm mm(testing::bind_host_driver(p.driver, wddm::win8), one_segment(), &p.engine);
    auto const number = mm.create(bytes{65536});
    mm.commit(number, segment_id{1});
    mm.finish();
    testing::vidmm_operation_statistics const& s = mm.report().of(paging_operation::transfer);
    CHECK(s.pages == 16);
    CHECK(s.commands >= 6);
    CHECK(s.command_bytes >= s.commands * 24);
    CHECK(mm.report().table().find("transfer") != std::string::npos);
}
