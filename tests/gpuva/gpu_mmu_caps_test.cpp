// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/gpuva/gpu_mmu_caps.hpp>

#include <doctest/doctest.h>

#include <cstring>

#include "../base/expect_both.hpp"

namespace gpu_mmu_caps_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::broken_rule;
using gpuva::gpu_mmu_capabilities;
using gpuva::no_rule_broken;
using gpuva::rule;

namespace {

/// Everything that can be claimed.
constexpr gpu_mmu_capabilities everything{.mode = gpuva::update_mode::gpu_virtual,
                                          .read_only = true,
                                          .no_execute = true,
                                          .zero_in_pte = true,
                                          .explicit_invalidation = true,
                                          .cache_coherent = true,
                                          .updates_need_idle = true,
                                          .large_pages = true,
                                          .non_aligned_large_pages = true,
                                          .system_memory_64k_pages = true,
                                          .invalid_entries_not_cached = true,
                                          .system_memory_large_pages = true,
                                          .cached_page_tables = true,
                                          .source_page_table_in_transfer = true};

/// The word of bits that an answer has, filled over memory that held all ones or zero.
template <class Caps>
u32 word(gpu_mmu_capabilities const& caps, wddm version, page_table_geometry const& g = nvidia_v2) {
    Caps answer;
    std::memset(&answer, 0xFF, sizeof answer);
    gpuva::fill_gpu_mmu_caps(g, caps, version, answer);
    Caps other;
    std::memset(&other, 0, sizeof other);
    gpuva::fill_gpu_mmu_caps(g, caps, version, other);
    CHECK(std::memcmp(&answer, &other, sizeof answer) == 0);
    return answer.Value;
}

/// What a WDK's header has where the mirror has a number.
enum class wdk_update_mode { cpu_virtual, gpu_virtual, gpu_physical };
struct wdk_caps {
    u32 ReadOnlyMemorySupported : 1, NoExecuteMemorySupported : 1, ZeroInPteSupported : 1;
    u32 ExplicitPageTableInvalidation : 1, CacheCoherentMemorySupported : 1;
    u32 PageTableUpdateRequireAddressSpaceIdle : 1, LargePageSupported : 1, DualPteSupported : 1;
    u32 Value;
    wdk_update_mode PageTableUpdateMode;
    u32 VirtualAddressBitCount;
    u32 LeafPageTableSizeFor64KPagesInBytes;
    u32 PageTableLevelCount;
    struct {
        u32 SourcePageTableVaInTransfer : 1;
        u32 Reserved : 31;
    } LegacyBehaviors;
};

constexpr u64 refused(gpu_mmu_capabilities const& caps, u32 level, page_table_geometry const& g = amd_gpuvm) {
    return gpuva::refused_pte_flags(g, caps, level);
}

}  // namespace

// Bits by tests/abi/ddi_abi.json: 0 ReadOnly, 1 NoExecute, 2 ZeroInPte, 3 ExplicitPageTableInvalidation, 4
// CacheCoherent, 5 PageTableUpdateRequireAddressSpaceIdle, 6 LargePage, 7 DualPte, from 2.1: 8
// AllowNonAlignedLargePageAddress, 9 SysMem64KBPage, from 2.6: 10 InvalidTlbEntriesNotCached, from 2.9: 11
// SysMemLargePage, from 3.1: 12 CachedPageTables.
TEST_CASE("GVA-20: the caps of every version, all that is claimed and nothing else") {
    CHECK(word<mirror::v2_0::dxgk_gpummucaps>(everything, wddm::v2_0) == 0xFF);
    CHECK(word<mirror::v2_1::dxgk_gpummucaps>(everything, wddm::v2_1) == 0x3FF);
    CHECK(word<mirror::v2_4::dxgk_gpummucaps>(everything, wddm::v2_5) == 0x3FF);
    CHECK(word<mirror::v2_6::dxgk_gpummucaps>(everything, wddm::v2_6) == 0x7FF);
    CHECK(word<mirror::v2_9::dxgk_gpummucaps>(everything, wddm::v2_9) == 0xFFF);
    CHECK(word<mirror::v3_0::dxgk_gpummucaps>(everything, wddm::v3_0) == 0xFFF);
    CHECK(word<mirror::v3_1::dxgk_gpummucaps>(everything, wddm::v3_1) == 0x1FFF);
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(everything, wddm::v3_2) == 0x1FFF);
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(gpu_mmu_capabilities{}, wddm::v3_2) == 0x80);
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(gpu_mmu_capabilities{}, wddm::v3_2, amd_gpuvm) == 0);
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(gpu_mmu_capabilities{}, wddm::v3_2, intel_ppgtt) == 0);
}

TEST_CASE("GVA-20: a newer structure of a driver that registered as an older version has no later bits") {
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(everything, wddm::v2_0) == 0xFF);
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(everything, wddm::v2_1) == 0x3FF);
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(everything, wddm::v2_8) == 0x7FF);
    CHECK(word<mirror::v3_2::dxgk_gpummucaps>(everything, wddm::v3_0) == 0xFFF);
}

TEST_CASE("GVA-20: each claim sets its own bit") {
    bool gpu_mmu_capabilities::* const claims[] = {&gpu_mmu_capabilities::read_only,
                                                   &gpu_mmu_capabilities::no_execute,
                                                   &gpu_mmu_capabilities::zero_in_pte,
                                                   &gpu_mmu_capabilities::explicit_invalidation,
                                                   &gpu_mmu_capabilities::cache_coherent,
                                                   &gpu_mmu_capabilities::updates_need_idle,
                                                   &gpu_mmu_capabilities::large_pages,
                                                   nullptr,  // dual tables are said by the geometry
                                                   &gpu_mmu_capabilities::non_aligned_large_pages,
                                                   &gpu_mmu_capabilities::system_memory_64k_pages,
                                                   &gpu_mmu_capabilities::invalid_entries_not_cached,
                                                   &gpu_mmu_capabilities::system_memory_large_pages,
                                                   &gpu_mmu_capabilities::cached_page_tables};
    for (u32 bit = 0; bit < 13; ++bit) {
        CAPTURE(bit);
        gpu_mmu_capabilities one{};
        if (claims[bit] != nullptr) {
            one.*claims[bit] = true;
            CHECK(word<mirror::v3_2::dxgk_gpummucaps>(one, wddm::v3_2, amd_gpuvm) == u32{1} << bit);
        }
    }
}

TEST_CASE("GVA-03: the caps' numbers are those of the geometry") {
    mirror::v3_2::dxgk_gpummucaps answer{};
    gpuva::fill_gpu_mmu_caps(nvidia_v2, everything, wddm::v3_2, answer);
    CHECK(answer.VirtualAddressBitCount == 49);
    CHECK(answer.PageTableLevelCount == 5);
    CHECK(answer.LeafPageTableSizeFor64KPagesInBytes == 4096);
    CHECK(answer.PageTableUpdateMode == 1);
    CHECK(u32{answer.LegacyBehaviors.SourcePageTableVaInTransfer} == 1);
    CHECK(u32{answer.LegacyBehaviors.Reserved} == 0);
    gpuva::fill_gpu_mmu_caps(two_levels, {}, wddm::v3_2, answer);
    CHECK(answer.VirtualAddressBitCount == 32);
    CHECK(answer.PageTableLevelCount == 2);
    CHECK(answer.LeafPageTableSizeFor64KPagesInBytes == 0);
    CHECK(answer.PageTableUpdateMode == 2);
    CHECK(u32{answer.LegacyBehaviors.SourcePageTableVaInTransfer} == 0);
}

TEST_CASE("GVA-20: a header whose update mode is an enumeration is filled too") {
    wdk_caps answer{};
    gpuva::fill_gpu_mmu_caps(amd_gpuvm, {.mode = gpuva::update_mode::cpu_virtual}, wddm::v2_0, answer);
    CHECK(answer.PageTableUpdateMode == wdk_update_mode::cpu_virtual);
    gpuva::fill_gpu_mmu_caps(amd_gpuvm, {}, wddm::v2_0, answer);
    CHECK(answer.PageTableUpdateMode == wdk_update_mode::gpu_physical);
}

TEST_CASE("GVA-20: an entry may ask only for what was claimed") {
    // Bits of DXGK_PTE by tests/abi/ddi_abi.json: 1 Zero, 2 CacheCoherent, 3 ReadOnly, 4 NoExecute, 10 LargePage.
    expect_both(refused({}, 1) == 0x41E);
    expect_both(refused({.zero_in_pte = true}, 1) == 0x41C);
    expect_both(refused({.cache_coherent = true}, 1) == 0x41A);
    expect_both(refused({.read_only = true}, 1) == 0x416);
    expect_both(refused({.no_execute = true}, 1) == 0x40E);
    expect_both(refused({.large_pages = true}, 1) == 0x1E);
    mirror::v2_0::dxgk_pte entry{};
    entry.Zero = entry.CacheCoherent = entry.ReadOnly = entry.NoExecute = entry.LargePage = 1;
    CHECK(entry.Flags == refused({}, 1));
}

TEST_CASE("GVA-16: LargePage is refused at the leaf, without the cap, and at a level that has no large pages") {
    expect_both(refused(everything, 0) == 0x400);
    expect_both(refused(everything, 1) == 0);
    expect_both(refused(everything, 2) == 0);
    expect_both(refused(everything, 3) == 0x400);
    expect_both(refused(everything, 1, two_levels) == 0x400);
}

TEST_CASE("GVA-19: Zero is refused without ZeroInPteSupported, at every level") {
    gpu_mmu_capabilities no_zero = everything;
    no_zero.zero_in_pte = false;
    for (u32 level = 0; level < 4; ++level) {
        CHECK((refused(no_zero, level) & 2) == 2);
        CHECK((refused(everything, level) & 2) == 0);
    }
}

TEST_CASE("GVA-16: claims that contradict the page tables or each other") {
    auto const judged = [](gpu_mmu_capabilities const& caps, page_table_geometry const& g = nvidia_v2,
                           wddm version = wddm::v3_2) { return gpuva::judge_caps(g, caps, version); };
    CHECK(judged(everything) == no_rule_broken);
    CHECK(judged({}, two_levels) == no_rule_broken);
    CHECK(judged(everything, two_levels) == broken_rule{rule::large_pages_nowhere, 1, 0});
    CHECK(judged(everything, amd_gpuvm) == broken_rule{rule::system_64k_without_64k, 0, 0});
    CHECK(judged({.non_aligned_large_pages = true}) == broken_rule{rule::non_aligned_without_large, 0, 0});
    CHECK(judged({.system_memory_large_pages = true}) == broken_rule{rule::system_large_without_large, 0, 0});
    CHECK(judged({}, nvidia_v2, wddm::v1_3) == broken_rule{rule::caps_before_v2_0, 0, static_cast<u64>(wddm::v1_3)});
    CHECK(judged({}, nvidia_v2, wddm::v2_0) == no_rule_broken);
}

}  // namespace gpu_mmu_caps_test
