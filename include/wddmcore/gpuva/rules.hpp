// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/breach.hpp"

/// The rules about page tables, and each of them in words: as text, and as the compiler's message about page tables
/// that break it. The messages are static assertions in a function template that takes the broken rule, the place and
/// the value as scalar arguments, so exactly one error appears, says what to do, and shows both numbers.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The rules that a geometry, its placement or its claims can break.
enum class rule : u32 {
    none,

    level_count,             ///< GVA-01
    level_past_the_root,     ///< GVA-02
    index_bits_missing,      ///< GVA-04
    entry_size,              ///< GVA-04
    address_too_wide,        ///< GVA-03
    address_bits_differ,     ///< GVA-03
    address_bits_missing,    ///< GVA-03
    nothing_left_for_root,   ///< GVA-03
    first_root_too_large,    ///< GVA-03
    table_too_large,         ///< GVA-04
    gpu_page_size,           ///< GVA-05
    gpu_page_above_table,    ///< GVA-05
    gpu_page_is_64k,         ///< GVA-09
    entry_size_64k,          ///< GVA-09
    entry_size_without_64k,  ///< GVA-09
    leaf_too_small_for_64k,  ///< GVA-10
    large_leaf,              ///< GVA-16
    chips_differ_in_leaves,  ///< of tables that are chosen_among several

    system_segment_id,         ///< GVA-06, AMB-21
    large_table_in_system,     ///< GVA-06
    directory_in_local,        ///< GVA-07, AMB-42
    leaf_out_of_cpu_reach,     ///< AMB-42
    paging_out_of_cpu_reach,   ///< GVA-40
    table_alignment,           ///< GVA-04
    different_address_widths,  ///< GVA-33

    large_pages_nowhere,         ///< GVA-16
    non_aligned_without_large,   ///< GVA-17
    system_large_without_large,  ///< GVA-16
    system_64k_without_64k,      ///< GVA-15
    caps_before_v2_0,            ///< GVA-35

    both_mmus,  ///< GVA-35, AMB-05
};

/// The first broken rule; rule::none when nothing is wrong. Its place is the level or physical adapter.
using broken_rule = breach<rule>;

/// What a check answers when nothing is wrong.
inline constexpr broken_rule no_rule_broken{};

namespace detail {

using rule_check = wddmcore::detail::first_breach<rule>;

/// The words of the rules, in the order of their enumeration.
inline constexpr char const* rule_texts[] = {
    "",

    "page tables: `level_count` must be 2 to 6 (GVA-01)",
    ("page tables: `levels` holds more than `level_count`: levels[0] is the leaf, and what lies past the root must "
     "stay empty (GVA-02)"),
    ("page tables: `index_bits` of a level is 0: a table needs at least two entries; only a resizable root, of two "
     "levels, may start with none (GVA-04)"),
    "page tables: `entry_bytes` of a level must be 4, 8 or 16 (GVA-04)",
    "page tables: 12 and the index bits of all levels are more than the 64 bits of an address (GVA-03)",
    ("page tables: `virtual_address_bits` must be 12 and the index bits of all levels: with more than two levels "
     "leave it out (GVA-03)"),
    ("page tables: two levels have a resizable root, so `virtual_address_bits` must say how wide an address is, 14 "
     "to 64 (GVA-03)"),
    ("page tables: `virtual_address_bits` leaves no bit for the root above 12 and the leaf's `index_bits`, or more "
     "than 31 (GVA-03)"),
    "page tables: a resizable root starts with more `index_bits` than an address has left (GVA-03)",
    "page tables: a table has 4 GiB or more, or 2^32 entries or more: the DDI has 32 bits for both (GVA-04)",
    "page tables: `gpu_page` must be 4096 bytes * 2^n, at most 64 KiB (GVA-05)",
    ("page tables: `gpu_page` is larger than what a leaf table covers: the leaf's `index_bits` count 4-KiB entries "
     "(GVA-05)"),
    ("page tables: with tables of 64-KiB entries the other leaf tables have 4-KiB entries: `gpu_page` must be 4096 "
     "bytes (GVA-09)"),
    "page tables: `entry_bytes_64k` must be 4, 8 or 16, or 0 (GVA-09)",
    "page tables: `entry_bytes_64k` needs leaf_tables::either or leaf_tables::both (GVA-09)",
    "page tables: with tables of 64-KiB entries the leaf needs at least 4 `index_bits` (GVA-10)",
    "page tables: `large_pages` of the leaf: a large page stands above the leaf (GVA-16)",
    ("page tables: geometries that are `chosen_among` must agree in `leaf`, in `entry_bytes_64k` and in the leaf's "
     "`entry_bytes`"),

    "placement: system memory is segment 0, and segment 0 is system memory (GVA-06)",
    ("placement: a table in system memory has more than 4096 bytes: give its level fewer `index_bits` or another "
     "segment (GVA-06)"),
    "placement: with update_modes::cpu_virtual the tables above the leaf must lie in system memory (GVA-07)",
    ("placement: with update_modes::cpu_virtual the leaf tables must be in reach of the CPU: system memory, a CPU "
     "visible segment or one behind a CPU host aperture (AMB-42)"),
    ("placement: the paging process's tables are always initialised by the CPU: system memory, a CPU visible segment "
     "or one behind a CPU host aperture (GVA-40)"),
    "placement: `alignment` must be 0 or a power of two of at least 4096 bytes, below 4 GiB (GVA-04)",
    "linked adapters: page tables must agree on the width of an address: use `narrowed` for the wider ones (GVA-33)",

    "GPUMMU caps: `large_pages` needs `large_pages` of level 1 in the geometry (GVA-16)",
    "GPUMMU caps: `non_aligned_large_pages` needs `large_pages` (GVA-17)",
    "GPUMMU caps: `system_memory_large_pages` needs `large_pages` (GVA-16)",
    "GPUMMU caps: `system_memory_64k_pages` needs leaf tables of 64-KiB entries (GVA-15)",
    "GPUMMU caps: page tables need a `version` of WDDM 2.0 or later (GVA-35)",

    ("addressing: `gpu_mmu` and `io_mmu` at once need `both_mmus_on_one_adapter`: the pages contradict each other "
     "about it (AMB-05)"),
};
static_assert(sizeof rule_texts / sizeof *rule_texts == static_cast<u32>(rule::both_mmus) + 1);

}  // namespace detail

/// Any IRQL, safe in non-paged code.
///
/// @return a broken rule in words; "" for rule::none, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    return wddmcore::detail::text_in(detail::rule_texts, what);
}

/// Tells what is wrong as one compile error, nothing for rule::none.
///
/// @return true
template <rule What, u32 Place, u64 Value>
consteval bool sentence() {
    using enum rule;
    static_assert(What != level_count, "page tables: `level_count` must be 2 to 6 (GVA-01)");
    static_assert(What != level_past_the_root, "page tables: `levels` holds more than `level_count`: levels[0] is "
                                               "the leaf, and what lies past the root must stay empty (GVA-02)");
    static_assert(What != index_bits_missing,
                  "page tables: `index_bits` of a level is 0: a table needs at least two entries; only a resizable "
                  "root, of two levels, may start with none (GVA-04)");
    static_assert(What != entry_size, "page tables: `entry_bytes` of a level must be 4, 8 or 16 (GVA-04)");
    static_assert(What != address_too_wide,
                  "page tables: 12 and the index bits of all levels are more than the 64 bits of an address (GVA-03)");
    static_assert(What != address_bits_differ, "page tables: `virtual_address_bits` must be 12 and the index bits of "
                                               "all levels: with more than two levels leave it out (GVA-03)");
    static_assert(What != address_bits_missing,
                  "page tables: two levels have a resizable root, so `virtual_address_bits` must say how wide an "
                  "address is, 14 to 64 (GVA-03)");
    static_assert(What != nothing_left_for_root, "page tables: `virtual_address_bits` leaves no bit for the root "
                                                 "above 12 and the leaf's `index_bits`, or more than 31 (GVA-03)");
    static_assert(What != first_root_too_large,
                  "page tables: a resizable root starts with more `index_bits` than an address has left (GVA-03)");
    static_assert(What != table_too_large, "page tables: a table has 4 GiB or more, or 2^32 entries or more: the DDI "
                                           "has 32 bits for both (GVA-04)");
    static_assert(What != gpu_page_size, "page tables: `gpu_page` must be 4096 bytes * 2^n, at most 64 KiB (GVA-05)");
    static_assert(What != gpu_page_above_table, "page tables: `gpu_page` is larger than what a leaf table covers: "
                                                "the leaf's `index_bits` count 4-KiB entries (GVA-05)");
    static_assert(What != gpu_page_is_64k, "page tables: with tables of 64-KiB entries the other leaf tables have "
                                           "4-KiB entries: `gpu_page` must be 4096 bytes (GVA-09)");
    static_assert(What != entry_size_64k, "page tables: `entry_bytes_64k` must be 4, 8 or 16, or 0 (GVA-09)");
    static_assert(What != entry_size_without_64k,
                  "page tables: `entry_bytes_64k` needs leaf_tables::either or leaf_tables::both (GVA-09)");
    static_assert(What != leaf_too_small_for_64k,
                  "page tables: with tables of 64-KiB entries the leaf needs at least 4 `index_bits` (GVA-10)");
    static_assert(What != large_leaf,
                  "page tables: `large_pages` of the leaf: a large page stands above the leaf (GVA-16)");
    static_assert(
        What != chips_differ_in_leaves,
        "page tables: geometries that are `chosen_among` must agree in `leaf`, in `entry_bytes_64k` and in the "
        "leaf's `entry_bytes`");

    static_assert(What != system_segment_id,
                  "placement: system memory is segment 0, and segment 0 is system memory (GVA-06)");
    static_assert(What != large_table_in_system, "placement: a table in system memory has more than 4096 bytes: give "
                                                 "its level fewer `index_bits` or another segment (GVA-06)");
    static_assert(What != directory_in_local, "placement: with update_modes::cpu_virtual the tables above the leaf "
                                              "must lie in system memory (GVA-07)");
    static_assert(What != leaf_out_of_cpu_reach,
                  "placement: with update_modes::cpu_virtual the leaf tables must be in reach of the CPU: system "
                  "memory, a CPU visible segment or one behind a CPU host aperture (AMB-42)");
    static_assert(What != paging_out_of_cpu_reach,
                  "placement: the paging process's tables are always initialised by the CPU: system memory, a CPU "
                  "visible segment or one behind a CPU host aperture (GVA-40)");
    static_assert(What != table_alignment,
                  "placement: `alignment` must be 0 or a power of two of at least 4096 bytes, below 4 GiB (GVA-04)");
    static_assert(What != different_address_widths, "linked adapters: page tables must agree on the width of an "
                                                    "address: use `narrowed` for the wider ones (GVA-33)");

    static_assert(What != large_pages_nowhere,
                  "GPUMMU caps: `large_pages` needs `large_pages` of level 1 in the geometry (GVA-16)");
    static_assert(What != non_aligned_without_large,
                  "GPUMMU caps: `non_aligned_large_pages` needs `large_pages` (GVA-17)");
    static_assert(What != system_large_without_large,
                  "GPUMMU caps: `system_memory_large_pages` needs `large_pages` (GVA-16)");
    static_assert(What != system_64k_without_64k,
                  "GPUMMU caps: `system_memory_64k_pages` needs leaf tables of 64-KiB entries (GVA-15)");
    static_assert(What != caps_before_v2_0, "GPUMMU caps: page tables need a `version` of WDDM 2.0 or later (GVA-35)");

    static_assert(What != both_mmus, "addressing: `gpu_mmu` and `io_mmu` at once need `both_mmus_on_one_adapter`: the "
                                     "pages contradict each other about it (AMB-05)");
    return true;
}

}  // namespace wddmcore::gpuva
