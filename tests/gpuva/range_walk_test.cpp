// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/base/bits.hpp>
#include <wddmcore/gpuva/range_walk.hpp>

#include "../adl/seeded.hpp"

#include <initializer_list>
#include <vector>

#include "../base/expect_both.hpp"

namespace range_walk_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::page_range;
using gpuva::table_chunk;

namespace {

/// The chunks of a range as they follow page by page from the bits of addresses: the model has no loop over tables.
std::vector<table_chunk> page_by_page(u32 entry_lg2, u32 bits, page_range range) {
    std::vector<table_chunk> found;
    for (u64 page = range.first; page < range.end; ++page) {
        u64 const entry = page >> entry_lg2;
        u64 const table = entry >> bits;
        auto const index = static_cast<u32>(entry % (u64{1} << bits));
        if (found.empty() || found.back().table != table) {
            found.push_back({table, index, 1});
        } else if (found.back().first + found.back().count == index) {
            ++found.back().count;
        }
    }
    return found;
}

template <page_table_geometry const& Geometry, u32 Level>
std::vector<table_chunk> walked(page_range range) {
    std::vector<table_chunk> found;
    CHECK(gpuva::walk_level<Geometry, Level>(range, [&found](table_chunk chunk) {
        found.push_back(chunk);
        return true;
    }));
    return found;
}

template <page_table_geometry const& Geometry, u32 Level>
void expect_same_level(page_range range) {
    std::vector<table_chunk> const expected =
        page_by_page(gpuva::entry_pages_lg2(Geometry, Level), gpuva::index_bits(Geometry, Level), range);
    CAPTURE(range.first);
    CAPTURE(range.end);
    CAPTURE(Level);
    REQUIRE(walked<Geometry, Level>(range) == expected);
}

template <page_table_geometry const& Geometry>
void expect_same_levels(page_range range) {
    [range]<u32... Level>(meta::numbers<Level...>) {
        (expect_same_level<Geometry, Level>(range), ...);
    }(meta::count_to<Geometry.level_count>{});
    if constexpr (gpuva::has_64k_tables(Geometry)) {
        std::vector<table_chunk> found;
        REQUIRE(gpuva::walk_leaf_64k<Geometry>(range, [&found](table_chunk chunk) {
            found.push_back(chunk);
            return true;
        }));
        REQUIRE(found == page_by_page(4, gpuva::index_bits(Geometry, 0) - 4, range));
        REQUIRE(gpuva::walk_leaf_64k<Geometry>(range, [](table_chunk) { return false; }) == found.empty());
    }
}

/// A range of at most `most` pages; often at the ends of tables and of the address space.
page_range random_range(seeded_numbers& random, page_table_geometry const& g, u64 most) {
    u64 const space = gpuva::pages_in_space(g);
    u64 const length = random.below(lesser(most, space) + 1);
    u64 first = random.below(space - length + 1);
    if (random.one_in(2)) {
        first &= ~low_mask<u64>(static_cast<u32>(random.below(40)));
    }
    if (random.one_in(8)) {
        first = space - length;
    }
    return {first, first + length};
}

template <page_table_geometry const& Geometry>
void expect_same_at_random(u64 seed, u64 rounds, u64 most) {
    for (u64 round = 0; round < rounds / slow_build_factor; ++round) {
        CAPTURE(round);
        seeded_numbers random(seed + round);
        expect_same_levels<Geometry>(random_range(random, Geometry, random.one_in(4) ? most : 40));
    }
}

template <page_table_geometry const& Geometry>
void expect_same_in_every_range() {
    u64 const space = gpuva::pages_in_space(Geometry);
    for (u64 first = 0; first <= space; first += emulated ? 13 : slow_build ? 3 : 1) {
        for (u64 end = first; end <= space; ++end) {
            expect_same_levels<Geometry>({first, end});
        }
    }
}

struct seen {
    u32 level;
    table_chunk chunk;
    friend bool operator==(seen const&, seen const&) = default;
};

template <page_table_geometry const& Geometry, gpuva::walk_order Order>
std::vector<seen> all_levels(page_range range) {
    std::vector<seen> found;
    gpuva::walk_all<Geometry, Order>(range, [&found](auto at, table_chunk chunk) {
        found.push_back({decltype(at)::value, chunk});
        return true;
    });
    return found;
}

constexpr u64 sum_of_chunks(page_range range) {
    u64 sum = 0;
    gpuva::walk_level<mock_tables, 0>(range, [&sum](table_chunk chunk) {
        sum += chunk.count;
        return true;
    });
    return sum;
}

}  // namespace

TEST_CASE("GVA-02: every range of a small space, walked as its pages say") {
    expect_same_in_every_range<tiny_dual>();
    expect_same_in_every_range<six_levels>();
}

TEST_CASE("GVA-05: random ranges of every page-table format, walked as their pages say") {
    u64 const seed = seed_of_run();
    expect_same_at_random<amd_gpuvm>(seed, 800, 3000);
    expect_same_at_random<nvidia_v2>(seed, 800, 3000);
    expect_same_at_random<intel_ppgtt>(seed, 800, 3000);
    expect_same_at_random<mock_tables>(seed, 800, 3000);
    expect_same_at_random<two_levels>(seed, 800, 5000);
    expect_same_at_random<widest>(seed, 400, 20'000);
}

TEST_CASE("GVA-05: random ranges of page tables nobody thought of, walked as their pages say") {
    u64 const seed = seed_of_run();
    [seed]<u32... Number>(meta::numbers<Number...>) {
        static_assert((check_page_tables<numbered<Number>>() && ...));
        (expect_same_at_random<numbered<Number>>(seed + Number, 80, 600), ...);
    }(meta::count_to<15>{});
}

TEST_CASE("GVA-02: an empty range has no chunk, wherever it lies") {
    for (u64 at : {u64{0}, u64{5}, u64{512}, u64{1} << 36}) {
        CAPTURE(at);
        CHECK(walked<amd_gpuvm, 0>({at, at}).empty());
        CHECK(walked<amd_gpuvm, 3>({at, at}).empty());
        CHECK(all_levels<amd_gpuvm, gpuva::walk_order::top_down>({at, at}).empty());
    }
}

TEST_CASE("CHK-15: the last page of the address space is walked, and nothing behind it") {
    constexpr u64 end = u64{1} << 52;
    CHECK(walked<widest, 0>({end - 1, end}) == std::vector<table_chunk>{{(end >> 13) - 1, 8191, 1}});
    CHECK(walked<widest, 4>({end - 1, end}) == std::vector<table_chunk>{{0, 511, 1}});
    CHECK(walked<widest, 4>({0, end}) == std::vector<table_chunk>{{0, 0, 512}});
    constexpr gpu_virtual_address last{~u64{0} - 4095};
    expect_both(gpuva::range_of(widest, last, bytes{4096}).get() == page_range{end - 1, end});
    expect_both(gpuva::range_of(widest, last, bytes{8192}).error == errc::overflow);
}

TEST_CASE("CHK-15: a range that wraps, leaves the address space or is no page is refused") {
    using gpuva::range_of;
    constexpr gpu_virtual_address at{u64{1} << 47};
    expect_both(range_of(amd_gpuvm, at, bytes{u64{1} << 47}).get() == page_range{u64{1} << 35, u64{1} << 36});
    expect_both(range_of(amd_gpuvm, at, bytes{(u64{1} << 47) + 4096}).error == errc::out_of_range);
    expect_both(range_of(amd_gpuvm, {u64{1} << 48}, bytes{4096}).error == errc::out_of_range);
    expect_both(range_of(amd_gpuvm, {u64{1} << 48}, bytes{0}).get().empty());
    expect_both(range_of(amd_gpuvm, at, bytes{~u64{0} - 4095}).error == errc::overflow);
    expect_both(range_of(amd_gpuvm, {0 - u64{4096}}, bytes{4096}).error == errc::out_of_range);
    expect_both(range_of(amd_gpuvm, {4095}, bytes{4096}).error == errc::misaligned);
    expect_both(range_of(amd_gpuvm, {4096}, bytes{1}).error == errc::misaligned);
    expect_both(range_of(amd_gpuvm, at, bytes{4096}).get().address() == at);
}

TEST_CASE("GVA-02: bottom up and top down are the same chunks, levels in turn") {
    constexpr page_range range{0x3FF, 0x3FF + 514};
    std::vector<seen> const expected{{0, {1, 511, 1}}, {0, {2, 0, 512}}, {0, {3, 0, 1}},
                                     {1, {0, 1, 3}},   {2, {0, 0, 1}},   {3, {0, 0, 1}}};
    CHECK(all_levels<amd_gpuvm, gpuva::walk_order::bottom_up>(range) == expected);
    std::vector<seen> const from_top{{3, {0, 0, 1}},   {2, {0, 0, 1}},   {1, {0, 1, 3}},
                                     {0, {1, 511, 1}}, {0, {2, 0, 512}}, {0, {3, 0, 1}}};
    CHECK(all_levels<amd_gpuvm, gpuva::walk_order::top_down>(range) == from_top);
}

TEST_CASE("GVA-02: the tables of a walk are named by the entries of the level above, in the same order") {
    constexpr page_range range{0x3'FF12, 0x3'FF12 + 5000};
    std::vector<table_chunk> entries;
    gpuva::walk_level<nvidia_v2, 1>(range, [&entries](table_chunk chunk) {
        for (u32 i = 0; i < chunk.count; ++i) {
            entries.push_back({chunk.table, chunk.first + i, 1});
        }
        return true;
    });
    // The entry above a leaf table has the table's number in its level: level 1 of these tables has 8 index bits.
    std::vector<table_chunk> named;
    for (table_chunk const& leaf : walked<nvidia_v2, 0>(range)) {
        named.push_back({leaf.table >> 8, static_cast<u32>(leaf.table % 256), 1});
    }
    CHECK(named == entries);
}

TEST_CASE("OP11-12: a walk that was stopped goes on from the entry where it stopped") {
    u64 const seed = seed_of_run();
    for (u64 round = 0; round < 400 / slow_build_factor; ++round) {
        CAPTURE(round);
        seeded_numbers random(seed + round);
        page_range const range = random_range(random, intel_ppgtt, 2000);
        std::vector<table_chunk> entries;
        page_range left = range;
        u64 passes = 0;
        while (!left.empty() && ++passes < 5000) {
            u64 room = 1 + random.below(700);
            u64 done = 0;
            bool const whole = gpuva::walk_level<intel_ppgtt, 0>(left, [&](table_chunk chunk) {
                auto const count = static_cast<u32>(lesser<u64>(room, chunk.count));
                for (u32 i = 0; i < count; ++i) {
                    entries.push_back({chunk.table, chunk.first + i, 1});
                }
                room -= count;
                done += count;
                return count == chunk.count && room != 0;
            });
            REQUIRE((!whole || done == left.length().n));
            left = left.advanced({done});
        }
        std::vector<table_chunk> one_by_one;
        for (u64 page = range.first; page < range.end; ++page) {
            one_by_one.push_back({page >> 9, static_cast<u32>(page & 511), 1});
        }
        REQUIRE(entries == one_by_one);
    }
}

TEST_CASE("GVA-02: a visitor stops a walk at every chunk, and no level comes after it") {
    constexpr page_range range{0x1FF, 0x1FF + 1026};
    // Chunks of the leaf alone, and of all four levels; behind the last there is nothing to stop.
    constexpr u32 of_leaf = 4;
    constexpr u32 of_all = of_leaf + 3;
    for (u32 stop = 1; stop <= of_all + 1; ++stop) {
        CAPTURE(stop);
        u32 calls = 0;
        auto const leaf = [&](page_range walked_range) {
            calls = 0;
            return gpuva::walk_level<amd_gpuvm, 0>(walked_range, [&](table_chunk) { return ++calls != stop; });
        };
        CHECK(leaf(range) == (stop > of_leaf));
        CHECK(calls == lesser(stop, of_leaf));
        CHECK(leaf({range.first, range.first}));
        CHECK(calls == 0);
        CHECK(gpuva::walk_all<amd_gpuvm, gpuva::walk_order::bottom_up>(
                  range, [&](auto, table_chunk) { return ++calls != stop; }) == (stop > of_all));
        CHECK(calls == lesser(stop, of_all));
    }
    static_assert(sum_of_chunks({100, 1000}) == 900);
    CHECK(sum_of_chunks({100, 1000}) == 900);
}

}  // namespace range_walk_test
