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

inline constexpr u32 paging_operation_count = 23;  ///< codes 0 to 22

/// What the DDI says of an operation, whoever carries it out.
struct paging_operation_facts {
    char const* name;  ///< in the DDI's words
    wddm since;        ///< the first interface version at which the newest header has the operation's arguments
    bool touches_memory = false;  ///< moves or touches plain memory: the CPU can do it as well as an engine
};

/// The facts of every operation, by code.
inline constexpr paging_operation_facts paging_operations[paging_operation_count] = {
    {"transfer", wddm::vista, true},
    {"fill", wddm::vista, true},
    {"discard_content", wddm::vista},
    {"read_physical", wddm::vista, true},
    {"write_physical", wddm::vista, true},
    {"map_aperture_segment", wddm::vista},
    {"unmap_aperture_segment", wddm::vista},
    {"special_lock_transfer", wddm::vista, true},
    {"virtual_transfer", wddm::v2_0, true},
    {"virtual_fill", wddm::v2_0, true},
    {"init_context_resource", wddm::win8},
    {"update_page_table", wddm::v2_0},
    {"flush_tlb", wddm::v2_0},
    {"update_context_allocation", wddm::v2_0},
    {"copy_page_table_entries", wddm::v2_0},
    {"notify_residency", wddm::v2_0},
    {"signal_monitored_fence", wddm::v2_2},
    {"map_aperture_segment2", wddm::v2_9},
    {"notify_fence_residency", wddm::v2_9},
    {"map_mmu", wddm::v3_2},
    {"unmap_mmu", wddm::v3_2},
    {"notify_residency2", wddm::v3_2},
    {"notify_alloc", wddm::v3_2},
};

static_assert(paging_operations[paging_operation_count - 1].name != nullptr,
              "an operation has no row in paging_operations");

/// The operation's name in the DDI's words, "unknown operation" for any other value. Any IRQL, nonpaged.
[[nodiscard]] constexpr char const* name(paging_operation operation) {
    u32 const code = static_cast<u32>(operation);
    return code < paging_operation_count ? paging_operations[code].name : "unknown operation";
}

/// The first interface version at which the newest header has the operation's arguments. Any IRQL, nonpaged.
///
/// An older header may lack them at that version (notify_fence_residency came with the header of WDDM 3.2); to know
/// whether a given structure has them, ask that structure. The codes of virtual_transfer and virtual_fill are older
/// than their arguments. `operation` should be one of the enumerators; any other value gives the newest version.
[[nodiscard]] constexpr wddm since(paging_operation operation) {
    u32 const code = static_cast<u32>(operation);
    return code < paging_operation_count ? paging_operations[code].since : wddm::v3_2;
}

/// What `visit.operator()<operation>()` answers for the operation of a code; `otherwise()` for a code that is none.
///
/// Any IRQL, nonpaged, as `visit` and `otherwise` are. The one switch over operations: a missing case is a compiler's
/// warning. Written out, because a chain of comparisons costs twice the instructions at its end.
///
/// @param code       a number of DXGK_BUILDPAGINGBUFFER_OPERATION
/// @param visit      a template over the operation
/// @param otherwise  takes nothing
/// @return what the one that was called returns
template <class Visit, class Otherwise>
[[nodiscard]] WDDMCORE_INLINE constexpr auto visit_operation(u32 code, Visit visit, Otherwise otherwise) noexcept {
    using enum paging_operation;
    switch (static_cast<paging_operation>(code)) {
        case transfer: return visit.template operator()<transfer>();
        case fill: return visit.template operator()<fill>();
        case discard_content: return visit.template operator()<discard_content>();
        case read_physical: return visit.template operator()<read_physical>();
        case write_physical: return visit.template operator()<write_physical>();
        case map_aperture_segment: return visit.template operator()<map_aperture_segment>();
        case unmap_aperture_segment: return visit.template operator()<unmap_aperture_segment>();
        case special_lock_transfer: return visit.template operator()<special_lock_transfer>();
        case virtual_transfer: return visit.template operator()<virtual_transfer>();
        case virtual_fill: return visit.template operator()<virtual_fill>();
        case init_context_resource: return visit.template operator()<init_context_resource>();
        case update_page_table: return visit.template operator()<update_page_table>();
        case flush_tlb: return visit.template operator()<flush_tlb>();
        case update_context_allocation: return visit.template operator()<update_context_allocation>();
        case copy_page_table_entries: return visit.template operator()<copy_page_table_entries>();
        case notify_residency: return visit.template operator()<notify_residency>();
        case signal_monitored_fence: return visit.template operator()<signal_monitored_fence>();
        case map_aperture_segment2: return visit.template operator()<map_aperture_segment2>();
        case notify_fence_residency: return visit.template operator()<notify_fence_residency>();
        case map_mmu: return visit.template operator()<map_mmu>();
        case unmap_mmu: return visit.template operator()<unmap_mmu>();
        case notify_residency2: return visit.template operator()<notify_residency2>();
        case notify_alloc: return visit.template operator()<notify_alloc>();
    }
    return otherwise();
}
static_assert(!visit_operation(
                  paging_operation_count, []<paging_operation>() { return true; }, [] { return false; }),
              "an operation lies past paging_operation_count: raise it");

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
