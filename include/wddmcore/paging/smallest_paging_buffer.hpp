// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/check.hpp"
#include "../hw/defaults.hpp"
#include "../hw/limits.hpp"
#include "page_table/forms.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

namespace paging {

/// The dwords of one command of an operation that tells the hardware of something.
template <class Hw, paging_operation Operation>
[[nodiscard]] consteval u32 notice_dwords() {
    using enum paging_operation;
    u32 most = 0;
    if constexpr (Operation == notify_residency && hw::residency_by_command<Hw>) {
        most = Hw::residency_dwords.n;
    } else if constexpr (Operation == notify_residency2 && hw::residency_range_by_command<Hw>) {
        most = Hw::residency_range_dwords.n;
    } else if constexpr (Operation == notify_fence_residency && hw::fence_residency_by_command<Hw>) {
        most = Hw::fence_residency_dwords.n;
    }
    if constexpr (Operation == notify_alloc && hw::eviction_notifier<Hw>) {
        most = Hw::eviction_dwords.n;
    }
    if constexpr (Operation == notify_alloc && hw::iommu_unmap_by_command<Hw>) {
        most = greater(most, Hw::iommu_unmap_dwords.n);
    }
    return most;
}

/// The dwords of one command for contexts, translations and fences.
template <class Hw, paging_operation Operation>
[[nodiscard]] consteval u32 context_or_translation_dwords() {
    using enum paging_operation;
    u32 most = 0;
    if constexpr (Operation == init_context_resource && hw::context_by_command<Hw>) {
        most = Hw::context_piece_dwords.n;
    } else if constexpr (Operation == update_context_allocation) {
        most = Hw::context_update_dwords.n;
    } else if constexpr (Operation == flush_tlb && hw::tlb_by_command<Hw>) {
        most = Hw::flush_dwords.n;
    } else if constexpr (Operation == signal_monitored_fence) {
        most = Hw::fence_dwords.n;
    } else if constexpr ((Operation == map_mmu || Operation == unmap_mmu) && hw::mmu_by_command<Hw>) {
        most = Hw::mmu_dwords.n;
    }
    if constexpr (Operation == flush_tlb && hw::ranged_tlb<Hw>) {
        most = greater(most, Hw::flush_range_dwords.n);
    }
    return most;
}

/// The dwords that one page or one command of an operation needs in one buffer; none for an operation that cannot come.
template <class Hw, paging_operation Operation>
[[nodiscard]] consteval u32 group_dwords() {
    using enum paging_operation;
    if constexpr (!reachable(Hw::caps, Operation) || hw::left_to_cpu<Hw>(Operation)) {
        return 0;
    } else if constexpr (Operation == transfer || Operation == special_lock_transfer || Operation == virtual_transfer) {
        u32 const copy = Hw::copy_dwords.n * hw::commands_per_page(Hw::copy_max, Hw::copy_alignment);
        if constexpr (hw::swizzle_copy_engine<Hw>) {
            return greater(copy, Hw::swizzle_dwords.n);
        } else {
            return copy;
        }
    } else if constexpr (Operation == fill || Operation == virtual_fill) {
        return hw::longest_fill<Hw>().n * hw::commands_per_page(Hw::fill_max, Hw::fill_alignment);
    } else if constexpr (Operation == update_page_table) {
        // The CPU needs no room: commands are for the other modes.
        if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
            return update_group_dwords<Hw>();
        } else {
            return 0;
        }
    } else if constexpr (Operation == copy_page_table_entries) {
        return Hw::copy_entries_dwords.n;
    } else if constexpr (Operation == discard_content) {
        return hw::discard_dwords_of<Hw>().n;
    } else if constexpr (Operation == read_physical || Operation == write_physical) {
        return Hw::access_dwords.n;
    } else if constexpr (Operation == init_context_resource || Operation == flush_tlb ||
                         Operation == update_context_allocation || Operation == signal_monitored_fence ||
                         Operation == map_mmu || Operation == unmap_mmu) {
        return context_or_translation_dwords<Hw, Operation>();
    } else if constexpr (Operation == notify_residency || Operation == notify_fence_residency ||
                         Operation == notify_residency2 || Operation == notify_alloc) {
        return notice_dwords<Hw, Operation>();
    } else if constexpr (hw::aperture_by_command<Hw>) {
        return Hw::aperture_entry_dwords.n;
    } else {
        return 0;
    }
}

/// The dwords of the longest group of commands that has to stay in one buffer, of all operations of a list.
template <class Hw, u32... Operations>
[[nodiscard]] consteval u32 largest_group(meta::numbers<Operations...>) {
    u32 most = 1;
    ((most = greater(most, group_dwords<Hw, static_cast<paging_operation>(Operations)>())), ...);
    return most;
}

/// The command stream's grain; 1 for hardware that writes no commands at all.
template <class Hw>
[[nodiscard]] consteval u32 grain_dwords() {
    if constexpr (requires { Hw::unit_dwords; }) {
        return Hw::unit_dwords.n;
    } else {
        return 1;
    }
}

}  // namespace paging

/// The smallest paging buffer with which every pass advances: the largest group of commands that one page or one entry
/// needs, plus padding (law 7, SEG-41). A driver reports no smaller one.
///
/// @tparam Hw  a hardware type that check_hardware accepts
template <class Hw>
inline constexpr bytes smallest_paging_buffer = to_bytes(dwords{
    round_up(paging::largest_group<Hw>(meta::count_to<paging_operation_count>{}), paging::grain_dwords<Hw>()).value});

}  // namespace wddmcore
