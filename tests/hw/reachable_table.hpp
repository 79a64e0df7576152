// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/paging/operations.hpp>

/// Section 4 of the contract as a table: since when an operation exists, until when it is sent, and what a driver must
/// claim to get it. A second opinion: nothing here asks `reachable` or `since`.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What makes an operation arrive, beside its version.
enum class precondition : u32 {
    nothing,                   ///< it comes to every driver
    physical_addresses,        ///< segment addresses and MDLs; below WDDM 2.0 there is nothing else (AMB-02)
    alternate_address_lock,    ///< physical addresses, and the lock (OP07-02)
    paging_process_addresses,  ///< addresses of the paging process
    aperture_by_mdl,           ///< an aperture of the older form; below WDDM 2.9 there is no other (AMB-25)
    aperture,                  ///< an aperture of any form: there is one unmap (OP17-06)
    aperture_by_adl,           ///< MapAperture2Supported (OP17-01)
    context_allocations,
    page_tables,
    tiled_resources,  ///< and page tables that not only the CPU writes (OP14-03)
    residency_notification,
    fence_signal,
    native_fences,
    mmu_mapping,
    allocation_notification,
};

struct operation_row {
    u32 code;
    wddm first;  ///< the first interface version that has it
    wddm last;   ///< the last interface version at which it is sent
    precondition needs;
};

inline constexpr operation_row operation_rows[] = {
    {0, wddm::vista, wddm::v3_2, precondition::physical_addresses},
    {1, wddm::vista, wddm::v3_2, precondition::physical_addresses},
    // A place, not a way to move bytes: accepted from whoever sends it (AMB-02).
    {2, wddm::vista, wddm::v3_2, precondition::nothing},
    {3, wddm::vista, wddm::v1_3_path_independent_rotation, precondition::physical_addresses},
    {4, wddm::vista, wddm::v1_3_path_independent_rotation, precondition::physical_addresses},
    {5, wddm::vista, wddm::v3_2, precondition::aperture_by_mdl},
    {6, wddm::vista, wddm::v3_2, precondition::aperture},
    // The table says 1.x. The operation's label is one of those that AMB-02 tells to ignore: its claim alone decides.
    {7, wddm::vista, wddm::v3_2, precondition::alternate_address_lock},
    {8, wddm::v2_0, wddm::v3_2, precondition::paging_process_addresses},
    {9, wddm::v2_0, wddm::v3_2, precondition::paging_process_addresses},
    {10, wddm::win8, wddm::v3_2, precondition::context_allocations},
    {11, wddm::v2_0, wddm::v3_2, precondition::page_tables},
    {12, wddm::v2_0, wddm::v3_2, precondition::page_tables},
    {13, wddm::v2_0, wddm::v3_2, precondition::context_allocations},
    {14, wddm::v2_0, wddm::v3_2, precondition::tiled_resources},
    {15, wddm::v2_0, wddm::v3_2, precondition::residency_notification},
    {16, wddm::v2_2, wddm::v3_2, precondition::fence_signal},
    {17, wddm::v2_9, wddm::v3_2, precondition::aperture_by_adl},
    {18, wddm::v2_9, wddm::v3_2, precondition::native_fences},
    {19, wddm::v3_2, wddm::v3_2, precondition::mmu_mapping},
    {20, wddm::v3_2, wddm::v3_2, precondition::mmu_mapping},
    {21, wddm::v3_2, wddm::v3_2, precondition::residency_notification},
    {22, wddm::v3_2, wddm::v3_2, precondition::allocation_notification},
};

/// What `caps` amount to at one declared version: whether the precondition can be met there.
[[nodiscard]] constexpr bool met_at(capabilities const& caps, wddm version, precondition needs) {
    bool const physical = caps.addresses != paging_addresses::gpu_virtual || version < wddm::v2_0;
    switch (needs) {
        case precondition::nothing: return true;
        case precondition::physical_addresses: return physical;
        case precondition::alternate_address_lock: return physical && caps.alternate_address_lock != claim::no;
        case precondition::paging_process_addresses: return caps.addresses != paging_addresses::physical;
        case precondition::aperture_by_mdl:
            return caps.aperture == aperture_forms::mdl || caps.aperture == aperture_forms::either ||
                   (caps.aperture == aperture_forms::adl && version < wddm::v2_9);
        case precondition::aperture: return caps.aperture != aperture_forms::none;
        case precondition::aperture_by_adl:
            return caps.aperture == aperture_forms::adl || caps.aperture == aperture_forms::either;
        case precondition::context_allocations: return caps.context_allocations != claim::no;
        case precondition::page_tables: return caps.gpu_mmu != claim::no;
        case precondition::tiled_resources:
            return caps.tiled_resources != claim::no && caps.page_tables != update_modes::cpu_virtual;
        case precondition::residency_notification: return caps.residency_notification != claim::no;
        case precondition::fence_signal: return caps.monitored_fence_signal != claim::no;
        case precondition::native_fences: return caps.native_fences != claim::no;
        case precondition::mmu_mapping: return caps.mmu_mapping != claim::no;
        case precondition::allocation_notification: return caps.allocation_notification != claim::no;
    }
    return false;
}

/// Whether a driver of these capabilities gets the operation at any version that it may declare.
[[nodiscard]] constexpr bool can_arrive(capabilities const& caps, operation_row const& row) {
    for (wddm const version : interface_versions) {
        if (caps.oldest <= version && version <= caps.version && row.first <= version && version <= row.last &&
            met_at(caps, version, row.needs)) {
            return true;
        }
    }
    return false;
}

}  // namespace wddmcore::testing
