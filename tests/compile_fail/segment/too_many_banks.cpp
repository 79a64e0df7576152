// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: at most 127 banks have an id

#ifdef BAD
#    define how_many_banks 128
#else
#    define how_many_banks 127
#endif
#define profile_members .version = wddm::win7
#include "good_segments.hpp"

struct bank_table {
    usize ends[how_many_banks]{};
};
constexpr bank_table every_page() {
    bank_table made{};
    for (u32 index = 0; index < how_many_banks; ++index) {
        made.ends[index] = (index + 1) * 4096u;
    }
    return made;
}
constexpr bank_table banks = every_page();
constexpr auto table = segment::table_of(
    window, aperture_row, segment::banked_memory{.id = vram, .size = at_start, .banks = span_of(banks.ends)});

static_assert(check_segments<table, good_gpu::profile>());
