// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base.hpp>

/// Page tables of NVIDIA's MMU format version 2 (Pascal to Ampere). Facts: the vendor's public manuals of the MMU.
///
/// Level 0 holds pages, as the DDI counts; the root is level 4. Level 1 differs from other GPUs: an entry has 16 bytes
/// and names two tables for the same 2 MiB, one of 64-KiB pages and one of 4-KiB pages; or it is a 2-MiB page.
///
///   level   4 (root)   3         2         1 (dual)   0 (4 KiB)   0 (64 KiB)
///   VA      [48:47]    [46:38]   [37:29]   [28:21]    [20:12]     [20:16]
///   entry   8          8         8         16         8           8            bytes
namespace wddmcore::examples::nvidia {

/// Where a page or a table lies. The numbers are those of page entries; directories and the copy engine use others.
enum class memory : u32 { video = 0, peer = 1, coherent_system = 2, noncoherent_system = 3 };

enum class page_size : u32 { kib4, kib64, mib2 };

/// What an entry says about a page, apart from its number.
struct page_use {
    memory where = memory::video;
    u32 peer = 0;              ///< which peer, 0 to 7, with memory::peer
    bool is_volatile = false;  ///< not kept in the L2 cache
    bool privileged = false;
    bool read_only = false;
    bool without_atomics = false;
    u32 kind = 0;  ///< the layout's number, 8 bits; 0 is pitch
};

/// An entry for page number n is ((n << shift) & mask) + add: a run of entries needs nothing else.
struct entry_parts {
    u64 mask;
    u64 add;
};

/// An entry; `high` is used at level 1 only.
struct page_table_entry {
    u64 low;
    u64 high;
    friend constexpr bool operator==(page_table_entry, page_table_entry) = default;
};

/// A table that an entry names, or none.
struct table_place {
    bool present = false;
    memory where = memory::video;  ///< not a peer's
    u64 address = 0;               ///< bytes, in that memory; a multiple of 4 KiB, for a table of 64-KiB pages of 1 KiB
};

struct page_tables {
    static constexpr u32 levels = 5;
    static constexpr u32 virtual_address_bits = 49;
    static constexpr u32 entry_shift = 8;  ///< a page number stands at bit 8 of every entry

    /// The index bits of a level; of level 0, those of its 4-KiB pages.
    [[nodiscard]] static constexpr u32 index_bits(u32 level) noexcept { return level == 4 ? 2 : level == 1 ? 8 : 9; }
    static constexpr u32 index_bits_of_64kib = 5;  ///< of a level-0 table of 64-KiB pages

    /// The lowest address bit that a level indexes.
    [[nodiscard]] static constexpr u32 first_bit(u32 level) noexcept {
        return level == 0 ? 12 : 12 + 9 * level - (level > 1);
    }

    [[nodiscard]] static constexpr bytes entry_bytes(u32 level) noexcept { return {level == 1 ? u64{16} : u64{8}}; }

    // What the bits of a page's entry are called in the manual.
    using valid = bit_field<u64, 0>;
    using aperture = bit_field<u64, 2, 1>;
    using vol = bit_field<u64, 3>;
    using privilege = bit_field<u64, 5>;
    using read_only = bit_field<u64, 6>;
    using atomic_disable = bit_field<u64, 7>;
    using address_video = bit_field<u64, 32, 8>;
    using address_system = bit_field<u64, 53, 8>;
    using peer_index = bit_field<u64, 35, 33>;
    using page_kind = bit_field<u64, 63, 56>;

    /// What all entries of a run have in common.
    [[nodiscard]] static constexpr entry_parts attributes(page_use use) noexcept {
        bool const system = use.where == memory::coherent_system || use.where == memory::noncoherent_system;
        u64 const peer = use.where == memory::peer ? peer_index::place(use.peer) : 0;
        return {system ? address_system::mask : address_video::mask,
                valid::mask | aperture::place(static_cast<u64>(use.where)) | vol::place(use.is_volatile) |
                    privilege::place(use.privileged) | read_only::place(use.read_only) |
                    atomic_disable::place(use.without_atomics) | peer | page_kind::place(use.kind)};
    }

    /// A page. Its number is a multiple of the page's size; a 2-MiB page stands at level 1, the others at level 0.
    [[nodiscard]] static constexpr page_table_entry encode_leaf(page_number page, entry_parts parts) noexcept {
        return {((page.n << entry_shift) & parts.mask) + parts.add, 0};
    }

    /// The level of a page's entry.
    [[nodiscard]] static constexpr u32 level_of(page_size size) noexcept { return size == page_size::mib2; }

    /// An entry of level 2 to 4.
    [[nodiscard]] static constexpr page_table_entry encode_directory(table_place table) noexcept {
        return {half(table), 0};
    }

    /// An entry of level 1: the table of 64-KiB pages, and the table of 4-KiB pages, which is used where the first has
    /// no page. The low address bits of a 64-KiB table share their places with NO_ATS, so it begins at a multiple of 1
    /// KiB.
    [[nodiscard]] static constexpr page_table_entry encode_directory(table_place of_64kib,
                                                                     table_place of_4kib) noexcept {
        return {half(of_64kib), half(of_4kib)};
    }

    static constexpr page_table_entry nothing{0, 0};
    /// Reads as 0 and swallows writes.
    static constexpr page_table_entry sparse{vol::mask, 0};
    /// In a table of 64-KiB pages: no page here, and the 4-KiB pages for this range do not count either.
    static constexpr page_table_entry hides_4kib{privilege::mask, 0};

private:
    /// The numbers that directories use for where a table lies: 0 is none.
    [[nodiscard]] static constexpr u64 table_aperture(table_place table) noexcept {
        return !table.present ? 0 : table.where == memory::video ? 1 : table.where == memory::coherent_system ? 2 : 3;
    }

    /// One table. Address bit 12 is at bit 8 of every directory entry; the field of the 64-KiB half begins at bit 4
    /// with address bit 8, so the shift is the same.
    [[nodiscard]] static constexpr u64 half(table_place table) noexcept {
        u64 const field = table.where == memory::video ? low_mask<u64>(33) : low_mask<u64>(54);
        return table.present ? ((table.address >> 4) & field) | aperture::place(table_aperture(table)) : 0;
    }
};

// System memory, coherent, volatile; and video memory: the manual's field values put together by hand.
static_assert(page_tables::encode_leaf(page_number{0x12345}, page_tables::attributes({.where = memory::coherent_system,
                                                                                      .is_volatile = true})) ==
              page_table_entry{0x0000'0000'0123'450D, 0});
static_assert(page_tables::encode_leaf(page_number{0x12345}, page_tables::attributes({})) ==
              page_table_entry{0x0000'0000'0123'4501, 0});
static_assert(page_tables::first_bit(0) == 12 && page_tables::first_bit(1) == 21 && page_tables::first_bit(2) == 29 &&
              page_tables::first_bit(3) == 38 && page_tables::first_bit(4) == 47);

}  // namespace wddmcore::examples::nvidia
