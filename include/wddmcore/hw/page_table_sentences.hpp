// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "broken_promise.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Says what is wrong with a promise about page tables, as one compile error; of anything else it says
/// nothing. Always true.
template <member What, defect How>
consteval bool page_table_sentence() {
    constexpr auto wrong = [](member what, defect how) { return What == what && How == how; };
    using enum defect;

    static_assert(
        !wrong(member::page_tables, missing),
        "page_table_format: `page_tables` is missing: write `static constexpr wddmcore::gpuva::page_table_geometry "
        "page_tables{...};`, levels, index bits and bytes of an entry");
    static_assert(
        !wrong(member::page_tables, not_a_constant),
        "page_table_format: `page_tables` exists but is not a `static constexpr wddmcore::gpuva::page_table_geometry`");
    static_assert(
        !wrong(member::mmu_caps, missing),
        "page_table_format: `mmu_caps` is missing: write `static constexpr wddmcore::gpuva::gpu_mmu_capabilities "
        "mmu_caps{...};`, what DXGK_GPUMMUCAPS claims");
    static_assert(
        !wrong(member::mmu_caps, not_a_constant),
        "page_table_format: `mmu_caps` exists but is not a `static constexpr wddmcore::gpuva::gpu_mmu_capabilities`");
    static_assert(
        !wrong(member::entry_limits, missing),
        "page_table_format: `entry_limits` is missing: write `static constexpr wddmcore::page_table_entry_limits "
        "entry_limits{...};`, how wide page numbers are");
    static_assert(
        !wrong(member::entry_limits, not_a_constant),
        "page_table_format: `entry_limits` exists but is not a `static constexpr wddmcore::page_table_entry_limits`");
    static_assert(
        !wrong(member::entry_limits, out_of_range),
        "page_table_format: `entry_limits` must have 1 to 52 page_number_bits, 1 to 64 adapters, and valid_word 0 or "
        "1");
    static_assert(
        !wrong(member::encode_leaf, missing),
        "page_table_format: `encode_leaf` is missing: write `wddmcore::page_table_entry "
        "encode_leaf(wddmcore::leaf_kind, wddmcore::u32 level, wddmcore::pte_target, wddmcore::u64 protection) const`");
    static_assert(
        !wrong(member::encode_leaf, cannot_be_called),
        "page_table_format: `encode_leaf` exists but cannot be called as `wddmcore::page_table_entry "
        "encode_leaf(wddmcore::leaf_kind, wddmcore::u32 level, wddmcore::pte_target, wddmcore::u64 protection) const`");
    static_assert(
        !wrong(member::encode_directory, missing),
        "page_table_format: `encode_directory` is missing: write `wddmcore::page_table_entry "
        "encode_directory(wddmcore::u32 level, wddmcore::pte_target table, wddmcore::pte_target table_64k) const`");
    static_assert(
        !wrong(member::encode_directory, cannot_be_called),
        "page_table_format: `encode_directory` exists but cannot be called as `wddmcore::page_table_entry "
        "encode_directory(wddmcore::u32 level, wddmcore::pte_target table, wddmcore::pte_target table_64k) const`");
    static_assert(
        !wrong(member::attributes, cannot_be_called),
        "uniform_entries: `attributes` and `static constexpr wddmcore::u32 entry_page_shift` go together and do not "
        "fit `wddmcore::entry_attributes attributes(wddmcore::leaf_kind, wddmcore::pte_flags, wddmcore::u64 "
        "protection) const`");
    static_assert(!wrong(member::entry_page_shift, out_of_range),
                  "uniform_entries: `attributes` is for leaf entries of 4 or 8 bytes, and `entry_page_shift` plus "
                  "page_number_bits must not exceed 64");
    static_assert(
        !wrong(member::attributes_by_key, cannot_be_called),
        "keeps_attribute_table: `attributes_by_key` exists but cannot be called as `wddmcore::attribute_table const* "
        "attributes_by_key(wddmcore::u64 protection) const`");
    static_assert(
        !wrong(member::store_entry_word, missing),
        "page_table_store: `store_entry_word` is missing: write `void store_entry_word(wddmcore::u64* at, "
        "wddmcore::u64 value)` and the same for wddmcore::u32, or inherit wddmcore::hw::coherent_page_table_store; "
        "the paging process's tables are always written by the CPU");
    static_assert(
        !wrong(member::store_entry_word, cannot_be_called),
        "page_table_store: `store_entry_word` exists but cannot be called both as `void "
        "store_entry_word(wddmcore::u64* at, wddmcore::u64 value)` and as `void store_entry_word(wddmcore::u32* at, "
        "wddmcore::u32 value)`");
    static_assert(!wrong(member::finish_entry_stores, missing),
                  "page_table_store: `finish_entry_stores` is missing: write `void finish_entry_stores()`");
    static_assert(
        !wrong(member::finish_entry_stores, cannot_be_called),
        "page_table_store: `finish_entry_stores` exists but cannot be called as `void finish_entry_stores()`");
    static_assert(
        !wrong(member::write_max, missing),
        "page_table_writer: `write_max` is missing: write `static constexpr wddmcore::dwords write_max{...};`, the "
        "most dwords of entries in one command");
    static_assert(!wrong(member::write_max, not_a_constant),
                  "page_table_writer: `write_max` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::write_max, out_of_range),
                  "page_table_writer: `write_max` must be a whole number of the largest entries, at least one");
    static_assert(!wrong(member::write_head_dwords, missing),
                  "page_table_writer: `write_head_dwords` is missing: write `static constexpr wddmcore::dwords "
                  "write_head_dwords{...};`, the exact length of what encode_write_head writes");
    static_assert(!wrong(member::write_head_dwords, not_a_constant),
                  "page_table_writer: `write_head_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::write_head_dwords, out_of_range),
                  "page_table_writer: `write_head_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::encode_write_head, missing),
        "page_table_writer: `encode_write_head` is missing: write `void encode_write_head(wddmcore::u32* at, address "
        "destination, wddmcore::dwords entries) const`");
    static_assert(
        !wrong(member::encode_write_head, cannot_be_called),
        "page_table_writer: `encode_write_head` exists but cannot be called as `void encode_write_head(wddmcore::u32* "
        "at, address destination, wddmcore::dwords entries) const`");
    static_assert(
        !wrong(member::write_tail_dwords, cannot_be_called),
        "page_table_writer_with_tail: `encode_write_tail` and `static constexpr wddmcore::dwords write_tail_dwords` "
        "go together and do not fit `void encode_write_tail(wddmcore::u32* at, address destination, wddmcore::dwords "
        "entries) const`");
    static_assert(
        !wrong(member::write_tail_dwords, out_of_range),
        "page_table_writer_with_tail: `write_tail_dwords` must be 1 to 256 dwords; leave it out where nothing follows "
        "the entries");
    static_assert(
        !wrong(member::generate_dwords, cannot_be_called),
        "page_table_generator: `encode_generate`, `static constexpr wddmcore::dwords generate_dwords`, `static "
        "constexpr wddmcore::u32 generate_max` and `static constexpr wddmcore::u32 generate_entry_bytes` go together "
        "and do not fit `void encode_generate(wddmcore::u32* at, address destination, wddmcore::entry_run const&) "
        "const`");
    static_assert(!wrong(member::generate_dwords, out_of_range),
                  "page_table_generator: `generate_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::generate_max, out_of_range),
                  "page_table_generator: `generate_max` must be at least 1 entry");
    static_assert(!wrong(member::generate_entry_bytes, out_of_range),
                  "page_table_generator: `generate_entry_bytes` must be 4 or 8");
    static_assert(!wrong(member::copy_entries_max, missing),
                  "page_table_copier: `copy_entries_max` is missing: write `static constexpr wddmcore::bytes "
                  "copy_entries_max{...};`, the most bytes of one command");
    static_assert(!wrong(member::copy_entries_max, not_a_constant),
                  "page_table_copier: `copy_entries_max` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(!wrong(member::copy_entries_max, out_of_range),
                  "page_table_copier: `copy_entries_max` must be a whole number of leaf entries, at least one");
    static_assert(!wrong(member::copy_entries_dwords, missing),
                  "page_table_copier: `copy_entries_dwords` is missing: write `static constexpr wddmcore::dwords "
                  "copy_entries_dwords{...};`, the exact length of what encode_copy_entries writes");
    static_assert(!wrong(member::copy_entries_dwords, not_a_constant),
                  "page_table_copier: `copy_entries_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::copy_entries_dwords, out_of_range),
                  "page_table_copier: `copy_entries_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::encode_copy_entries, missing),
        "page_table_copier: `encode_copy_entries` is missing: write `void encode_copy_entries(wddmcore::u32* at, "
        "address destination, address source, wddmcore::bytes size) const`");
    static_assert(
        !wrong(member::encode_copy_entries, cannot_be_called),
        "page_table_copier: `encode_copy_entries` exists but cannot be called as `void "
        "encode_copy_entries(wddmcore::u32* at, address destination, address source, wddmcore::bytes size) const`");
    return true;
}

}  // namespace wddmcore::hw
