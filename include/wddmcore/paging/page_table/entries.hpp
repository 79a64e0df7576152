// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../gpuva/gpu_mmu_caps.hpp"
#include "../../hw/promises/address_space.hpp"
#include "slots.hpp"

/// From the DDI's entries to the hardware's, one at a time: what is judged, and which encoder is asked.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Where the entries of a request come from.
template <class Pte>
struct entry_source {
    Pte const* entries;      ///< of 4 KiB, or the only array; NULL only beside entries_64k
    Pte const* entries_64k;  ///< level 1 of dual tables: what the 64-KiB half of each entry names; else NULL (OP11-06)
    table_kind table;
    slot_range slots;
    u64 protection;         ///< DriverProtection, without the bits that mean nothing (OP11-10)
    bool repeat;            ///< one entry for all slots: no other element is ever read (OP11-02)
    u32 table_in_page = 0;  ///< how far into a 4-KiB page the table begins: no fill relies on more of its address

    /// The element that a slot is made from; with Repeat the token does not move it (OP11-12).
    [[nodiscard]] constexpr u32 element(u32 slot) const noexcept { return repeat ? 0 : slots.entry_of(slot); }
};

/// Reads an element; a NULL array holds entries that are not valid.
[[nodiscard]] WDDMCORE_INLINE constexpr pte_target read_target(auto const* entries, u32 element) noexcept {
    if (entries == nullptr) {
        return {};
    }
    return {{static_cast<u64>(entries[element].Flags) & pte_flags::known},
            static_cast<u64>(entries[element].PageAddress)};
}

/// The rights and ways of access of a valid entry that were not claimed (GVA-20).
template <class Hw>
inline constexpr u64 unclaimed_flags =
    gpuva::refused_pte_flags(hw::any_geometry<Hw>(), Hw::mmu_caps, 0) &
    (pte_flags::read_only_bit | pte_flags::no_execute_bit | pte_flags::cache_coherent_bit);

/// Judges what does not depend on the page: whether an entry's flags were claimed, and what they name exists.
///
/// An entry that is not valid is never wrong: it names nothing.
/// With linked adapters the segments of the others are not known here, so that only the adapter is judged (GVA-21).
template <class Hw>
[[nodiscard]] constexpr finding judge_flags(Hw const& hw, pte_flags flags) noexcept {
    if (!flags.valid()) {
        return nothing_wrong;
    }
    if ((flags.n & unclaimed_flags<Hw>) != 0) {
        return found(paging_rule::flag_not_claimed, flags.n, unclaimed_flags<Hw>);
    }
    if (flags.zero()) {
        return Hw::mmu_caps.zero_in_pte ? nothing_wrong : found(paging_rule::zero_not_claimed, flags.n);
    }
    if (flags.adapter() >= hw::any_entry_limits<Hw>().adapters) {
        return found(paging_rule::unknown_adapter, flags.adapter(), hw::any_entry_limits<Hw>().adapters);
    }
    if constexpr (hw::any_entry_limits<Hw>().adapters == 1) {
        if (flags.segment().n != 0 && hw.place(flags.segment()).size.n == 0) {
            return found(paging_rule::unknown_segment, flags.segment().n);
        }
    }
    return nothing_wrong;
}

/// Whether an entry points at system memory, that of the adapter itself.
[[nodiscard]] constexpr bool in_system_memory(pte_flags flags) noexcept {
    return flags.segment().n == 0 && flags.adapter() == 0;
}

/// Whether a table may hold large pages (GVA-16); one of the leaf never may (gpuva::judge).
template <class Hw>
[[nodiscard]] constexpr bool takes_large_pages(Hw const& hw, table_kind const& table) noexcept {
    return (gpuva::refused_pte_flags(hw::geometry_of(hw), Hw::mmu_caps, table.level) & pte_flags::large_page_bit) == 0;
}

/// Where the page numbers end that an entry with these flags may have: at the end of its segment, or where the entry
/// can hold no more.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u64 end_of_pages(Hw const& hw, [[maybe_unused]] pte_flags flags) noexcept {
    u64 const held = u64{1} << hw::entry_limits_of(hw).page_number_bits;
    if constexpr (hw::any_entry_limits<Hw>().adapters == 1) {
        if (flags.segment().n != 0) {
            return lesser(held, hw.place(flags.segment()).size.n / page_bytes);
        }
    }
    return held;
}

/// The pages of 4 KiB that a valid entry points at; of a table the first, for its size is another entry's.
template <class Hw>
[[nodiscard]] constexpr u64 pages_named(Hw const& hw, pte_flags flags, table_kind const& table) noexcept {
    if (table.level != 0) {
        return flags.large_page() ? u64{1} << gpuva::entry_pages_lg2(hw::geometry_of(hw), table.level) : 1;
    }
    if constexpr (gpuva::has_64k_tables(hw::any_geometry<Hw>())) {
        return u64{1} << (table.leaf == leaf_kind::page_64k ? gpuva::pages_of_64k_lg2 : table.share_lg2);
    } else {
        return u64{1} << hw::of_geometry(hw, [](auto const& tables) { return gpuva::gpu_page_lg2(tables); });
    }
}

/// Judges whether what a valid entry points at, of a number that entries hold, ends inside its segment (GVA-18,
/// OP00-03).
///
/// System memory has no end here, and with linked adapters the segments of the others are not known (GVA-21).
template <class Hw>
[[nodiscard]] constexpr finding judge_end(Hw const& hw, pte_target target, table_kind const& table) noexcept {
    if constexpr (hw::any_entry_limits<Hw>().adapters == 1) {
        if (target.flags.segment().n != 0) {
            u64 const end = hw.place(target.flags.segment()).size.n / page_bytes;
            if (target.page + pages_named(hw, target.flags, table) > end) {
                return found(paging_rule::outside_segment, target.page, end);
            }
        }
    }
    return nothing_wrong;
}

/// Judges a valid entry's page, or table: what it must be a multiple of, and whether the entry can hold it.
template <class Hw>
[[nodiscard]] constexpr finding judge_page(Hw const& hw, pte_target target, table_kind const& table) noexcept {
    u32 const bits = hw::entry_limits_of(hw).page_number_bits;
    if ((target.page >> bits) != 0) {
        return found(paging_rule::page_too_high, target.page, low_mask<u64>(bits));
    }
    if (target.flags.large_page()) {
        if (!takes_large_pages(hw, table)) {
            return found(paging_rule::large_page_refused, table.level);
        }
        u64 const covered = u64{1} << gpuva::entry_pages_lg2(hw::geometry_of(hw), table.level);
        if (!Hw::mmu_caps.non_aligned_large_pages && target.page % covered != 0) {
            return found(paging_rule::misaligned_large_page, target.page, covered);
        }
        // GVA-15: system memory has pages of 4 KiB, unless the driver claims more.
        if (!Hw::mmu_caps.system_memory_large_pages && in_system_memory(target.flags)) {
            return found(paging_rule::big_page_of_system_memory, target.page);
        }
        return nothing_wrong;
    }
    if (table.level == 0) {
        u64 const unit = u64{1} << (table.leaf == leaf_kind::page_64k ? gpuva::pages_of_64k_lg2 : table.share_lg2);
        if (target.page % unit != 0) {
            return found(paging_rule::misaligned_page, target.page, unit);
        }
        // GVA-15: a 64-KiB entry that points there was never meant.
        if (!Hw::mmu_caps.system_memory_64k_pages && table.leaf == leaf_kind::page_64k &&
            in_system_memory(target.flags)) {
            return found(paging_rule::big_page_of_system_memory, target.page);
        }
        return nothing_wrong;
    }
    constexpr bool single = hw::any_geometry<Hw>().leaf != gpuva::leaf_tables::both;
    constexpr u32 largest = gpuva::has_64k_tables(hw::any_geometry<Hw>()) ? 1 : 0;
    if (single && table.level == 1 && target.flags.table_page_size() > largest) {
        return found(paging_rule::no_64k_tables, table.level);
    }
    return nothing_wrong;
}

/// Judges one DXGK_PTE.
///
/// AMB-58: what reads as zero names no page, so that neither its adapter nor its page is judged; but it may say
/// LargePage only where a page of that size could stand.
template <class Hw>
[[nodiscard]] constexpr finding judge_target(Hw const& hw, pte_target target, table_kind const& table) noexcept {
    finding const problem = judge_flags(hw, target.flags);
    if (problem.any || !target.flags.valid()) {
        return problem;
    }
    if (target.flags.zero()) {
        bool const refused = target.flags.large_page() && !takes_large_pages(hw, table);
        return refused ? found(paging_rule::large_page_refused, table.level) : nothing_wrong;
    }
    finding const wrong_page = judge_page(hw, target, table);
    return wrong_page.any ? wrong_page : judge_end(hw, target, table);
}

/// Whether an entry above the leaf is valid and a page, or reads as zero, instead of naming a table.
[[nodiscard]] constexpr bool names_page(pte_flags flags) noexcept {
    return flags.valid() && (flags.large_page() || flags.zero());
}

/// Judges everything that one slot is made from.
template <class Hw, class Pte>
[[nodiscard]] constexpr finding judge_slot(Hw const& hw, entry_source<Pte> const& from, u32 slot) noexcept {
    u32 const element = from.element(slot);
    pte_target const target = read_target(from.entries, element);
    finding const problem = judge_target(hw, target, from.table);
    if (problem.any || from.entries_64k == nullptr) {
        return problem;
    }
    pte_target const table_64k = read_target(from.entries_64k, element);
    if (!table_64k.flags.valid()) {
        return nothing_wrong;
    }
    // GVA-12: the second array names tables, and an entry that is a page itself has no half for one.
    // Where both read as zero nothing is contradicted (GVA-19).
    bool const both_zero = target.flags.valid() && target.flags.zero() && table_64k.flags.zero();
    if (!both_zero && (names_page(target.flags) || names_page(table_64k.flags))) {
        return found(paging_rule::page_beside_table, (names_page(table_64k.flags) ? table_64k : target).flags.n);
    }
    return judge_target(hw, table_64k, from.table);
}

/// Judges the slots [first, end): the first wrong one, or nothing wrong.
template <class Hw, class Pte>
[[nodiscard]] WDDMCORE_NOINLINE constexpr finding judge_slots(Hw const& hw, entry_source<Pte> const& from, u32 first,
                                                              u32 end) noexcept {
    u32 const stop = from.repeat ? lesser(end, first + 1) : end;
    for (u32 slot = first; slot < stop; ++slot) {
        if (finding const problem = judge_slot(hw, from, slot); problem.any) {
            return problem;
        }
    }
    return nothing_wrong;
}

/// A slot's entry, of any level and size.
///
/// In single-PTE mode a level-1 entry names one table, of the size that its PageTablePageSize says (GVA-11); in
/// dual-PTE mode that field is ignored and each array names one half (GVA-12).
template <class Hw, class Pte>
[[nodiscard]] constexpr page_table_entry encode_slot(Hw const& hw, entry_source<Pte> const& from, u32 slot) noexcept {
    u32 const element = from.element(slot);
    u32 const level = from.table.level;
    pte_target const target = read_target(from.entries, element);
    if (level == 0) {
        return hw.encode_leaf(from.table.leaf, 0, target, from.protection);
    }
    if (names_page(target.flags)) {
        return hw.encode_leaf(leaf_kind::large_page, level, target, from.protection);
    }
    pte_target target_64k = read_target(from.entries_64k, element);
    if (hw::any_geometry<Hw>().leaf == gpuva::leaf_tables::either && level == 1 && target.flags.names_64k_table()) {
        return hw.encode_directory(level, pte_target{}, target);
    }
    return hw.encode_directory(level, target, target_64k);
}

/// Whether a slot's entry will be valid: decides the order of its two words (law 4).
template <class Pte>
[[nodiscard]] constexpr bool becomes_valid(entry_source<Pte> const& from, u32 slot) noexcept {
    u32 const element = from.element(slot);
    return read_target(from.entries, element).flags.valid() || read_target(from.entries_64k, element).flags.valid();
}

}  // namespace wddmcore::paging::detail
