// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "amd_gfx10_memory.hpp"

#include <wddmcore/preemption.hpp>

/// Several generations of AMD's GPUs, as one hardware type: the packets and entries are those of gfx10, and what differs
/// is numbers, which AddDevice writes into the object.
///
/// Facts: SDMA 4 and SDMA 5 have one COPY_LINEAR, CONST_FILL and WRITE_LINEAR, with counts of 22 and 20 bits; the
/// vendor's kernel driver copies 0x400000 bytes at a time, its compute runtime 0x3FFFE0; GPUVM is configured for fewer
/// levels than four on gfx9. Memory type NC is 0 in the entries of both; another type stands at another place on gfx9,
/// so that no entry has one here. How many engines there are is a matter of each board: these are examples.
namespace wddmcore::examples::amd {

/// What AddDevice finds out of a chip.
struct generation {
    char const* name;
    bytes most_bytes;  ///< of one copy or fill
    u32 nodes;
    u32 tables;  ///< which of amd_generations::page_tables
};

inline constexpr generation generations[] = {
    {"gfx9, SDMA 4.0", bytes{0x3F'FFE0}, 2, 0},
    {"gfx10.1, SDMA 5.0", 4 * mib, 3, 1},
    {"gfx10.3, SDMA 5.2", mib, 4, 1},  // the driver keeps copies short, so that nothing waits long for the engine
};

struct any_generation : gfx10_virtual<gfx10_memory::claims>, gfx10_memory {
    bytes most_bytes{0};
    u32 nodes = 0;
    u32 tables = 0;

    static constexpr chosen_within copy_max{mib, 4 * mib, &any_generation::most_bytes};
    static constexpr chosen_within fill_max{mib, 4 * mib, &any_generation::most_bytes};
    static constexpr chosen_within node_count{2u, 4u, &any_generation::nodes};
    /// Without PDB2: 39 bits; and gfx10's own: 48 bits.
    static constexpr chosen_among page_tables{
        {gpuva::page_table_geometry{.level_count = 3, .levels = {{9, 8}, {9, 8, true}, {9, 8}}},
         gpuvm_format::page_tables},
        &any_generation::tables};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits =
                                                              gpuvm_format::entry_limits.page_number_bits};

    /// Node 0 renders, node 1 pages, the others copy.
    static constexpr preemption_engine engines[] = {
        {.graphics = {graphics_preemption_granularity::dma_buffer_boundary},
         .compute = {compute_preemption_granularity::dma_buffer_boundary}},
        {.other = {other_preemption_granularity::dma_buffer_boundary}},
        {.other = {other_preemption_granularity::dma_buffer_boundary}},
        {.other = {other_preemption_granularity::dma_buffer_boundary}},
    };
    static constexpr scheduling_capabilities scheduling{.virtual_addressing = claim::yes, .paging_node = 1};

    /// AddDevice: what is refused here is refused by every query as well.
    [[nodiscard]] constexpr broken_number recognise(generation const& chip) noexcept {
        most_bytes = chip.most_bytes;
        nodes = chip.nodes;
        tables = chip.tables;
        return check_numbers(*this);
    }
};

}  // namespace wddmcore::examples::amd
