// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// What driver authors saw on running systems and no page says (OBS).
inline constexpr entry observations[] = {
    {"OBS-01", origin::observed, convention, "",
     "An illegal status from the build function ends in bugcheck 0x10E or 0x119; a failing submit in 0x119 with "
     "parameter 2."},
    {"OBS-02", origin::observed, by_library, "",
     "Aperture maps and unmaps often come without a buffer; answering insufficient buffer then crashes the system "
     "(0x7E)."},
    {"OBS-03", origin::observed, by_library, "",
     "The addresses in DXGK_PTE are page numbers: addresses shifted right by 12."},
    {"OBS-04", origin::observed, compile_time | simulators, "",
     "A segment with a CPU host aperture must be the last one, and the aperture for paging buffers the first, or "
     "the adapter fails."},
    {"OBS-05", origin::observed, compile_time | run_time | simulators, "",
     "CPU-virtual updates of page tables in a segment that the CPU cannot see crash the system (0x10E)."},
    {"OBS-06", origin::observed, compile_time, "", "Page tables in system memory are at most 4 KiB at each level."},
    {"OBS-07", origin::observed, run_time | simulators, "",
     "A context with GPU virtual addresses and an empty DMA-buffer segment set makes VidMm map a NULL allocation."},
    {"OBS-08", origin::observed, convention, "",
     "With GPU virtual addressing paging buffers come through the virtual submit function, with a GPU address of 0."},
    {"OBS-09", origin::observed, by_library, "",
     "About 4,800 bytes of kernel stack are gone when the build function is called, so frames must be small."},
    {"OBS-10", origin::observed, by_library, "",
     "Transfers above 4 GiB exist, and their first and last pieces can be unaligned: MultipassOffset must count "
     "pieces."},
    {"OBS-11", origin::observed, simulators | by_library, "",
     "A range of copied page-table entries may depend on the ranges before it, so their order is kept."},
    {"OBS-12", origin::observed, convention, "",
     "Transfers may be rounded up to whole pages, past the size that the allocation was made with: clamp, do not "
     "refuse."},
    {"OBS-13", origin::observed, by_library, "", "A TLB flush from 0 to 0 is a flush of everything."},
};

}  // namespace wddmcore::testing::rules
