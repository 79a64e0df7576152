// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "records.hpp"
#include "requests.hpp"

#include <hardware/cpu_virtual.hpp>

/// The reference processor on the payload's memory, and what its entries look like.
namespace images {

namespace cpu = wddmcore::examples::cpu;

template <class Hw, class Args>
struct cpu_machine {
    using hw_type = Hw;
    using args_type = Args;
    static constexpr u32 decoder = 1;
    static constexpr u32 mmu = 0;
    static constexpr u32 mmu_pages = 64;
    static constexpr u32 image_bytes = 0x1008;

    Hw hw{};
    cpu::context_item items[2] = {{0x18, 0x1122'3344'5566'7788}, {0x40, 0x99AA'BBCC'DDEE'FF00}};

    explicit cpu_machine(gpu_memory& memory) {
        hw.segments[aperture_segment.n - 1] = {{{aperture_base}, {u64{aperture_pages} * page_bytes}}, true};
        hw.segments[memory_segment.n - 1] = {{{memory_base}, {memory_bytes}}, false};
        hw.system_base = system_base;
        hw.entries = reinterpret_cast<cpu::aperture_entry*>(memory.at(aperture_table_at, 16));
        if constexpr (requires { hw.mmu_entries; }) {
            hw.mmu_entries = reinterpret_cast<u64*>(memory.at(flat_table_at, 8));
            hw.mmu_pages = mmu_pages;
            hw.context_image = bytes{image_bytes};
        }
    }

    [[nodiscard]] static effects execute(u32 const* words, u32 count, gpu_memory& memory) {
        return records::execute(words, count, memory);
    }

    static void map(gpu_memory& m, u32 index, u64 page, bool coherent) {
        m.store64(aperture_table_at + index * 16, page);
        m.store64(aperture_table_at + index * 16 + 8, coherent ? 1 : 0);
    }
    static void touch(gpu_memory& m, u64 place) { *m.at(place, 1) = records::written; }

    /// Valid b0, read only b1, no execute b2, cache coherent b3, reads as zero b4, a page and not a table b5.
    [[nodiscard]] static u64 leaf(u64 flags, u64 page, bool) {
        if ((flags & pte_valid) == 0) {
            return 0;
        }
        u64 const use = 0x21u | ((flags & pte_read_only) != 0 ? 2u : 0u) | ((flags & pte_no_execute) != 0 ? 4u : 0u) |
                        ((flags & pte_coherent) != 0 ? 8u : 0u) | ((flags & pte_zero) != 0 ? 0x10u : 0u);
        return (flags & pte_zero) != 0 ? use : use + base_of(flags) + (page << 12);
    }
    [[nodiscard]] static u64 directory(u64 flags, u64 page) {
        return (flags & pte_valid) == 0 ? 0 : base_of(flags) + (page << 12) + 1;
    }

    static void begin_context(gpu_memory& m, u64 at) { m.fill(at, image_bytes, 0); }
    void update_context(Args& args) {
        args.UpdateContextAllocation.pDriverPrivateData = items;
        args.UpdateContextAllocation.DriverPrivateDataSize = sizeof items;
    }
    static void apply_update(gpu_memory& m, u64 at) {
        m.store64(at + 0x18, 0x1122'3344'5566'7788);
        m.store64(at + 0x40, 0x99AA'BBCC'DDEE'FF00);
    }
    static void signal(gpu_memory& m, u64 at, u64 value) { m.store64(at, value); }
    // The processor passes notices on: their content is in the hash.
    static void tell_residency(gpu_memory&, u32, u32, bool, u64) {}
    static void tell_fence(gpu_memory&, u64, u64) {}
    static void map_mmu(gpu_memory& m, u32 index, u64 page, bool mapped) {
        m.store64(flat_table_at + index * 8, mapped ? (system_base + (page << 12)) | 1 : 0);
    }

private:
    [[nodiscard]] static u64 base_of(u64 flags) { return (flags & pte_in_memory) == 0 ? system_base : memory_base; }
};

}  // namespace images
