// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/iommu.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>

#include "../base/expect_both.hpp"

namespace iommu_claims_test {

using namespace wddmcore;
using iommu::broken_rule;
using iommu::no_rule_broken;
using iommu::rule;
using iommu::flag_words;

namespace {

constexpr u64 reach = (u64{1} << 44) - 1;
constexpr claim every_claim[] = {claim::no, claim::yes, claim::at_run_time};
constexpr claim decided[] = {claim::no, claim::yes};

constexpr capabilities hw(wddm version, aperture_forms aperture = aperture_forms::adl, u64 highest = reach) {
    return {.version = version, .aperture = aperture, .highest_visible_address = highest};
}

constexpr broken_rule judged(wddm version, iommu::capabilities const& caps,
                             aperture_forms aperture = aperture_forms::adl, u64 highest = reach) {
    return iommu::judge(hw(version, aperture, highest), caps);
}

/// Bit `n` of a word: the numbers of tests/abi/ddi_abi.json, not the library's.
constexpr bool bit(u32 word, u32 n) { return (word >> n & 1) != 0; }

/// Every decided set of claims, one after the other: bit i of `which` is claim i.
constexpr iommu::capabilities decided_claims(u32 which) {
    return {.isolation = decided[which & 1],
            .isolation_required = decided[which >> 1 & 1],
            .dma_remapping = decided[which >> 2 & 1],
            .gpu_va_iommu_required = decided[which >> 3 & 1],
            .gpu_va_iommu_global_required = decided[which >> 4 & 1]};
}

}  // namespace

TEST_CASE("IOM-01: remapping needs the version of both queries and a highest visible address") {
    constexpr iommu::capabilities remaps{.dma_remapping = claim::yes};
    expect_both(judged(wddm::v2_9, remaps) == no_rule_broken);
    expect_both(judged(wddm::v2_8, remaps) == broken_rule{rule::dma_remapping_before_v2_9, 0, 0xD001});
    expect_both(judged(wddm::v3_2, remaps, aperture_forms::adl, ~u64{0}).what ==
                rule::dma_remapping_without_highest_visible_address);
    expect_both(judged(wddm::v3_2, {}, aperture_forms::adl, ~u64{0}) == no_rule_broken);
    expect_both(judged(wddm::v3_2, {.dma_remapping = claim::at_run_time}, aperture_forms::either, ~u64{0}).what ==
                rule::dma_remapping_without_highest_visible_address);
    mirror::v2_9::dxgk_physical_memory_caps memory{};
    iommu::fill_physical_memory_caps(reach, memory);
    CHECK(memory.HighestVisibleAddress.QuadPart == 0xFFF'FFFF'FFFF);
}

TEST_CASE("IOM-04: the isolation bits are the two secure-mode bits, whatever is claimed in whatever version") {
    for (wddm const version : interface_versions) {
        for (u32 which = 0; which < 32; ++which) {
            for (aperture_forms const aperture : {aperture_forms::none, aperture_forms::mdl, aperture_forms::adl}) {
                CAPTURE(static_cast<u32>(version));
                CAPTURE(which);
                iommu::capabilities const caps = decided_claims(which);
                if (iommu::judge(hw(version, aperture), caps) != no_rule_broken) {
                    continue;
                }
                flag_words const made = iommu::flag_words_of(hw(version, aperture), caps);
                CHECK(bit(made.vidmm_caps, 11) == (caps.isolation == claim::yes));
                CHECK(bit(made.vidmm_caps, 13) == (caps.isolation_required == claim::yes));
                if (version >= wddm::v2_9) {
                    CHECK(bit(made.iommu_caps, 0) == bit(made.vidmm_caps, 11));
                    CHECK(bit(made.iommu_caps, 1) == bit(made.vidmm_caps, 13));
                    CHECK(bit(made.iommu_caps, 2) == (caps.dma_remapping == claim::yes));
                    CHECK(bit(made.vidmm_caps, 14) == (aperture == aperture_forms::adl));
                } else {
                    CHECK(made.iommu_caps == 0);
                    CHECK(!bit(made.vidmm_caps, 14));
                }
                CHECK((made.vidmm_caps & ~iommu::owned_vidmm_caps) == 0);
                CHECK((made.physical_adapter_flags & ~iommu::owned_physical_adapter_flags) == 0);
            }
        }
    }
}

TEST_CASE("IOM-04: a bit that the version cannot say is no claim of it") {
    expect_both(judged(wddm::v2_3, {.isolation = claim::yes}).what == rule::isolation_before_v2_4);
    expect_both(judged(wddm::v2_3, {}) == no_rule_broken && judged(wddm::vista, {}) == no_rule_broken);
    expect_both(judged(wddm::v2_6, {.isolation = claim::yes, .isolation_required = claim::yes}).what ==
                rule::isolation_required_before_v2_7);
    expect_both(judged(wddm::v2_7, {.isolation = claim::yes, .isolation_required = claim::yes}) == no_rule_broken);
}

TEST_CASE("IOM-05: what is required is supported, for every pair of claims") {
    for (claim const isolation : every_claim) {
        for (claim const required : every_claim) {
            // What AddDevice may choose is a pair of decided claims; a declaration is good when none of its certain
            // claims can be left without what it needs.
            bool const possible = required == claim::no || isolation != claim::no;
            bool const certain = required != claim::yes || isolation == claim::yes;
            broken_rule const found = judged(wddm::v3_2, {.isolation = isolation, .isolation_required = required});
            CHECK((found == no_rule_broken) == (possible && certain));
            CHECK((found == no_rule_broken || found.what == rule::required_without_isolation));
        }
    }
}

TEST_CASE("IOM-05: remapping implies MapAperture2Supported") {
    constexpr iommu::capabilities remaps{.dma_remapping = claim::yes};
    constexpr iommu::capabilities perhaps{.dma_remapping = claim::at_run_time};
    for (aperture_forms const lacking : {aperture_forms::none, aperture_forms::mdl}) {
        CHECK(judged(wddm::v3_2, remaps, lacking) ==
              broken_rule{rule::dma_remapping_without_map_aperture2, 0, static_cast<u64>(lacking)});
        CHECK(judged(wddm::v3_2, perhaps, lacking).what == rule::dma_remapping_without_map_aperture2);
    }
    expect_both(judged(wddm::v3_2, remaps, aperture_forms::either).what == rule::dma_remapping_without_map_aperture2);
    expect_both(judged(wddm::v3_2, perhaps, aperture_forms::either) == no_rule_broken);
    expect_both(judged(wddm::v3_2, perhaps, aperture_forms::adl) == no_rule_broken);
}

TEST_CASE("IOM-12: isolation needs WDDM 2.4") {
    expect_both(judged(wddm::v2_4, {.isolation = claim::yes}) == no_rule_broken);
    expect_both(judged(wddm::v2_3, {.isolation = claim::yes}) == broken_rule{rule::isolation_before_v2_4, 0, 0x8001});
    expect_both(judged(wddm::v2_3, {.isolation = claim::at_run_time}).what == rule::isolation_before_v2_4);
}

TEST_CASE("IOM-22: the GpuVaIommu bits of both structures come from one trait") {
    for (u32 which = 0; which < 4; ++which) {
        iommu::capabilities const caps = decided_claims(which << 3);
        flag_words const made = iommu::flag_words_of(hw(wddm::v3_1), caps);
        CHECK(bit(made.iommu_caps, 3) == bit(which, 0));
        CHECK(bit(made.iommu_caps, 4) == bit(which, 1));
        CHECK(bit(made.physical_adapter_flags, 6) == bit(which, 0));
        CHECK(bit(made.physical_adapter_flags, 7) == bit(which, 1));
        // DXGK_PHYSICALADAPTERFLAGS has no such bits before: neither word says it then.
        CHECK(iommu::flag_words_of(hw(wddm::v3_0), caps) == flag_words{0, 1u << 14, 0});
        CHECK((judged(wddm::v3_0, caps).what == rule::gpu_va_iommu_before_v3_1) == (which != 0));
        CHECK(judged(wddm::v3_1, caps) == no_rule_broken);
    }
}

TEST_CASE("IOM-22: through the mirrors, named bits of three structures say the same") {
    constexpr iommu::capabilities caps{.isolation = claim::yes,
                                       .isolation_required = claim::yes,
                                       .dma_remapping = claim::yes,
                                       .gpu_va_iommu_required = claim::yes,
                                       .gpu_va_iommu_global_required = claim::yes};
    constexpr flag_words made = iommu::flag_words_of(hw(wddm::v3_2), caps);
    mirror::v3_2::dxgk_iommu_caps of_iommu;
    std::memset(&of_iommu, 0xA5, sizeof of_iommu);
    iommu::fill_iommu_caps(made, of_iommu);
    CHECK((of_iommu.IommuIsolationSupported == 1));
    CHECK((of_iommu.IommuIsolationRequired == 1));
    CHECK((of_iommu.DmaRemappingSupported == 1));
    CHECK((of_iommu.GpuVaIommuRequired == 1));
    CHECK((of_iommu.GpuVaIommuGlobalRequired == 1));
    CHECK((of_iommu.Reserved == 0));
    mirror::v3_2::dxgk_vidmmcaps of_memory{};
    of_memory.Value = iommu::merged(1, iommu::owned_vidmm_caps, made.vidmm_caps);
    CHECK((of_memory.OutOfOrderLock == 1));
    CHECK((of_memory.IoMmuSecureModeSupported == 1));
    CHECK((of_memory.IoMmuSecureModeRequired == 1));
    CHECK((of_memory.MapAperture2Supported == 1));
    CHECK((of_memory.DisableSelfRefreshVRAMInS3 == 0));
    mirror::v3_2::dxgk_physicaladapterflags of_adapter{};
    of_adapter.Value = iommu::merged(~0u, iommu::owned_physical_adapter_flags, 0);
    CHECK((of_adapter.GpuVaIommuRequired == 0));
    CHECK((of_adapter.GpuVaIommuGlobalRequired == 0));
    CHECK((of_adapter.GpuVaIommuCacheCoherent == 1));
    CHECK((of_adapter.VirtualCopyEngineSupported == 1));
}

TEST_CASE("IOM-02: what AddDevice chooses is decided and within what is declared") {
    for (claim const most : every_claim) {
        for (claim const chosen : every_claim) {
            bool const within = most == claim::at_run_time || chosen == most;
            CHECK(iommu::narrows(iommu::capabilities{.isolation = chosen}, {.isolation = most}) == within);
            CHECK(iommu::narrows(iommu::capabilities{.isolation_required = chosen}, {.isolation_required = most}) ==
                  within);
            CHECK(iommu::narrows(iommu::capabilities{.dma_remapping = chosen}, {.dma_remapping = most}) == within);
            CHECK(iommu::narrows(iommu::capabilities{.gpu_va_iommu_required = chosen},
                                 {.gpu_va_iommu_required = most}) == within);
            CHECK(iommu::narrows(iommu::capabilities{.gpu_va_iommu_global_required = chosen},
                                 {.gpu_va_iommu_global_required = most}) == within);
        }
    }
    expect_both(iommu::is_decided({}) && !iommu::is_decided({.isolation = claim::at_run_time}));
    expect_both(!iommu::is_decided({.isolation_required = claim::at_run_time}));
    expect_both(!iommu::is_decided({.dma_remapping = claim::at_run_time}));
    expect_both(!iommu::is_decided({.gpu_va_iommu_required = claim::at_run_time}));
    expect_both(!iommu::is_decided({.gpu_va_iommu_global_required = claim::at_run_time}));
}

}  // namespace iommu_claims_test
