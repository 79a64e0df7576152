// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpuva/judge.hpp"
#include "../hw/capabilities.hpp"
#include "../hw/promises/page_table/format.hpp"
#include "finding.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The bits of a GPU virtual address: as many as the page tables translate, where no other tables can be in force.
/// With an IOMMU in their place the addresses are the CPU's (GVA-35).
template <class Hw>
inline constexpr u32 virtual_address_bits_of = [] {
    if constexpr (requires {
                      requires hw::is_geometry<Hw::page_tables>;
                      Hw::caps.gpu_mmu;
                  }) {
        constexpr bool in_force = may_be_yes(Hw::caps.gpu_mmu) && Hw::caps.io_mmu == claim::no;
        // Tables that are not sound have an error of their own.
        return in_force && gpuva::is_sound<Hw::page_tables> ? gpuva::address_bits(Hw::page_tables) : 64;
    } else {
        return u32{64};
    }
}();

/// Whether a range lies in the address space: beyond its end the address fields of commands would wrap (CHK-15).
///
/// @param size  bytes, at least 1; the range may end with the last address
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool in_address_space(gpu_virtual_address va, u64 size) noexcept {
    constexpr u32 bits = virtual_address_bits_of<Hw>;
    u64 const more = size - 1;
    if constexpr (bits == 64) {
        return checked_add(va.n, more).ok;
    } else {
        // Below 2^63 no sum wraps, so that one test does for both ends; callers have mostly made the first one.
        return (more >> 63) == 0 && ((va.n | (va.n + more)) >> bits) == 0;
    }
}

}  // namespace wddmcore::paging::detail
