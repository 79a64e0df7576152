// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "kestrel.hpp"
#include "kestrel_engine.hpp"

#include <wddmcore/testing/vidmm.hpp>

#include <vector>

namespace guide {

// region: options
/// What the simulator of the memory manager has to know of an adapter with this chip.
inline testing::vidmm_options options_of(kestrel const& chip, std::vector<u32> const& table) {
    testing::vidmm_options options;
    options.segments = {
        {.id = 1, .base = kestrel::gart_base.n, .size = kestrel::gart_size.n, .aperture = true, .cache_coherent = true},
        {.id = 2, .base = kestrel::vram_base.n, .size = chip.vram_size.n}};
    options.system_base = kestrel::host_window;
    options.first_page = 0x12'3000;  // Windows' memory; all of it lies below highest_visible_address
    options.aperture = testing::vidmm_aperture::mdl;
    options.page_of = [&table](u64 index) {
        return table[index] >> 31 != 0 ? u64{table[index] & 0xFFF'FFFF} : ~u64{0};
    };
    options.coherent_of = [&table](u64 index) { return (table[index] >> 30 & 1) != 0; };
    options.command_alignment = 8;  // data sheet, 3.2; taken from the type, a wrong unit_dwords would pass
    options.smallest_paging_buffer = smallest_paging_buffer<kestrel>.n;
    options.alternate_addresses = false;  // operation 7 is not claimed
    return options;
}
// end: options

}  // namespace guide
