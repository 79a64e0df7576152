// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/defaults.hpp"
#include "../hw/limits.hpp"
#include "../hw/promises/aperture.hpp"
#include "../hw/promises/notices/alloc_notifier.hpp"
#include "../hw/promises/notices/context_allocations.hpp"
#include "../hw/promises/notices/mmu_mapper.hpp"
#include "../hw/promises/notices/residency_listener.hpp"
#include "../hw/promises/page_table/tlb.hpp"
#include "../hw/promises/transfer/copy_engine.hpp"
#include "page_table/forms.hpp"

/// The dwords that have to stay in one buffer for one page, one entry or one command of an operation; 0 where the
/// hardware does the operation without commands. Each is asked only of a type that keeps the operation's promises.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

template <class Hw>
[[nodiscard]] consteval u32 copy_group_dwords() {
    u32 const copy =
        Hw::copy_dwords.n * hw::commands_per_page(hw::least_of(Hw::copy_max), hw::most_of(Hw::copy_alignment));
    if constexpr (hw::swizzle_copy_engine<Hw>) {
        return greater(copy, Hw::swizzle_dwords.n);
    } else {
        return copy;
    }
}

template <class Hw>
[[nodiscard]] consteval u32 fill_group_dwords() {
    return hw::longest_fill<Hw>().n *
           hw::commands_per_page(hw::least_of(Hw::fill_max), hw::most_of(Hw::fill_alignment));
}

/// The CPU needs no room: commands are for the other update modes.
template <class Hw>
[[nodiscard]] consteval u32 table_group_dwords() {
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
        return update_group_dwords<Hw>();
    } else {
        return 0;
    }
}

template <class Hw>
[[nodiscard]] consteval u32 flush_group_dwords() {
    if constexpr (hw::ranged_tlb<Hw>) {
        return greater(Hw::flush_dwords.n, Hw::flush_range_dwords.n);
    } else {
        return Hw::flush_dwords.n;
    }
}

template <class Hw>
[[nodiscard]] consteval u32 notice_group_dwords() {
    u32 most = 0;
    if constexpr (hw::eviction_notifier<Hw>) {
        most = Hw::eviction_dwords.n;
    }
    if constexpr (hw::iommu_unmap_by_command<Hw>) {
        most = greater(most, Hw::iommu_unmap_dwords.n);
    }
    return most;
}

}  // namespace wddmcore::paging::detail
