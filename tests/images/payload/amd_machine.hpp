// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "requests.hpp"
#include "sdma.hpp"

#include <hardware/amd_gfx10_virtual.hpp>

/// The example hardware type of AMD's gfx10 on the payload's memory, and what its entries and records look like: the
/// vendor's numbers, written out again.
namespace images {

namespace amd = wddmcore::examples::amd;

inline constexpr u64 memory_in_entries = 0x2'0000'0000;  // what page-table entries call the memory segment's first byte

template <class Hw, class Args>
struct amd_machine {
    using hw_type = Hw;
    using args_type = Args;
    static constexpr u32 decoder = 0;
    static constexpr u32 mmu = 7;

    Hw hw{};
    amd::context_image image{};
    amd::page_list list{};
    amd::fence_record record{};
    amd::context_word words[2] = {{0x10, 0xAAAA'0001}, {0x34, 0xBBBB'0002}};

    explicit amd_machine(gpu_memory& memory) {
        hw.at = {.gart_segment = aperture_segment,
                 .gart = {{aperture_base}, {u64{aperture_pages} * page_bytes}},
                 .vram_segment = memory_segment,
                 .vram = {{memory_base}, {memory_bytes}},
                 .system_base = system_base,
                 .gart_table = reinterpret_cast<u64*>(memory.at(aperture_table_at, 8)),
                 .gart_table_address = aperture_table_at};
        if constexpr (requires { hw.vram_in_entries; }) {
            hw.vram_in_entries = memory_in_entries;
            hw.invalidation = {sdma::request_register, sdma::acknowledge_register, 0x00F8'0102, sdma::vmids,
                               scratch_at};
            hw.flat = {mmu,
                       flat_table_at,
                       {sdma::flat_request_register, sdma::flat_acknowledge_register, 0x00F8'0010, sdma::flat_vmids,
                        flat_scratch_at}};
            image = {handle_of(1), image_words(), image_length};
            list = {handle_of(2), page_list_at, 10};
            record = {handle_of(3), fence_record_at};
            hw.images = &image;
            hw.image_count = 1;
            hw.lists = &list;
            hw.list_count = 1;
            hw.records = &record;
            hw.record_count = 1;
        }
    }

    [[nodiscard]] static effects execute(u32 const* words, u32 count, gpu_memory& memory) {
        return sdma::execute(words, count, memory);
    }

    /// An entry of the aperture: VALID b0, SYSTEM b1, SNOOPED b2, EXECUTABLE b4, READABLE b5, WRITEABLE b6.
    static void map(gpu_memory& m, u32 index, u64 page, bool coherent) {
        m.store64(aperture_table_at + index * 8, page << 12 | 0x73 | (coherent ? 4u : 0u));
    }
    /// A write of no particular value is a 0 here.
    static void touch(gpu_memory& m, u64 place) { *m.at(place, 1) = 0; }

    [[nodiscard]] static u64 leaf(u64 flags, u64 page, bool large) {
        if ((flags & pte_valid) == 0) {
            return 0;
        }
        u64 const in_directory = large ? u64{1} << 54 : 0;
        if ((flags & pte_zero) != 0) {
            return u64{1} << 51 | in_directory;
        }
        bool const system = (flags & pte_in_memory) == 0;
        u64 const use = (system ? 2u : 0u) | (system && (flags & pte_coherent) != 0 ? 4u : 0u) |
                        ((flags & pte_no_execute) != 0 ? 0u : 0x10u) | 0x20u |
                        ((flags & pte_read_only) != 0 ? 0u : 0x40u);
        return (page << 12) + (system ? 0 : memory_in_entries) + (1u | use | (large ? 9u << 7 : 0u)) + in_directory;
    }
    [[nodiscard]] static u64 directory(u64 flags, u64 page) {
        bool const system = (flags & pte_in_memory) == 0;
        return (flags & pte_valid) == 0 ? 0 : (page << 12) + (system ? 7 : memory_in_entries + 1);
    }

    static void begin_context(gpu_memory& m, u64 at) {
        for (u32 i = 0; i != image_length; ++i) {
            m.store(at + i * 4, image_words()[i]);
        }
    }
    void update_context(Args& args) {
        args.UpdateContextAllocation.pDriverPrivateData = words;
        args.UpdateContextAllocation.DriverPrivateDataSize = sizeof words;
    }
    static void apply_update(gpu_memory& m, u64 at) {
        m.store(at + 0x10, 0xAAAA'0001);
        m.store(at + 0x34, 0xBBBB'0002);
    }
    static void signal(gpu_memory& m, u64 at, u64 value) { m.store(at, low_dword(value)); }
    static void tell_residency(gpu_memory& m, u32 first, u32 count, bool resident, u64 place) {
        for (u32 i = 0; i != count; ++i) {
            m.store64(page_list_at + (first + i) * 8, resident ? place + i * page_bytes + 1 : 0);
        }
    }
    static void tell_fence(gpu_memory& m, u64 current, u64 monitored) {
        m.store64(fence_record_at, current);
        m.store64(fence_record_at + 8, monitored);
    }
    static void map_mmu(gpu_memory& m, u32 index, u64 page, bool mapped) {
        m.store64(flat_table_at + index * 8, mapped ? page << 12 | 0x77 : 0);
    }

    static constexpr u32 image_length = 20;
    [[nodiscard]] static u32 const* image_words() {
        static constexpr u32 content[image_length] = {0xC0DE'0000, 0xC0DE'0001, 0xC0DE'0002, 0xC0DE'0003, 0xC0DE'0004,
                                                      0xC0DE'0005, 0xC0DE'0006, 0xC0DE'0007, 0xC0DE'0008, 0xC0DE'0009,
                                                      0xC0DE'000A, 0xC0DE'000B, 0xC0DE'000C, 0xC0DE'000D, 0xC0DE'000E,
                                                      0xC0DE'000F, 0xC0DE'0010, 0xC0DE'0011, 0xC0DE'0012, 0xC0DE'0013};
        return content;
    }
};

}  // namespace images
