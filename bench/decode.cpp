// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// decode.op.N: the smallest good request of each operation through build_paging_buffer, from its entry to its return:
// the choice of the operation, every check, its packets, of each of which one word is stored, the commit. Beside it a
// first driver's loop, which judges nothing (decode_obvious.hpp), a hand loop for this one hardware with the checks
// that matter (decode_hand.hpp, which says what it leaves out), and the limit: the operation's code is read and the
// same words are stored. Instructions up to the first word are counted by tests/gate/gate_decode.cpp.
//   bench_decode --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include "decode_hand_tables.hpp"
#include "decode_obvious.hpp"
#include "decode_record.hpp"
#include "decode_variants.hpp"
#include "units.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using namespace wddmcore;
using namespace bench::decode_op;

u64 packets = 0;

void require(bool holds, char const* what, u32 operation) {
    if (!holds) {
        std::fprintf(stderr, "bench_decode: operation %u: %s\n", static_cast<unsigned>(operation), what);
        std::exit(1);
    }
}

template <class Hw>
ntstatus library(Hw& hw, arguments& args) {
    return build_paging_buffer(hw, args);
}

/// What every way to build this request has to store: whole packets of one length, or one head and words behind it.
struct output {
    u32 packets;
    u32 stride;  ///< dwords from the first word of a packet to that of the next
    u32 total;   ///< dwords
};
output outputs[paging_operation_count];

/// What cannot be avoided: the code is read, the first word of each packet and the entries behind a head are stored,
/// the position and the token are committed.
ntstatus limit(decode_gpu& hw, arguments& args) {
    output const& out = outputs[args.Operation];
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    u32* const end = at + out.total;
    for (u32 i = 0; i != out.packets; ++i) {
        hw.encode_padding(at, {out.stride});
        at += out.stride;
    }
    for (; at != end; at += 2) {
        u64 const entry = args.Operation;
        std::memcpy(at, &entry, sizeof entry);
    }
    args.pDmaBuffer = end;
    args.MultipassOffset = out.packets;
    return status::success;
}

/// The same answers, positions, tokens, packets and words as the library's, in buffers of every size.
void compare(decode::requests& requests, arguments const& args, recorded_builder build, char const* what) {
    for (u32 room = 4096; room != 64; room = room == 4096 ? 0 : room + 1) {
        record const expected = record_of(requests, args, room, library<recording_gpu>);
        require(record_of(requests, args, room, build) == expected, what, args.Operation);
    }
}

void verify(decode::requests& requests) {
    constexpr recorded_builder by_library = library<recording_gpu>;
    constexpr recorded_builder hand = by_hand::build<recording_gpu>;
    for (u32 code = 0; code != paging_operation_count; ++code) {
        arguments const good = requests.of(paging_operation{code});
        record const expected = record_of(requests, good, 4096, by_library);
        require(expected.passes[0] == static_cast<u64>(status::success), "the request fails", code);
        require(record_of(requests, good, 4096, first_version::build<recording_gpu>) == expected,
                "the obvious loop does something else", code);
        compare(requests, good, hand, "the hand loop does something else");

        arguments odd = good;
        odd.pDmaBuffer = reinterpret_cast<char*>(requests.buffer) + 1;
        arguments past = good;
        past.MultipassOffset = 0x7FFF'FFFF;
        for (arguments const& bad : {odd, past}) {
            require(refuses(requests, bad, by_library), "the library takes a malformed request", code);
            require(refuses(requests, bad, hand), "the hand loop takes a malformed request", code);
        }
    }
    for (variant const& each : longer) {
        arguments args = requests.of(each.operation);
        each.change(args);
        compare(requests, args, hand, "the hand loop does something else with a longer request");
    }
    for (variant const& each : malformed) {
        arguments args = requests.of(each.operation);
        each.change(args);
        require(refuses(requests, args, by_library), "the library takes a malformed request", args.Operation);
        require(refuses(requests, args, hand), "the hand loop takes a malformed request", args.Operation);
    }
}

/// How many packets and dwords the library makes of each request.
void measure_outputs(decode::requests& requests) {
    for (u32 code = 0; code != paging_operation_count; ++code) {
        decode_gpu hw;
        arguments args = requests.of(paging_operation{code});
        packets = 0;
        require(library(hw, args) == status::success, "the request fails", code);
        output& out = outputs[code];
        out.packets = static_cast<u32>(packets);
        out.total = static_cast<u32>(static_cast<u32*>(args.pDmaBuffer) - requests.buffer);
        bool const has_entries = paging_operation{code} == paging_operation::update_page_table;
        out.stride = has_entries ? decode_gpu::write_head_dwords.n : out.total / out.packets;
    }
}

void measure(decode::requests& requests, u32 code, char const* kind, ntstatus (*build)(decode_gpu&, arguments&)) {
    std::string const row = "decode.op." + std::to_string(code) + kind;
    benchmark::RegisterBenchmark(row.c_str(), [&requests, code, build](benchmark::State& state) {
        decode_gpu hw;
        arguments args = requests.of(paging_operation{code});
        output const& out = outputs[code];
        packets = 0;
        for (auto _ : state) {
            args.pDmaBuffer = requests.buffer;  // no other member is written but the token
            args.MultipassOffset = 0;
            benchmark::DoNotOptimize(args);
            ntstatus const answer = build(hw, args);
            require(answer == status::success && args.pDmaBuffer == requests.buffer + out.total, "fails", code);
            benchmark::ClobberMemory();
        }
        require(packets == u64{out.packets} * static_cast<u64>(state.iterations()), "writes other packets", code);
        state.counters["packets"] = static_cast<double>(out.packets);
        state.counters["command_bytes"] = static_cast<double>(out.total) * 4;
        bench::count_units(state, "op", 1, static_cast<double>(out.total) * 4);
    });
}

}  // namespace

extern "C" void until_first_store(wddmcore::u32* at) {
    *at = 1;
    ++packets;
}

int main(int argc, char** argv) {
    static decode::requests requests;
    verify(requests);
    measure_outputs(requests);
    for (u32 code = 0; code != paging_operation_count; ++code) {
        measure(requests, code, "/wddmcore", library<decode_gpu>);
        measure(requests, code, "/obvious", first_version::build<decode_gpu>);
        measure(requests, code, "/hand", by_hand::build<decode_gpu>);
        measure(requests, code, "/limit", limit);
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
