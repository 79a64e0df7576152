// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "paging_process/chunks.hpp"
#include "paging_process/space.hpp"
#include "sentences.hpp"

/// What page tables, their places and their claims break, and why a paging space is what it is, in words.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code; what they return is a literal.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// @return a rule of page tables, in words; "" for rule::none, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    switch (what) {
        case rule::none: return "";
        case rule::level_count: return "page tables: `level_count` must be 2 to 6 (GVA-01)";
        case rule::level_behind_the_root:
            return "page tables: `levels` holds more than `level_count`: levels[0] is the leaf, and what lies behind "
                   "the root must stay empty (GVA-02)";
        case rule::index_bits_missing:
            return "page tables: `index_bits` of a level is 0: a table needs at least two entries; only a resizable "
                   "root, of two levels, may start with none (GVA-04)";
        case rule::entry_size: return "page tables: `entry_bytes` of a level must be 4, 8 or 16 (GVA-04)";
        case rule::address_too_wide:
            return "page tables: 12 and the index bits of all levels are more than the 64 bits of an address "
                   "(GVA-03)";
        case rule::address_bits_differ:
            return "page tables: `virtual_address_bits` must be 12 and the index bits of all levels: with more than "
                   "two levels leave it out (GVA-03)";
        case rule::address_bits_missing:
            return "page tables: two levels have a resizable root, so `virtual_address_bits` must say how wide an "
                   "address is, 14 to 64 (GVA-03)";
        case rule::nothing_left_for_root:
            return "page tables: `virtual_address_bits` leaves no bit for the root above 12 and the leaf's "
                   "`index_bits`, or more than 31 (GVA-03)";
        case rule::first_root_too_large:
            return "page tables: a resizable root starts with more `index_bits` than an address has left (GVA-03)";
        case rule::table_too_large:
            return "page tables: a table has 4 GiB or more, or 2^32 entries or more: the DDI has 32 bits for both "
                   "(GVA-04)";
        case rule::gpu_page_size: return "page tables: `gpu_page` must be 4096 bytes * 2^n, at most 64 KiB (GVA-05)";
        case rule::gpu_page_above_table:
            return "page tables: `gpu_page` is larger than what a leaf table covers: the leaf's `index_bits` count "
                   "4-KiB entries (GVA-05)";
        case rule::gpu_page_is_64k:
            return "page tables: with tables of 64-KiB entries the other leaf tables have 4-KiB entries: `gpu_page` "
                   "must be 4096 bytes (GVA-09)";
        case rule::entry_size_64k: return "page tables: `entry_bytes_64k` must be 4, 8 or 16, or 0 (GVA-09)";
        case rule::entry_size_without_64k:
            return "page tables: `entry_bytes_64k` needs leaf_tables::either or leaf_tables::both (GVA-09)";
        case rule::leaf_too_small_for_64k:
            return "page tables: with tables of 64-KiB entries the leaf needs at least 4 `index_bits` (GVA-10)";
        case rule::large_leaf:
            return "page tables: `large_pages` of the leaf: a large page stands above the leaf (GVA-16)";
        case rule::system_segment_id:
            return "placement: system memory is segment 0, and segment 0 is system memory (GVA-06)";
        case rule::large_table_in_system:
            return "placement: a table in system memory has more than 4096 bytes: give its level fewer `index_bits` "
                   "or another segment (GVA-06)";
        case rule::directory_in_local:
            return "placement: with update_modes::cpu_virtual the tables above the leaf must lie in system memory "
                   "(GVA-07)";
        case rule::leaf_out_of_cpu_reach:
            return "placement: with update_modes::cpu_virtual the leaf tables must be in reach of the CPU: system "
                   "memory, a CPU visible segment or one behind a CPU host aperture (AMB-42)";
        case rule::paging_out_of_cpu_reach:
            return "placement: the paging process's tables are always initialised by the CPU: system memory, a CPU "
                   "visible segment or one behind a CPU host aperture (GVA-40)";
        case rule::table_alignment:
            return "placement: `alignment` must be 0 or a power of two of at least 4096 bytes, below 4 GiB (GVA-04)";
        case rule::different_address_widths:
            return "linked adapters: page tables must agree on the width of an address: use `narrowed` for the wider "
                   "ones (GVA-33)";
        case rule::large_pages_nowhere:
            return "GPUMMU caps: `large_pages` needs `large_pages` of level 1 in the geometry (GVA-16)";
        case rule::non_aligned_without_large:
            return "GPUMMU caps: `non_aligned_large_pages` needs `large_pages` (GVA-17)";
        case rule::system_large_without_large:
            return "GPUMMU caps: `system_memory_large_pages` needs `large_pages` (GVA-16)";
        case rule::system_64k_without_64k:
            return "GPUMMU caps: `system_memory_64k_pages` needs leaf tables of 64-KiB entries (GVA-15)";
        case rule::caps_before_v2_0: return "GPUMMU caps: page tables need a `version` of WDDM 2.0 or later (GVA-35)";
        case rule::no_mmu:
            return "addressing: `virtual_addressing` needs `gpu_mmu` or `io_mmu` in the caps of the driver (GVA-35)";
        case rule::mmu_alone: return "addressing: `gpu_mmu` and `io_mmu` need `virtual_addressing` (GVA-35)";
        case rule::both_mmus:
            return "addressing: `gpu_mmu` and `io_mmu` at once need `both_on_one_adapter`: the pages contradict each "
                   "other about it (AMB-05)";
        case rule::adapter_differs:
            return "addressing: a physical adapter claims an MMU that the caps of the driver do not (GVA-35)";
        case rule::no_adapter_has_an_mmu:
            return "addressing: the caps of the driver claim an MMU that no physical adapter has (GVA-35)";
    }
    return "?";
}

/// Why an answer about the paging process's space is what it is, in words; "?" for a number without a name.
[[nodiscard]] constexpr char const* text_of(paging_space_reason what) noexcept {
    switch (what) {
        case paging_space_reason::system_decides: return "0: the choice of the system is enough";
        case paging_space_reason::raised:
            return "more than the choice of the system, so that the range fits in one piece (CHK-07)";
        case paging_space_reason::no_space_exists:
            return "without local memory and hardware scheduling the system makes no space of its own; whether it "
                   "makes one when asked is not written (AMB-10, NTF-15)";
        case paging_space_reason::larger_than_addresses:
            return "0: the range fits no space that an address can name (CHK-07)";
    }
    return "?";
}

/// @return how chunks meet compression blocks, in words; "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(block_fit what) noexcept {
    switch (what) {
        case block_fit::one_chunk: return "the allocation is mapped whole";
        case block_fit::aligned: return "every chunk ends where a compression block ends";
        case block_fit::straddles: return "a compression block lies in two chunks: ask for a larger space (NTF-13)";
    }
    return "?";
}

}  // namespace wddmcore::gpuva
