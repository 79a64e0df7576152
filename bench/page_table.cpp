// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// pte.*: entries of page tables by command, 512 of them (one table) and 262,144 (1 GiB, table by table). Each input is
// run through the library, the obvious loop, the hand loop and the limit, in one process; compare rows of one run.
//   bench_page_table --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true
//
// Fragments that are detected in a leaf table have no row: the library does not set them (paging/page_table_forms.hpp).

#include <page_tables/table_gpus.hpp>
#include <wddmcore/ddi/mirror/v2_9.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace wddmcore;
using namespace wddmcore::table_tests;
using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using pte = mirror::v2_9::dxgk_pte;

constexpr std::size_t table_entries = 512;
constexpr std::size_t head_dwords = plain_gpu::write_head_dwords.n;

void require(bool holds, std::string const& what) {
    if (!holds) {
        std::fprintf(stderr, "bench_page_table: %s\n", what.c_str());
        std::exit(1);
    }
}

/// Scattered pages, every entry with the same flags.
std::vector<pte> uniform(std::size_t count) {
    std::vector<pte> entries(count);
    std::mt19937_64 random(1);
    for (pte& e : entries) {
        e.Flags = 1 | 4 | 1 << 5;
        e.PageAddress = random() % 0x80'0000 * 2;
    }
    return entries;
}

/// Scattered pages, random flags, one in eight not valid.
std::vector<pte> mixed(std::size_t count) {
    std::vector<pte> entries = uniform(count);
    std::mt19937_64 random(2);
    for (pte& e : entries) {
        u64 const segments[] = {0, 1, 3, 5};
        e.Flags = random() % 8 == 0 ? 0 : 1 | (random() & 0x1C) | segments[random() % 4] << 5;
    }
    return entries;
}

std::vector<pte> contiguous(std::size_t count) {
    std::vector<pte> entries(count);
    for (std::size_t i = 0; i != count; ++i) {
        entries[i].Flags = 1 | 1 << 5;
        entries[i].PageAddress = 0x12345 + i;
    }
    return entries;
}

/// One input and where its commands go: a head and 512 entries for each table.
struct workload {
    std::vector<pte> entries;
    std::vector<u32> buffer;
    attribute_table by_key{};
    table_gpu inline_only = with_segments<table_gpu>();
    generator_gpu generating = with_segments<generator_gpu>();

    explicit workload(std::vector<pte> given)
        : entries(std::move(given)), buffer(entries.size() * 2 + entries.size() / table_entries * 32 + 64) {
        paging::fill_attribute_table(inline_only, 0, by_key);
        inline_only.table = &by_key;
        generating.table = &by_key;
    }

    /// Builds operation 11 for one table after the other; where the last command ends.
    template <class Hw>
    u32* build(Hw& hw) {
        u32* at = buffer.data();
        for (std::size_t first = 0; first != entries.size(); first += table_entries) {
            arguments args{};
            args.pDmaBuffer = at;
            args.DmaSize = static_cast<u32>((buffer.data() + buffer.size() - at) * 4);
            args.Operation = static_cast<u32>(paging_operation::update_page_table);
            args.UpdatePageTable = {};
            args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1000'0000 + first * 8;
            args.UpdatePageTable.UpdateMode = 1;
            args.UpdatePageTable.pPageTableEntries = entries.data() + first;
            args.UpdatePageTable.NumPageTableEntries = table_entries;
            require(paging::build_update_page_table(hw, args) == status::success, "an update fails");
            at = static_cast<u32*>(args.pDmaBuffer);
        }
        return at;
    }

    u32* head(u32* at, std::size_t first) {
        inline_only.encode_write_head(at, {0x1000'0000 + first * 8, virtual_space}, {table_entries * 2});
        return at + head_dwords;
    }
};

/// What one writes first: the bits of one entry after another.
u32* obvious_table(workload& work, u32* at, std::size_t first) {
    at = work.head(at, first);
    for (std::size_t i = 0; i != table_entries; ++i) {
        pte const& e = work.entries[first + i];
        u64 value = 0;
        if (e.Valid) {
            value = 1 | u64{1} << 5;
            if (e.Segment == 0) {
                value |= 2;
            } else {
                value += work.inline_only.places[e.Segment].base.n;
            }
            if (e.CacheCoherent) {
                value |= 4;
            }
            if (!e.NoExecute) {
                value |= 0x10;
            }
            if (!e.ReadOnly) {
                value |= 0x40;
            }
            value += e.PageAddress << 12;
        }
        *at++ = static_cast<u32>(value);
        *at++ = static_cast<u32>(value >> 32);
    }
    return at;
}

/// The best single algorithm known: eight entries a step while all have the flags of the first, then, from the first
/// mixed line on, a table of 1,024 keys without a branch.
u32* hand_table(workload& work, u32* at, std::size_t first) {
    at = work.head(at, first);
    pte const* e = work.entries.data() + first;
    pte const* const end = e + table_entries;
    attribute_table const& table = work.by_key;
    u64 const flags = e->Flags;
    u64 const key = flags & 0x3FF;
    while (end != e && table.mask[key] != 0) {
        u64 differences = 0;
        for (int k = 0; k != 8; ++k) {
            differences |= e[k].Flags ^ flags;
        }
        if (differences != 0) {
            break;
        }
        for (int k = 0; k != 8; ++k) {
            u64 const value = (e[k].PageAddress << 12) + table.add[key];
            std::memcpy(at + k * 2, &value, 8);
        }
        e += 8;
        at += 16;
    }
    for (; e != end; ++e, at += 2) {
        u64 const own = e->Flags & 0x3FF;
        u64 const value = ((e->PageAddress << 12) & table.mask[own]) + table.add[own];
        std::memcpy(at, &value, 8);
    }
    return at;
}

/// What cannot be avoided: 16 bytes are read and 8 are stored for each entry.
u32* limit_table(workload& work, u32* at, std::size_t first) {
    at += head_dwords;
    pte const* e = work.entries.data() + first;
    for (std::size_t i = 0; i != table_entries; ++i, ++e, at += 2) {
        u64 const value = e->Flags + e->PageAddress;
        std::memcpy(at, &value, 8);
    }
    return at;
}

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
        state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(work->entries.size()));
        state.counters["entries"] = static_cast<double>(work->entries.size());
        state.counters["packets"] = static_cast<double>(packets);
        state.counters["command_bytes"] = static_cast<double>((at - work->buffer.data()) * 4);
    });
}

/// The library beside three loops; loops that write other words than the library are not measured.
void compare(std::string const& name, std::vector<pte> entries) {
    auto const work = std::make_shared<workload>(std::move(entries));
    std::size_t const tables = work->entries.size() / table_entries;
    auto const library = [](workload& w) { return w.build(w.inline_only); };
    auto const obvious = [](workload& w) { return each_table(w, obvious_table); };
    auto const hand = [](workload& w) { return each_table(w, hand_table); };
    u32* const end = library(*work);
    std::vector<u32> const words(work->buffer.data(), end);
    require(obvious(*work) == end && std::memcmp(words.data(), work->buffer.data(), words.size() * 4) == 0,
            name + ": the obvious loop writes other words");
    require(hand(*work) == end && std::memcmp(words.data(), work->buffer.data(), words.size() * 4) == 0,
            name + ": the hand loop writes other words");
    measure(name + "/wddmcore", work, tables, library);
    measure(name + "/obvious", work, tables, obvious);
    measure(name + "/hand", work, tables, hand);
    measure(name + "/limit", work, tables, [](workload& w) { return each_table(w, limit_table); });
}

/// The same entries on hardware that makes runs from one command, beside the entries themselves.
void compare_runs(std::string const& name, std::vector<pte> entries, std::size_t packets) {
    auto const work = std::make_shared<workload>(std::move(entries));
    std::size_t const tables = work->entries.size() / table_entries;
    measure(name + "/wddmcore", work, packets, [](workload& w) { return w.build(w.generating); });
    measure(name + "/wddmcore_inline", work, tables, [](workload& w) { return w.build(w.inline_only); });
    measure(name + "/hand_inline", work, tables, [](workload& w) { return each_table(w, hand_table); });
}

}  // namespace

int main(int argc, char** argv) {
    compare("pte.encode.uniform.512", uniform(table_entries));
    compare("pte.encode.mixed.512", mixed(table_entries));
    compare("pte.encode.uniform.256K", uniform(262144));
    compare("pte.encode.mixed.256K", mixed(262144));
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
