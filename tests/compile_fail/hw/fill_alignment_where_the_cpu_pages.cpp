// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: fill_engine: `fill_alignment` must divide 4096 bytes and be a multiple of the pattern's width

// Operations 1 and 9 are the CPU's, but equal page-table entries are still filled by the engine.
#ifdef BAD
#    define gpu_fill_alignment static constexpr wddmcore::bytes fill_alignment{0};
#endif
#include "good_gpu.hpp"

struct cpu_paged_gpu : good_gpu {
    static constexpr bool paged_by_cpu = true;
};

wddmcore::ntstatus build(cpu_paged_gpu& gpu, arguments& args) { return wddmcore::build_paging_buffer(gpu, args); }
