// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/hw.hpp>

/// What both mocks can claim to be, and the state that every one of them has.
namespace wddmcore::inline WDDMCORE_ABI::testing::mock {

/// Page numbers of 44 bits: 56 bits of address, which no processor has either.
inline constexpr u64 reach = (u64{1} << 56) - 1;

/// The oldest interface: everything by segment address and MDL, operations 3, 4 and 7 included.
inline constexpr capabilities vista{.version = wddm::vista,
                                    .aperture = aperture_forms::mdl,
                                    .alternate_address_lock = claim::yes,
                                    .highest_visible_address = reach};

/// WDDM 1.3 that nobody maps an aperture for.
inline constexpr capabilities bare{.version = wddm::v1_3, .highest_visible_address = reach};

/// WDDM 2.0 through the paging process, with the older aperture form.
inline constexpr capabilities first_virtual{.version = wddm::v2_0,
                                            .addresses = paging_addresses::gpu_virtual,
                                            .aperture = aperture_forms::mdl,
                                            .highest_visible_address = reach};

/// WDDM 2.9 through the paging process, apertures from ADLs only.
inline constexpr capabilities adl_virtual{.version = wddm::v2_9,
                                          .addresses = paging_addresses::gpu_virtual,
                                          .aperture = aperture_forms::adl,
                                          .highest_visible_address = reach};

/// Everything at once: WDDM 3.2 that may also run as 1.3, both kinds of addresses, either aperture form.
inline constexpr capabilities everything{.version = wddm::v3_2,
                                         .oldest = wddm::v1_3,
                                         .addresses = paging_addresses::both,
                                         .aperture = aperture_forms::either,
                                         .alternate_address_lock = claim::at_run_time,
                                         .highest_visible_address = reach};

/// All promises of a GPU with page tables, by a driver of an interface version from 2.0 on.
[[nodiscard]] constexpr capabilities every_promise(
    wddm version,
    update_modes modes = update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical,
    paging_addresses addresses = paging_addresses::gpu_virtual) noexcept {
    return {.version = version,
            .oldest = wddm::v2_0,
            .addresses = addresses,
            .aperture = version >= wddm::v2_9 ? aperture_forms::either : aperture_forms::mdl,
            .gpu_mmu = claim::yes,
            .page_tables = modes,
            .alternate_address_lock = claim::yes,
            .context_allocations = claim::yes,
            .tiled_resources = claim::yes,
            .residency_notification = claim::yes,
            .monitored_fence_signal = claim::yes,
            .native_fences = claim::yes,
            .mmu_mapping = claim::yes,
            .allocation_notification = claim::yes,
            .highest_visible_address = reach};
}

/// One segment as a test placed it.
struct segment {
    segment_place where;
    bool aperture;
};

inline constexpr u32 segment_limit = 6;

/// The segments, ids 1 to segment_limit; a size of 0 where there is none.
struct segment_list {
    segment of[segment_limit];

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id.n - 1 < segment_limit ? of[id.n - 1].where : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept {
        return id.n - 1 < segment_limit && of[id.n - 1].aperture;
    }
};

/// Which allocations are in use; a test says so.
struct busy_list {
    static constexpr u32 limit = 16;

    void* allocations[limit];
    u32 count;
    bool everything;  ///< whatever is asked for, a NULL handle included, is in use

    /// Adds or removes a handle; one that is there already stays there once.
    constexpr void set(void* allocation, bool busy) noexcept {
        u32 kept = 0;
        for (u32 i = 0; i != count; ++i) {
            if (allocations[i] != allocation) {
                allocations[kept++] = allocations[i];
            }
        }
        count = kept;
        if (busy && count != limit) {
            allocations[count++] = allocation;
        }
    }

    [[nodiscard]] constexpr bool has(void* allocation) const noexcept {
        for (u32 i = 0; i != count; ++i) {
            if (allocations[i] == allocation) {
                return true;
            }
        }
        return everything;
    }
};

/// What the fault hook heard, and what it shall answer.
struct fault_log {
    paging_fault last;
    u32 count;
    disposition answer;  ///< stop, unless a test says otherwise

    constexpr disposition hear(paging_fault const& fault) noexcept {
        last = fault;
        ++count;
        return answer;
    }
};

}  // namespace wddmcore::testing::mock
