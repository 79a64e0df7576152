// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/gpuva/judge.hpp>

/// Page tables of public GPUs, of hardware that nobody built, and a space small enough to try every range of it.
namespace wddmcore::inline WDDMCORE_ABI::testing {

using gpuva::leaf_tables;
using gpuva::page_table_geometry;

/// AMD GPUVM: PDB2, PDB1, PDB0, PTB of 9 bits each; an entry of PDB0 or PDB1 can be a page.
inline constexpr page_table_geometry amd_gpuvm{.level_count = 4,
                                               .levels = {{9, 8}, {9, 8, true}, {9, 8, true}, {9, 8}}};

/// NVIDIA MMU version 2: PD3 [48:47], PD2 [46:38], PD1 [37:29], PD0 [28:21] of 16 bytes with two tables under each
/// entry, PT of 4 KiB [20:12] or 64 KiB [20:16].
inline constexpr page_table_geometry nvidia_v2{
    .level_count = 5, .levels = {{9, 8}, {8, 16, true}, {9, 8}, {9, 8}, {2, 8}}, .leaf = leaf_tables::both};

/// Intel PPGTT: 47:39, 38:30, 29:21, 20:12; PS_2M and PS_1G; an entry of the directory names a table of 4-KiB or of
/// 64-KiB entries.
inline constexpr page_table_geometry intel_ppgtt{
    .level_count = 4, .levels = {{9, 8}, {9, 8, true}, {9, 8, true}, {9, 8}}, .leaf = leaf_tables::either};

/// The mock: 16-KiB pages, five levels of odd widths, 16-byte entries, a large page in the middle.
inline constexpr page_table_geometry mock_tables{
    .level_count = 5, .levels = {{7, 16}, {5, 16}, {3, 16, true}, {6, 16}, {4, 16}}, .gpu_page = 16 * kib};

/// Two levels: 4-byte entries, 32-bit addresses, a root that starts with 16 entries.
inline constexpr page_table_geometry two_levels{
    .level_count = 2, .levels = {{10, 4}, {4, 4}}, .virtual_address_bits = 32};

/// 128 pages, so that each of its ranges can be tried: dual leaf tables of 32 entries, a root of 4.
inline constexpr page_table_geometry tiny_dual{
    .level_count = 3, .levels = {{5, 4}, {1, 4, true}, {1, 8, true}}, .leaf = leaf_tables::both};

/// As many levels as there can be, of few entries each: 256 pages.
inline constexpr page_table_geometry six_levels{.level_count = 6,
                                                .levels = {{1, 4}, {2, 4, true}, {1, 4}, {1, 8, true}, {2, 4}, {1, 16}},
                                                .virtual_address_bits = 20};

/// The widest address that there is: 64 bits.
inline constexpr page_table_geometry widest{.level_count = 5,
                                            .levels = {{13, 8}, {10, 8, true}, {10, 8}, {10, 8}, {9, 8}}};

static_assert(check_page_tables<amd_gpuvm>() && check_page_tables<nvidia_v2>() && check_page_tables<intel_ppgtt>());
static_assert(check_page_tables<mock_tables>() && check_page_tables<two_levels>() && check_page_tables<tiny_dual>());
static_assert(check_page_tables<six_levels>() && check_page_tables<widest>());

/// Page tables that follow from a number: 2 to 6 levels, widths of 1 to 7 bits, any size of entries, all kinds of
/// leaves.
constexpr page_table_geometry numbered_geometry(u32 number) {
    u64 state = (number + 1) * 0x9E37'79B9'7F4A'7C15u;
    auto const below = [&state](u32 limit) {
        state ^= state >> 29;
        state *= 0xBF58'476D'1CE4'E5B9u;
        state ^= state >> 32;
        return static_cast<u32>(state % limit);
    };
    page_table_geometry g{.level_count = 2 + number % 5, .levels = {}};
    for (u32 level = 0; level < g.level_count; ++level) {
        g.levels[level] = {1 + below(7), 4u << below(3), level != 0 && below(2) == 0};
    }
    g.leaf = static_cast<leaf_tables>(below(3));
    if (g.leaf != leaf_tables::of_4k) {
        g.levels[0].index_bits += 4;
    } else {
        g.gpu_page = {page_bytes << lesser(below(5), g.levels[0].index_bits)};
    }
    if (g.level_count == 2) {
        g.virtual_address_bits = 12 + g.levels[0].index_bits + g.levels[1].index_bits + below(4);
    }
    return g;
}

template <u32 Number>
inline constexpr page_table_geometry numbered = numbered_geometry(Number);

}  // namespace wddmcore::testing
