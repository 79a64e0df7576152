// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace chosen_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using adapter_info::detail::judge_choice;

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
    for (auto const choice : adapter_info::detail::choices) {
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
    expect_both(adapter_info::detail::needs_choice(most) && !adapter_info::detail::needs_choice(good_choice));
    constexpr capabilities older = [] {
        capabilities claims = good_choice;
        claims.oldest = wddm::v2_0;
        return claims;
    }();
    expect_both(adapter_info::detail::needs_choice(older));
    expect_both(!adapter_info::detail::needs_choice(capabilities{.version = wddm::v3_2}));
    expect_both(adapter_info::detail::update_mode_of(update_modes::cpu_virtual) == gpuva::update_mode::cpu_virtual);
    expect_both(adapter_info::detail::update_mode_of(update_modes::gpu_physical) == gpuva::update_mode::gpu_physical);
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

TEST_CASE("IOM-05: no form of aperture narrows only claims whose driver has operation 5, or no form at all") {
    constexpr auto none_of = [](aperture_forms forms, wddm oldest) {
        capabilities claims = most;
        claims.aperture = forms;
        claims.oldest = oldest;
        capabilities chosen = good_choice;
        chosen.aperture = aperture_forms::none;
        return judge_choice(chosen, claims);
    };
    // A table may have an aperture all the same: without MapAperture2Supported operation 5 arrives for it.
    expect_both(none_of(aperture_forms::adl, wddm::v2_9) == query_reason::more_than_claimed);
    expect_both(none_of(aperture_forms::adl, wddm::v3_2) == query_reason::more_than_claimed);
    expect_both(none_of(aperture_forms::adl, wddm::v2_8) == query_reason::none);
    expect_both(none_of(aperture_forms::either, wddm::v2_9) == query_reason::none);
    expect_both(none_of(aperture_forms::mdl, wddm::v2_9) == query_reason::none);
    expect_both(none_of(aperture_forms::none, wddm::v2_9) == query_reason::none);
    expect_both(judge_choice(with_aperture(aperture_forms::adl), [] {
                    capabilities claims = most;
                    claims.aperture = aperture_forms::mdl;
                    return claims;
                }()) == query_reason::more_than_claimed);
}

TEST_CASE("AMB-23: a highest visible address is the last byte of a page, that of each physical adapter too") {
    described_gpu gpu{};
    gpu.link = 2;
    for (u64 const last : {u64{0}, u64{0x1000}, u64{0x1FFE}}) {
        CAPTURE(last);
        gpu.reaches[1] = last;
        CHECK(reason_of(gpu) == query_reason::inconsistent);
        gpu.reaches[1] = reach;
        gpu.chosen.highest_visible_address = last;
        CHECK(reason_of(gpu) == query_reason::inconsistent);
        gpu.chosen.highest_visible_address = reach;
    }
    gpu.reaches[1] = 0x1FFF;
    CHECK(reason_of(gpu) == query_reason::none);
}

TEST_CASE("IOM-02: what was chosen does not matter to a query that the driver's own switch answers") {
    gpu_of<wddm::vista> old{};
    old.chosen.aperture = aperture_forms::either;
    u32 output[64]{};
    u32 input[4]{};
    // The header of Windows Vista has no form 4; form 1 it has.
    query_answer const later = ask<wddm::vista>(old, adapter_query::querysegment4, input, output);
    CHECK(later == query_not_mine(query_reason::not_in_header));
    mirror::vista::dxgk_querysegmentin none{};
    mirror::vista::dxgk_querysegmentout segments{};
    CHECK(why(ask<wddm::vista>(old, adapter_query::querysegment, none, segments)) == query_reason::undecided);
    // Every query, answered with an open choice: refused for that, or the driver's; nothing is written.
    described_gpu gpu{};
    gpu.chosen.gpu_mmu = claim::at_run_time;
    described_gpu const decided{};
    for (u32 type = 0; type < 64; ++type) {
        CAPTURE(type);
        std::memset(output, 0x5A, sizeof output);
        auto const asked = static_cast<adapter_query>(type);
        query_answer const answer = ask(gpu, asked, input, output);
        bool const is_ours = ask_raw(decided, asked, nullptr, 0, nullptr, 0).done();
        CHECK((is_ours ? answer == query_refused(query_reason::undecided) : answer.what == query_outcome::not_mine));
        for (u32 const word : output) {
            REQUIRE(word == 0x5A5A'5A5A);
        }
    }
}

TEST_CASE("AMB-43: a memory state that is an input is not filled either, where the choices are open") {
    described_gpu gpu{};
    mirror::v2_0::dxgk_memoryrange ranges[2] = {};
    mirror::v2_2::dxgk_querysegmentmemorystate state{2, 0, {2}, ranges};
    auto const asked = [&] {
        return ask_raw(gpu, adapter_query::segmentmemorystate, &state, sizeof state, nullptr, 0);
    };
    gpu.chosen.gpu_mmu = claim::at_run_time;
    CHECK(asked() == query_refused(query_reason::undecided));
    CHECK(ranges[1].SegmentOffset == 0);
    gpu.chosen.gpu_mmu = claim::yes;
    CHECK(asked() == query_answered);
    CHECK(ranges[1].SegmentOffset == 0x20'0000);
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
