// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../capabilities.hpp"
#include "../command_stream.hpp"
#include "../transfer/fill_engine.hpp"
#include "format.hpp"
#include "store.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// Entries that one command makes: entry i is add + start + i * step.
struct entry_run {
    u64 add;    ///< what all entries share: their attributes and the segment's base
    u64 start;  ///< the address field of the first, without the base
    u64 step;   ///< from one to the next; 0 for entries that are all alike
    u32 count;  ///< entries, 1 to generate_max
};

namespace hw {

/// Makes a run of leaf entries from one command: consecutive pages, or the same entry again and again. Optional.
///
/// For library users: without it runs of entries are written inline.
/// For hardware authors: `static constexpr u32 generate_max`, the most entries of one command, at least 1;
/// `static constexpr u32 generate_entry_bytes`, 4 or 8: for which tables it works; `static constexpr dwords
/// generate_dwords`, 1 to 256, the exact length of `void encode_generate(u32* at, address destination, entry_run
/// const&) const`.
template <class Hw>
concept page_table_generator =
    addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, entry_run const& run) {
        requires meta::is_constant_of<u32, Hw::generate_max>;
        requires meta::is_constant_of<u32, Hw::generate_entry_bytes>;
        requires meta::is_constant_of<dwords, Hw::generate_dwords>;
        { hw.encode_generate(at, a, run) } -> meta::same_as<void>;
    };

/// Writes page-table entries by command: a head, then the entries' own dwords in the stream.
///
/// For library users: entries are whole, ascending, and their count is known before the head is written (law 4).
/// For hardware authors: `static constexpr dwords write_max`, the most dwords of entries in one command, a whole number
/// of the largest entries, at least one; `static constexpr dwords write_head_dwords`, 1 to 256, the exact length of
/// `void encode_write_head(u32* at, address destination, dwords entries) const`. The command stores the entries that
/// follow its head, in order, from `destination` on, which lies at a whole entry.
template <class Hw>
concept page_table_writer = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, dwords n) {
    requires meta::is_constant_of<dwords, Hw::write_max>;
    requires meta::is_constant_of<dwords, Hw::write_head_dwords>;
    { hw.encode_write_head(at, a, n) } -> meta::same_as<void>;
};

/// The same for hardware whose command goes on after the entries, such as a launch that follows its data.
///
/// For library users: without it nothing follows the entries.
/// For hardware authors: `static constexpr dwords write_tail_dwords`, 1 to 256, the exact length of
/// `void encode_write_tail(u32* at, address destination, dwords entries) const`.
template <class Hw>
concept page_table_writer_with_tail =
    page_table_writer<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, dwords n) {
        requires meta::is_constant_of<dwords, Hw::write_tail_dwords>;
        { hw.encode_write_tail(at, a, n) } -> meta::same_as<void>;
    };

/// The dwords after the entries of an inline write; none for most hardware.
template <class Hw>
[[nodiscard]] consteval dwords write_tail_of() noexcept {
    if constexpr (page_table_writer_with_tail<Hw>) {
        return Hw::write_tail_dwords;
    } else {
        return {0};
    }
}

/// Copies page-table entries from table to table when the command runs, not when it is built (OP14-02).
///
/// For library users: commands are in the order of the ranges, and each has to have stored its entries before the next
/// reads: a range may depend on an earlier one (OBS-11).
/// For hardware authors: `static constexpr bytes copy_entries_max`, a whole number of entries; `static constexpr dwords
/// copy_entries_dwords`, 1 to 256, the exact length of `void encode_copy_entries(u32* at, address destination, address
/// source, bytes size) const`, with whatever makes the entries visible to the next of these commands. Source and
/// destination of one command never overlap.
template <class Hw>
concept page_table_copier = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, bytes size) {
    requires meta::is_constant_of<bytes, Hw::copy_entries_max>;
    requires meta::is_constant_of<dwords, Hw::copy_entries_dwords>;
    { hw.encode_copy_entries(at, a, a, size) } -> meta::same_as<void>;
};

}  // namespace hw
}  // namespace wddmcore

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_write_tail =
    requires { &Hw::encode_write_tail; } || requires { &Hw::write_tail_dwords; };

template <class Hw>
inline constexpr bool declares_generator = requires { &Hw::encode_generate; } || requires { &Hw::generate_dwords; } ||
                                           requires { &Hw::generate_max; } || requires { &Hw::generate_entry_bytes; };

/// The dwords of the largest entry.
template <class Hw>
[[nodiscard]] consteval u32 largest_entry_dwords() {
    return most_of_geometries<Hw>([](gpuva::page_table_geometry const& tables) {
        u32 most = tables.entry_bytes_64k;
        for (u32 level = 0; level != tables.level_count; ++level) {
            most = greater(most, tables.levels[level].entry_bytes);
        }
        return most / 4;
    });
}

/// Entries written by command, judged.
struct page_table_writer_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::write_max; }) {
            static_assert(!Aloud, "page_table_writer: `write_max` is missing or not public: write `static constexpr "
                                  "wddmcore::dwords write_max{...};`, the most dwords of entries in one command");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::write_max>; }) {
            static_assert(!Aloud,
                          "page_table_writer: `write_max` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (Hw::write_max.n == 0 || Hw::write_max.n % largest_entry_dwords<Hw>() != 0) {
            static_assert(!Aloud,
                          "page_table_writer: `write_max` must be a whole number of the largest entries, at least one");
        } else if constexpr (!requires { Hw::write_head_dwords; }) {
            static_assert(
                !Aloud, "page_table_writer: `write_head_dwords` is missing or not public: write `static constexpr "
                        "wddmcore::dwords write_head_dwords{...};`, the exact length of what encode_write_head writes");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::write_head_dwords>; }) {
            static_assert(!Aloud, "page_table_writer: `write_head_dwords` exists but is not a `static constexpr "
                                  "wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::write_head_dwords)) {
            static_assert(!Aloud, "page_table_writer: `write_head_dwords` must be 1 to 256 dwords");
        } else if constexpr (!page_table_writer<Hw>) {
            constexpr bool declared = requires { &Hw::encode_write_head; };
            static_assert(!Aloud || !declared,
                          "page_table_writer: `encode_write_head` exists but cannot be called as `void "
                          "encode_write_head(wddmcore::u32* at, address destination, wddmcore::dwords entries) const`");
            static_assert(!Aloud || declared,
                          "page_table_writer: `encode_write_head` is missing or not public: write `void "
                          "encode_write_head(wddmcore::u32* at, address destination, wddmcore::dwords entries) const`");
        } else if constexpr (!declares_write_tail<Hw>) {
            return true;
        } else if constexpr (!page_table_writer_with_tail<Hw>) {
            static_assert(!Aloud, "page_table_writer_with_tail: `encode_write_tail` and `static constexpr "
                                  "wddmcore::dwords write_tail_dwords` go together and do not fit `void "
                                  "encode_write_tail(wddmcore::u32* at, address destination, wddmcore::dwords "
                                  "entries) const`");
        } else if constexpr (!is_command_length(Hw::write_tail_dwords)) {
            static_assert(!Aloud, "page_table_writer_with_tail: `write_tail_dwords` must be 1 to 256 dwords; leave "
                                  "it out where nothing follows the entries");
        } else {
            return true;
        }
        return false;
    }
};

/// Runs of entries made by one command, judged.
struct page_table_generator_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!declares_generator<Hw>) {
            return true;
        } else if constexpr (!page_table_generator<Hw>) {
            static_assert(!Aloud, "page_table_generator: `encode_generate`, `static constexpr wddmcore::dwords "
                                  "generate_dwords`, `static constexpr wddmcore::u32 generate_max` and `static "
                                  "constexpr wddmcore::u32 generate_entry_bytes` go together and do not fit `void "
                                  "encode_generate(wddmcore::u32* at, address destination, wddmcore::entry_run "
                                  "const&) const`");
        } else if constexpr (!is_command_length(Hw::generate_dwords)) {
            static_assert(!Aloud, "page_table_generator: `generate_dwords` must be 1 to 256 dwords");
        } else if constexpr (Hw::generate_max == 0) {
            static_assert(!Aloud, "page_table_generator: `generate_max` must be at least 1 entry");
        } else if constexpr (Hw::generate_entry_bytes != 4 && Hw::generate_entry_bytes != 8) {
            static_assert(!Aloud, "page_table_generator: `generate_entry_bytes` must be 4 or 8");
        } else {
            return true;
        }
        return false;
    }
};

/// Copies of entries, judged.
struct page_table_copier_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::copy_entries_max; }) {
            static_assert(!Aloud, "page_table_copier: `copy_entries_max` is missing or not public: write `static "
                                  "constexpr wddmcore::bytes copy_entries_max{...};`, the most bytes of one command");
        } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::copy_entries_max>; }) {
            static_assert(
                !Aloud, "page_table_copier: `copy_entries_max` exists but is not a `static constexpr wddmcore::bytes`");
        } else if constexpr (Hw::copy_entries_max.n == 0 ||
                             Hw::copy_entries_max.n % any_geometry<Hw>().levels[0].entry_bytes != 0) {
            static_assert(!Aloud,
                          "page_table_copier: `copy_entries_max` must be a whole number of leaf entries, at least one");
        } else if constexpr (!requires { Hw::copy_entries_dwords; }) {
            static_assert(!Aloud, "page_table_copier: `copy_entries_dwords` is missing or not public: write `static "
                                  "constexpr wddmcore::dwords copy_entries_dwords{...};`, the exact length of what "
                                  "encode_copy_entries writes");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::copy_entries_dwords>; }) {
            static_assert(!Aloud, "page_table_copier: `copy_entries_dwords` exists but is not a `static constexpr "
                                  "wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::copy_entries_dwords)) {
            static_assert(!Aloud, "page_table_copier: `copy_entries_dwords` must be 1 to 256 dwords");
        } else if constexpr (!page_table_copier<Hw>) {
            constexpr bool declared = requires { &Hw::encode_copy_entries; };
            static_assert(!Aloud || !declared, "page_table_copier: `encode_copy_entries` exists but cannot be called "
                                               "as `void encode_copy_entries(wddmcore::u32* at, address destination, "
                                               "address source, wddmcore::bytes size) const`");
            static_assert(!Aloud || declared, "page_table_copier: `encode_copy_entries` is missing or not public: "
                                              "write `void encode_copy_entries(wddmcore::u32* at, address "
                                              "destination, address source, wddmcore::bytes size) const`");
        } else {
            return true;
        }
        return false;
    }
};

/// How tables are named by the update modes that may come.
struct table_addresses_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual) &&
                      !virtual_addresses_promise::kept<Hw>()) {
            return virtual_addresses_promise::kept<Hw, Aloud>();
        } else if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_physical)) {
            return keeps<Hw, Aloud, page_addresses_promise, segment_addresses_promise>();
        } else {
            return true;
        }
    }
};

/// What entries take that are written by command, in the update modes that may come.
struct page_table_commands_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        using writing = all_of<address_promise, table_addresses_promise, command_stream_promise,
                               page_table_writer_promise, page_table_generator_promise>;
        if constexpr (!contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
            return true;
        } else if constexpr (requires { Hw::fill_max; }) {
            // Equal entries are filled where there is such an engine, also where the CPU does the operations that need
            // it.
            return keeps<Hw, Aloud, writing, fill_engine_promise>();
        } else {
            return writing::kept<Hw, Aloud>();
        }
    }
};

/// Operation 11: the CPU always, commands when there is a mode for them.
using page_table_update_promise =
    all_of<segment_map_promise, page_table_format_promise, page_table_store_promise, page_table_commands_promise>;

/// Operation 14.
using page_table_copy_promise = all_of<address_promise, virtual_addresses_promise, command_stream_promise,
                                       page_table_format_promise, page_table_copier_promise>;

}  // namespace wddmcore::hw::detail
