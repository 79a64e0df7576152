// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// walk.*: 1 GiB of addresses split into chunks, each inside one table of four levels of 512 entries. The library beside
// the idiom of nested loops (the next boundary, or the end), the hand loop and the limit; all store every chunk.
//   bench_walk --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include <wddmcore/gpuva/promotion.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using namespace wddmcore;

constexpr gpuva::page_table_geometry four_levels{.level_count = 4, .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}}};
constexpr gpuva::gpu_mmu_capabilities large{.large_pages = true};

// Page 0x123 of a leaf table; 1 GiB needs 513 of them.
constexpr gpuva::page_range unaligned{0x4'0000'0123, 0x4'0000'0123 + (gib.n >> page_shift_lg2)};

gpuva::table_chunk chunks[1024];
gpuva::table_chunk expected[1024];

void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "bench_walk: %s\n", what);
        std::exit(1);
    }
}

std::size_t library_leaf(gpuva::page_range range) {
    gpuva::table_chunk* at = chunks;
    gpuva::walk_level<four_levels, 0>(range, [&at](gpuva::table_chunk chunk) {
        *at++ = chunk;
        return true;
    });
    return static_cast<std::size_t>(at - chunks);
}

std::size_t library_all(gpuva::page_range range) {
    gpuva::table_chunk* at = chunks;
    gpuva::walk_all<four_levels, gpuva::walk_order::bottom_up>(range, [&at](auto, gpuva::table_chunk chunk) {
        *at++ = chunk;
        return true;
    });
    return static_cast<std::size_t>(at - chunks);
}

/// From the next boundary to the next, level inside level.
std::size_t nested_leaf(gpuva::page_range range) {
    gpuva::table_chunk* at = chunks;
    for (u64 upper = range.first; upper != range.end;) {
        u64 const upper_boundary = (upper + (u64{1} << 18)) & ~((u64{1} << 18) - 1);
        u64 const upper_end = upper_boundary < range.end ? upper_boundary : range.end;
        for (u64 page = upper; page != upper_end;) {
            u64 const boundary = (page + 512) & ~u64{511};
            u64 const end = boundary < upper_end ? boundary : upper_end;
            *at++ = {page >> 9, static_cast<u32>(page & 511), static_cast<u32>(end - page)};
            page = end;
        }
        upper = upper_end;
    }
    return static_cast<std::size_t>(at - chunks);
}

/// Head, counted middle, tail.
std::size_t hand_leaf(gpuva::page_range range) {
    gpuva::table_chunk* at = chunks;
    u64 page = range.first;
    if (u64 const inside = page & 511; inside != 0) {
        u64 const left = range.end - page;
        u64 const length = 512 - inside < left ? 512 - inside : left;
        *at++ = {page >> 9, static_cast<u32>(inside), static_cast<u32>(length)};
        page += length;
    }
    u64 table = page >> 9;
    for (u64 count = (range.end - page) >> 9; count != 0; --count) {
        *at++ = {table++, 0, 512};
    }
    if (u64 const rest = (range.end - page) & 511; rest != 0) {
        *at++ = {table, 0, static_cast<u32>(rest)};
    }
    return static_cast<std::size_t>(at - chunks);
}

/// What cannot be avoided: every chunk is stored.
std::size_t limit_leaf(gpuva::page_range range) {
    std::size_t const count = ((range.end + 511) >> 9) - (range.first >> 9);
    for (std::size_t i = 0; i != count; ++i) {
        chunks[i] = {i, 0, 512};
    }
    return count;
}

void measure(char const* name, std::size_t (*walk)(gpuva::page_range), gpuva::page_range range) {
    benchmark::RegisterBenchmark(name, [walk, range](benchmark::State& state) {
        std::size_t count = 0;
        gpuva::page_range own = range;
        for (auto _ : state) {
            benchmark::DoNotOptimize(own);
            count = walk(own);
            benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(count));
        state.counters["chunks"] = static_cast<double>(count);
    });
}

/// Both addresses one page before a multiple of 2 MiB: a page, 511 large pages, 511 pages.
void promoted() {
    gpuva::page_range const range{0x4'0000'01FF, 0x4'0000'01FF + (gib.n >> page_shift_lg2)};
    result<gpuva::promotion> const plan =
        gpuva::plan_promotion(four_levels, large, range, page_number{0x1'23FF}, {false, false});
    require(plan.ok(), "walk.promote has no plan");
    benchmark::RegisterBenchmark("walk.promote/wddmcore", [own = plan.get()](benchmark::State& state) mutable {
        std::size_t count = 0;
        u64 entries = 0;
        for (auto _ : state) {
            benchmark::DoNotOptimize(own);
            gpuva::table_chunk* at = chunks;
            gpuva::walk_promoted<four_levels>(own, [&at](auto, gpuva::table_chunk chunk, page_number) {
                *at++ = chunk;
                return true;
            });
            count = static_cast<std::size_t>(at - chunks);
            benchmark::ClobberMemory();
        }
        for (std::size_t i = 0; i != count; ++i) {
            entries += chunks[i].count;
        }
        state.counters["chunks"] = static_cast<double>(count);
        state.counters["entries"] = static_cast<double>(entries);
    });
}

}  // namespace

int main(int argc, char** argv) {
    require(library_leaf(unaligned) == 513, "walk.leaf finds other chunks");
    std::memcpy(expected, chunks, sizeof chunks);
    for (auto const walk : {nested_leaf, hand_leaf}) {
        require(walk(unaligned) == 513, "a loop finds other chunks");
        for (std::size_t i = 0; i != 513; ++i) {
            require(chunks[i] == expected[i], "a loop finds another chunk");
        }
    }
    measure("walk.leaf.1G/wddmcore", library_leaf, unaligned);
    measure("walk.leaf.1G/obvious", nested_leaf, unaligned);
    measure("walk.leaf.1G/hand", hand_leaf, unaligned);
    measure("walk.leaf.1G/limit", limit_leaf, unaligned);
    measure("walk.all/wddmcore", library_all, unaligned);
    promoted();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
