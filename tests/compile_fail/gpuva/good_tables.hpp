// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/gpuva/gpu_mmu_caps.hpp>
#include <wddmcore/gpuva/link.hpp>
#include <wddmcore/gpuva/placement/placement.hpp>

// Page tables, their places and claims with every rule kept; a case defines one of these before it includes this file.
#ifndef tables_change
#    define tables_change
#endif
#ifndef two_levels_change
#    define two_levels_change
#endif
#ifndef placement_change
#    define placement_change
#endif
#ifndef placement_modes
#    define placement_modes wddmcore::update_modes::gpu_physical
#endif
#ifndef caps_claims
#    define caps_claims
#endif
#ifndef caps_version
#    define caps_version wddmcore::wddm::v3_2
#endif

using wddmcore::gpuva::leaf_tables;
using wddmcore::gpuva::page_table_geometry;
using wddmcore::gpuva::table_memory;

constexpr page_table_geometry changed_tables() {
    page_table_geometry tables{.level_count = 4, .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}}};
    tables_change;
    return tables;
}

constexpr page_table_geometry changed_two_levels() {
    page_table_geometry tables{.level_count = 2, .levels = {{10, 4}, {4, 4}}, .virtual_address_bits = 32};
    two_levels_change;
    return tables;
}

constexpr wddmcore::gpuva::page_table_placement changed_placement() {
    wddmcore::gpuva::page_table_placement placement{};
    placement_change;
    return placement;
}

struct good_gpu {
    static constexpr page_table_geometry tables = changed_tables();
    static constexpr page_table_geometry two_levels = changed_two_levels();
    static constexpr wddmcore::gpuva::page_table_placement placement = changed_placement();
    static constexpr wddmcore::gpuva::gpu_mmu_capabilities caps{caps_claims};
};
