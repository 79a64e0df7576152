// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the instruction gates of page tables count: whole builds of operation 11, validated and resumable, from the
// operation's arguments to the committed buffer. Inputs are made outside the counted functions.

#include <page_tables/table_gpus.hpp>
#include <wddmcore/ddi/mirror/wddm2/v2_9.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace wddmcore;
using namespace wddmcore::table_tests;
using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using pte = mirror::v2_9::dxgk_pte;

constexpr u32 entry_count = 512;

u64 next_random(u64& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// Of with_segments: segment 1, and the smallest of all.
constexpr u64 pages_of_1 = u64{1} << 22;
constexpr u64 least_pages = u64{1} << 18;

/// Scattered pages, every entry with the same flags.
std::vector<pte> uniform(u64 pages = pages_of_1) {
    std::vector<pte> entries(entry_count);
    u64 state = 88172645463325252u;
    for (pte& e : entries) {
        e.Flags = 1 | 4 | 1 << 5;
        e.PageAddress = next_random(state) % pages;
    }
    return entries;
}

/// Scattered pages, random flags, one in eight not valid.
std::vector<pte> mixed(u64 last_segment, u64 pages = least_pages) {
    std::vector<pte> entries = uniform(pages);
    u64 state = 362436069u;
    for (pte& e : entries) {
        u64 const segments[] = {0, 1, 2, last_segment};
        e.Flags =
            next_random(state) % 8 == 0 ? 0 : 1 | (next_random(state) & 0x1C) | segments[next_random(state) % 4] << 5;
    }
    return entries;
}

std::vector<pte> contiguous() {
    std::vector<pte> entries(entry_count);
    for (u32 i = 0; i != entry_count; ++i) {
        entries[i].Flags = 1 | 1 << 5;
        entries[i].PageAddress = 0x12345 + i;
    }
    return entries;
}

attribute_table by_key{};
std::vector<u32> buffer(entry_count * 4 + 64);
std::vector<u64> memory(entry_count);
table_gpu inline_only = with_segments<table_gpu>();
generator_gpu generating = with_segments<generator_gpu>();

arguments update(std::vector<pte>& entries) {
    arguments args{};
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(buffer.size() * 4);
    args.Operation = static_cast<u32>(paging_operation::update_page_table);
    args.UpdatePageTable = {};
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1000'0000;
    args.UpdatePageTable.UpdateMode = 1;
    args.UpdatePageTable.pPageTableEntries = entries.data();
    args.UpdatePageTable.NumPageTableEntries = entry_count;
    return args;
}

arguments store(std::vector<pte>& entries) {
    arguments args = update(entries);
    args.pDmaBuffer = nullptr;
    args.DmaSize = 0;
    args.UpdatePageTable.PageTableAddress.CpuVirtual = memory.data();
    args.UpdatePageTable.UpdateMode = 0;
    return args;
}

u64 bytes_written(arguments const& args) {
    return static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer.data()) * 4;
}

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

}  // namespace

extern "C" {

[[gnu::noinline]] int measured_uniform(arguments& args) {
    return paging::detail::build_update_page_table(inline_only, args);
}
[[gnu::noinline]] int measured_mixed(arguments& args) {
    return paging::detail::build_update_page_table(inline_only, args);
}
[[gnu::noinline]] int measured_mixed_with_gaps(arguments& args) {
    return paging::detail::build_update_page_table(inline_only, args);
}
[[gnu::noinline]] int measured_stored_uniform(arguments& args) {
    return paging::detail::build_update_page_table(inline_only, args);
}
[[gnu::noinline]] int measured_stored_mixed(arguments& args) {
    return paging::detail::build_update_page_table(inline_only, args);
}
[[gnu::noinline]] int measured_contiguous(arguments& args) {
    return paging::detail::build_update_page_table(generating, args);
}
[[gnu::noinline]] int measured_scattered(arguments& args) {
    return paging::detail::build_update_page_table(generating, args);
}
[[gnu::noinline]] int measured_repeat(arguments& args) {
    return paging::detail::build_update_page_table(generating, args);
}
}

int main() {
    paging::fill_attribute_table(inline_only, 0, by_key);
    inline_only.table = &by_key;
    generating.table = &by_key;
    std::vector<pte> alike = uniform();
    std::vector<pte> mix = mixed(3);
    std::vector<pte> gaps = mixed(5);
    std::vector<pte> line = contiguous();

    arguments args = update(alike);
    require(measured_uniform(args) == status::success);
    args = update(mix);
    require(measured_mixed(args) == status::success);
    // Ids 1, 2 and 5 gather to 7, which no segment has.
    args = update(gaps);
    require(measured_mixed_with_gaps(args) == status::success);
    args = store(alike);
    require(measured_stored_uniform(args) == status::success);
    args = store(mix);
    require(measured_stored_mixed(args) == status::success);

    args = update(line);
    require(measured_contiguous(args) == status::success);
    // At least a hundred times fewer bytes than the entries have: one command for the table.
    require(bytes_written(args) * 100 <= u64{entry_count} * 8);
    args = update(alike);
    require(measured_scattered(args) == status::success);
    require(bytes_written(args) <= u64{entry_count} * 8 + 32);
    args = update(line);
    args.UpdatePageTable.Flags.Repeat = 1;
    require(measured_repeat(args) == status::success);
    return 0;
}
