// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <page_tables/table_gpus.hpp>
#include <wddmcore/ddi/mirror/wddm2/v2_9.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

/// Entries that every variant of a benchmark of page tables gets, and what comes of them.
namespace bench::tables {

using namespace wddmcore;
using namespace wddmcore::table_tests;
using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using pte = mirror::v2_9::dxgk_pte;

inline constexpr std::size_t table_entries = 512;
inline constexpr std::size_t head_dwords = plain_gpu::write_head_dwords.n;
inline constexpr u64 first_table = 0x1000'0000;

inline void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "bench_page_table: %s\n", what);
        std::exit(1);
    }
}

inline void require(bool holds, std::string const& row, char const* what) {
    require(holds, holds ? "" : (row + ": " + what).c_str());
}

// Of with_segments: segment 1, and the smallest memory.
constexpr u64 pages_of_1 = u64{1} << 22;
constexpr u64 least_pages = u64{1} << 18;

/// Scattered pages, every entry with the same flags.
inline std::vector<pte> uniform(std::size_t count, u64 pages = pages_of_1) {
    std::vector<pte> entries(count);
    std::mt19937_64 random(1);
    for (pte& e : entries) {
        e.Flags = 1 | 4 | 1 << 5;
        e.PageAddress = random() % pages;
    }
    return entries;
}

/// Scattered pages, random flags, one in eight not valid. With 5 as the last segment the ids together have the bits of
/// 4, 6 and 7, which do not exist, so that whether an entry names one of those has to be looked up.
inline std::vector<pte> mixed(std::size_t count, u64 last_segment = 3) {
    std::vector<pte> entries = uniform(count, least_pages);
    std::mt19937_64 random(2);
    for (pte& e : entries) {
        u64 const segments[] = {0, 1, 2, last_segment};
        e.Flags = random() % 8 == 0 ? 0 : 1 | (random() & 0x1C) | segments[random() % 4] << 5;
    }
    return entries;
}

inline std::vector<pte> contiguous(std::size_t count) {
    std::vector<pte> entries(count);
    for (std::size_t i = 0; i != count; ++i) {
        entries[i].Flags = 1 | 1 << 5;
        entries[i].PageAddress = 0x12345 + i;
    }
    return entries;
}

/// Runs of 1 to 40 pages, with flags that change from run to run; all valid.
inline std::vector<pte> short_runs(std::size_t count) {
    std::vector<pte> entries;
    std::mt19937_64 random(3);
    while (entries.size() != count) {
        std::size_t const length = 1 + random() % 40;
        u64 const flags = 1 | (random() & 0xC) | u64{1} << 5;
        u64 const page = random() % (pages_of_1 - 40);
        for (std::size_t i = 0; i != length && entries.size() != count; ++i) {
            entries.emplace_back();
            entries.back().Flags = flags;
            entries.back().PageAddress = page + i;
        }
    }
    return entries;
}

/// One input and where its commands go: room for a run of one page at each entry, the longest form of all.
struct workload {
    std::vector<pte> entries;
    std::vector<u32> buffer;
    attribute_table by_key{};
    table_gpu inline_only = with_segments<table_gpu>();
    generator_gpu generating = with_segments<generator_gpu>();

    explicit workload(std::vector<pte> given)
        : entries(std::move(given)), buffer(entries.size() * generator_gpu::generate_dwords.n + 64) {
        paging::fill_attribute_table(inline_only, 0, by_key);
        inline_only.table = &by_key;
        generating.table = &by_key;
    }
    workload(workload const&) = delete;
    workload& operator=(workload const&) = delete;

    /// The request for the table that begins at entry `first`.
    [[nodiscard]] arguments request(std::size_t first) {
        arguments args{};
        args.Operation = static_cast<u32>(paging_operation::update_page_table);
        args.UpdatePageTable = {};
        args.UpdatePageTable.PageTableAddress.GpuVirtual = first_table + first * 8;
        args.UpdatePageTable.UpdateMode = static_cast<u32>(page_table_update_mode::gpu_virtual);
        args.UpdatePageTable.pPageTableEntries = entries.data() + first;
        args.UpdatePageTable.NumPageTableEntries = table_entries;
        return args;
    }

    /// Builds operation 11 for one table after the other; where the last command ends.
    template <class Hw>
    u32* build(Hw& hw) {
        u32* at = buffer.data();
        for (std::size_t first = 0; first != entries.size(); first += table_entries) {
            arguments args = request(first);
            args.pDmaBuffer = at;
            args.DmaSize = static_cast<u32>((buffer.data() + buffer.size() - at) * 4);
            require(paging::detail::build_update_page_table(hw, args) == status::success, "an update fails");
            at = static_cast<u32*>(args.pDmaBuffer);
        }
        return at;
    }

    u32* head(u32* at, std::size_t first, std::size_t count) const {
        inline_only.encode_write_head(at, {first_table + first * 8, virtual_space}, {static_cast<u32>(count * 2)});
        return at + head_dwords;
    }
};

/// The entries that commands leave in the tables, and how many commands there are.
struct expansion {
    std::vector<u64> entries;
    std::size_t packets = 0;
};

/// Carries out writes and increments, as table_stream.hpp describes them: a variant that leaves other entries is not
/// measured.
inline expansion expand(u32 const* at, u32 const* end, std::size_t count) {
    expansion made{std::vector<u64>(count, ~u64{0}), 0};
    auto const wide = [](u32 const* words) { return words[0] | u64{words[1]} << 32; };
    while (at != end) {
        std::size_t const first = (wide(at + 1) - first_table) / 8;
        bool const is_write = (at[0] >> 8 & 0xFF) == static_cast<u32>(command_kind::write);
        std::size_t const length = is_write ? at[4] / 2 : at[9];
        require(first + length <= count, "a command leaves the tables");
        for (std::size_t i = 0; i != length; ++i) {
            made.entries[first + i] = is_write ? wide(at + 5 + i * 2) : wide(at + 4) + wide(at + 6) + i * u64{at[8]};
        }
        at += is_write ? 5 + at[4] : 10;
        ++made.packets;
    }
    return made;
}

}  // namespace bench::tables
