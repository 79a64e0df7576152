// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/span.hpp"
#include "../../../ddi/pte_flags.hpp"
#include "../../chosen_within.hpp"
#include "../../page_tables.hpp"

/// How a GPU's page-table entries are made from the DDI's.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// What one DXGK_PTE says: its flags, and the number of the 4-KiB page it points at.
///
/// AMB-08: `PageAddress` and `PageTableAddress` are page numbers, address >> 12 (OBS-03), counted from the start of the
/// segment (GVA-18); this is the one place where they are read as such.
struct pte_target {
    pte_flags flags;
    u64 page;  ///< a page number, or what it names by the flags
};

/// An entry as the hardware stores it: in its low 4 or 8 bytes, or in both words.
struct page_table_entry {
    u64 low;   ///< bits 0 to 63
    u64 high;  ///< bits 64 to 127, of a 16-byte entry
    friend constexpr bool operator==(page_table_entry, page_table_entry) = default;
};

/// What all leaf entries of the same flags have in common: an entry is ((page << entry_page_shift) & mask) + add.
struct entry_attributes {
    u64 mask;  ///< the address field, or 0 for an entry without an address: one that is not valid, or that reads zero
    u64 add;   ///< every other bit, with the base of the segment in the address field (GVA-18)
    friend constexpr bool operator==(entry_attributes, entry_attributes) = default;
};

/// Which of a page's sizes a leaf entry is for.
enum class leaf_kind : u32 {
    gpu_page,    ///< in a leaf table: a page of the GPU's own size
    page_64k,    ///< in a leaf table of 64-KiB entries
    large_page,  ///< above the leaf: data that covers all that a table there would (GVA-16)
};

/// How far the numbers go that entries are made from.
struct page_table_entry_limits {
    u32 page_number_bits;       ///< 1 to 52: width of the page numbers, from a segment's start, that entries hold
    u32 adapters = 1;           ///< 1 to 64 physical adapters of the link whose memory entries can name (GVA-21)
    u64 driver_protection = 0;  ///< the bits of DriverProtection that mean something; others are masked (OP11-10)
    u32 valid_word = 0;         ///< which 8-byte word of a 16-byte entry holds the valid bit: 0 or 1
};

namespace hw {

/// Whether a hardware type can have these page tables: one geometry, or one of several for each object.
template <class Hw, auto Declared>
inline constexpr bool is_geometry = is_alternative_of<Hw, gpuva::page_table_geometry, Declared>;
/// Whether a value is a constant of GPUMMU caps.
template <auto Value>
inline constexpr bool is_mmu_capabilities = meta::is_constant_of<gpuva::gpu_mmu_capabilities, Value>;

/// The format of the page tables.
///
/// For library users: where tables lie is the driver's choice, not the format's.
/// For hardware authors: `static constexpr gpuva::page_table_geometry page_tables`: levels, index bits, bytes of an
/// entry, or a list of geometries for each chip to be chosen_among, which may differ in levels, index bits, page sizes
/// and large pages, but not in what a leaf table holds; `static constexpr gpuva::gpu_mmu_capabilities mmu_caps`: what
/// is claimed; an entry that uses what is not is refused with the hook, never stripped of it (GVA-20); `static
/// constexpr page_table_entry_limits entry_limits`, or a list of them, which may differ in page_number_bits and
/// driver_protection; `page_table_entry encode_leaf(leaf_kind, u32 level, pte_target, u64 protection) const`, also for
/// entries that are not valid, at every level; the base of the segment is added here (GVA-18), and so is what reaches a
/// peer (GVA-21). Large pages are judged by their place in the segment (GVA-17): what is added must be a multiple of
/// the largest that may lie there. An entry may name any segment that was reported; no page says whether one ever names
/// an aperture, so a type that cannot reach it makes an entry that faults; `page_table_entry encode_directory(u32
/// level, pte_target table, pte_target table_64k) const`, level 1 and up: a valid target is a table of that kind; with
/// dual tables both may be valid (GVA-12), else at most one is, and the other is zero. Where a request brings only one
/// of the two arrays, the other half comes as not valid and is cleared with it: a pointer to a table that may be freed
/// would be worse than a page fault (AMB-56). Entries of 4 and 8 bytes are returned in `low`. Every combination of
/// flags may come: what is made of those that turn out to be malformed is never committed.
template <class Hw>
concept page_table_format = requires(Hw const& hw, u32 level, pte_target target, u64 protection) {
    requires is_geometry<Hw, Hw::page_tables>;
    requires is_mmu_capabilities<Hw::mmu_caps>;
    requires is_alternative_of<Hw, page_table_entry_limits, Hw::entry_limits>;
    { hw.encode_leaf(leaf_kind::gpu_page, level, target, protection) } -> meta::same_as<page_table_entry>;
    { hw.encode_directory(level, target, target) } -> meta::same_as<page_table_entry>;
};

/// Whether the chips of a hardware type differ in their page tables.
template <class Hw>
inline constexpr bool chooses_page_tables =
    !meta::same_as<meta::bare<decltype(Hw::page_tables)>, gpuva::page_table_geometry>;

/// @return the page tables of all chips.
template <class Hw>
[[nodiscard]] consteval span<gpuva::page_table_geometry const> geometries() noexcept {
    return alternatives_of(Hw::page_tables);
}

/// @return the page tables of some chip: for what all have in common, which is what a leaf table holds.
template <class Hw>
[[nodiscard]] consteval gpuva::page_table_geometry const& any_geometry() noexcept {
    return geometries<Hw>()[0];
}

/// @return the page tables of this chip.
///
/// Any IRQL; touches no OS state, safe in non-paged code.
///
/// @param hw  a chip that check_numbers accepts
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr gpuva::page_table_geometry const& geometry_of(Hw const& hw) noexcept {
    return alternative_of(hw, Hw::page_tables);
}

/// @return a number that follows from the page tables of this chip: a constant, where all chips have the same.
///
/// @param number  (page_table_geometry const&) to the number; it captures nothing
template <class Hw, class Number>
[[nodiscard]] WDDMCORE_INLINE constexpr auto of_geometry([[maybe_unused]] Hw const& hw, Number number) noexcept {
    if constexpr (chooses_page_tables<Hw>) {
        return number(geometry_of(hw));
    } else {
        constexpr auto constant = Number{}(Hw::page_tables);
        return constant;
    }
}

/// @return the largest of such a number over all chips.
template <class Hw, class Number>
[[nodiscard]] consteval auto most_of_geometries(Number number) noexcept {
    auto most = number(any_geometry<Hw>());
    for (gpuva::page_table_geometry const& each : geometries<Hw>()) {
        most = greater(most, number(each));
    }
    return most;
}

/// @return the limits of some chip: for what all have in common, the adapters and the word of the valid bit.
template <class Hw>
[[nodiscard]] consteval page_table_entry_limits const& any_entry_limits() noexcept {
    return alternatives_of(Hw::entry_limits)[0];
}

/// @return how far the numbers go that the entries of this chip are made from.
///
/// Any IRQL; touches no OS state, safe in non-paged code.
///
/// @param hw  a chip that check_numbers accepts
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr page_table_entry_limits const& entry_limits_of(Hw const& hw) noexcept {
    return alternative_of(hw, Hw::entry_limits);
}

/// Leaf entries of at most 8 bytes that are ((page << entry_page_shift) & mask) + add: runs of them are written without
/// a call per entry. Optional.
///
/// For library users: without it every entry is asked of encode_leaf.
/// For hardware authors: `static constexpr u32 entry_page_shift`;
/// `entry_attributes attributes(leaf_kind, pte_flags, u64 protection) const`, equal to what encode_leaf makes of every
/// page number below 2^page_number_bits. Runs whose mask cuts off bits of such a page number are written the longer
/// way.
template <class Hw>
concept uniform_entries = page_table_format<Hw> && requires(Hw const& hw, pte_flags flags, u64 protection) {
    requires meta::is_constant_of<u32, Hw::entry_page_shift>;
    { hw.attributes(leaf_kind::gpu_page, flags, protection) } -> meta::same_as<entry_attributes>;
};

}  // namespace hw

/// The attributes of every key, Valid to Segment, for requests whose entries differ in them: 16 KiB, owned by the
/// driver, filled once the segments are placed.
struct attribute_table {
    static constexpr u32 entries = 1024;  ///< one for each combination of the flags

    u64 mask[entries];  ///< the bits that the flags decide
    u64 add[entries];   ///< what these bits are
};

namespace hw {

/// Keeps a table of attributes, so that requests of mixed entries need no call per entry either. Optional.
///
/// For library users: without it entries of mixed flags ask for their attributes whenever the flags change.
/// For hardware authors: `attribute_table const* attributes_by_key(u64 protection) const`, NULL where there is none for
/// that protection. It was filled by paging::fill_attribute_table after the segments were placed.
template <class Hw>
concept keeps_attribute_table = uniform_entries<Hw> && requires(Hw const& hw, u64 protection) {
    { hw.attributes_by_key(protection) } -> meta::same_as<attribute_table const*>;
};

}  // namespace hw
}  // namespace wddmcore
namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_attributes = requires { &Hw::attributes; } || requires { &Hw::entry_page_shift; };

/// The limits of entries, judged.
struct entry_limits_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::entry_limits; }) {
            static_assert(!Aloud, "page_table_format: `entry_limits` is missing or not public: write `static constexpr "
                                  "wddmcore::page_table_entry_limits entry_limits{...};`, how wide page numbers are");
        } else if constexpr (!requires { requires is_alternative_of<Hw, page_table_entry_limits, Hw::entry_limits>; }) {
            static_assert(!Aloud, "page_table_format: `entry_limits` exists but is not a `static constexpr "
                                  "wddmcore::page_table_entry_limits`, nor `chosen_among` several");
        } else if constexpr (!every<Hw>(&are_legal)) {
            static_assert(!Aloud, "page_table_format: `entry_limits` must have 1 to 52 page_number_bits, 1 to 64 "
                                  "adapters, and valid_word 0 or 1");
        } else if constexpr (!every<Hw>(&agree_with_any<Hw>)) {
            static_assert(!Aloud, "page_table_format: `entry_limits` that are `chosen_among` must agree in `adapters` "
                                  "and in `valid_word`");
        } else {
            return true;
        }
        return false;
    }

    /// Whether something holds for the limits of each chip.
    template <class Hw>
    [[nodiscard]] static consteval bool every(bool (*holds)(page_table_entry_limits const&)) {
        for (page_table_entry_limits const& each : alternatives_of(Hw::entry_limits)) {
            if (!holds(each)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] static consteval bool are_legal(page_table_entry_limits const& limits) {
        return limits.page_number_bits >= 1 && limits.page_number_bits <= 52 && limits.adapters >= 1 &&
               limits.adapters <= 64 && limits.valid_word <= 1;
    }

    template <class Hw>
    [[nodiscard]] static consteval bool agree_with_any(page_table_entry_limits const& limits) {
        return limits.adapters == any_entry_limits<Hw>().adapters &&
               limits.valid_word == any_entry_limits<Hw>().valid_word;
    }

    template <class Hw>
    [[nodiscard]] static consteval bool fit_beside_shift(page_table_entry_limits const& limits) {
        return Hw::entry_page_shift + limits.page_number_bits <= 64;
    }
};

/// Entries made from attributes, judged.
struct attributes_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!declares_attributes<Hw>) {
            return true;
        } else if constexpr (!uniform_entries<Hw>) {
            static_assert(!Aloud, "uniform_entries: `attributes` and `static constexpr wddmcore::u32 "
                                  "entry_page_shift` go together and do not fit `wddmcore::entry_attributes "
                                  "attributes(wddmcore::leaf_kind, wddmcore::pte_flags, wddmcore::u64 protection) "
                                  "const`");
        } else if constexpr (any_geometry<Hw>().levels[0].entry_bytes > 8 ||
                             !entry_limits_promise::every<Hw>(&entry_limits_promise::fit_beside_shift<Hw>)) {
            static_assert(!Aloud, "uniform_entries: `attributes` is for leaf entries of 4 or 8 bytes, and "
                                  "`entry_page_shift` plus page_number_bits must not exceed 64");
        } else {
            constexpr bool declared = requires { &Hw::attributes_by_key; };
            constexpr bool kept = !declared || keeps_attribute_table<Hw>;
            static_assert(!Aloud || kept, "keeps_attribute_table: `attributes_by_key` exists but cannot be called as "
                                          "`wddmcore::attribute_table const* attributes_by_key(wddmcore::u64 "
                                          "protection) const`");
            return kept;
        }
        return false;
    }
};

/// The format of page tables, judged.
struct page_table_format_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::page_tables; }) {
            static_assert(!Aloud, "page_table_format: `page_tables` is missing or not public: write `static "
                                  "constexpr wddmcore::gpuva::page_table_geometry page_tables{...};`, levels, index "
                                  "bits and bytes of an entry");
        } else if constexpr (!requires { requires is_geometry<Hw, Hw::page_tables>; }) {
            static_assert(!Aloud, "page_table_format: `page_tables` exists but is not a `static constexpr "
                                  "wddmcore::gpuva::page_table_geometry`, nor `chosen_among` several");
        } else if constexpr (!requires { Hw::mmu_caps; }) {
            static_assert(!Aloud, "page_table_format: `mmu_caps` is missing or not public: write `static constexpr "
                                  "wddmcore::gpuva::gpu_mmu_capabilities mmu_caps{...};`, what DXGK_GPUMMUCAPS claims");
        } else if constexpr (!requires { requires is_mmu_capabilities<Hw::mmu_caps>; }) {
            static_assert(!Aloud, "page_table_format: `mmu_caps` exists but is not a `static constexpr "
                                  "wddmcore::gpuva::gpu_mmu_capabilities`");
        } else if constexpr (!entry_limits_promise::kept<Hw>()) {
            return entry_limits_promise::kept<Hw, Aloud>();
        } else if constexpr (!requires(Hw const& hw, pte_target target) {
                                 {
                                     hw.encode_leaf(leaf_kind::gpu_page, u32{}, target, u64{})
                                 } -> meta::same_as<page_table_entry>;
                             }) {
            constexpr bool declared = requires { &Hw::encode_leaf; };
            static_assert(!Aloud || !declared, "page_table_format: `encode_leaf` exists but cannot be called as "
                                               "`wddmcore::page_table_entry encode_leaf(wddmcore::leaf_kind, "
                                               "wddmcore::u32 level, wddmcore::pte_target, wddmcore::u64 protection) "
                                               "const`");
            static_assert(!Aloud || declared, "page_table_format: `encode_leaf` is missing or not public: write "
                                              "`wddmcore::page_table_entry encode_leaf(wddmcore::leaf_kind, "
                                              "wddmcore::u32 level, wddmcore::pte_target, wddmcore::u64 protection) "
                                              "const`");
        } else if constexpr (!page_table_format<Hw>) {
            constexpr bool declared = requires { &Hw::encode_directory; };
            static_assert(!Aloud || !declared, "page_table_format: `encode_directory` exists but cannot be called as "
                                               "`wddmcore::page_table_entry encode_directory(wddmcore::u32 level, "
                                               "wddmcore::pte_target table, wddmcore::pte_target table_64k) const`");
            static_assert(!Aloud || declared, "page_table_format: `encode_directory` is missing or not public: write "
                                              "`wddmcore::page_table_entry encode_directory(wddmcore::u32 level, "
                                              "wddmcore::pte_target table, wddmcore::pte_target table_64k) const`");
        } else {
            return attributes_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
