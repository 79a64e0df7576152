// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Chips that differ in numbers: each answers for itself, and one whose numbers are not what its type declares answers
// nothing.
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>

namespace chosen_numbers_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr scheduling_capabilities first_node_pages = [] {
    scheduling_capabilities claims = described_gpu::scheduling;
    claims.paging_node = 0;
    return claims;
}();

/// Chips with one to three of the engines, and with copies of 4 KiB to 1 MiB.
struct chip : described_gpu {
    u32 nodes = 3;
    bytes copy_limit = mib;
    static constexpr scheduling_capabilities scheduling = first_node_pages;
    static constexpr chosen_within node_count{1u, 3u, &chip::nodes};
    static constexpr chosen_within copy_max{bytes{page_bytes}, mib, &chip::copy_limit};

    constexpr chip() { chosen_scheduling.paging_node = 0; }
};

constexpr auto drivercaps = adapter_query::drivercaps;
constexpr auto physicaladaptercaps = adapter_query::physicaladaptercaps;
using driver_caps = mirror_binding<wddm::v3_2>::drivercaps;
using adapter_caps = mirror_binding<wddm::v3_2>::physicaladaptercaps;
using adapter_input = mirror_binding<wddm::v3_2>::queryphysicaladaptercapsin;

}  // namespace

TEST_CASE("LDA-06: each chip reports the engines that it has, and the coarsest preemption of these") {
    chip gpu{};
    for (u32 nodes = 1; nodes <= 3; ++nodes) {
        CAPTURE(nodes);
        gpu.nodes = nodes;
        driver_caps caps{};
        CHECK(ask(gpu, drivercaps, caps) == query_partly);
        CHECK(caps.GpuEngineTopology.NbAsymetricProcessingNodes == nodes);
        // Node 0 stops graphics at a pixel (400) and compute at a thread group (300), node 1 compute at a dispatch
        // (200). Numbers of the DDI.
        CHECK(caps.PreemptionCaps.GraphicsPreemptionGranularity == 400);
        CHECK(caps.PreemptionCaps.ComputePreemptionGranularity == (nodes == 1 ? 300 : 200));
        adapter_caps answer{};
        adapter_input input{0};
        CHECK(ask(gpu, physicaladaptercaps, input, answer) == query_partly);
        CHECK(answer.NumExecutionNodes == nodes);
    }
}

TEST_CASE("LDA-08: a paging node that only other chips have is refused") {
    chip gpu{};
    gpu.chosen_scheduling.paging_node = 2;
    driver_caps caps{};
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    gpu.nodes = 2;
    CHECK(why(ask(gpu, drivercaps, caps)) == query_reason::inconsistent);
    gpu.chosen_scheduling.paging_node = 1;
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
}

TEST_CASE("LDA-08: a claim is judged for one chip, or for all that a type describes") {
    auto const claims = [](u32 node) {
        scheduling_capabilities chosen = chip{}.chosen_scheduling;
        chosen.paging_node = node;
        return chosen;
    };
    chip gpu{};
    CHECK(check_chosen<chip>(claims(0)) == preemption::no_rule_broken);
    CHECK(check_chosen<chip>(claims(2)) != preemption::no_rule_broken);
    for (u32 nodes = 1; nodes <= 3; ++nodes) {
        CAPTURE(nodes);
        gpu.nodes = nodes;
        CHECK(check_chosen(gpu, claims(0)) == preemption::no_rule_broken);
        CHECK((check_chosen(gpu, claims(2)) == preemption::no_rule_broken) == (nodes == 3));
    }
}

TEST_CASE("law 7: a chip whose number lies outside of its range gets no answer, and nothing is written") {
    for (u64 const limit : {u64{0}, page_bytes - 1, mib.n + 1}) {
        chip gpu{};
        gpu.copy_limit = {limit};
        CHECK(check_numbers(gpu).what == promised_number::copy_max);
        driver_caps caps;
        std::memset(&caps, 0x6B, sizeof caps);
        driver_caps before;
        std::memset(&before, 0x6B, sizeof before);
        CHECK(why(ask(gpu, drivercaps, caps)) == query_reason::number_out_of_range);
        CHECK(std::memcmp(&caps, &before, sizeof caps) == 0);
        // A query of the driver's own stays its own.
        CHECK(ask_raw(gpu, static_cast<adapter_query>(0x7777), nullptr, 0, &caps, sizeof caps).what ==
              query_outcome::not_mine);
    }
    chip gpu{};
    gpu.nodes = 4;
    driver_caps caps{};
    CHECK(why(ask(gpu, drivercaps, caps)) == query_reason::number_out_of_range);
}

}  // namespace chosen_numbers_test
