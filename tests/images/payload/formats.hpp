// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "requests.hpp"

#include <hardware/amd_gfx10_virtual.hpp>
#include <hardware/cpu_virtual.hpp>
#include <hardware/intel_xe_virtual.hpp>
#include <hardware/nvidia_ampere_virtual.hpp>

/// Page-table entries of all example hardware types: of every combination of flags, and some of the vendors' numbers.
namespace images {

template <class Hw>
void hash_entries(checks& to, Hw const& hw) {
    u32 valid = 0;
    for (u32 bits = 0; bits != 0x20; ++bits) {
        for (u32 segment = 0; segment != 4; ++segment) {
            u64 const flags = bits | u64{segment} << 5;
            pte_target const page{{flags}, 0x12'3400};
            for (u32 large = 0; large != 2; ++large) {
                leaf_kind const kind = large != 0 ? leaf_kind::large_page : leaf_kind::gpu_page;
                page_table_entry const entry =
                    hw.encode_leaf(kind, large, {{flags | (large != 0 ? pte_large : 0)}, 0x12'3400}, bits % 3);
                to.hash64(entry.low);
                to.hash64(entry.high);
                valid += entry.low != 0;
            }
            for (u32 level = 1; level != hw.page_tables.level_count; ++level) {
                page_table_entry const entry = hw.encode_directory(level, page, {});
                to.hash64(entry.low);
                to.hash64(entry.high);
            }
        }
    }
    to.expect(valid > 16, "entries of valid pages are not 0", valid);
}

inline void check_formats(checks& to) {
    namespace amd = wddmcore::examples::amd;
    namespace cpu = wddmcore::examples::cpu;
    namespace intel = wddmcore::examples::intel;
    namespace nvidia = wddmcore::examples::nvidia;
    to.begin("page-table entries of four formats");

    auto const gfx10 = amd::gfx10_virtual<>::started(
        {.gart_segment = {1}, .vram_segment = {2}, .vram = {{0x80'0000'0000}, {u64{4} << 30}}}, 0x2'0000'0000, {});
    // VALID b0, SYSTEM b1, SNOOPED b2, EXECUTABLE b4, READABLE b5, WRITEABLE b6.
    to.expect(gfx10.encode_leaf(leaf_kind::gpu_page, 0, {{pte_valid | pte_coherent}, 0x12'3456}, 0).low ==
                  0x0000'0001'2345'6077,
              "GVA-18: an entry of gfx10");
    hash_entries(to, gfx10);

    cpu::virtual_processor<> processor{};
    processor.segments[0] = {{{0x7F'0000'0000}, {u64{1} << 28}}, true};
    processor.segments[1] = {{{0x80'0000'0000}, {u64{4} << 30}}, false};
    processor.system_base = 0x10'0000'0000;
    to.expect(processor.encode_leaf(leaf_kind::gpu_page, 0, {{pte_valid | pte_in_memory}, 0x1'2345}, 0).low ==
                  0x80'1234'5021,
              "GVA-18: an entry of the processor");
    hash_entries(to, processor);

    auto const xe = intel::xe_virtual<>::started(
        {.local_segment = {2},
         .local = {{0x80'0000'0000}, {u64{4} << 30}},
         .local_virtual = 0x4000'0000'0000,
         .aperture_segment = {1},
         .aperture = {{0x7F'0000'0000}, {u64{1} << 28}},
         .aperture_virtual = 0x5000'0000'0000,
         .system_virtual = 0x2000'0000'0000,
         .scratch_virtual = 0x6000'0000'0040,
         .mocs = 5},
        {.local_in_entries = 0x2'0000'0000, .local_pat = 0, .coherent_pat = 0, .noncoherent_pat = 2});
    hash_entries(to, xe);

    auto const ampere = nvidia::ampere_virtual<>::started({.video_segment = {2},
                                                           .video = {{0}, {u64{16} << 30}},
                                                           .video_first = 0x1000'0000,
                                                           .aperture_segment = {1},
                                                           .aperture = {{0x40'0000'0000}, {u64{1} << 30}},
                                                           .aperture_virtual = 0x1'0000'0000'0000,
                                                           .aperture_table = nullptr,
                                                           .aperture_table_address = 0x5000,
                                                           .scratch = 0x6000},
                                                          0x9'0000'0010);
    hash_entries(to, ampere);
}

}  // namespace images
