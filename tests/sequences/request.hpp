// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/laws.hpp>

#include <cstddef>
#include <vector>

/// A paging request as plain values.
namespace sequences {

using namespace wddmcore;
using namespace wddmcore::testing;

/// One of the DDI's page-table entries: its `Flags` and its page.
struct plain_pte {
    u64 flags = 0;
    u64 page = 0;
};

/// What operation 11 names beside what all requests have.
struct table_update {
    u32 level = 0;
    u32 mode = 0;  ///< 0 CPU-virtual, 1 GPU-virtual, 2 GPU-physical
    u32 start = 0;
    u32 count = 0;
    bool repeat = false;
    bool initial = false;
    bool eviction = false;
    bool of_64k = false;
    void* cpu = nullptr;
    std::vector<plain_pte> entries;
    std::vector<plain_pte> entries_64k;  ///< empty, or as many
};

/// One range of operation 14: addresses of tables in the paging process, and entries.
struct copy_of_entries {
    u64 source = 0;
    u64 destination = 0;
    u32 from = 0;
    u32 to = 0;
    u32 count = 0;
};

/// One record of operation 18.
struct moved_fence {
    void* fence = nullptr;
    u32 current_segment = 0;
    u64 current_offset = 0;
    u32 monitored_segment = 0;
    u64 monitored_offset = 0;
    void* current_cpu = nullptr;
    void* monitored_cpu = nullptr;
};

/// One request; each operation uses what it has.
struct request {
    paging_operation operation = paging_operation::discard_content;
    void* allocation = nullptr;
    void* process = nullptr;
    u32 segment = 0;
    u64 address = 0;  ///< of the destination: in the segment, base included, or a virtual one
    u64 source = 0;   ///< a virtual one
    u64 size = 0;     ///< bytes, or pages of an aperture or an MMU
    u64 offset = 0;   ///< of the allocation
    u64 value = 0;
    u32 skip = 0;  ///< pages of the list before the first that is meant
    u32 mmu = 0;
    bool set = false;         ///< resident; coherent; an eviction
    bool idle = true;         ///< AllocationIsIdle
    bool in_use = false;      ///< the driver finds the allocation in use
    void* cpu = nullptr;      ///< the destination's CPU address, if it has one
    bool contiguous = false;  ///< the form of an ADL
    std::vector<usize> pages;
    std::vector<std::byte> data;
    law_parts::transfer_end from;
    law_parts::transfer_end to;
    table_update update;
    std::vector<copy_of_entries> copies;
    std::vector<moved_fence> fences;
};

}  // namespace sequences
