// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/gpuva/promotion.hpp>

#include "../adl/seeded.hpp"

#include <initializer_list>
#include <vector>

#include "../base/expect_both.hpp"

namespace promotion_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::page_choice;
using gpuva::page_form;
using gpuva::page_range;
using gpuva::table_chunk;

namespace {

constexpr gpuva::gpu_mmu_capabilities everything{.large_pages = true};
constexpr gpuva::gpu_mmu_capabilities anywhere{.large_pages = true, .non_aligned_large_pages = true};
constexpr gpuva::mapped_memory local{false, true};
constexpr gpuva::mapped_memory local_4k{false, false};

struct piece {
    page_choice page;
    table_chunk chunk;
    u64 to;
    friend bool operator==(piece const&, piece const&) = default;
};

/// The page that holds page `at` of a mapping: the largest aligned block around it that lies inside and is allowed.
page_choice form_of(page_table_geometry const& g, gpuva::gpu_mmu_capabilities const& caps, gpuva::mapped_memory memory,
                    page_range range, u64 to, u64 at, bool all_64k) {
    auto const block_is = [&](page_choice page) {
        u64 const length = gpuva::entry_coverage(g, page.level).n / 4096 * (page.form == page_form::leaf_64k ? 16 : 1);
        u64 const first = at / length * length;
        bool const aligned = (to - range.first + first) % length == 0;
        bool const free = page.form == page_form::large && caps.non_aligned_large_pages;
        return first >= range.first && first + length <= range.end && (aligned || free);
    };
    for (u32 level = g.level_count - 1; level != 0; --level) {
        if (g.levels[level].large_pages && caps.large_pages && block_is({page_form::large, level})) {
            return {page_form::large, level};
        }
    }
    bool const dual = g.leaf == leaf_tables::both && memory.has_64k_pages && block_is(gpuva::leaf_page_64k);
    return dual || all_64k ? gpuva::leaf_page_64k : gpuva::leaf_page;
}

/// Page by page: each page's form, entry and table, joined where the next page's entry is the next of the same table.
std::vector<piece> page_by_page(page_table_geometry const& g, gpuva::gpu_mmu_capabilities const& caps,
                                gpuva::mapped_memory memory, page_range range, u64 to) {
    std::vector<piece> found;
    bool const all_64k =
        g.leaf == leaf_tables::either && memory.has_64k_pages && (range.first % 16 | range.end % 16 | to % 16) == 0;
    for (u64 at = range.first; at < range.end;) {
        page_choice const page = form_of(g, caps, memory, range, to, at, all_64k);
        u64 const unit = gpuva::entry_coverage(g, page.level).n / 4096 * (page.form == page_form::leaf_64k ? 16 : 1);
        u64 const per_table = gpuva::entry_count(g, page.level) / (page.form == page_form::leaf_64k ? 16 : 1);
        u64 const entry = at / unit;
        u64 const table = entry / per_table;
        auto const index = static_cast<u32>(entry % per_table);
        if (!found.empty() && found.back().page == page && found.back().chunk.table == table &&
            found.back().chunk.first + found.back().chunk.count == index) {
            ++found.back().chunk.count;
        } else {
            found.push_back({page, {table, index, 1}, to + (at - range.first)});
        }
        at += unit;
    }
    return found;
}

template <page_table_geometry const& Geometry>
std::vector<piece> walked(gpuva::gpu_mmu_capabilities const& caps, gpuva::mapped_memory memory, page_range range,
                          u64 to) {
    std::vector<piece> found;
    result<gpuva::promotion> const plan = gpuva::plan_promotion(Geometry, caps, range, page_number{to}, memory);
    REQUIRE(plan.ok());
    REQUIRE((plan.get().usable & 1) != 0);  // 4-KiB pages are in every plan
    CHECK(gpuva::walk_promoted<Geometry>(plan.get(), [&found](auto kind, table_chunk chunk, page_number first) {
        found.push_back({{decltype(kind)::form, decltype(kind)::level}, chunk, first.n});
        return true;
    }));
    return found;
}

template <page_table_geometry const& Geometry>
void expect_same(gpuva::gpu_mmu_capabilities const& caps, gpuva::mapped_memory memory, page_range range, u64 to) {
    CAPTURE(range.first);
    CAPTURE(range.end);
    CAPTURE(to);
    std::vector<piece> const expected = page_by_page(Geometry, caps, memory, range, to);
    REQUIRE(walked<Geometry>(caps, memory, range, to) == expected);
    // What largest_page says at the start of each piece is the piece's page.
    for (piece const& one : expected) {
        bool const whole_64k = Geometry.leaf == leaf_tables::either && one.page == gpuva::leaf_page_64k;
        u64 const at = range.first + (one.to - to);
        page_choice const page =
            gpuva::largest_page(Geometry, caps, memory, at, page_number{one.to}, pages{range.end - at});
        REQUIRE((whole_64k || page == one.page));
    }
}

template <page_table_geometry const& Geometry>
void expect_same_at_random(u64 seed, u64 rounds, u64 most) {
    u64 const grain = Geometry.gpu_page.n / 4096;
    for (u64 round = 0; round < rounds / slow_build_factor; ++round) {
        CAPTURE(round);
        seeded_numbers random(seed * 31 + round);
        u64 const space = gpuva::pages_in_space(Geometry);
        u64 length = random.below(lesser(most, space) + 1);
        u64 first = random.below(space - length + 1);
        if (random.one_in(2)) {
            first &= ~low_mask<u64>(static_cast<u32>(random.below(22)));
        }
        u64 to = random.below(u64{1} << 40);
        if (!random.one_in(4)) {
            // The same place in a page of some size.
            u64 const unit = u64{1} << random.below(20);
            to = (to & ~(unit - 1)) | (first & (unit - 1));
        }
        length = length / grain * grain;
        first = first / grain * grain;
        to = to / grain * grain;
        page_range const range{first, first + length};
        expect_same<Geometry>(everything, local, range, to);
        expect_same<Geometry>(everything, local_4k, range, to);
        expect_same<Geometry>(anywhere, local, range, to);
        expect_same<Geometry>(gpuva::gpu_mmu_capabilities{}, local, range, to);
    }
}

/// How many entries of each form a walk visits, 16 bits each from the lowest form up; 0 when it stopped.
template <page_table_geometry const& Geometry>
constexpr u64 entries_by_form(page_range range, u64 to) {
    u64 counts = 0;
    gpuva::promotion const plan = gpuva::plan_promotion(Geometry, everything, range, page_number{to}, local).get();
    bool const all = gpuva::walk_promoted<Geometry>(plan, [&counts](auto kind, table_chunk chunk, page_number) {
        counts += u64{chunk.count} << (16 * static_cast<u32>(decltype(kind)::form));
        return true;
    });
    return all ? counts : 0;
}

}  // namespace

TEST_CASE("GVA-14: the evaluator, which forgives no shift by all bits, walks the same pages") {
    // A page, 2 MiB, 64 KiB, a page; pages alone where nothing larger is aligned.
    expect_both(entries_by_form<nvidia_v2>({511, 511 + 512 + 18}, 511) == (2 | u64{1} << 16 | u64{1} << 32));
    expect_both(entries_by_form<nvidia_v2>({511, 511 + 512 + 18}, 512) == 530);
    expect_both(entries_by_form<two_levels>({0, 3}, 7) == 3);
}

TEST_CASE("GVA-14: every mapping of a small space uses the largest pages that fit both addresses") {
    u64 const space = gpuva::pages_in_space(tiny_dual);
    for (u64 first = 0; first < space; first += emulated ? 13 : slow_build ? 5 : 1) {
        for (u64 end = first; end <= space; end += slow_build ? 3 : 1) {
            for (u64 const to : {first, first + 16, first + 32, first + 64, first + 7, first + 256}) {
                expect_same<tiny_dual>(everything, local, {first, end}, to);
                expect_same<tiny_dual>(everything, local_4k, {first, end}, to);
            }
        }
    }
}

TEST_CASE("GVA-16: random mappings use large pages only above the leaf, where the format has them") {
    u64 const seed = seed_of_run();
    expect_same_at_random<amd_gpuvm>(seed, 160, 6000);
    expect_same_at_random<nvidia_v2>(seed, 160, 6000);
    expect_same_at_random<intel_ppgtt>(seed, 160, 6000);
    expect_same_at_random<mock_tables>(seed, 160, 20'000);
    expect_same_at_random<six_levels>(seed, 800, 256);
}

TEST_CASE("GVA-16: random mappings through page tables nobody thought of") {
    u64 const seed = seed_of_run();
    [seed]<u32... Number>(meta::numbers<Number...>) {
        (expect_same_at_random<numbered<Number>>(seed + Number, 80, 2000), ...);
    }(meta::count_to<15>{});
}

TEST_CASE("GVA-17: a large page's address is aligned to what it covers, unless the driver says otherwise") {
    constexpr page_range range{512, 512 + 1024};
    using forms = std::vector<piece>;
    CHECK(walked<amd_gpuvm>(everything, local, range, 0x400) == forms{{{page_form::large, 1}, {0, 1, 2}, 0x400}});
    CHECK(walked<amd_gpuvm>(everything, local, range, 0x401) ==
          forms{{gpuva::leaf_page, {1, 0, 512}, 0x401}, {gpuva::leaf_page, {2, 0, 512}, 0x601}});
    CHECK(walked<amd_gpuvm>(anywhere, local, range, 0x401) == forms{{{page_form::large, 1}, {0, 1, 2}, 0x401}});
}

TEST_CASE("GVA-15: system memory is mapped with 4-KiB pages") {
    constexpr page_range range{512, 512 + 512};
    constexpr gpuva::mapped_memory system{true, false};
    using forms = std::vector<piece>;
    CHECK(walked<nvidia_v2>(everything, system, range, 0x200) == forms{{gpuva::leaf_page, {1, 0, 512}, 0x200}});
    // Even if somebody calls system memory a segment of 64-KiB pages.
    CHECK(walked<nvidia_v2>(everything, {true, true}, range, 0x200) == forms{{gpuva::leaf_page, {1, 0, 512}, 0x200}});
    constexpr gpuva::gpu_mmu_capabilities claimed{
        .large_pages = true, .system_memory_64k_pages = true, .system_memory_large_pages = true};
    CHECK(walked<nvidia_v2>(claimed, system, range, 0x200) == forms{{{page_form::large, 1}, {0, 1, 1}, 0x200}});
    CHECK(walked<nvidia_v2>(claimed, system, range, 0x210) == forms{{gpuva::leaf_page_64k, {1, 0, 32}, 0x210}});
}

TEST_CASE("GVA-14: with one kind of leaf table a mapping is all of 64 KiB or not at all") {
    using forms = std::vector<piece>;
    CHECK(walked<intel_ppgtt>(everything, local, {16, 64}, 0x30) == forms{{gpuva::leaf_page_64k, {0, 1, 3}, 0x30}});
    CHECK(walked<intel_ppgtt>(everything, local, {16, 65}, 0x30) == forms{{gpuva::leaf_page, {0, 16, 49}, 0x30}});
    CHECK(walked<intel_ppgtt>(everything, local, {17, 65}, 0x31) == forms{{gpuva::leaf_page, {0, 17, 48}, 0x31}});
    CHECK(walked<nvidia_v2>(everything, local, {15, 49}, 0x2F) == forms{{gpuva::leaf_page, {0, 15, 1}, 0x2F},
                                                                        {gpuva::leaf_page_64k, {0, 1, 2}, 0x30},
                                                                        {gpuva::leaf_page, {0, 48, 1}, 0x50}});
}

TEST_CASE("GVA-14: a plan is refused when page numbers wrap or a GPU page would be cut") {
    using gpuva::plan_promotion;
    constexpr u64 all_pages = u64{1} << 52;
    expect_both(plan_promotion(amd_gpuvm, everything, {0, 2}, page_number{all_pages - 1}, local).error ==
                errc::overflow);
    expect_both(plan_promotion(amd_gpuvm, everything, {0, 1}, page_number{all_pages - 1}, local).ok());
    expect_both(plan_promotion(mock_tables, everything, {1, 5}, page_number{1}, local).error == errc::misaligned);
    expect_both(plan_promotion(mock_tables, everything, {4, 9}, page_number{4}, local).error == errc::misaligned);
    expect_both(plan_promotion(mock_tables, everything, {4, 8}, page_number{2}, local).error == errc::misaligned);
    expect_both(plan_promotion(mock_tables, everything, {4, 8}, page_number{8}, local).ok());
    CHECK(walked<amd_gpuvm>(everything, local, {7, 7}, 9).empty());
}

TEST_CASE("GVA-16: a visitor stops a promoted walk at every chunk") {
    result<gpuva::promotion> const plan =
        gpuva::plan_promotion(nvidia_v2, everything, {511, 511 + 512 + 18}, page_number{511}, local);
    // A page, 2 MiB, 64 KiB, a page; behind the last there is nothing to stop.
    constexpr u32 chunks = 4;
    for (u32 stop = 1; stop <= chunks + 1; ++stop) {
        u32 calls = 0;
        bool const all = gpuva::walk_promoted<nvidia_v2>(
            plan.get(), [&](auto, table_chunk, page_number) { return ++calls != stop; });
        CHECK(calls == lesser(stop, chunks));
        CHECK(all == (stop > chunks));
    }
}

}  // namespace promotion_test
