// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// grow.copy.<size> and grow.fill.<size>: operations 8 and 9 from 4 KiB to 16 TiB of contiguous addresses, one request each,
// beside the loops and the limit of a machine that only stores the commands. An item is a request.
//   bench_growth --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include "inputs.hpp"
#include "loops.hpp"
#include "units.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

namespace {

using namespace bench;

constexpr u64 from = 0x1000'0000;
constexpr u64 to = 0x2000'0000'0000;
constexpr u32 pattern = 0xDEAD'BEEF;
constexpr u64 largest = u64{1} << 44;
constexpr std::size_t fill_dwords = 5;

void require(bool holds, std::string const& what) {
    if (!holds) {
        std::fprintf(stderr, "bench_growth: %s\n", what.c_str());
        std::exit(1);
    }
}

using words = std::vector<u32>;

/// Builds all of a request, in as many buffers of 2 GiB and less as it takes.
u32* built(virtual_arguments& args, u32* at, u32 const* end) {
    virtual_gpu hw = virtual_gpu::started(where);
    for (;;) {
        args.pDmaBuffer = at;
        args.DmaSize = static_cast<u32>(std::min<std::size_t>(static_cast<std::size_t>(end - at) * 4, 0x8000'0000));
        benchmark::DoNotOptimize(args);
        ntstatus const answer = build_paging_buffer(hw, args);
        at = static_cast<u32*>(args.pDmaBuffer);
        if (answer != status::graphics_insufficient_dma_buffer) {
            require(answer == status::success, "a request fails");
            return at;
        }
    }
}

struct request {
    u64 size;
    std::shared_ptr<words> buffer;
};

u32* copied(request const& r) {
    virtual_arguments args{};
    args.Operation = static_cast<u32>(paging_operation::virtual_transfer);
    args.TransferVirtual = {};
    args.TransferVirtual.TransferSizeInBytes = r.size;
    args.TransferVirtual.SourceVirtualAddress = from;
    args.TransferVirtual.DestinationVirtualAddress = to;
    return built(args, r.buffer->data(), r.buffer->data() + r.buffer->size());
}

u32* filled(request const& r) {
    virtual_arguments args{};
    args.Operation = static_cast<u32>(paging_operation::virtual_fill);
    args.FillVirtual = {};
    args.FillVirtual.FillSizeInBytes = r.size;
    args.FillVirtual.FillPattern = pattern;
    args.FillVirtual.DestinationVirtualAddress = to;
    return built(args, r.buffer->data(), r.buffer->data() + r.buffer->size());
}

using builder = u32* (*)(request const&);

u32* obvious_copied(request const& r) { return obvious_move(r.buffer->data(), from, to, r.size); }
u32* hand_copied(request const& r) { return hand_move(r.buffer->data(), from, to, r.size); }
u32* obvious_filled(request const& r) { return obvious_fill(r.buffer->data(), to, r.size, pattern); }
u32* hand_filled(request const& r) { return hand_fill(r.buffer->data(), to, r.size, pattern); }

void measure(std::string const& name, request const& r, std::size_t stored, std::function<u32*()> const& build) {
    benchmark::RegisterBenchmark(name.c_str(), [r, stored, build](benchmark::State& state) {
        for (auto _ : state) {
            benchmark::DoNotOptimize(build());
            benchmark::ClobberMemory();
        }
        state.counters["bytes"] = static_cast<double>(r.size);
        count_units(state, "request", 1, static_cast<double>(stored * 4));
    });
}

void rows(char const* kind, builder library, builder obvious, builder hand, std::size_t packet) {
    for (u64 size = 4096; size <= largest; size *= 16) {
        std::size_t const packets = static_cast<std::size_t>(divide_up(size, 4 * mib.n));
        request const r{size, std::make_shared<words>((packets + packets / 1000) * packet + 64)};
        std::string const name = "grow." + std::string(kind) + "." + std::to_string(size);
        words expected(r.buffer->data(), library(r));
        for (builder const loop : {obvious, hand}) {
            u32 const* const end = loop(r);
            std::size_t const made = static_cast<std::size_t>(end - r.buffer->data());
            require(made == packets * packet && expected.size() - made < 8 &&
                        std::memcmp(expected.data(), r.buffer->data(), made * 4) == 0,
                    name + ": a loop writes other packets");
        }
        std::size_t const stored = expected.size();
        measure(name + "/wddmcore", r, stored, [r, library] { return library(r); });
        measure(name + "/obvious", r, stored, [r, obvious] { return obvious(r); });
        measure(name + "/hand", r, stored, [r, hand] { return hand(r); });
        measure(name + "/limit", r, stored, [r, stored] { return limit_copy(r.buffer->data(), nullptr, 0, stored); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    rows("copy", copied, obvious_copied, hand_copied, packet_dwords);
    rows("fill", filled, obvious_filled, hand_filled, fill_dwords);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
