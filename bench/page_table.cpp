// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// pte.*: entries of page tables by command, 512 of them (one table) and 262,144 (1 GiB, table by table). Each input is
// run through the library, the obvious loop, the hand loop and the limit, in one process; compare rows of one run.
// pte.encode.wc: tables that the CPU writes through a write-combined mapping, for which stores past the caches stand
// in: such memory cannot be mapped here. One fence behind all of it. The library judges every entry before the first
// store, because what is stored is seen at once; the loops beside it judge nothing. Rows of x64 alone.
//   bench_page_table --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true
//
// Fragments that are detected in a leaf table have no row: the library does not set them (paging/page_table_forms.hpp).

#include "page_table_loops.hpp"
#include "units.hpp"

#include <cstring>
#include <memory>

namespace {

using namespace bench::tables;

template <class Loop>
u32* each_table(workload& work, Loop loop) {
    u32* at = work.buffer.data();
    for (std::size_t first = 0; first != work.entries.size(); first += table_entries) {
        at = loop(work, at, first);
    }
    return at;
}

template <class Build>
void measure(std::string const& name, std::shared_ptr<workload> const& work, std::size_t packets, Build build) {
    benchmark::RegisterBenchmark(name.c_str(), [work, packets, build](benchmark::State& state) {
        u32* at = nullptr;
        for (auto _ : state) {
            at = build(*work);
            benchmark::DoNotOptimize(at);
            benchmark::ClobberMemory();
        }
        double const stored = static_cast<double>((at - work->buffer.data()) * 4);
        if (packets != 0) {
            state.counters["packets"] = static_cast<double>(packets);
            state.counters["command_bytes"] = stored;
        }
        bench::count_units(state, "entry", static_cast<double>(work->entries.size()), stored);
    });
}

/// What the entries have to be, one by one.
std::vector<u64> expected_entries(workload const& work) {
    std::vector<u64> expected;
    for (pte const& e : work.entries) {
        expected.push_back(obvious_entry(work, e));
    }
    return expected;
}

/// The library beside three loops; loops that write other words than the library are not measured.
void compare(std::string const& name, std::vector<pte> entries) {
    auto const work = std::make_shared<workload>(std::move(entries));
    std::size_t const tables = work->entries.size() / table_entries;
    auto const library = [](workload& w) { return w.build(w.inline_only); };
    auto const obvious = [](workload& w) { return each_table(w, obvious_table); };
    auto const hand = [](workload& w) { return each_table(w, hand_table); };
    u32* const end = library(*work);
    require(expand(work->buffer.data(), end, work->entries.size()).entries == expected_entries(*work), name,
            "the library writes other entries");
    std::vector<u32> const words(work->buffer.data(), end);
    require(obvious(*work) == end && std::memcmp(words.data(), work->buffer.data(), words.size() * 4) == 0, name,
            "the obvious loop writes other words");
    require(hand(*work) == end && std::memcmp(words.data(), work->buffer.data(), words.size() * 4) == 0, name,
            "the hand loop writes other words");
    measure(name + "/wddmcore", work, tables, library);
    measure(name + "/obvious", work, tables, obvious);
    measure(name + "/hand", work, tables, hand);
    measure(name + "/limit", work, tables, [](workload& w) { return each_table(w, limit_table); });
}

/// Runs that begin and end anywhere, over which the ways to write them are compared by the entries that they leave.
void verify_runs() {
    workload work(short_runs(64 * table_entries));
    std::vector<u64> const expected = expected_entries(work);
    auto const leaves = [&work, &expected](u32* end) {
        return expand(work.buffer.data(), end, expected.size()).entries == expected;
    };
    require(leaves(work.build(work.generating)), "short runs: the library leaves other entries");
    require(leaves(each_table(work, obvious_runs)), "short runs: the obvious loop leaves other entries");
    require(leaves(each_table(work, hand_runs)), "short runs: the hand loop leaves other entries");
}

/// The same entries on hardware that makes runs from one command, beside the entries themselves. The obvious loop
/// writes a command for each run, however short: it leaves the same entries, by other commands where pages are
/// scattered.
void compare_runs(std::string const& name, std::vector<pte> entries, std::size_t packets) {
    auto const work = std::make_shared<workload>(std::move(entries));
    std::size_t const tables = work->entries.size() / table_entries;
    auto const library = [](workload& w) { return w.build(w.generating); };
    auto const library_inline = [](workload& w) { return w.build(w.inline_only); };
    auto const obvious = [](workload& w) { return each_table(w, obvious_runs); };
    auto const hand = [](workload& w) { return each_table(w, hand_runs); };
    auto const hand_inline = [](workload& w) { return each_table(w, hand_table); };
    std::vector<u64> const expected = expected_entries(*work);
    auto const packets_of = [&](char const* what, u32* end) {
        expansion const made = expand(work->buffer.data(), end, expected.size());
        require(made.entries == expected, name + ", " + what, "other entries are left behind");
        return made.packets;
    };
    u32* const end = library(*work);
    std::size_t const dwords = static_cast<std::size_t>(end - work->buffer.data());
    require(packets_of("the library", end) == packets, name, "the library writes other packets");
    std::vector<u32> const words(work->buffer.data(), end);
    require(hand(*work) == end && std::memcmp(words.data(), work->buffer.data(), words.size() * 4) == 0, name,
            "the hand loop writes other words");
    std::size_t const obvious_packets = packets_of("the obvious loop", obvious(*work));
    require(packets_of("inline writes", library_inline(*work)) == tables, name, "an inline write a table");
    measure(name + "/wddmcore", work, packets, library);
    measure(name + "/obvious", work, obvious_packets, obvious);
    measure(name + "/hand", work, packets, hand);
    measure(name + "/limit", work, packets, [dwords](workload& w) { return limit_runs(w, w.buffer.data(), dwords); });
    measure(name + "/wddmcore_inline", work, tables, library_inline);
    measure(name + "/hand_inline", work, tables, hand_inline);
}

#if defined(__x86_64__) || defined(_M_X64)

/// A GPU whose page tables the CPU reaches through a write-combined mapping. The fence is the measured loop's, once.
struct streaming_gpu : table_gpu {
    using table_gpu::store_entry_word;
    void store_entry_word(u64* at, u64 value) {
        _mm_stream_si64(reinterpret_cast<long long*>(at), static_cast<long long>(value));
    }
    void finish_entry_stores() {}
};

u32* streamed_tables(workload& work, u32* at) {
    streaming_gpu hw = with_segments<streaming_gpu>();
    hw.table = &work.by_key;
    for (std::size_t first = 0; first != work.entries.size(); first += table_entries) {
        arguments args = work.request(first);
        args.UpdatePageTable.UpdateMode = static_cast<u32>(page_table_update_mode::cpu_virtual);
        args.UpdatePageTable.PageTableAddress.CpuVirtual = at + first * 2;
        require(paging::detail::build_update_page_table(hw, args) == status::success, "an update fails");
    }
    return at + work.entries.size() * 2;
}

/// The limit without its reads.
u32* stores_alone(workload const&, u32* at, pte const*, std::size_t count) {
    __m128i const value = _mm_set1_epi32(static_cast<int>(count));
    for (u32* const end = at + count * 2; at != end; at += 16) {
        unrolled<4>([at, value](std::size_t k) { _mm_stream_si128(reinterpret_cast<__m128i*>(at + k * 4), value); });
    }
    return at;
}

using entry_loop = u32* (*)(workload const&, u32*, pte const*, std::size_t);

template <entry_loop Loop>
u32* streamed(workload& work, u32* at) {
    for (std::size_t first = 0; first != work.entries.size(); first += table_entries) {
        at = Loop(work, at, work.entries.data() + first, table_entries);
    }
    return at;
}

void compare_streamed(std::string const& name, std::vector<pte> entries) {
    auto const work = std::make_shared<workload>(std::move(entries));
    std::vector<u64> const expected = expected_entries(*work);
    auto const row = [&](char const* kind, u32* (*build)(workload&, u32*), bool is_limit) {
        // Whole lines of 64 bytes, as write-combined memory wants them.
        auto const whole = [build](workload& w) {
            u32* const to = w.buffer.data() + (64 - reinterpret_cast<usize>(w.buffer.data()) % 64) / 4;
            u32* const end = build(w, to);
            _mm_sfence();
            return end - to + w.buffer.data();
        };
        std::size_t const begin = (64 - reinterpret_cast<usize>(work->buffer.data()) % 64) / 4;
        whole(*work);
        require(is_limit || std::memcmp(work->buffer.data() + begin, expected.data(), expected.size() * 8) == 0,
                name + kind, "other entries are left behind");
        measure(name + kind, work, 0, whole);  // stores, no commands
    };
    row("/wddmcore", streamed_tables, false);
    row("/obvious", streamed<obvious_entries<streaming_store>>, false);
    row("/hand", streamed<hand_entries<streaming_store>>, false);
    row("/limit", streamed<limit_entries<streaming_store>>, true);
    row("/limit_stores", streamed<stores_alone>, true);
}

#else

void compare_streamed(std::string const&, std::vector<pte> const&) {}

#endif

}  // namespace

int main(int argc, char** argv) {
    compare("pte.encode.uniform.512", uniform(table_entries));
    compare("pte.encode.mixed.512", mixed(table_entries));
    compare("pte.encode.mixed_with_gaps.512", mixed(table_entries, 5));
    compare("pte.encode.uniform.256K", uniform(262144));
    compare("pte.encode.mixed.256K", mixed(262144));
    compare_streamed("pte.encode.wc.512", uniform(table_entries));
    compare_streamed("pte.encode.wc.256K", uniform(262144));
    compare_streamed("pte.encode.wc.mixed.256K", mixed(262144));
    verify_runs();
    // One command a table when all of it is one run; otherwise one inline write.
    compare_runs("pte.runs.contig.256K", contiguous(262144), 512);
    compare_runs("pte.runs.scatter.256K", uniform(262144), 512);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
