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
    table.version = static_cast<unsigned>(wddm::win7);
    CHECK_THROWS_AS(testing::vidmm(table, one_segment(), &p.engine), std::invalid_argument);
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
