// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// xfer.window.1G and xfer.auto.1G: evictions of 1 GiB on an AMD SDMA engine with a page window. The library, which
// chooses a form for each part of a list, beside the obvious loop, the hand loop and the limit. For xfer.window, the
// loops send all pages through the window; for xfer.auto, the obvious loop writes runs, the hand loop takes for the
// whole list the form that is shorter, and the two forms have rows of their own. In one process: compare rows of one
// run, and of xfer.auto the command_bytes.
//   bench_window --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include "inputs.hpp"
#include "loops.hpp"
#include "units.hpp"

#include <paging/window_gfx10.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

namespace {

using namespace bench;
using windowed_gpu = wddmcore::testing::windowed_gfx10;

constexpr wddmcore::testing::window_place window{.address = 0x7E'0000'0000,
                                                 .entries = vram_base + 0x100'0000,
                                                 .hub = {.request_register = 0x2894,
                                                         .acknowledge_register = 0x28A6,
                                                         .request = 0x00F8'0001,
                                                         .vmids = 1,
                                                         .scratch = vram_base + 0x200'0000}};
constexpr std::size_t chunk = 1024;

void require(bool holds, std::string const& what) {
    if (!holds) {
        std::fprintf(stderr, "bench_window: %s\n", what.c_str());
        std::exit(1);
    }
}

struct workload {
    memory_list list;
    std::vector<u32> buffer;
    windowed_gpu windowed = windowed_gpu::started(where, window);
    gpu plain = gpu::started(where);

    explicit workload(std::vector<usize> const& numbers) : list(numbers), buffer(numbers.size() * packet_dwords + 64) {}

    template <class Hw>
    u32* build(Hw& hw) {
        arguments args = eviction(list);
        args.pDmaBuffer = buffer.data();
        args.DmaSize = static_cast<u32>(buffer.size() * 4);
        require(build_paging_buffer(hw, args) == status::success, "an eviction fails");
        return static_cast<u32*>(args.pDmaBuffer);
    }
};

/// Every chunk through the window; `entries` writes the entries of one.
template <class Entries>
u32* through_window(workload& work, Entries entries) {
    u32* at = work.buffer.data();
    windowed_gpu const& hw = work.windowed;
    usize const* pages = work.list.numbers();
    std::size_t const count = work.list.size();
    for (std::size_t done = 0; done != count; done += chunk) {
        u32 const slot = static_cast<u32>(done % windowed_gpu::window_slots);
        if (slot == 0) {
            hw.encode_window_wait(at);
            at += windowed_gpu::window_wait_dwords.n;
        }
        hw.encode_window_head(at, slot, chunk);
        at = entries(at + windowed_gpu::window_head_dwords.n, pages + done);
        hw.encode_window_flush(at, slot, chunk);
        at += windowed_gpu::window_flush_dwords.n;
        at = put_copy(at, vram_base + done * 4096, window.address + u64{slot} * 4096, chunk * 4096);
    }
    return at;
}

/// What one writes first: each entry from its parts, dword by dword.
u32* obvious_window(workload& work) {
    return through_window(work, [](u32* at, usize const* pages) {
        for (std::size_t i = 0; i != chunk; ++i) {
            u64 const entry = examples::amd::gart_entries::entry(page_number{pages[i]}, true);
            *at++ = static_cast<u32>(entry);
            *at++ = static_cast<u32>(entry >> 32);
        }
        return at;
    });
}

/// Eight entries a step, two in a register.
u32* hand_window(workload& work) {
    return through_window(work, [](u32* at, usize const* pages) {
        u64 const bits = windowed_gpu::window_entry_bits();
        for (std::size_t i = 0; i != chunk; i += 8) {
            u64 line[8];
            for (std::size_t k = 0; k != 8; ++k) {
                line[k] = (u64{pages[i + k]} << 12) + bits;
            }
            std::memcpy(at, line, sizeof line);
            at += 16;
        }
        return at;
    });
}

using builder = std::function<u32*(workload&)>;

void measure(std::string const& name, std::shared_ptr<workload> const& work, builder const& build) {
    benchmark::RegisterBenchmark(name.c_str(), [work, build](benchmark::State& state) {
        u32* at = nullptr;
        for (auto _ : state) {
            at = build(*work);
            benchmark::DoNotOptimize(at);
            benchmark::ClobberMemory();
        }
        double const stored = static_cast<double>((at - work->buffer.data()) * 4);
        state.counters["command_bytes"] = stored;
        count_units(state, "page", static_cast<double>(work->list.size()), stored);
    });
}

/// Entries, and what a round of the window's slots takes besides: its wait, and two heads, flushes and copies.
std::size_t window_dwords(std::size_t pages) {
    constexpr std::size_t parts = windowed_gpu::window_slots / chunk;
    constexpr std::size_t part =
        windowed_gpu::window_head_dwords.n + windowed_gpu::window_flush_dwords.n + packet_dwords;
    return pages * 2 + pages / windowed_gpu::window_slots * (windowed_gpu::window_wait_dwords.n + parts * part);
}

u32* library(workload& work) { return work.build(work.windowed); }
u32* packets(workload& work) { return work.build(work.plain); }
u32* limit(workload& work) {
    return limit_copy(work.buffer.data(), work.list.numbers(), work.list.size(), window_dwords(work.list.size()));
}

void window_rows() {
    auto const work = std::make_shared<workload>(scattered(262144));
    std::size_t const words = static_cast<std::size_t>(hand_window(*work) - work->buffer.data());
    std::vector<u32> const expected(work->buffer.begin(), work->buffer.begin() + static_cast<std::ptrdiff_t>(words));
    for (auto const build : {obvious_window, library}) {
        u32 const* const end = build(*work);
        // The library pads its stream.
        require(static_cast<std::size_t>(end - work->buffer.data()) - words < 8 &&
                    std::memcmp(expected.data(), work->buffer.data(), words * 4) == 0,
                "xfer.window.1G: a variant writes other packets");
    }
    measure("xfer.window.1G/wddmcore", work, library);
    measure("xfer.window.1G/obvious", work, obvious_window);
    measure("xfer.window.1G/hand", work, hand_window);
    measure("xfer.window.1G/limit", work, limit);
    measure("xfer.window.1G/packets", work, packets);
}

/// What one writes first for a choice: a run is a packet, and nothing else is thought of.
u32* obvious_auto(workload& work) {
    return obvious_copy(work.buffer.data(), work.list.numbers(), work.list.size(), vram_base, system_base);
}

/// The runs of the whole list are counted, without a branch; then all of it takes the form that is shorter.
u32* hand_auto(workload& work) {
    usize const* const pages = work.list.numbers();
    std::size_t runs[4] = {1, 0, 0, 0};
    std::size_t i = 1;
    for (; i + 4 <= work.list.size(); i += 4) {
        runs[0] += pages[i] != pages[i - 1] + 1;
        runs[1] += pages[i + 1] != pages[i] + 1;
        runs[2] += pages[i + 2] != pages[i + 1] + 1;
        runs[3] += pages[i + 3] != pages[i + 2] + 1;
    }
    for (; i < work.list.size(); ++i) {
        runs[0] += pages[i] != pages[i - 1] + 1;
    }
    std::size_t const count = runs[0] + runs[1] + runs[2] + runs[3];
    return count * packet_dwords < window_dwords(work.list.size())
               ? hand_copy(work.buffer.data(), pages, work.list.size(), vram_base, system_base)
               : hand_window(work);
}

/// The library chooses for each part of a list, so that its packets are not those of one form: it is held to the bytes
/// of the better form, within two in a hundred. The loops' packets are those of one form, the library's own.
void verify_auto(workload& work, std::string const& name) {
    auto const words = [&work](builder build) {
        u32 const* const end = build(work);
        u32 const* const begin = work.buffer.data();
        return std::vector<u32>(begin, end);
    };
    auto const same = [](std::vector<u32> const& loop, std::vector<u32> const& padded) {
        return padded.size() - loop.size() < 8 && std::equal(loop.begin(), loop.end(), padded.begin());
    };
    std::vector<u32> const runs = words(packets);
    std::vector<u32> const all_window = words(hand_window);
    require(same(words(obvious_auto), runs), name + ": the obvious loop writes other packets");
    std::vector<u32> const chosen = words(hand_auto);
    std::size_t const better = std::min(runs.size(), all_window.size());
    require(same(chosen, runs) || chosen == all_window, name + ": the hand loop writes other packets");
    require(chosen.size() <= better, name + ": the hand loop takes the longer form");
    require(words(library).size() * 100 <= better * 102 + 800, name + ": the library takes more bytes");
}

void auto_rows() {
    for (u64 const tenths : {10u, 20u, 30u, 35u, 40u, 60u, 80u, 160u, 640u}) {
        auto const work = std::make_shared<workload>(runs_of(262144, tenths));
        std::string const name = "xfer.auto.1G/mean_" + std::to_string(tenths / 10) + "_" + std::to_string(tenths % 10);
        verify_auto(*work, name);
        std::size_t const dwords = static_cast<std::size_t>(library(*work) - work->buffer.data());
        measure(name + "/wddmcore", work, library);
        measure(name + "/obvious", work, obvious_auto);
        measure(name + "/hand", work, hand_auto);
        measure(name + "/limit", work,
                [dwords](workload& w) { return limit_copy(w.buffer.data(), w.list.numbers(), w.list.size(), dwords); });
        measure(name + "/packets", work, packets);
        measure(name + "/window", work, hand_window);
    }
}

}  // namespace

int main(int argc, char** argv) {
    window_rows();
    auto_rows();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
