// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpuva/judge.hpp"
#include "../hw/capabilities.hpp"
#include "../hw/promises/page_table/format.hpp"
#include "finding.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Whether a GPU virtual address is one that the type's own page tables translate, and no other tables can be in force.
/// With an IOMMU in their place the addresses are the CPU's (GVA-35).
template <class Hw>
inline constexpr bool has_own_address_space = [] {
    if constexpr (requires {
                      requires hw::is_geometry<Hw, Hw::page_tables>;
                      Hw::caps.gpu_mmu;
                  }) {
        // Tables that are not sound have an error of their own.
        return may_be_yes(Hw::caps.gpu_mmu) && Hw::caps.io_mmu == claim::no &&
               gpuva::judge_chips<Hw>() == gpuva::no_rule_broken;
    } else {
        return false;
    }
}();

/// The bits of a GPU virtual address; of the chip that has the most.
template <class Hw>
inline constexpr u32 virtual_address_bits_of = [] {
    if constexpr (has_own_address_space<Hw>) {
        return hw::most_of_geometries<Hw>([](auto const& tables) { return gpuva::address_bits(tables); });
    } else {
        return u32{64};
    }
}();

/// Whether they are other ones for other chips.
template <class Hw>
inline constexpr bool chooses_virtual_address_bits = [] {
    if constexpr (has_own_address_space<Hw>) {
        return hw::chooses_page_tables<Hw>;
    } else {
        return false;
    }
}();

/// The last GPU virtual address of this chip.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u64 last_virtual_address([[maybe_unused]] Hw const& hw) noexcept {
    if constexpr (chooses_virtual_address_bits<Hw>) {
        return low_mask<u64>(gpuva::address_bits(hw::geometry_of(hw)));
    } else {
        return low_mask<u64>(virtual_address_bits_of<Hw>);
    }
}

/// Whether a range lies in the address space: beyond its end the address fields of commands would wrap (CHK-15).
///
/// @param size  bytes, at least 1; the range may end with the last address
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool in_address_space([[maybe_unused]] Hw const& hw, gpu_virtual_address va,
                                                              u64 size) noexcept {
    constexpr u32 bits = virtual_address_bits_of<Hw>;
    u64 const more = size - 1;
    if constexpr (chooses_virtual_address_bits<Hw>) {
        u64 const last = last_virtual_address(hw);
        return more <= last && va.n <= last - more;
    } else if constexpr (bits == 64) {
        return checked_add(va.n, more).ok;
    } else {
        // Below 2^63 no sum wraps, so that one test does for both ends; callers have mostly made the first one.
        return (more >> 63) == 0 && ((va.n | (va.n + more)) >> bits) == 0;
    }
}

}  // namespace wddmcore::paging::detail
