// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "page_table_copier.hpp"
#include "page_table_format.hpp"
#include "page_table_generator.hpp"
#include "page_table_store.hpp"
#include "page_table_writer.hpp"
#include "translation_defects.hpp"

/// The first broken promise about page tables: operations 11 and 14.
namespace wddmcore::inline WDDMCORE_ABI::hw {

// Each of these has halves that go together, as in defects.hpp.
template <class Hw>
inline constexpr bool declares_attributes = requires { &Hw::attributes; } || requires { &Hw::entry_page_shift; };
template <class Hw>
inline constexpr bool declares_write_tail =
    requires { &Hw::encode_write_tail; } || requires { &Hw::write_tail_dwords; };
template <class Hw>
inline constexpr bool declares_generator = requires { &Hw::encode_generate; } || requires { &Hw::generate_dwords; } ||
                                           requires { &Hw::generate_max; } || requires { &Hw::generate_entry_bytes; };

/// The dwords of the largest entry.
template <class Hw>
[[nodiscard]] consteval u32 largest_entry_dwords() {
    u32 most = Hw::page_tables.entry_bytes_64k;
    for (u32 level = 0; level != Hw::page_tables.level_count; ++level) {
        most = greater(most, Hw::page_tables.levels[level].entry_bytes);
    }
    return most / 4;
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_entry_limits() {
    if constexpr (!requires { Hw::entry_limits; }) {
        return {member::entry_limits, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<page_table_entry_limits, Hw::entry_limits>; }) {
        return {member::entry_limits, defect::not_a_constant};
    } else if constexpr (Hw::entry_limits.page_number_bits < 1 || Hw::entry_limits.page_number_bits > 52 ||
                         Hw::entry_limits.adapters < 1 || Hw::entry_limits.adapters > 64 ||
                         Hw::entry_limits.valid_word > 1) {
        return {member::entry_limits, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_attributes() {
    if constexpr (!declares_attributes<Hw>) {
        return all_kept;
    } else if constexpr (!uniform_entries<Hw>) {
        return {member::attributes, defect::cannot_be_called};
    } else if constexpr (Hw::page_tables.levels[0].entry_bytes > 8 ||
                         Hw::entry_page_shift + Hw::entry_limits.page_number_bits > 64) {
        return {member::entry_page_shift, defect::out_of_range};
    } else {
        constexpr bool declared = requires { &Hw::attributes_by_key; };
        return !declared || keeps_attribute_table<Hw>
                   ? all_kept
                   : broken_promise{member::attributes_by_key, defect::cannot_be_called};
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_table_format() {
    if constexpr (!requires { Hw::page_tables; }) {
        return {member::page_tables, defect::missing};
    } else if constexpr (!requires { requires is_geometry<Hw::page_tables>; }) {
        return {member::page_tables, defect::not_a_constant};
    } else if constexpr (!requires { Hw::mmu_caps; }) {
        return {member::mmu_caps, defect::missing};
    } else if constexpr (!requires { requires is_mmu_capabilities<Hw::mmu_caps>; }) {
        return {member::mmu_caps, defect::not_a_constant};
    } else if constexpr (broken_entry_limits<Hw>() != all_kept) {
        return broken_entry_limits<Hw>();
    } else if constexpr (!requires(Hw const& hw, pte_target target) {
                             {
                                 hw.encode_leaf(leaf_kind::gpu_page, u32{}, target, u64{})
                             } -> meta::same_as<page_table_entry>;
                         }) {
        constexpr bool declared = requires { &Hw::encode_leaf; };
        return wrong_function(member::encode_leaf, declared);
    } else if constexpr (!page_table_format<Hw>) {
        constexpr bool declared = requires { &Hw::encode_directory; };
        return wrong_function(member::encode_directory, declared);
    } else {
        return broken_attributes<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_table_store() {
    if constexpr (page_table_store<Hw>) {
        return all_kept;
    } else if constexpr (!requires(Hw& hw, u64* at, u32* at32) {
                             { hw.store_entry_word(at, u64{}) } -> meta::same_as<void>;
                             { hw.store_entry_word(at32, u32{}) } -> meta::same_as<void>;
                         }) {
        constexpr bool declared = requires(Hw& hw, u64* at) { hw.store_entry_word(at, u64{}); } ||
                                  requires(Hw& hw, u32* at) { hw.store_entry_word(at, u32{}); };
        return wrong_function(member::store_entry_word, declared);
    } else {
        constexpr bool declared = requires { &Hw::finish_entry_stores; };
        return wrong_function(member::finish_entry_stores, declared);
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_table_writer() {
    if constexpr (!requires { Hw::write_max; }) {
        return {member::write_max, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::write_max>; }) {
        return {member::write_max, defect::not_a_constant};
    } else if constexpr (Hw::write_max.n == 0 || Hw::write_max.n % largest_entry_dwords<Hw>() != 0) {
        return {member::write_max, defect::out_of_range};
    } else if constexpr (!requires { Hw::write_head_dwords; }) {
        return {member::write_head_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::write_head_dwords>; }) {
        return {member::write_head_dwords, defect::not_a_constant};
    } else if constexpr (!is_command_length(Hw::write_head_dwords)) {
        return {member::write_head_dwords, defect::out_of_range};
    } else if constexpr (!page_table_writer<Hw>) {
        constexpr bool declared = requires { &Hw::encode_write_head; };
        return wrong_function(member::encode_write_head, declared);
    } else if constexpr (!declares_write_tail<Hw>) {
        return all_kept;
    } else if constexpr (!page_table_writer_with_tail<Hw>) {
        return {member::write_tail_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::write_tail_dwords)) {
        return {member::write_tail_dwords, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_table_generator() {
    if constexpr (!declares_generator<Hw>) {
        return all_kept;
    } else if constexpr (!page_table_generator<Hw>) {
        return {member::generate_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::generate_dwords)) {
        return {member::generate_dwords, defect::out_of_range};
    } else if constexpr (Hw::generate_max == 0) {
        return {member::generate_max, defect::out_of_range};
    } else if constexpr (Hw::generate_entry_bytes != 4 && Hw::generate_entry_bytes != 8) {
        return {member::generate_entry_bytes, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_table_copier() {
    if constexpr (!requires { Hw::copy_entries_max; }) {
        return {member::copy_entries_max, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::copy_entries_max>; }) {
        return {member::copy_entries_max, defect::not_a_constant};
    } else if constexpr (Hw::copy_entries_max.n == 0 ||
                         Hw::copy_entries_max.n % Hw::page_tables.levels[0].entry_bytes != 0) {
        return {member::copy_entries_max, defect::out_of_range};
    } else if constexpr (!requires { Hw::copy_entries_dwords; }) {
        return {member::copy_entries_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::copy_entries_dwords>; }) {
        return {member::copy_entries_dwords, defect::not_a_constant};
    } else if constexpr (!is_command_length(Hw::copy_entries_dwords)) {
        return {member::copy_entries_dwords, defect::out_of_range};
    } else if constexpr (!page_table_copier<Hw>) {
        constexpr bool declared = requires { &Hw::encode_copy_entries; };
        return wrong_function(member::encode_copy_entries, declared);
    } else {
        return all_kept;
    }
}

/// How tables are named by the update modes that may come.
template <class Hw>
[[nodiscard]] consteval broken_promise broken_table_addresses() {
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual) &&
                  broken_virtual_addresses<Hw>() != all_kept) {
        return broken_virtual_addresses<Hw>();
    } else if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_physical)) {
        return broken_page_addresses<Hw>() != all_kept ? broken_page_addresses<Hw>() : broken_segment_addresses<Hw>();
    } else {
        return all_kept;
    }
}

/// Operation 11: the CPU always, commands when there is a mode for them.
template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_table_update() {
    if constexpr (broken_segment_map<Hw>() != all_kept) {
        return broken_segment_map<Hw>();
    } else if constexpr (broken_page_table_format<Hw>() != all_kept) {
        return broken_page_table_format<Hw>();
    } else if constexpr (broken_page_table_store<Hw>() != all_kept) {
        return broken_page_table_store<Hw>();
    } else if constexpr (!contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
        return all_kept;
    } else if constexpr (broken_address<Hw>() != all_kept) {
        return broken_address<Hw>();
    } else if constexpr (broken_table_addresses<Hw>() != all_kept) {
        return broken_table_addresses<Hw>();
    } else if constexpr (broken_command_stream<Hw>() != all_kept) {
        return broken_command_stream<Hw>();
    } else if constexpr (broken_page_table_writer<Hw>() != all_kept) {
        return broken_page_table_writer<Hw>();
    } else if constexpr (broken_page_table_generator<Hw>() != all_kept) {
        return broken_page_table_generator<Hw>();
    } else if constexpr (requires { Hw::fill_max; }) {
        // Equal entries are filled where there is such an engine, also where the CPU does the operations that need it.
        return broken_fill_engine<Hw>();
    } else {
        return all_kept;
    }
}

/// Operation 14.
template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_table_copy() {
    if constexpr (broken_address<Hw>() != all_kept) {
        return broken_address<Hw>();
    } else if constexpr (broken_virtual_addresses<Hw>() != all_kept) {
        return broken_virtual_addresses<Hw>();
    } else if constexpr (broken_command_stream<Hw>() != all_kept) {
        return broken_command_stream<Hw>();
    } else if constexpr (broken_page_table_format<Hw>() != all_kept) {
        return broken_page_table_format<Hw>();
    } else {
        return broken_page_table_copier<Hw>();
    }
}

}  // namespace wddmcore::hw
