// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// xfer.* and fill.1G: commands for evictions and fills on an AMD SDMA engine. Each input is run through the library,
// the obvious loop, the hand loop and the limit, in one process; compare rows of one run, not runs.
//   bench_transfer --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include "inputs.hpp"
#include "loops.hpp"
#include "units.hpp"

#include <paging_round_trip/page_lists.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

namespace {

using namespace bench;

constexpr std::size_t small_buffer = 65536;  // bytes, of the rows resume

/// One input, its buffer, and what its commands must say.
struct workload {
    memory_list list;
    std::vector<u32> buffer;
    std::size_t runs;
    gpu hw = gpu::started(where);

    // A small buffer ends where the next command does not fit, and is padded to a whole unit.
    explicit workload(std::vector<usize> const& numbers)
        : list(numbers),
          buffer(numbers.size() * packet_dwords + (numbers.size() * packet_dwords * sizeof(u32) / small_buffer + 2) *
                                                      (packet_dwords + gpu::unit_dwords.n)),
          runs(examples::count_runs(std::vector<std::uint64_t>(numbers.begin(), numbers.end()))) {}

    /// Builds the whole eviction in buffers of at most `room` bytes; where the last command ends.
    u32* build(std::size_t room) {
        arguments args = eviction(list);
        u32* at = buffer.data();
        u32* const end = at + buffer.size();
        for (;;) {
            args.pDmaBuffer = at;
            args.DmaSize = static_cast<u32>(std::min(room, static_cast<std::size_t>(end - at) * sizeof(u32)));
            ntstatus const answer = build_paging_buffer(hw, args);
            at = static_cast<u32*>(args.pDmaBuffer);
            if (answer != status::graphics_insufficient_dma_buffer) {
                return answer == status::success ? at : nullptr;
            }
        }
    }
};

void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "bench_transfer: %s\n", what);
        std::exit(1);
    }
}

/// Expands packets to the pages they name: a variant that writes something else is not measured.
bool names_all_pages(u32 const* from, u32 const* to, memory_list const& list) {
    std::size_t page = 0;
    while (from < to) {
        if (*from == 0) {
            ++from;
            continue;
        }
        u64 const size = u64{from[1]} + 1;
        u64 const source = from[3] | u64{from[4]} << 32;
        u64 const destination = from[5] | u64{from[6]} << 32;
        for (u64 k = 0; k * page_bytes < size; ++k, ++page) {
            if (page == list.size() || source + k * page_bytes != vram_base + page * page_bytes ||
                destination + k * page_bytes != system_base + list.numbers()[page] * page_bytes) {
                return false;
            }
        }
        from += packet_dwords;
    }
    return page == list.size();
}

void count(benchmark::State& state, std::size_t pages, std::size_t dwords, std::size_t packets) {
    double const stored = static_cast<double>(dwords * 4);
    state.counters["packets"] = static_cast<double>(packets);
    state.counters["seconds_per_packet"] = benchmark::Counter(
        static_cast<double>(packets), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.counters["command_bytes"] = stored;
    count_units(state, "page", static_cast<double>(pages), stored);
}

void measure(std::string const& name, std::shared_ptr<workload> const& work, std::size_t packets,
             std::function<u32*(workload&)> const& build) {
    u32* const end = build(*work);
    require(end != nullptr && names_all_pages(work->buffer.data(), end, work->list),
            (name + " writes other packets").c_str());
    benchmark::RegisterBenchmark(name.c_str(), [work, build, packets](benchmark::State& state) {
        u32* at = nullptr;
        for (auto _ : state) {
            at = build(*work);
            benchmark::DoNotOptimize(at);
            benchmark::ClobberMemory();
        }
        count(state, work->list.size(), static_cast<std::size_t>(at - work->buffer.data()), packets);
    });
}

std::size_t packets_of(memory_list const& list) {
    std::size_t packets = 0;
    for (std::size_t i = 0; i < list.size();) {
        std::size_t length = 1;
        while (i + length < list.size() && list.numbers()[i + length] == list.numbers()[i] + length &&
               length < most_pages) {
            ++length;
        }
        i += length;
        ++packets;
    }
    return packets;
}

/// The obvious loop, the hand loop and the limit: all of them without an end of the buffer in sight.
void measure_plain(std::string const& name, std::shared_ptr<workload> const& work, std::size_t packets) {
    measure(name + "/obvious", work, packets, [](workload& w) {
        return obvious_copy(w.buffer.data(), w.list.numbers(), w.list.size(), vram_base, system_base);
    });
    measure(name + "/hand", work, packets, [](workload& w) {
        return hand_copy(w.buffer.data(), w.list.numbers(), w.list.size(), vram_base, system_base);
    });
    benchmark::RegisterBenchmark((name + "/limit").c_str(), [work, packets](benchmark::State& state) {
        std::size_t const dwords = packets * packet_dwords;
        for (auto _ : state) {
            benchmark::DoNotOptimize(limit_copy(work->buffer.data(), work->list.numbers(), work->list.size(), dwords));
            benchmark::ClobberMemory();
        }
        count(state, work->list.size(), dwords, packets);
    });
}

void compare(std::string const& name, std::vector<usize> const& numbers) {
    auto const work = std::make_shared<workload>(numbers);
    std::size_t const packets = packets_of(work->list);
    std::size_t const whole = work->buffer.size() * 4;
    measure(name + "/wddmcore", work, packets, [whole](workload& w) { return w.build(whole); });
    measure_plain(name, work, packets);
}

void compare_resumed(std::string const& name, std::vector<usize> const& numbers) {
    auto const work = std::make_shared<workload>(numbers);
    std::size_t const packets = packets_of(work->list);
    std::size_t const whole = work->buffer.size() * 4;
    measure(name + "/buffers_of_64K", work, packets, [](workload& w) { return w.build(small_buffer); });
    measure(name + "/unbounded", work, packets, [whole](workload& w) { return w.build(whole); });
    measure_plain(name, work, packets);
}

using words = std::vector<u32>;

/// Whether a loop wrote the library's words; the library also pads its stream.
bool same_words(words const& made, words const& expected) {
    return made.size() <= expected.size() && expected.size() - made.size() < gpu::unit_dwords.n &&
           std::equal(made.begin(), made.end(), expected.begin());
}

/// A row that builds into `buffer`, measured only if it writes `expected`; the limit, whose words mean nothing, has
/// none.
void measure_words(std::string const& name, std::shared_ptr<words> const& buffer, words const* expected,
                   std::size_t pages, std::size_t packets, std::function<u32*(u32*)> const& build) {
    u32* const end = build(buffer->data());
    require(expected == nullptr || same_words(words(buffer->data(), end), *expected),
            (name + " writes other packets").c_str());
    benchmark::RegisterBenchmark(name.c_str(), [buffer, build, pages, packets](benchmark::State& state) {
        u32* at = nullptr;
        for (auto _ : state) {
            at = build(buffer->data());
            benchmark::ClobberMemory();
        }
        count(state, pages, static_cast<std::size_t>(at - buffer->data()), packets);
    });
}

void contiguous_base() {
    constexpr u64 from = 0x1000'0000;
    constexpr u64 to = 0x10'0000'0000;
    for (u64 const size : {16 * mib.n, gib.n}) {
        std::size_t const packets = size / (4 * mib.n);
        auto const buffer = std::make_shared<words>(size / page_bytes + 64);
        u32 const room = static_cast<u32>(buffer->size() * 4);
        std::string const name = size == gib.n ? "xfer.contig.base.1G" : "xfer.contig.base.16M";
        auto const library = [size, room](u32* at) {
            virtual_gpu hw = virtual_gpu::started(where);
            virtual_arguments args{};
            args.pDmaBuffer = at;
            args.DmaSize = room;
            args.Operation = static_cast<u32>(paging_operation::virtual_transfer);
            args.TransferVirtual = {};
            args.TransferVirtual.TransferSizeInBytes = size;
            args.TransferVirtual.SourceVirtualAddress = from;
            args.TransferVirtual.DestinationVirtualAddress = to;
            require(build_paging_buffer(hw, args) == status::success, "xfer.contig.base fails");
            return static_cast<u32*>(args.pDmaBuffer);
        };
        words const expected(buffer->data(), library(buffer->data()));
        auto const row = [&](char const* kind, words const* same, std::function<u32*(u32*)> const& build) {
            measure_words(name + kind, buffer, same, size / page_bytes, packets, build);
        };
        row("/wddmcore", &expected, library);
        row("/obvious", &expected, [size](u32* at) { return obvious_move(at, from, to, size); });
        row("/hand", &expected, [size](u32* at) { return hand_move(at, from, to, size); });
        row("/limit", nullptr, [packets](u32* at) { return limit_copy(at, nullptr, 0, packets * packet_dwords); });
    }
}

void fill() {
    auto const buffer = std::make_shared<words>(4096);
    u32 const room = static_cast<u32>(buffer->size() * 4);
    constexpr std::size_t packets = 256;
    constexpr u32 pattern = 0xDEAD'BEEF;
    auto const library = [room](u32* at) {
        gpu hw = gpu::started(where);
        arguments args{};
        args.pDmaBuffer = at;
        args.DmaSize = room;
        args.Operation = static_cast<u32>(paging_operation::fill);
        args.Fill = {};
        args.Fill.FillSize = gib.n;
        args.Fill.FillPattern = pattern;
        args.Fill.Destination.SegmentId = 2;
        args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(vram_base);
        require(build_paging_buffer(hw, args) == status::success, "fill.1G fails");
        return static_cast<u32*>(args.pDmaBuffer);
    };
    words const expected(buffer->data(), library(buffer->data()));
    auto const row = [&](char const* name, words const* same, std::function<u32*(u32*)> const& build) {
        measure_words(name, buffer, same, gib.n / page_bytes, packets, build);
    };
    row("fill.1G/wddmcore", &expected, library);
    row("fill.1G/obvious", &expected, [](u32* at) { return obvious_fill(at, vram_base, gib.n, pattern); });
    row("fill.1G/hand", &expected, [](u32* at) { return hand_fill(at, vram_base, gib.n, pattern); });
    row("fill.1G/limit", nullptr, [](u32* at) { return limit_copy(at, nullptr, 0, packets * 5); });
}

/// Lists recorded from a host, and this host's own when it tells them.
void from_hosts(std::string const& folder) {
    std::string why_not;
    for (char const* file : {"host_large_pages.txt", "host_small_pages.txt", "host_memory_pressure.txt"}) {
        auto const list = examples::recorded_pages(folder + "/" + file, why_not);
        require(list.has_value(), why_not.c_str());
        compare(std::string("xfer.recorded.64M.") + file,
                std::vector<usize>(list->numbers.begin(), list->numbers.end()));
    }
    if (auto const list = examples::host_pages(16384, why_not)) {
        compare("xfer.this_host.64M", std::vector<usize>(list->numbers.begin(), list->numbers.end()));
    } else {
        std::fprintf(stderr, "xfer.this_host is left out: %s\n", why_not.c_str());
    }
}

}  // namespace

int main(int argc, char** argv) {
    compare("xfer.scatter.16M", scattered(4096));
    compare("xfer.scatter.1G", scattered(262144));
    compare("xfer.mixed.16M", mixed(4096));
    compare("xfer.mixed.1G", mixed(262144));
    compare("xfer.mixed.64K", mixed(16));
    compare("xfer.contig.list.16M", contiguous(4096));
    compare("xfer.contig.list.1G", contiguous(262144));
    contiguous_base();
    compare_resumed("xfer.resume.64K.mixed.1G", mixed(262144));
    compare_resumed("xfer.resume.64K.scatter.1G", scattered(262144));
    fill();
    from_hosts(WDDMCORE_EXAMPLE_DATA);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
