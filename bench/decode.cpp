// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// decode.op: the smallest good request of each operation through build_paging_buffer, from its entry to its return: the
// choice of the operation, every check, one packet of which one word is stored, the commit. Beside it the least that a
// call can be: the operation's code is read and one word is stored. Instructions up to that word are counted by
// tests/gate/gate_decode.cpp.
//   bench_decode --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include <gate/decode_requests.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace wddmcore;
using decode::arguments;

u64 packets = 0;

/// Transfers as a first driver writes them: nothing is judged, one packet for one page.
ntstatus obvious_transfer(decode_gpu& hw, arguments& args) {
    auto const& transfer = args.Transfer;
    auto const* const numbers = reinterpret_cast<usize const*>(transfer.Source.pMdl + 1);
    u32* const at = static_cast<u32*>(args.pDmaBuffer);
    hw.encode_copy(at, {static_cast<u64>(transfer.Destination.SegmentAddress.QuadPart) + transfer.TransferOffset},
                   hw.from_page(page_number{numbers[transfer.MdlOffset]}), bytes{transfer.TransferSize});
    args.pDmaBuffer = at + decode_gpu::copy_dwords.n;
    return status::success;
}

void measure(decode::requests& requests, std::string const& name, paging_operation operation,
             ntstatus (*build)(decode_gpu&, arguments&)) {
    benchmark::RegisterBenchmark(name.c_str(), [&requests, operation, build](benchmark::State& state) {
        decode_gpu hw;
        arguments const good = requests.of(operation);
        packets = 0;
        u64 dwords = 0;
        for (auto _ : state) {
            arguments args = good;
            benchmark::DoNotOptimize(args);
            if (build(hw, args) != status::success) {
                std::fprintf(stderr, "bench_decode: operation %u fails\n", static_cast<unsigned>(operation));
                std::exit(1);
            }
            dwords = static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - requests.buffer);
            benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations());
        state.counters["packets"] = static_cast<double>(packets / static_cast<u64>(state.iterations()));
        state.counters["command_bytes"] = static_cast<double>(dwords * 4);
    });
}

ntstatus limit(decode_gpu& hw, arguments& args) {
    u32* const at = static_cast<u32*>(args.pDmaBuffer);
    hw.encode_padding(at, dwords{args.Operation});
    args.pDmaBuffer = at + 1;
    return status::success;
}

ntstatus library(decode_gpu& hw, arguments& args) { return build_paging_buffer(hw, args); }

}  // namespace

extern "C" void until_first_store(wddmcore::u32* at) {
    *at = 1;
    ++packets;
}

int main(int argc, char** argv) {
    static decode::requests requests;
    for (u32 code = 0; code != paging_operation_count; ++code) {
        paging_operation const operation{code};
        measure(requests, "decode.op." + std::to_string(code) + "/wddmcore", operation, library);
        measure(requests, "decode.op." + std::to_string(code) + "/limit", operation, limit);
    }
    measure(requests, "decode.op.0/obvious", paging_operation::transfer, obvious_transfer);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
