// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "interface_version.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// The codes of DXGK_BUILDPAGINGBUFFER_OPERATION.
///
/// Arguments are compared by value, `static_cast<u32>(args.Operation)`: old headers lack the later enumerators.
enum class paging_operation : u32 {
    transfer = 0,
    fill = 1,
    discard_content = 2,
    read_physical = 3,
    write_physical = 4,
    map_aperture_segment = 5,
    unmap_aperture_segment = 6,
    special_lock_transfer = 7,
    virtual_transfer = 8,
    virtual_fill = 9,
    init_context_resource = 10,
    update_page_table = 11,
    flush_tlb = 12,
    update_context_allocation = 13,
    copy_page_table_entries = 14,
    notify_residency = 15,
    signal_monitored_fence = 16,
    map_aperture_segment2 = 17,
    notify_fence_residency = 18,
    map_mmu = 19,
    unmap_mmu = 20,
    notify_residency2 = 21,
    notify_alloc = 22,
};

inline constexpr u32 paging_operation_count = 23;

/// The operation's name in the DDI's words, "unknown operation" for any other value. Any IRQL, nonpaged.
[[nodiscard]] constexpr char const* name(paging_operation operation) {
    switch (operation) {
        case paging_operation::transfer: return "transfer";
        case paging_operation::fill: return "fill";
        case paging_operation::discard_content: return "discard_content";
        case paging_operation::read_physical: return "read_physical";
        case paging_operation::write_physical: return "write_physical";
        case paging_operation::map_aperture_segment: return "map_aperture_segment";
        case paging_operation::unmap_aperture_segment: return "unmap_aperture_segment";
        case paging_operation::special_lock_transfer: return "special_lock_transfer";
        case paging_operation::virtual_transfer: return "virtual_transfer";
        case paging_operation::virtual_fill: return "virtual_fill";
        case paging_operation::init_context_resource: return "init_context_resource";
        case paging_operation::update_page_table: return "update_page_table";
        case paging_operation::flush_tlb: return "flush_tlb";
        case paging_operation::update_context_allocation: return "update_context_allocation";
        case paging_operation::copy_page_table_entries: return "copy_page_table_entries";
        case paging_operation::notify_residency: return "notify_residency";
        case paging_operation::signal_monitored_fence: return "signal_monitored_fence";
        case paging_operation::map_aperture_segment2: return "map_aperture_segment2";
        case paging_operation::notify_fence_residency: return "notify_fence_residency";
        case paging_operation::map_mmu: return "map_mmu";
        case paging_operation::unmap_mmu: return "unmap_mmu";
        case paging_operation::notify_residency2: return "notify_residency2";
        case paging_operation::notify_alloc: return "notify_alloc";
    }
    return "unknown operation";
}

/// The first interface version at which the newest header has the operation's arguments. Any IRQL, nonpaged.
///
/// An older header may lack them at that version (notify_fence_residency came with the header of WDDM 3.2); to know
/// whether a given structure has them, ask that structure. The codes of virtual_transfer and virtual_fill are older
/// than their arguments. `operation` should be one of the enumerators; any other value gives the newest version.
[[nodiscard]] constexpr wddm since(paging_operation operation) {
    switch (operation) {
        case paging_operation::transfer:
        case paging_operation::fill:
        case paging_operation::discard_content:
        case paging_operation::read_physical:
        case paging_operation::write_physical:
        case paging_operation::map_aperture_segment:
        case paging_operation::unmap_aperture_segment:
        case paging_operation::special_lock_transfer: return wddm::vista;
        case paging_operation::init_context_resource: return wddm::win8;
        case paging_operation::virtual_transfer:
        case paging_operation::virtual_fill:
        case paging_operation::update_page_table:
        case paging_operation::flush_tlb:
        case paging_operation::update_context_allocation:
        case paging_operation::copy_page_table_entries:
        case paging_operation::notify_residency: return wddm::v2_0;
        case paging_operation::signal_monitored_fence: return wddm::v2_2;
        case paging_operation::map_aperture_segment2:
        case paging_operation::notify_fence_residency: return wddm::v2_9;
        case paging_operation::map_mmu:
        case paging_operation::unmap_mmu:
        case paging_operation::notify_residency2:
        case paging_operation::notify_alloc: return wddm::v3_2;
    }
    return wddm::v3_2;
}

/// DXGK_PAGETABLEUPDATEMODE: how a page-table update names the table.
enum class page_table_update_mode : u32 {
    cpu_virtual = 0,
    gpu_virtual = 1,
    gpu_physical = 2,
};

/// DXGK_MEMORY_TRANSFER_DIRECTION of a virtual transfer.
enum class transfer_direction : u32 {
    local_to_system = 0,
    system_to_local = 1,
    local_to_local = 2,
};

}  // namespace wddmcore
