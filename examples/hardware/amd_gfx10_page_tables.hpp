// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base.hpp>

/// Page tables of AMD gfx10 (GPUVM). Facts: the entry bits of the vendor's public driver.
///
/// Level 0 holds pages, as the DDI counts; the root is level 3. Every table has 512 entries of 8 bytes.
///
///   level   3 (PDB2)   2 (PDB1)   1 (PDB0)   0 (PTB)
///   VA      [47:39]    [38:30]    [29:21]    [20:12]
///
/// A page is a run of 4-KiB entries that all carry the run's length, its fragment; or an entry of level 1.
///
/// Not here: the block-fragment size of a level-1 directory, which stays 0, and walks that end early (translate
/// further).
namespace wddmcore::examples::amd {

enum class page_size : u32 { kib4, kib64, mib2 };

/// What an entry says about a page, apart from its number.
struct page_use {
    bool system = false;      ///< system memory, else video memory
    bool snooped = false;     ///< of system memory: coherent with the CPU's caches
    bool executable = false;  ///< shaders may be fetched from it
    bool read_only = false;
    bool uncached = false;  ///< memory type UC, else NC
};

/// An entry for page number n is ((n << shift) & mask) + add: a run of entries needs nothing else.
struct entry_parts {
    u64 mask;
    u64 add;
};

struct page_tables {
    static constexpr u32 levels = 4;
    static constexpr u32 virtual_address_bits = 48;
    static constexpr u32 entry_shift = 12;  ///< a page number stands at bit 12 of every entry

    [[nodiscard]] static constexpr u32 index_bits(u32) noexcept { return 9; }

    /// The lowest address bit that a level indexes.
    [[nodiscard]] static constexpr u32 first_bit(u32 level) noexcept { return 12 + 9 * level; }
    [[nodiscard]] static constexpr bytes entry_bytes(u32) noexcept { return {8}; }

    // What the bits of an entry are called by the vendor's driver.
    using valid = bit_field<u64, 0>;
    using system = bit_field<u64, 1>;
    using snooped = bit_field<u64, 2>;
    using executable = bit_field<u64, 4>;
    using readable = bit_field<u64, 5>;
    using writeable = bit_field<u64, 6>;
    using fragment = bit_field<u64, 11, 7>;
    using address = bit_field<u64, 47, 12>;
    using memory_type = bit_field<u64, 50, 48>;
    using partially_resident = bit_field<u64, 51>;
    using directory_is_page = bit_field<u64, 54>;

    /// log2 of the 4-KiB pages of a page.
    [[nodiscard]] static constexpr u32 fragment_of(page_size size) noexcept {
        return size == page_size::mib2 ? 9 : size == page_size::kib64 ? 4 : 0;
    }

    /// What all entries of a run have in common. A longer fragment than that of the page size is right for a run that
    /// is that long, aligned in both address spaces, and uniform in everything. The TLB then needs one entry for all of
    /// it.
    [[nodiscard]] static constexpr entry_parts attributes(page_size size, page_use use, u32 run_fragment = 0) noexcept {
        u64 const rights = executable::place(use.executable) | readable::mask | writeable::place(!use.read_only);
        return {address::mask, valid::mask | system::place(use.system) | snooped::place(use.snooped) | rights |
                                   fragment::place(greater(run_fragment, fragment_of(size))) |
                                   memory_type::place(use.uncached ? 3 : 0) |
                                   directory_is_page::place(level_of(size) != 0)};
    }

    /// A page, or one of its 4-KiB parts: these have consecutive numbers and otherwise equal entries.
    [[nodiscard]] static constexpr u64 encode_leaf(page_number page, entry_parts parts) noexcept {
        return ((page.n << entry_shift) & parts.mask) + parts.add;
    }

    /// The level of a page's entries, and how many there are.
    [[nodiscard]] static constexpr u32 level_of(page_size size) noexcept { return size == page_size::mib2; }
    [[nodiscard]] static constexpr u32 entries_of(page_size size) noexcept { return size == page_size::kib64 ? 16 : 1; }

    /// An entry of level 1 to 3: a table's address, whole 4 KiB.
    [[nodiscard]] static constexpr u64 encode_directory(u64 table, bool in_system_memory = false) noexcept {
        return (table & address::mask) | valid::mask | system::place(in_system_memory) |
               snooped::place(in_system_memory);
    }

    static constexpr u64 nothing = 0;
    /// Reads as 0 and swallows writes.
    static constexpr u64 sparse = partially_resident::mask;
};

// A system page, snooped, with all rights: the driver's field values put together by hand.
static_assert(page_tables::encode_leaf(
                  page_number{0x12'3456},
                  page_tables::attributes(page_size::kib4, {.system = true, .snooped = true, .executable = true})) ==
              0x0000'0001'2345'6077);

}  // namespace wddmcore::examples::amd
