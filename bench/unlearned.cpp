// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// xfer.<list>.<pages>.unlearned: evictions of 1 to 4,096 pages, each of another list: half a million pages in all, so that
// no branch predictor knows the next one. A system sees a list once; a row that replays one list measures the predictor.
// xfer.curve.<pages>: the obvious loop over as many pages in all; where its time stops to rise, nothing is learned any more.
// An item is a page, and the request around it is part of each kind's time.
//   bench_unlearned --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include "inputs.hpp"
#include "loops.hpp"
#include "units.hpp"

#include <paging_round_trip/page_lists.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using namespace bench;

constexpr std::size_t all_pages = std::size_t{1} << 19;
constexpr std::size_t most_requests = 8192;  // small ones: their lists stay in the second cache

void require(bool holds, std::string const& what) {
    if (!holds) {
        std::fprintf(stderr, "bench_unlearned: %s\n", what.c_str());
        std::exit(1);
    }
}

/// Requests that are built one after the other, each into the same buffer.
struct rotation {
    std::vector<memory_list> lists;
    std::vector<u32> buffer;
    gpu hw = gpu::started(where);
    std::size_t dwords = 0;

    rotation(std::vector<usize> const& numbers, std::size_t pages) : buffer(pages * packet_dwords + 64) {
        for (std::size_t first = 0; first + pages <= numbers.size() && lists.size() != most_requests; first += pages) {
            auto const from = numbers.begin() + static_cast<std::ptrdiff_t>(first);
            lists.emplace_back(std::vector<usize>(from, from + static_cast<std::ptrdiff_t>(pages)));
        }
    }
};

using builder = u32* (*)(rotation&, memory_list&);

u32* library(rotation& work, memory_list& list) {
    arguments args = eviction(list);
    args.pDmaBuffer = work.buffer.data();
    args.DmaSize = static_cast<u32>(work.buffer.size() * 4);
    benchmark::DoNotOptimize(args);
    require(build_paging_buffer(work.hw, args) == status::success, "an eviction fails");
    return static_cast<u32*>(args.pDmaBuffer);
}

/// A loop that asks its request for what it needs, and judges nothing of it.
template <auto Loop>
u32* by_loop(rotation& work, memory_list& list) {
    arguments args = eviction(list);
    args.pDmaBuffer = work.buffer.data();
    args.DmaSize = static_cast<u32>(work.buffer.size() * 4);
    benchmark::DoNotOptimize(args);
    auto const* const mdl = static_cast<mirror::v1_3::mdl const*>(args.Transfer.Destination.pMdl);
    return Loop(static_cast<u32*>(args.pDmaBuffer), reinterpret_cast<usize const*>(mdl + 1),
                args.Transfer.TransferSize / page_bytes, static_cast<u64>(args.Transfer.Source.SegmentAddress.QuadPart),
                system_base);
}

u32* limit(rotation& work, memory_list& list) {
    return limit_copy(work.buffer.data(), list.numbers(), list.size(), work.dwords / work.lists.size());
}

void measure(std::string const& name, std::shared_ptr<rotation> const& work, builder build) {
    benchmark::RegisterBenchmark(name.c_str(), [work, build](benchmark::State& state) {
        for (auto _ : state) {
            for (memory_list& list : work->lists) {
                benchmark::DoNotOptimize(build(*work, list));
            }
            benchmark::ClobberMemory();
        }
        double const pages = static_cast<double>(work->lists.size() * work->lists[0].size());
        state.counters["requests"] = static_cast<double>(work->lists.size());
        state.counters["command_bytes"] = static_cast<double>(work->dwords * 4);
        count_units(state, "page", pages, static_cast<double>(work->dwords * 4));
    });
}

/// The loops write what the library writes, but its padding: of each list.
void verify(std::string const& name, rotation& work) {
    for (memory_list& list : work.lists) {
        u32* const end = library(work, list);
        std::vector<u32> const words(work.buffer.data(), end);
        for (builder const loop : {by_loop<obvious_copy>, by_loop<hand_copy>}) {
            u32* const last = loop(work, list);
            require(end - last >= 0 && end - last < gpu::unit_dwords.n &&
                        std::memcmp(words.data(), work.buffer.data(),
                                    static_cast<std::size_t>(last - work.buffer.data()) * 4) == 0,
                    name + ": a loop writes other packets");
        }
        work.dwords += words.size();
    }
}

void compare(std::string const& list, std::vector<usize> const& numbers,
             std::vector<std::size_t> const& requests = {1, 2, 16, 512, 4096}) {
    for (std::size_t const pages : requests) {
        std::string const name = "xfer." + list + "." + std::to_string(pages) + ".unlearned";
        auto const work = std::make_shared<rotation>(numbers, pages);
        verify(name, *work);
        measure(name + "/wddmcore", work, library);
        measure(name + "/obvious", work, by_loop<obvious_copy>);
        measure(name + "/hand", work, by_loop<hand_copy>);
        measure(name + "/limit", work, limit);
    }
}

void curve() {
    for (std::size_t pages = 1024; pages <= 2 * all_pages; pages *= 4) {
        auto const work = std::make_shared<rotation>(runs_of(pages, 16), 1024);
        verify("xfer.curve", *work);
        measure("xfer.curve." + std::to_string(pages) + "/obvious", work, by_loop<obvious_copy>);
        measure("xfer.curve." + std::to_string(pages) + "/wddmcore", work, library);
    }
}

}  // namespace

int main(int argc, char** argv) {
    compare("scattered", scattered(all_pages));
    compare("mean_1_6", runs_of(all_pages, 16));
    compare("mean_4_5", runs_of(all_pages, 45));
    compare("runs_of_16", equal_runs(all_pages, 16));
    compare("contiguous", contiguous(all_pages));
    for (u64 const tenths : {25u, 80u, 640u}) {
        std::string const tenth = tenths % 10 == 0 ? "" : "_" + std::to_string(tenths % 10);
        compare("mean_" + std::to_string(tenths / 10) + tenth, runs_of(all_pages, tenths), {4096});
    }
    std::string why_not;
    if (auto const host = examples::host_pages(all_pages, why_not)) {
        compare("this_host", std::vector<usize>(host->numbers.begin(), host->numbers.end()));
    } else {
        std::fprintf(stderr, "xfer.this_host is left out: %s\n", why_not.c_str());
    }
    curve();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
