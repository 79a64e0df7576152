// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/gpuva/page_size.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace page_size_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::gpuva;

namespace {

constexpr gpu_mmu_capabilities none{};
constexpr gpu_mmu_capabilities large{.large_pages = true};
constexpr gpu_mmu_capabilities free_large{.large_pages = true, .non_aligned_large_pages = true};
constexpr mapped_memory vram{false, true};
constexpr mapped_memory vram_4k{false, false};
constexpr mapped_memory system_memory{true, false};

constexpr page_choice largest(page_table_geometry const& g, gpu_mmu_capabilities const& caps, mapped_memory memory,
                              u64 at, u64 to, u64 left) {
    return largest_page(g, caps, memory, at, page_number{to}, pages{left});
}

constexpr page_choice large_at(u32 level) { return {page_form::large, level}; }

constexpr bool use_64k(u64 first, u64 end, u64 to, mapped_memory memory = vram,
                       page_table_geometry const& g = nvidia_v2) {
    return uses_64k_pages(g, none, memory, {first, end}, page_number{to});
}

}  // namespace

TEST_CASE("GVA-14: 64-KiB pages only when address, page number and size are multiples of 64 KiB") {
    expect_both(use_64k(16, 32, 48));
    expect_both(use_64k(16, 48, 0));
    expect_both(!use_64k(17, 33, 49));
    expect_both(!use_64k(16, 31, 48));
    expect_both(!use_64k(16, 33, 48));
    expect_both(!use_64k(16, 24, 48));
    expect_both(!use_64k(16, 16, 48));
    // The low 16 bits of both addresses are the same.
    for (u64 to = 1; to < 16; ++to) {
        CAPTURE(to);
        CHECK_FALSE(use_64k(16, 32, 48 + to));
        CHECK_FALSE(use_64k(16 + to, 32 + to, 48 + to));
    }
}

TEST_CASE("GVA-14: 64-KiB pages only in a segment of such pages, and only with tables for them") {
    expect_both(!use_64k(16, 32, 48, vram_4k));
    expect_both(!use_64k(16, 32, 48, vram, amd_gpuvm));
    expect_both(use_64k(16, 32, 48, vram, intel_ppgtt));
    // Only the leaf has them, and a form that is none is nowhere.
    expect_both(allows(nvidia_v2, none, vram, leaf_page_64k) &&
                !allows(nvidia_v2, none, vram, {page_form::leaf_64k, 1}));
    expect_both(!allows(nvidia_v2, none, vram, {static_cast<page_form>(3), 0}));
}

TEST_CASE("GVA-15: system memory has 4-KiB pages, unless the driver claims more for it") {
    expect_both(!use_64k(16, 32, 48, system_memory));
    expect_both(!use_64k(16, 32, 48, {true, true}));
    constexpr gpu_mmu_capabilities claimed{.system_memory_64k_pages = true};
    expect_both(uses_64k_pages(nvidia_v2, claimed, system_memory, {16, 32}, page_number{48}));
    expect_both(largest(nvidia_v2, large, system_memory, 512, 512, 512) == leaf_page);
    constexpr gpu_mmu_capabilities large_too{.large_pages = true, .system_memory_large_pages = true};
    expect_both(largest(nvidia_v2, large_too, system_memory, 512, 512, 512) == large_at(1));
    // The claim about system memory says nothing of a segment of 4-KiB pages.
    expect_both(!uses_64k_pages(nvidia_v2, claimed, vram_4k, {16, 32}, page_number{48}));
}

TEST_CASE("GVA-16: large pages only above the leaf, with the cap, at a level that has them, and only whole") {
    constexpr u64 g1 = u64{1} << 18;
    expect_both(largest(amd_gpuvm, large, vram, g1, g1, g1) == large_at(2));
    expect_both(largest(amd_gpuvm, large, vram, g1, g1, g1 - 1) == large_at(1));
    expect_both(largest(amd_gpuvm, large, vram, g1, g1, 512) == large_at(1));
    expect_both(largest(amd_gpuvm, large, vram, g1, g1, 511) == leaf_page);
    expect_both(largest(amd_gpuvm, large, vram, g1 + 1, g1 + 1, g1) == leaf_page);
    expect_both(largest(amd_gpuvm, none, vram, g1, g1, g1) == leaf_page);
    expect_both(largest(nvidia_v2, large, vram, g1, g1, g1) == large_at(1));
    expect_both(largest(mock_tables, large, vram, u64{1} << 12, 0, 1 << 12) == large_at(2));
    expect_both(largest(two_levels, large, vram, 1024, 1024, 1024) == leaf_page);
    expect_both(!allows(amd_gpuvm, large, vram, large_at(0)) && !allows(amd_gpuvm, large, vram, large_at(3)) &&
                !allows(amd_gpuvm, large, vram, large_at(4)));
    // Not at the leaf, nor above the root, whatever is written there.
    page_table_geometry odd = amd_gpuvm;
    odd.levels[0].large_pages = true;
    odd.levels[odd.level_count].large_pages = true;
    CHECK(!allows(odd, large, vram, large_at(0)));
    CHECK(!allows(odd, large, vram, large_at(odd.level_count)));
}

TEST_CASE("GVA-17: a large page's address is aligned to what its entry covers, or anywhere with the cap") {
    expect_both(largest(amd_gpuvm, large, vram, 512, 512 + 1, 512) == leaf_page);
    expect_both(largest(amd_gpuvm, free_large, vram, 512, 512 + 1, 512) == large_at(1));
    expect_both(address_fits(amd_gpuvm, large, large_at(1), page_number{0x200}));
    expect_both(!address_fits(amd_gpuvm, large, large_at(1), page_number{0x100}));
    // 2 MiB is the leaf table's range, and not enough for a page of 1 GiB.
    expect_both(!address_fits(amd_gpuvm, large, large_at(2), page_number{0x200}));
    expect_both(address_fits(amd_gpuvm, large, large_at(2), page_number{0x40000}));
    // The cap is about large pages: 64 KiB stay aligned.
    expect_both(!address_fits(nvidia_v2, free_large, leaf_page_64k, page_number{8}));
}

TEST_CASE("GVA-14: in dual tables 64 KiB is taken where 2 MiB do not fit, 4 KiB where 64 KiB do not") {
    expect_both(largest(nvidia_v2, large, vram, 512, 1024, 512) == large_at(1));
    expect_both(largest(nvidia_v2, large, vram, 512, 1024, 511) == leaf_page_64k);
    expect_both(largest(nvidia_v2, large, vram, 512, 1040, 512) == leaf_page_64k);
    expect_both(largest(nvidia_v2, large, vram, 512, 1024, 15) == leaf_page);
    expect_both(largest(nvidia_v2, large, vram, 520, 1032, 500) == leaf_page);
    expect_both(largest(nvidia_v2, large, vram_4k, 512, 1024, 511) == leaf_page);
}

}  // namespace page_size_test
