// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base.hpp>

/// Per-process page tables (PPGTT) of Intel Xe2. Facts: the public driver's definitions of entries.
///
/// Level 0 holds pages, as the DDI counts; the root is level 3. All entries have 8 bytes, and every table has 512 of
/// them except the compact ones of 64-KiB pages, which have 32.
///
///   level   3 (root)   2         1         0         0 (compact)
///   VA      [47:39]    [38:30]   [29:21]   [20:12]   [20:16]
///
/// No bit of a directory entry says where the table lies: on a discrete GPU all tables are in its own memory.
///
/// Not here: IPS_64K in a directory entry, with which older GPUs mark 64-KiB pages.
namespace wddmcore::examples::intel {

/// The sizes of pages. 64 KiB comes in two forms: sixteen entries of an ordinary table that all carry a hint, or one
/// entry of a compact table.
enum class page_size : u32 { kib4, kib64_by_hint, kib64_compact, mib2, gib1 };

/// What an entry says about a page, apart from its number.
struct page_use {
    bool device_memory = false;  ///< else system memory
    bool read_only = false;
    bool atomics = false;
    u32 pat = 0;  ///< the entry of the caching-policy table, 0 to 31
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
    static constexpr u32 index_bits_of_compact = 5;

    /// The lowest address bit that a level indexes.
    [[nodiscard]] static constexpr u32 first_bit(u32 level) noexcept { return 12 + 9 * level; }
    [[nodiscard]] static constexpr bytes entry_bytes(u32) noexcept { return {8}; }

    // What the bits of an entry are called by the public driver.
    using present = bit_field<u64, 0>;
    using writable = bit_field<u64, 1>;
    using pat_0_and_1 = bit_field<u64, 4, 3>;
    using compact_table = bit_field<u64, 6>;  ///< of a level-1 directory
    using is_page = bit_field<u64, 7>;        ///< of levels 1 and 2; at level 0 it is a bit of the caching policy
    using pat_2 = bit_field<u64, 7>;
    using pat_2_of_directories = bit_field<u64, 12>;
    using hint_64kib = bit_field<u64, 8>;
    using null_page = bit_field<u64, 9>;
    using atomic_enable = bit_field<u64, 10>;
    using device = bit_field<u64, 11>;
    using pat_4 = bit_field<u64, 61>;
    using pat_3 = bit_field<u64, 62>;
    using address = bit_field<u64, 45, 12>;

    /// What all entries of a run have in common.
    [[nodiscard]] static constexpr entry_parts attributes(page_size size, page_use use) noexcept {
        bool const at_directory = level_of(size) != 0;
        u64 const pat = pat_0_and_1::place(use.pat) |
                        (at_directory ? pat_2_of_directories::place(use.pat >> 2) : pat_2::place(use.pat >> 2)) |
                        pat_3::place(use.pat >> 3) | pat_4::place(use.pat >> 4);
        u64 const form = (at_directory ? is_page::mask : 0) | (size == page_size::kib64_by_hint ? hint_64kib::mask : 0);
        u64 const rights = present::mask | writable::place(!use.read_only) | atomic_enable::place(use.atomics);
        return {address::mask & ~low_mask<u64>(alignment_lg2(size)),
                pat | form | rights | device::place(use.device_memory)};
    }

    /// A page, or one of the sixteen 4-KiB parts of a page by hint: these have consecutive numbers and otherwise equal
    /// entries.
    [[nodiscard]] static constexpr u64 encode_leaf(page_number page, entry_parts parts) noexcept {
        return ((page.n << entry_shift) & parts.mask) + parts.add;
    }

    /// The level of a page's entries, and how many there are.
    [[nodiscard]] static constexpr u32 level_of(page_size size) noexcept {
        return size == page_size::gib1 ? 2 : size == page_size::mib2 ? 1 : 0;
    }
    [[nodiscard]] static constexpr u32 entries_of(page_size size) noexcept {
        return size == page_size::kib64_by_hint ? 16 : 1;
    }

    /// An entry of level 1 to 3.
    /// @param table    address of a table in the GPU's own memory, whole 4 KiB
    /// @param compact  at level 1: the table is one of 64-KiB pages
    [[nodiscard]] static constexpr u64 encode_directory(u64 table, bool compact = false) noexcept {
        return (table & address::mask) | present::mask | writable::mask | compact_table::place(compact);
    }

    static constexpr u64 nothing = 0;
    /// Reads as 0 and swallows writes.
    static constexpr u64 sparse = present::mask | writable::mask | null_page::mask;

private:
    /// The lowest address bit that an entry holds.
    [[nodiscard]] static constexpr u32 alignment_lg2(page_size size) noexcept {
        return size == page_size::gib1 ? 30 : size == page_size::mib2 ? 21 : size == page_size::kib64_compact ? 16 : 12;
    }
};

// Readable and writable, in system memory and in the device's: the driver's field values put together by hand.
static_assert(page_tables::encode_leaf(page_number{0x12'3456}, page_tables::attributes(page_size::kib4, {})) ==
              0x0000'0001'2345'6003);
static_assert(page_tables::encode_leaf(page_number{0x12'3456},
                                       page_tables::attributes(page_size::kib4, {.device_memory = true})) ==
              0x0000'0001'2345'6803);

}  // namespace wddmcore::examples::intel
