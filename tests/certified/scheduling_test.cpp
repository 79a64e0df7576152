// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The scheduler's simulator plays the engines that the driver says it has.
#include "../vidmm/adapter_cases.hpp"

#include <wddmcore/testing/certify.hpp>

#include <doctest/doctest.h>

namespace certified_scheduling {

using namespace wddmcore;
namespace parts = testing::certify_parts;
using testing::scheduler::granularity;

[[nodiscard]] testing::scheduler::options played(toy::adapter_life const& l, bool submits_virtual = true) {
    toy::toy_adapter driver(l.version, l.said, l.wrong);
    std::string refusal;
    auto const said = parts::answers_of(driver.table(), l.options, refusal);
    CHECK(refusal.empty());
    REQUIRE(said.has_value());
    return parts::scheduling_options_of(*said, submits_virtual);
}

TEST_CASE("LDA-08: nodes, the paging node, the queue and the granularity are those of the driver's answers") {
    toy::adapter_life l = toy::life_of(wddm::v2_9);
    l.said.nodes = 4;
    l.said.adapter.paging_node = 2;
    l.said.packet_cap = 3;
    l.said.graphics_preemption = 100;
    l.said.compute_preemption = 400;
    testing::scheduler::options o = played(l);
    CHECK(o.nodes == 4);
    CHECK(o.paging_nodes == 1U << 2);
    CHECK(o.ring_entries == 3);
    CHECK(o.stops_at == granularity::dma_buffer);
    CHECK(o.virtual_addresses);
    CHECK_FALSE(played(l, false).virtual_addresses);
    l.said.nodes = 20;
    l.said.graphics_preemption = 500;
    o = played(l);
    CHECK(o.nodes == 20);
    CHECK(o.stops_at == granularity::shader);
    l.said.graphics_preemption = 0;
    CHECK(played(l).stops_at == granularity::nowhere);
}

TEST_CASE("LDA-08: of more nodes than the simulator plays those that are left out are said") {
    testing::vidmm_adapter_description said;
    said.version = wddm::v1_3;
    said.nodes = 32;
    CHECK(parts::unjudged_nodes(said).empty());
    CHECK(parts::scheduling_options_of(said, false).nodes == 32);
    said.nodes = 33;
    CHECK(parts::unjudged_nodes(said).find("from 32 on") != std::string::npos);
    CHECK(parts::scheduling_options_of(said, false).nodes == 32);
}

TEST_CASE("AMB-54: a driver that names no length of its queues gets 64 packets") {
    CHECK(played(toy::life_of(wddm::v2_9)).ring_entries == 64);
    toy::adapter_life old = toy::life_of(wddm::v2_0);
    CHECK(played(old).ring_entries == testing::scheduler::options{}.ring_entries);  // nobody asks yet
}

TEST_CASE("LDA-08: a driver of WDDM 1.x tells its nodes in DRIVERCAPS, and its contexts have no virtual addresses") {
    toy::adapter_life l = toy::life_of(wddm::v1_3);
    l.said.nodes = 3;
    l.said.adapter.paging_node = 1;
    testing::scheduler::options const o = played(l);
    CHECK(o.nodes == 3);
    CHECK(o.paging_nodes == 1U << 1);
    CHECK_FALSE(o.virtual_addresses);
}

TEST_CASE("FLP-01, FLP-04: flips are played as the driver declares them, to addresses in a segment that it has") {
    toy::adapter_life l = toy::life_of(wddm::v2_9);
    CHECK(played(l).display.sources == 0);  // it neither flips by registers nor preempts
    l.said.preempts = true;
    CHECK(played(l).display.sources == 1);
    CHECK_FALSE(played(l).display.declared);
    l.said.flips_by_registers = true;
    testing::scheduler::display_options const d = played(l).display;
    CHECK(d.declared);
    REQUIRE(d.segment >= 1);
    REQUIRE(d.segment <= l.said.adapter.segments.size());
    auto const& segment = l.said.adapter.segments[d.segment - 1];
    CHECK(d.first_address > segment.base);
    CHECK(d.first_address + d.primaries * d.primary_bytes <= segment.base + segment.size);
}

TEST_CASE("PRE-01: what scheduling lacks is named, and is no error") {
    wddmcore_driver_table t{};
    t.version = static_cast<u32>(wddm::win7);
    CHECK(parts::missing_for_scheduling(t).find("PRE-01") != std::string::npos);
    t.version = static_cast<u32>(wddm::v2_9);
    CHECK(parts::missing_for_scheduling(t) == "DxgkDdiCreateContext");
}

}  // namespace certified_scheduling
