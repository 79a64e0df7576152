// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/units.hpp"
#include "../ddi/interface_version.hpp"

/// What a driver ever claims to be. Which paging operations follow from it is in paging/operations.hpp.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// A choice as a set: decided in the source (`no`, `yes`), or left to AddDevice (`at_run_time`).
///
/// A boolean would not do: "perhaps MAP_APERTURE_SEGMENT2" needs operations 5 and 17, and neither is the superset.
enum class claim : u32 { no = 1, yes = 2, at_run_time = 3 };

/// @return whether a claim leaves it open that the answer is yes.
[[nodiscard]] constexpr bool may_be_yes(claim c) noexcept {
    return (static_cast<u32>(c) & static_cast<u32>(claim::yes)) != 0;
}
static_assert(may_be_yes(claim::at_run_time) && !may_be_yes(claim::no));

/// How paging operations name memory. Both bits: some engines or moments of each kind (AMB-02).
enum class paging_addresses : u32 {
    physical = 1,     ///< segment addresses and MDLs: operations 0, 1 and 7, and 3 and 4 below WDDM 2.0
    gpu_virtual = 2,  ///< addresses of the paging process: operations 8, 9
    both = 3,
};

/// Which form of the aperture operations may arrive. Both bits: decided by the OS at run time.
enum class aperture_forms : u32 {
    none = 0,  ///< no aperture segment: compute-only, or below WDDM 2.0 (AMB-04)
    mdl = 1,   ///< operation 5, MAP_APERTURE_SEGMENT
    adl = 2,   ///< operation 17, MAP_APERTURE_SEGMENT2 (MapAperture2Supported)
    either = 3,
};

/// How page tables are written; a set.
enum class update_modes : u32 { none = 0, cpu_virtual = 1, gpu_virtual = 2, gpu_physical = 4 };

/// @return the union of two sets.
[[nodiscard]] constexpr update_modes operator|(update_modes a, update_modes b) noexcept {
    return static_cast<update_modes>(static_cast<u32>(a) | static_cast<u32>(b));
}

/// @return whether two sets of the same enumeration share a value.
template <class Set>
[[nodiscard]] constexpr bool contains(Set set, Set value) noexcept {
    return (static_cast<u32>(set) & static_cast<u32>(value)) != 0;
}
static_assert(contains(paging_addresses::both, paging_addresses::physical));

/// @return whether a set holds all of another one of the same enumeration.
template <class Set>
[[nodiscard]] constexpr bool contains_all(Set set, Set wanted) noexcept {
    return (static_cast<u32>(wanted) & ~static_cast<u32>(set)) == 0;
}
static_assert(contains_all(claim::at_run_time, claim::yes) && !contains_all(claim::yes, claim::at_run_time));

/// The most that a driver ever claims: `static constexpr wddmcore::capabilities caps{...}` in its hardware type.
///
/// An operation must be supported if its arguments exist and any value in these sets makes it reachable (law 5).
struct capabilities {
    wddm version;           ///< the highest interface version the driver declares; not above its header's
    wddm oldest = version;  ///< the lowest it ever declares: what older systems send must work too

    paging_addresses addresses = paging_addresses::physical;
    aperture_forms aperture = aperture_forms::none;
    claim gpu_mmu = claim::no;                      ///< the driver owns page tables: operations 11, 12
    update_modes page_tables = update_modes::none;  ///< how they are written: some with gpu_mmu, none without
    claim alternate_address_lock = claim::no;       ///< operation 7
    claim context_allocations = claim::no;          ///< operations 10 and, from WDDM 2.0, 13
    claim tiled_resources = claim::no;              ///< operation 14, unless page tables are CPU-virtual only
    claim residency_notification = claim::no;       ///< operations 15 and, from WDDM 3.2, 21
    claim monitored_fence_signal = claim::no;       ///< operation 16
    claim native_fences = claim::no;                ///< operation 18
    claim mmu_mapping = claim::no;                  ///< operations 19, 20
    claim allocation_notification = claim::no;      ///< operation 22
    u64 highest_visible_address = ~u64{0};          ///< last byte the device can reach, inclusive (AMB-23): of a page
    claim io_mmu = claim::no;                       ///< the CPU's page tables are the device's (GVA-35)
    bool compute_only = false;                      ///< MCDM: no display, and perhaps no aperture segment (AMB-04)
};

/// @return whether requests name memory by segments and page lists. Below WDDM 2.0 there is no other way, whatever is
///         claimed for later versions (AMB-02).
[[nodiscard]] constexpr bool names_places(capabilities const& caps) noexcept {
    return contains(caps.addresses, paging_addresses::physical) || caps.oldest < wddm::v2_0;
}

/// @return whether requests name memory by addresses of the paging process.
[[nodiscard]] constexpr bool names_virtual_addresses(capabilities const& caps) noexcept {
    return contains(caps.addresses, paging_addresses::gpu_virtual) && caps.version >= wddm::v2_0;
}

}  // namespace wddmcore
