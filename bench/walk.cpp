// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// walk.*: 1 GiB of addresses split into chunks, each inside one table of four levels of 512 entries: the leaf tables,
// the tables of all levels, and the leaf with large pages where both addresses allow them. The library beside the
// idiom of boundaries (for walk.promote: page by page), the hand loop and the limit; all store every chunk.
//   bench_walk --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include "units.hpp"
#include "walk_loops.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace bench;

constexpr gpuva::page_table_geometry four_levels{.level_count = 4, .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}}};
constexpr gpuva::gpu_mmu_capabilities large{.large_pages = true};
constexpr u64 pages_of_gib = gib.n >> page_shift_lg2;

// Page 0x123 of a leaf table; 1 GiB needs 513 of them, and of its directory's tables 2.
constexpr page_range unaligned{0x4'0000'0123, 0x4'0000'0123 + pages_of_gib};
// One page before a multiple of 2 MiB, and so is the page that it is mapped to: a page, 511 large pages, 511 pages.
constexpr page_range aligned{0x4'0000'01FF, 0x4'0000'01FF + pages_of_gib};
constexpr page_number aligned_to{0x1'23FF};

table_chunk chunks[1024];
mapped_chunk mapped[1024];

void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "bench_walk: %s\n", what);
        std::exit(1);
    }
}

std::size_t library_leaf(table_chunk* const out, page_range range) {
    table_chunk* at = out;
    gpuva::walk_level<four_levels, 0>(range, [&at](table_chunk chunk) {
        *at++ = chunk;
        return true;
    });
    return static_cast<std::size_t>(at - out);
}

std::size_t library_all(table_chunk* const out, page_range range) {
    table_chunk* at = out;
    gpuva::walk_all<four_levels, gpuva::walk_order::bottom_up>(range, [&at](auto, table_chunk chunk) {
        *at++ = chunk;
        return true;
    });
    return static_cast<std::size_t>(at - out);
}

std::size_t library_promoted(mapped_chunk* const out, gpuva::promotion const& plan) {
    mapped_chunk* at = out;
    gpuva::walk_promoted<four_levels>(plan, [&at](auto kind, table_chunk chunk, page_number first) {
        *at++ = {chunk, first, decltype(kind)::level};
        return true;
    });
    return static_cast<std::size_t>(at - out);
}

gpuva::promotion plan_of(page_range range, page_number to) {
    result<gpuva::promotion> const plan = gpuva::plan_promotion(four_levels, large, range, to, {false, false});
    require(plan.ok(), "walk.promote has no plan");
    return plan.get();
}

using walk = std::size_t (*)(table_chunk*, page_range);
using promoted_walk = std::size_t (*)(mapped_chunk*, gpuva::promotion const&);

/// Ends at every kind of place: in a table, at its end, in the table behind it, two levels on, none at all.
void verify() {
    for (u64 const first : {u64{0}, u64{1}, u64{511}, u64{512}, u64{0x3'FFFF}, unaligned.first, aligned.first}) {
        for (u64 const length : {u64{0}, u64{1}, u64{2}, u64{511}, u64{512}, u64{513}, u64{0x4'0001}, pages_of_gib}) {
            page_range const range{first, first + length};
            auto const taken = [range](walk one) {
                std::size_t const count = one(chunks, range);
                return std::vector<table_chunk>(chunks, chunks + count);
            };
            std::vector<table_chunk> const leaf = taken(library_leaf);
            require(taken(obvious_leaf) == leaf && taken(hand_leaf) == leaf, "walk.leaf: a loop finds other chunks");
            std::vector<table_chunk> const all = taken(library_all);
            require(taken(obvious_all) == all && taken(hand_all) == all, "walk.all: a loop finds other chunks");
            for (page_number const to : {aligned_to, page_number{aligned_to.n + 1}, page_number{first & 511}}) {
                gpuva::promotion const plan = plan_of(range, to);
                auto const promoted = [&plan](promoted_walk one) {
                    std::size_t const count = one(mapped, plan);
                    return std::vector<mapped_chunk>(mapped, mapped + count);
                };
                std::vector<mapped_chunk> const expected = promoted(library_promoted);
                require(promoted(obvious_promoted) == expected && promoted(hand_promoted) == expected,
                        "walk.promote: a loop finds other chunks");
            }
        }
    }
    require(library_leaf(chunks, unaligned) == 513 && limit_leaf(chunks, unaligned) == 513, "walk.leaf has 513 chunks");
    require(library_all(chunks, unaligned) == 517 && limit_all(chunks, unaligned) == 517, "walk.all has 517 chunks");
    require(library_promoted(mapped, plan_of(aligned, aligned_to)) == 3, "walk.promote has 3 chunks");
}

void measure(char const* name, walk one) {
    benchmark::RegisterBenchmark(name, [one](benchmark::State& state) {
        std::size_t count = 0;
        page_range own = unaligned;
        for (auto _ : state) {
            benchmark::DoNotOptimize(own);
            count = one(chunks, own);
            benchmark::ClobberMemory();
        }
        count_units(state, "chunk", static_cast<double>(count), static_cast<double>(count * sizeof(table_chunk)));
    });
}

void measure(char const* name, promoted_walk one) {
    benchmark::RegisterBenchmark(name, [one](benchmark::State& state) {
        gpuva::promotion plan = plan_of(aligned, aligned_to);
        std::size_t count = 0;
        for (auto _ : state) {
            benchmark::DoNotOptimize(plan);
            count = one(mapped, plan);
            benchmark::ClobberMemory();
        }
        u64 entries = 0;
        for (std::size_t i = 0; i != count; ++i) {
            entries += mapped[i].chunk.count;
        }
        state.counters["entries"] = static_cast<double>(entries);
        count_units(state, "chunk", static_cast<double>(count), static_cast<double>(count * sizeof(mapped_chunk)));
    });
}

}  // namespace

int main(int argc, char** argv) {
    verify();
    measure("walk.leaf.1G/wddmcore", library_leaf);
    measure("walk.leaf.1G/obvious", obvious_leaf);
    measure("walk.leaf.1G/hand", hand_leaf);
    measure("walk.leaf.1G/limit", limit_leaf);
    measure("walk.all/wddmcore", library_all);
    measure("walk.all/obvious", obvious_all);
    measure("walk.all/hand", hand_all);
    measure("walk.all/limit", limit_all);
    measure("walk.promote/wddmcore", library_promoted);
    measure("walk.promote/obvious", obvious_promoted);
    measure("walk.promote/hand", hand_promoted);
    measure("walk.promote/limit", limit_promoted);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
