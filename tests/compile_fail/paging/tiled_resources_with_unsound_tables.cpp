// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `gpu_page` must be 4096 bytes * 2^n, at most 64 KiB (GVA-05)

#define gpu_caps                                              \
    static constexpr wddmcore::capabilities caps{             \
        .version = wddmcore::wddm::v2_0,                      \
        .addresses = wddmcore::paging_addresses::gpu_virtual, \
        .gpu_mmu = wddmcore::claim::yes,                      \
        .page_tables = wddmcore::update_modes::gpu_virtual,   \
        .tiled_resources = wddmcore::claim::yes,              \
    };
#ifdef BAD
#    define gpu_page_tables                                                \
        static constexpr wddmcore::gpuva::page_table_geometry page_tables{ \
            .level_count = 4, .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}, .gpu_page = 12 * wddmcore::kib};
#endif
#include "../hw/good_gpu.hpp"

wddmcore::ntstatus build(good_gpu& gpu, arguments& args) { return wddmcore::build_paging_buffer(gpu, args); }
