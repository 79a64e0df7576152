// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// cold.*: single requests after code that is not theirs, as a driver sees them: between two requests runs more code than the
// first instruction cache and the branch predictor hold. An item is a request; what reading the clock takes is taken off.
//   bench_cold --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include "inputs.hpp"
#include "loops.hpp"
#include "units.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace bench;
using clock_type = std::chrono::steady_clock;

/// One of many functions, each with branches of its own that follow from the number it is given.
template <std::size_t Index>
[[gnu::noinline]] u64 other_code(u64 number) {
    u64 value = number * (2 * Index + 1);
    for (u32 i = 0; i != 4; ++i) {
        if ((value >> (Index % 13 + i) & 1) != 0) {
            value = value * 0x9E37'79B9'7F4A'7C15 + Index;
        }
        if ((value >> (Index % 7 + 20 + i) & 1) != 0) {
            value ^= value >> (Index % 29 + 1);
        }
        if ((value >> (Index % 11 + 40) & 1) != 0) {
            value += Index * 0x1'0001;
        }
    }
    return value;
}

constexpr std::size_t functions = 2048;

void run_other_code() {
    static auto const all = []<std::size_t... Index>(std::index_sequence<Index...>) {
        return std::array<u64 (*)(u64), sizeof...(Index)>{other_code<Index>...};
    }(std::make_index_sequence<functions>{});
    static u64 value = 1;
    for (auto const each : all) {
        value = each(value);
    }
    benchmark::DoNotOptimize(value);
}

/// The least time between two readings of the clock.
double reading_the_clock() {
    double least = 1;
    for (u32 i = 0; i != 100'000; ++i) {
        auto const before = clock_type::now();
        auto const after = clock_type::now();
        least = std::min(least, std::chrono::duration<double>(after - before).count());
    }
    return least;
}

struct work {
    memory_list list;
    std::vector<u32> buffer;
    gpu hw = gpu::started(where);
    explicit work(std::size_t pages) : list(runs_of(pages, 16)), buffer(pages * packet_dwords + 64) {}
};

u32* library(work& w) {
    arguments args = eviction(w.list);
    args.pDmaBuffer = w.buffer.data();
    args.DmaSize = static_cast<u32>(w.buffer.size() * 4);
    return build_paging_buffer(w.hw, args) == status::success ? static_cast<u32*>(args.pDmaBuffer) : nullptr;
}

u32* obvious(work& w) { return obvious_copy(w.buffer.data(), w.list.numbers(), w.list.size(), vram_base, system_base); }

/// The number of requests is fixed: the code between them takes a thousand times as long as they, and its time is not
/// measured.
void measure(std::string const& name, std::shared_ptr<work> const& w, u32* (*build)(work&), bool other) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [w, build, other](benchmark::State& state) {
                                     static double const overhead = reading_the_clock();
                                     for (auto _ : state) {
                                         if (other) {
                                             run_other_code();
                                         }
                                         benchmark::ClobberMemory();
                                         auto const before = clock_type::now();
                                         benchmark::DoNotOptimize(build(*w));
                                         auto const after = clock_type::now();
                                         state.SetIterationTime(std::max(
                                             1e-10, std::chrono::duration<double>(after - before).count() - overhead));
                                     }
                                     count_units(state, "request", 1, 0);
                                 })
        ->UseManualTime()
        ->Iterations(other ? 2000 : 200'000);
}

}  // namespace

int main(int argc, char** argv) {
    for (std::size_t const pages : {1u, 16u, 512u}) {
        auto const w = std::make_shared<work>(pages);
        for (bool const other : {true, false}) {
            std::string const name = (other ? "cold.evict." : "cold.warm_evict.") + std::to_string(pages);
            measure(name + "/wddmcore", w, library, other);
            measure(name + "/obvious", w, obvious, other);
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
