// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace chosen_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using adapter_info::judge_choice;

namespace {

constexpr capabilities most = everything_claimed(wddm::v3_2);
constexpr capabilities good_choice = chosen_at(wddm::v3_2);

/// The choice with one claim changed.
constexpr capabilities with(claim capabilities::* which, claim what) {
    capabilities changed = good_choice;
    changed.*which = what;
    return changed;
}
constexpr capabilities with_version(wddm version) {
    capabilities changed = good_choice;
    changed.version = version;
    return changed;
}
constexpr capabilities with_modes(update_modes modes) {
    capabilities changed = good_choice;
    changed.page_tables = modes;
    return changed;
}
constexpr capabilities with_aperture(aperture_forms forms) {
    capabilities changed = good_choice;
    changed.aperture = forms;
    return changed;
}
constexpr capabilities with_reach(u64 last) {
    capabilities changed = good_choice;
    changed.highest_visible_address = last;
    return changed;
}

/// The reason of an answer about caps that any driver of 3.2 gets.
query_reason reason_of(described_gpu const& gpu) {
    mirror::v2_9::dxgk_physical_memory_caps memory{{.QuadPart = 77}};
    query_answer const answer = ask(gpu, adapter_query::physical_memory_caps, memory);
    CHECK((answer == query_answered || memory.HighestVisibleAddress.QuadPart == 77));
    return why(answer);
}

}  // namespace

TEST_CASE("IOM-02: what was chosen is decided: one value for every claim, aperture form and update mode") {
    expect_both(judge_choice(good_choice, most) == query_reason::none);
    expect_both(judge_choice(most, most) == query_reason::undecided);
    expect_both(judge_choice(with(&capabilities::gpu_mmu, claim::at_run_time), most) == query_reason::undecided);
    expect_both(judge_choice(with(&capabilities::io_mmu, claim::at_run_time), most) == query_reason::undecided);
    expect_both(judge_choice(with_aperture(aperture_forms::either), most) == query_reason::undecided);
    expect_both(judge_choice(with_modes(update_modes::gpu_virtual | update_modes::cpu_virtual), most) ==
                query_reason::undecided);
    expect_both(judge_choice(with_modes(update_modes::none), most) == query_reason::undecided);
    for (auto const choice : adapter_info::choices) {
        CHECK(judge_choice(with(choice, claim::at_run_time), most) == query_reason::undecided);
    }
}

TEST_CASE("IOM-02: what was chosen stays within the claims") {
    expect_both(judge_choice(with(&capabilities::native_fences, claim::yes), most) == query_reason::more_than_claimed);
    expect_both(judge_choice(with_reach(reach), most) == query_reason::none);
    expect_both(judge_choice(with_reach((u64{1} << 40) - 1), most) == query_reason::none);
    expect_both(judge_choice(with_reach(~u64{0}), most) == query_reason::more_than_claimed);
    expect_both(judge_choice(with_version(wddm::vista), most) == query_reason::none);
    constexpr capabilities later = [] {
        capabilities claims = everything_claimed(wddm::v3_1);
        claims.oldest = wddm::v2_0;
        return claims;
    }();
    expect_both(judge_choice(with_version(wddm::v3_2), later) == query_reason::more_than_claimed);
    expect_both(judge_choice(with_version(wddm::v1_3), later) == query_reason::more_than_claimed);
    expect_both(judge_choice(with_version(wddm::v2_0), later) == query_reason::none);
    constexpr capabilities one_mode = [] {
        capabilities claims = most;
        claims.page_tables = update_modes::gpu_physical;
        return claims;
    }();
    expect_both(judge_choice(good_choice, one_mode) == query_reason::more_than_claimed);
}

TEST_CASE("IOM-02: a driver must choose where its source leaves something open") {
    expect_both(adapter_info::needs_choice(most) && !adapter_info::needs_choice(good_choice));
    constexpr capabilities older = [] {
        capabilities claims = good_choice;
        claims.oldest = wddm::v2_0;
        return claims;
    }();
    expect_both(adapter_info::needs_choice(older));
    expect_both(!adapter_info::needs_choice(capabilities{.version = wddm::v3_2}));
    expect_both(adapter_info::update_mode_of(update_modes::cpu_virtual) == gpuva::update_mode::cpu_virtual);
    expect_both(adapter_info::update_mode_of(update_modes::gpu_physical) == gpuva::update_mode::gpu_physical);
}

TEST_CASE("IOM-02: every answer judges the choices of memory, of scheduling and of the IOMMU") {
    described_gpu gpu{};
    CHECK(reason_of(gpu) == query_reason::none);
    gpu.chosen.gpu_mmu = claim::at_run_time;
    CHECK(reason_of(gpu) == query_reason::undecided);
    gpu = {};
    gpu.chosen.native_fences = claim::yes;
    CHECK(reason_of(gpu) == query_reason::more_than_claimed);
    gpu = {};
    gpu.chosen_scheduling.preemption_aware = claim::at_run_time;
    CHECK(reason_of(gpu) == query_reason::undecided);
    gpu = {};
    gpu.chosen_scheduling.hw_queue_packet_cap = 13;
    CHECK(reason_of(gpu) == query_reason::more_than_claimed);
    gpu = {};
    gpu.chosen_scheduling.preemption_aware = claim::no;  // FLP and PRE rules want it with the others
    gpu.chosen_scheduling.no_dma_patching = claim::yes;
    CHECK(reason_of(gpu) == query_reason::inconsistent);
    gpu = {};
    gpu.chosen_iommu.isolation = claim::at_run_time;
    CHECK(reason_of(gpu) == query_reason::undecided);
    gpu = {};
    gpu.chosen_iommu.isolation = claim::no;  // but isolation_required
    CHECK(reason_of(gpu) == query_reason::inconsistent);
}

TEST_CASE("AMB-44: one driver that registers with any version claims nothing that came later") {
    for (wddm const version : interface_versions) {
        CAPTURE(static_cast<u32>(version));
        described_gpu gpu{};
        gpu.chosen = chosen_at(version);
        mirror::v3_2::dxgk_drivercaps driver{};
        REQUIRE(ask(gpu, adapter_query::drivercaps, driver) == query_partly);
        u32 const bits = driver.MemoryManagementCaps.Value;
        CHECK(((bits & 0x60) != 0) == (version >= wddm::v2_0));
        CHECK(((bits & 0x800) != 0) == (version >= wddm::v2_4));
        CHECK(((bits & 0x2000) != 0) == (version >= wddm::v2_7));
        CHECK(((bits & 0x4000) != 0) == (version >= wddm::v2_9));
        mirror::v2_9::dxgk_iommu_caps caps{};
        REQUIRE(ask(gpu, adapter_query::iommu_caps, caps) == query_answered);
        CHECK(caps.Value == (version >= wddm::v3_1 ? 0x1F : version >= wddm::v2_9 ? 0x7 : 0));
    }
}

}  // namespace chosen_test
