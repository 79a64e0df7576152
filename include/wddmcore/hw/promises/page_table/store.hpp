// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/assert.hpp"
#include "../../../base/meta.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Stores page-table entries by the CPU, at once. Required with GPU virtual addressing: the paging process's own tables
/// are always initialised so, without a buffer, whatever the update mode is (GVA-40, OP11-04).
///
/// For library users: one store per naturally aligned word of at most 8 bytes (OP11-11); of a 16-byte entry the word
/// with the valid bit comes last when the entry becomes valid, first when it becomes invalid (law 4).
/// For hardware authors: `void store_entry_word(u64* at, u64 value)` and `void store_entry_word(u32* at, u32 value)`,
/// the latter for tables of 4-byte entries: exactly one store, in program order with the others (a volatile store, or
/// WRITE_REGISTER_ULONG64); `void finish_entry_stores()`, called once after the last store of a request: whatever
/// makes them reach the memory, such as a fence for write-combined memory or a cache flush.
template <class Hw>
concept page_table_store = requires(Hw& hw, u64* at, u32* at32) {
    { hw.store_entry_word(at, u64{}) } -> meta::same_as<void>;
    { hw.store_entry_word(at32, u32{}) } -> meta::same_as<void>;
    { hw.finish_entry_stores() } -> meta::same_as<void>;
};

/// Ordinary stores for a hardware type to be put together with: tables in memory that the CPU caches coherently with
/// the GPU. Tables behind a write-combined mapping need a finish_entry_stores of their own.
struct coherent_page_table_store {
    /// Stores one word of an entry at once. PASSIVE_LEVEL, pageable as its caller.
    ///
    /// @param at     the word in the table
    /// @param value  4 or 8 bytes
    template <class Word>
    static constexpr void store_entry_word(Word* at, Word value) noexcept {
        if (in_constant_evaluation()) {
            *at = value;
        } else {
            *const_cast<Word volatile*>(at) = value;
        }
    }
    /// The words are there already: nothing to wait for. PASSIVE_LEVEL, pageable as its caller.
    static constexpr void finish_entry_stores() noexcept {}
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// Entries stored by the CPU, judged.
struct page_table_store_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (page_table_store<Hw>) {
            return true;
        } else if constexpr (!requires(Hw& hw, u64* at, u32* at32) {
                                 { hw.store_entry_word(at, u64{}) } -> meta::same_as<void>;
                                 { hw.store_entry_word(at32, u32{}) } -> meta::same_as<void>;
                             }) {
            constexpr bool declared = requires(Hw& hw, u64* at) { hw.store_entry_word(at, u64{}); } ||
                                      requires(Hw& hw, u32* at) { hw.store_entry_word(at, u32{}); };
            static_assert(!Aloud || !declared, "page_table_store: `store_entry_word` exists but cannot be called both "
                                               "as `void store_entry_word(wddmcore::u64* at, wddmcore::u64 value)` and "
                                               "as `void store_entry_word(wddmcore::u32* at, wddmcore::u32 value)`");
            static_assert(
                !Aloud || declared,
                "page_table_store: `store_entry_word` is missing or not public: write `void "
                "store_entry_word(wddmcore::u64* at, wddmcore::u64 value)` and the same for wddmcore::u32, or inherit "
                "wddmcore::hw::coherent_page_table_store; the paging process's tables are always written by the CPU");
        } else {
            constexpr bool declared = requires { &Hw::finish_entry_stores; };
            static_assert(!Aloud || !declared, "page_table_store: `finish_entry_stores` exists but cannot be called "
                                               "as `void finish_entry_stores()`");
            static_assert(!Aloud || declared, "page_table_store: `finish_entry_stores` is missing or not public: "
                                              "write `void finish_entry_stores()`");
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
